"""What two sentences say differently, by word lists, in English and German."""

from __future__ import annotations

import pytest

from scoring.judges import lexicon
from scoring.text import LANGUAGES, UnknownLanguage

CONFLICTS = [
    ("en", "A banner trails behind it.", "There is no banner trailing behind it.", "negation"),
    ("en", "He doesn't smile.", "He smiles at her.", "negation"),
    ("en", "The crowd is quiet.", "The crowd is not quiet.", "negation"),
    ("en", "Two men walk.", "Three men are walking.", "number"),
    ("en", "There are 4 dogs.", "Five dogs run.", "number"),
    ("en", "The car is red.", "A blue car drives by.", "colour"),
    ("en", "A man in a grey coat waits.", "The coat is green.", "colour"),
    ("en", "A man sits on a bench.", "A woman sits on a bench.", "opposite"),
    ("en", "The door is open.", "A closed door is shown.", "opposite"),
    ("de", "Der Mann läuft nicht.", "Ein Mann läuft.", "negation"),
    ("de", "Kein Mensch steht dort.", "Menschen stehen dort.", "negation"),
    ("de", "Drei Hunde bellen.", "Zwei Hunde bellen laut.", "number"),
    ("de", "Das Auto ist rot.", "Ein blaues Auto fährt.", "colour"),
    ("de", "Ein Mann sitzt auf der Bank.", "Eine Frau sitzt auf einer Bank.", "opposite"),
]
AGREEMENTS = [
    ("en", "A man walks.", "A man walks his dog."),
    ("en", "A black and white dog runs.", "A white dog is running."),
    ("en", "There are 4 dogs.", "Four dogs run."),
    ("en", "It is not raining.", "It never rains."),
    ("en", "A red car passes a blue house.", "A blue house and a red car."),
    ("en", "A man and a woman sit.", "A woman sits."),
    ("en", "Two men walk.", "Three dogs sleep."),
    ("en", "A gray coat.", "The coat is grey."),
    ("de", "Zwei Hunde bellen.", "Die beiden Hunde bellten."),
    ("de", "Ein rotes Auto.", "Das Auto ist rot."),
]


@pytest.mark.parametrize(("language", "fact", "text", "kind"), CONFLICTS)
def test_conflicts_are_found_in_both_directions(
    language: str, fact: str, text: str, kind: str
) -> None:
    """And name both words."""
    words = lexicon.load(language)
    for one, other in ((fact, text), (text, fact)):
        found = words.conflicts(one, other)
        assert [conflict.kind for conflict in found] == [kind]
        assert str(found[0]).startswith(f"{kind}: ")
        assert found[0].fact != found[0].text


@pytest.mark.parametrize(("language", "fact", "text"), AGREEMENTS)
def test_what_agrees_or_has_nothing_to_do_with_it_is_no_conflict(
    language: str, fact: str, text: str
) -> None:
    """Also when both sentences stand the other way round."""
    words = lexicon.load(language)
    assert words.conflicts(fact, text) == words.conflicts(text, fact) == ()


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_a_sentence_does_not_conflict_with_itself(language: str) -> None:
    """For every example."""
    words = lexicon.load(language)
    for own, *sentences in (row[:3] for row in (*CONFLICTS, *AGREEMENTS)):
        for sentence in sentences if own == language else ():
            assert words.conflicts(sentence, sentence) == ()
            assert words.overlap(sentence, sentence) == 1


@pytest.mark.parametrize(
    ("language", "forms"),
    [
        ("en", "run runs running ran"),
        ("en", "walk walks walked walking"),
        ("en", "drive drives driving driven"),
        ("en", "cry cries crying"),
        ("en", "man men"),
        ("en", "glass glasses"),
        ("en", "dog dogs dog's"),
        ("de", "Hund Hunde Hunden"),
        ("de", "läuft laufen"),
        ("de", "Straße Straßen"),
        ("de", "bellt bellen"),
    ],
)
def test_forms_of_a_word_have_one_stem(language: str, forms: str) -> None:
    """By endings, or by the list."""
    words = lexicon.load(language)
    assert len({words.stem(form) for form in forms.split()}) == 1


def test_the_overlap_is_the_share_of_content_words() -> None:
    """Small words and negations count for nothing; without content it is 0."""
    words = lexicon.load("en")
    assert words.overlap("The tall man is walking.", "A man walks not.") == pytest.approx(2 / 3)
    assert words.overlap("It is there.", "It is there.") == 0
    assert words.overlap("A dog.", "") == 0


def test_a_language_without_words_is_named() -> None:
    """Every language that sentences are split in has them."""
    assert all(lexicon.load(language).language == language for language in LANGUAGES)
    with pytest.raises(UnknownLanguage):
        lexicon.load("fr")
    assert len(lexicon.fingerprint()) == 12
