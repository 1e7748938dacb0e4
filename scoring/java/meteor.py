"""METEOR 1.5 (Denkowski and Lavie, 2014) as one Java process that lives as long as its worker.

The jar speaks a line protocol: `SCORE ||| reference ||| ... ||| hypothesis` gives statistics, and
`EVAL ||| statistics` gives the score. A process that dies, falls silent or answers something else
is replaced, and the question is asked once more of the new one; replies of the old one are gone
with it, so a score never reaches another text.
"""

from __future__ import annotations

import atexit
import math
import os
import queue
import subprocess
import threading
from collections.abc import Sequence
from functools import lru_cache

from scoring.java import jar, java
from scoring.judges.base import JudgeFailed

NAME = "meteor-1.5-en-norm"
"""Name, version, language and options, for signatures."""

_JAR = "meteor/meteor-1.5.jar"
_BAR = "|||"


class Meteor:
    """METEOR scores, one text at a time; safe to call from several threads.

    Args:
        timeout: seconds a reply may take; the first one includes the start of the process, which
            reads a table of paraphrases for some seconds.
    """

    def __init__(self, timeout: float = 120.0) -> None:
        self.timeout = timeout
        self.starts = 0
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._replies: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._owner = 0

    def score(self, hypothesis: Sequence[str], references: Sequence[Sequence[str]]) -> float:
        """METEOR of a tokenized text against tokenized references, in [0, 1]; the best counts.

        A text without words scores 0, and references without words are left out.

        Raises:
            JudgeUnavailable: no Java on this machine.
            JudgeFailed: two processes in turn gave no usable reply.
        """
        known = [" ".join(words) for words in references if words]
        if not hypothesis or not known:
            return 0.0
        question = f" {_BAR} ".join(["SCORE", *known, " ".join(hypothesis)])
        # The tokenizer never puts two bars together; whoever brings other tokens must not either.
        if question.count(_BAR) != len(known) + 1 or "\n" in question or "\r" in question:
            raise ValueError("tokens for METEOR hold neither '|||' nor line ends")
        with self._lock:
            try:
                return self._ask(question)
            except _NoReplyError:
                self._stop()
            try:
                return self._ask(question)
            except _NoReplyError as error:
                self._stop()
                raise JudgeFailed(f"METEOR gave no score: {error}") from error

    def close(self) -> None:
        """End the process; the next question starts another."""
        with self._lock:
            self._stop()

    def _ask(self, question: str) -> float:
        statistics = self._exchange(question, replies=1)[0]
        # Two lines: the score of the one segment, and the same for "all segments".
        reply = self._exchange(f"EVAL {_BAR} {statistics}", replies=2)[0]
        try:
            value = float(reply)
        except ValueError:
            raise _NoReplyError(f"it answered {reply[:80]!r}") from None
        if not math.isfinite(value):
            raise _NoReplyError(f"it answered {value}")
        return min(max(value, 0.0), 1.0)

    def _exchange(self, line: str, replies: int) -> list[str]:
        process = self._running()
        assert process.stdin is not None  # noqa: S101 - for the type checker
        try:
            process.stdin.write(f"{line}\n".encode())
            process.stdin.flush()
        except OSError as error:
            raise _NoReplyError("its process is dead") from error
        return [self._next() for _ in range(replies)]

    def _next(self) -> str:
        try:
            line = self._replies.get(timeout=self.timeout)
        except queue.Empty:
            raise _NoReplyError(f"it was silent for {self.timeout:g} seconds") from None
        if line is None:
            raise _NoReplyError("its process died")
        reply = line.decode(errors="replace").strip()
        if reply.startswith("Error"):
            raise _NoReplyError(f"it answered {reply[:80]!r}")
        return reply

    def _running(self) -> subprocess.Popen[bytes]:
        # A forked worker must not share the pipes of its parent.
        if self._process is not None and self._owner == os.getpid():
            return self._process
        path = jar(_JAR)
        command = [java(), "-Xmx2G", "-Dfile.encoding=UTF-8", "-jar", path.name]
        command += ["-", "-", "-stdio", "-l", "en", "-norm"]
        self._replies = queue.SimpleQueue()
        self._process = subprocess.Popen(  # noqa: S603 - the launcher and the jar are ours
            command,
            cwd=path.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._owner = os.getpid()
        self.starts += 1
        reader = threading.Thread(target=_read, args=(self._process, self._replies), daemon=True)
        reader.start()
        return self._process

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.wait()


class _NoReplyError(Exception):
    """The process gave no usable reply."""


def _read(process: subprocess.Popen[bytes], replies: queue.SimpleQueue[bytes | None]) -> None:
    """Pass on what a process prints, line by line, and None when it has ended."""
    assert process.stdout is not None  # noqa: S101 - for the type checker
    for line in process.stdout:
        replies.put(line)
    replies.put(None)


@lru_cache(maxsize=1)
def shared() -> Meteor:
    """The METEOR of this worker process, started by its first question, ended with the worker."""
    meteor = Meteor()
    atexit.register(meteor.close)
    return meteor
