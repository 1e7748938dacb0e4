"""The tracks of FM-V2T: which references are read, in which language, by whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from leaderboard.importers.rows import put_track
from leaderboard.models import Release, Track
from scoring.protocols import ngram

FACT_MODEL = "llama-3.1-8b-instruct"
"""The judge of the paper's LLMFactsF1."""
BASELINE = "facts-baseline"
ENCODER = "paraphrase-multilingual-minilm-l12-v2"
"""The judge of the paper's CosPar and CosSent."""
EMBEDDED = "use-multilingual-v3"
"""The multilingual one of those that come with the site."""
EN_LONG, EN_LONG_NGRAM, EN_LONG_COSINES = "en-long", "en-long-ngram", "en-long-cosines"
EN_SHORT = "en-short"
ENGLISH = {"language": "en", "kind": "long"}
GERMAN = {"language": "de", "kind": "long"}
SHORT = {"language": "en", "kind": "short"}
OF_STAFF = frozenset({"judges", "scores_uploads"})
BY_MODEL = (
    "LLMFactsF1 with the judge of the paper, Llama-3.1-8B-Instruct. New submissions are scored when"
    " staff open the track on a site that runs this judge."
)
BY_RULES = (
    "LLMFactsF1 with a small rule-based judge: a baseline, not comparable with published numbers."
)
BY_WORDS = "BLEU, METEOR, ROUGE-L and CIDEr against "
BY_EMBEDDED = (
    "CosPar and CosSent by an encoder that comes with the site: not comparable with published"
    " numbers."
)

FACTS: Mapping[str, Any] = {"protocol": Track.Protocol.FACTS, "primary_metric": "llm_facts_f1"}
WORDS: Mapping[str, Any] = {"protocol": Track.Protocol.NGRAM, "judges": [ngram.JUDGE]}
COSINES: Mapping[str, Any] = {
    "protocol": Track.Protocol.EMBEDDING_MATCH,
    "primary_metric": "cos_sent",
}
TRACKS: Mapping[str, Mapping[str, Any]] = {
    EN_LONG: {
        "name": "English: facts",
        "summary": BY_MODEL,
        "settings": ENGLISH,
        "judges": [FACT_MODEL],
        "scores_uploads": False,
        **FACTS,
    },
    "en-long-baseline": {
        "name": "English: facts, baseline",
        "summary": BY_RULES,
        "settings": ENGLISH,
        "judges": [BASELINE],
        **FACTS,
    },
    EN_LONG_NGRAM: {
        "name": "English: shared words",
        "summary": BY_WORDS + "the long description.",
        "settings": ENGLISH,
        "primary_metric": "meteor",
        **WORDS,
    },
    EN_LONG_COSINES: {
        "name": "English: cosines",
        "summary": "CosPar and CosSent by the encoder of the paper. New submissions are scored when"
        " staff open the track on a site that has its weights.",
        "settings": ENGLISH,
        "judges": [ENCODER],
        "scores_uploads": False,
        **COSINES,
    },
    "en-long-cosines-embedded": {
        "name": "English: cosines, embedded encoder",
        "summary": BY_EMBEDDED,
        "settings": ENGLISH,
        "judges": [EMBEDDED],
        **COSINES,
    },
    EN_SHORT: {
        "name": "English, short: shared words",
        "summary": BY_WORDS + "all short captions of a clip together.",
        "settings": SHORT,
        "primary_metric": "meteor",
        **WORDS,
    },
    "de-long": {
        "name": "German: facts",
        "summary": BY_MODEL,
        "settings": GERMAN,
        "judges": [FACT_MODEL],
        "scores_uploads": False,
        **FACTS,
    },
    "de-long-baseline": {
        "name": "German: facts, baseline",
        "summary": BY_RULES,
        "settings": GERMAN,
        "judges": [BASELINE],
        **FACTS,
    },
    "de-long-ngram": {
        "name": "German: shared words",
        "summary": "BLEU, ROUGE-L and CIDEr against the long description; METEOR is English only.",
        "settings": GERMAN,
        "primary_metric": "rouge_l",
        **WORDS,
    },
    "de-long-cosines-embedded": {
        "name": "German: cosines, embedded encoder",
        "summary": BY_EMBEDDED,
        "settings": GERMAN,
        "judges": [EMBEDDED],
        **COSINES,
    },
}


def put_tracks(release: Release) -> dict[str, Track]:
    """All tracks of the release, by slug; what staff have opened or given other judges stays so."""
    there = set(release.tracks.values_list("slug", flat=True))
    tracks = {}
    for position, (slug, values) in enumerate(TRACKS.items()):
        kept = OF_STAFF if slug in there else frozenset()
        given = {name: value for name, value in values.items() if name not in kept}
        tracks[slug] = put_track(release, slug, position=position, **given)
    return tracks
