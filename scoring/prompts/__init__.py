"""The prompts of language-model judges: files, versioned, and hashed into every signature.

A prompt file begins with `version: N` and has one part per role under `## system` and `## user`.
`$name` stands for what is filled in. A changed word changes the digest, and with it the signature
and the keys of the reply cache, so no verdict made with another wording is used again.

Texts go in as data between two lines with a mark that does not occur in them (`mark`), so that no
text can close its own block, and with the role markers of chat templates broken up (`inert`), which
a server's tokenizer would take for the end of the turn.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from string import Template
from typing import Literal

from scoring.signature import digest

_MARKUP = re.compile(
    r"<\|[^|<>\n]{1,40}\|>|<｜[^｜<>\n]{1,40}｜>|\[/?INST\]|<</?SYS>>|</?s>|</?think>"
    r"|<(?:start|end)_of_turn>|<(?:bos|eos|pad|unk)>",
    re.IGNORECASE,
)

Role = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a conversation with a judge."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """One prompt file: its name, version, fingerprint and parts."""

    name: str
    version: int
    digest: str
    parts: tuple[Message, ...]

    def __str__(self) -> str:
        """As signatures name it: `check_facts.1-0f1e2d3c4b5a`."""
        return f"{self.name}.{self.version}-{self.digest}"

    def messages(self, **values: str) -> tuple[Message, ...]:
        """The conversation with the values filled in; what a value holds is not looked at."""
        return tuple(
            Message(part.role, Template(part.content).substitute(values)) for part in self.parts
        )


@cache
def load(name: str) -> Prompt:
    """The prompt of the file `name.md` beside this module."""
    text = files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")
    head, *sections = re.split(r"^## (system|user)$", text, flags=re.MULTILINE)
    version = int(head.removeprefix("version:"))
    roles: list[Role] = ["system" if role == "system" else "user" for role in sections[::2]]
    parts = [Message(r, c.strip()) for r, c in zip(roles, sections[1::2], strict=True)]
    return Prompt(name, version, digest(text), tuple(parts))


def inert(text: str) -> str:
    """`text` with a space inside each role marker or control token of a chat template."""
    return _MARKUP.sub(lambda found: f"{found[0][:1]} {found[0][1:]}", text)


def mark(*data: str) -> str:
    """A word that occurs in none of the texts, the same for the same texts.

    It is made from their hash: whoever writes a text would have to find one that contains its own
    hash to close the block it stands in, and even then another word is taken.
    """
    attempt = 0
    while True:
        source = "\x1f".join((str(attempt), *data))
        word = "data-" + hashlib.sha256(source.encode("utf-8", "replace")).hexdigest()[:16]
        if not any(word in text for text in data):
            return word
        attempt += 1
