"""Systems side by side: the numbers against plain recomputation, the forms, who is left out."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from scipy import stats

from leaderboard.intake import Contents, receive
from leaderboard.models import (
    Clip,
    Kind,
    Provenance,
    Ranking,
    Release,
    ReportedResult,
    Run,
    Submission,
    System,
    Track,
)
from leaderboard.pipeline.rank import rank_reported, rank_track
from leaderboard.pipeline.score import score_run
from leaderboard.tables import Choice, asked_systems, comparison, focus
from leaderboard.tables import compare as compare_module
from scoring.ranking.bootstrap import draws
from tests.support.small_tests import answers, as_jsonl, pairs_track

PAGE = "/b/small/1.0/main/compare/"
THREE = ("best", "middle", "worst")
Text = Callable[[Any], str]


@pytest.fixture
def ranking(ranked: Any, track: Track) -> Ranking:
    """The small site's table, over clips of two categories and four durations."""
    for position, clip in enumerate(Clip.objects.order_by("position")):
        clip.category = "Street" if position < 2 else "Sea"
        clip.duration = 60.0 * (position + 1)
        clip.title = f"Scene {position + 1}"
        clip.save()
    made = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert made is not None
    return made


def vectors() -> dict[str, np.ndarray]:
    """System to values on the four scored clips, (judges, clips), judges in their order."""
    found: dict[str, dict[str, Any]] = {}
    for run in Run.objects.select_related("submission__system"):
        values = run.vectors.get(metric="hm_cf").values[:4]
        found.setdefault(run.submission.system.slug, {})[run.judge] = values
    return {slug: np.array([of["left"], of["right"]]) for slug, of in found.items()}


def test_numbers_are_those_of_a_plain_recomputation(ranking: Ranking) -> None:
    """Difference, percentile interval, Holm over the three pairs, wins; overall and by judge."""
    found = comparison(ranking, Choice(), THREE)
    values = vectors()
    counts = np.vstack(list(draws(4, 50, 0).counts(50)))
    pairs = list(combinations(THREE, 2))
    for part in ("overall", 0, 1):
        take = (lambda v: v.mean(axis=0)) if part == "overall" else (lambda v, j=part: v[j])
        raw = {
            pair: stats.ttest_rel(take(values[pair[0]]), take(values[pair[1]])).pvalue
            for pair in pairs
        }
        order = sorted(pairs, key=raw.__getitem__)
        adjusted, worst = {}, 0.0
        for at, pair in enumerate(order):
            worst = max(worst, min(1.0, raw[pair] * (len(pairs) - at)))
            adjusted[pair] = worst
        for pair, made in zip(pairs, found.pairs, strict=True):
            gap = made.overall if part == "overall" else made.parts[part]
            assert gap is not None
            own = take(values[pair[0]]) - take(values[pair[1]])
            assert gap.difference == pytest.approx(own.mean(), abs=1e-12)
            interval = np.quantile(counts @ own / 4, [0.025, 0.975])
            assert (gap.low, gap.high) == pytest.approx(tuple(interval), abs=1e-9)
            assert gap.p_holm == pytest.approx(adjusted[pair])
            wins, losses = int((own > 1e-12).sum()), int((own < -1e-12).sum())
            assert (gap.wins, gap.ties, gap.losses) == (wins, 4 - wins - losses, losses)
    assert [s.mean for s in found.systems] == pytest.approx([values[s].mean() for s in THREE])


def test_a_choice_of_judges_and_clips_is_honoured(
    ranking: Ranking, client: Client, text: Text
) -> None:
    """Two clips by one judge; the page says so."""
    choice = Choice(judges=("right",), categories=("Sea",))
    found = comparison(ranking, choice, THREE[:2])
    values = vectors()
    own = values["best"][1, 2:] - values["middle"][1, 2:]
    assert found.pairs[0].overall.difference == pytest.approx(own.mean())
    assert [line.key for line in found.lines] == ["c3", "c4"]
    query = {"system": THREE[:2], "judge": "right", "category": "Sea"}
    said = text(client.get(PAGE, query))
    assert "1 of 2 judges and 2 of 4 clips (Sea)" in said
    longer = comparison(ranking, Choice(shortest=180.0), THREE[:2])
    assert [line.key for line in longer.lines] == ["c3", "c4"]


def test_the_page_shows_what_was_computed(ranking: Ranking, client: Client, text: Text) -> None:
    """The digits of the library in the tables; each clip is linked with both systems chosen."""
    response = client.get(PAGE, {"system": THREE})
    said, page = text(response), response.content.decode()
    found = comparison(ranking, Choice(), THREE)
    gap = found.pairs[1].overall
    assert "Best, Middle and Worst" in said
    assert f"Best less Worst +{gap.difference:.4f}" in said
    assert f"{gap.wins} {gap.ties} {gap.losses}" in said
    two = found.lines[0]
    assert f"Scene 1 {two.values[0]:.4f} {two.values[1]:.4f} {two.values[2]:.4f}" in said
    assert "/clips/c1/?track=main&amp;system=best&amp;system=middle" in page
    assert 'data-chart="versus"' in page
    assert 'href="/systems/worst/"' in page
    assert "Signature of these numbers" in said


def test_names_and_keys_are_written_safely(ranking: Ranking, client: Client) -> None:
    """Whatever a title, a key or a name holds; the link still leads to the clip."""
    Clip.objects.filter(key="c1").update(key='a/b "1"', title="<b>Bold</b>")
    ranking.rows[1]["name"] = "<i>Middle</i>"
    ranking.save()
    page = client.get(PAGE, {"system": THREE}).content.decode()
    assert "<b>Bold" not in page
    assert "<i>Middle" not in page
    assert "&lt;i&gt;Middle" in page
    assert client.get("/b/small/1.0/clips/a/b%20%221%22/").status_code == 200
    assert "/clips/a/b%20%221%22/?track=main&amp;system=best" in page


def test_where_two_differ_most(ranking: Ranking, client: Client) -> None:
    """Both ways, the farthest first, of the two that are asked for."""
    found = comparison(ranking, Choice(), THREE)
    seen = focus(found, "worst", "best")
    assert seen is not None
    values = vectors()
    own = values["worst"].mean(axis=0) - values["best"].mean(axis=0)
    assert not seen.ahead
    order = [f"c{at + 1}" for at in np.argsort(own)]
    assert [one.line.key for one in seen.behind] == order
    assert seen.behind[0].difference == pytest.approx(own.min())
    page = client.get(PAGE, {"system": THREE, "x": "worst", "y": "best"}).content.decode()
    assert "Where Worst and Best differ most" in page
    assert 'data-x="3"' in page
    assert 'data-y="1"' in page
    same = focus(found, "best", "best")
    assert same is not None
    assert same.places == (0, 1)


@pytest.mark.parametrize("query", [{}, {"system": "best"}, {"system": ["best", "nobody"]}])
def test_a_form_where_there_are_fewer_than_two(
    ranking: Ranking, client: Client, text: Text, query: dict[str, Any]
) -> None:
    """Every system of the table can be chosen; what is chosen stays so."""
    response = client.get(PAGE, query)
    assert response.status_code == 200
    assert "Choose two to five systems" in text(response)
    page = response.content.decode()
    assert page.count('name="system"') == 3
    assert bool(re.search(r'value="best" checked', page)) == bool(query)
    assert "charts.js" not in page


def test_at_most_five(ranking: Ranking, submit: Any, work_off: Any, client: Client) -> None:
    """The first five count, and the page says so."""
    for n in range(4):
        submit(f"More {n}", {"c1": f"A man walks {n}."})
    work_off()
    slugs = ["more-3", *THREE, "more-0", "more-1"]
    newest = Ranking.objects.latest_of(ranking.track, Provenance.VERIFIED)
    assert newest is not None
    asked = asked_systems(newest, slugs)
    assert asked.systems == tuple(slugs[:5])
    response = client.get(PAGE, {"system": slugs})
    assert b"At most five systems" in response.content
    assert len(response.context["comparison"].pairs) == 10


def test_what_is_not_on_the_board_cannot_be_compared(
    ranking: Ranking, submit: Any, work_off: Any, client: Client, ann: User
) -> None:
    """A private submission is no choice, not even for its owner, and its name is nowhere."""
    secret = submit("Secret", visibility=Submission.Visibility.PRIVATE)
    work_off()
    assert secret.runs.filter(state=Run.State.DONE).count() == 2
    client.force_login(ann)
    response = client.get(PAGE, {"system": ["best", "secret"]})
    assert b"Secret" not in response.content
    assert "comparison" not in response.context


def test_an_anonymous_submission_is_compared_without_names(
    ranked: Any, submit: Any, work_off: Any, client: Client
) -> None:
    """By its pseudonym, which leads to no system; by its own slug it is not there."""
    submit("Nameless", {"c1": "A man."}, visibility=Submission.Visibility.ANONYMOUS)
    work_off()
    rows = Ranking.objects.latest("computed_at").rows
    (slug,) = [row["system"] for row in rows if row["system"] not in THREE]
    response = client.get(PAGE, {"system": ["best", slug]})
    assert len(response.context["comparison"].systems) == 2
    page = response.content.decode()
    assert "Anonymous" in page
    assert "Nameless" not in page
    assert f"/systems/{slug}/" not in page
    assert "comparison" not in client.get(PAGE, {"system": ["best", "nameless"]}).context


def test_what_was_taken_back_is_not_compared(ranking: Ranking, client: Client) -> None:
    """Though the table still has it."""
    Submission.objects.filter(system__slug="worst").update(visibility="private")
    response = client.get(PAGE, {"system": THREE})
    assert [one.slug for one in response.context["comparison"].systems] == ["best", "middle"]
    assert b"Worst" not in response.content


def test_an_embargo_leaves_nothing_to_compare(
    ranking: Ranking, client: Client, release: Release, ben: User
) -> None:
    """404 but for curators."""
    Release.objects.update(embargo_until=timezone.now() + timedelta(days=1))
    assert client.get(PAGE, {"system": THREE}).status_code == 404
    release.benchmark.curators.add(ben)
    client.force_login(ben)
    assert client.get(PAGE, {"system": THREE}).status_code == 200


def test_a_system_without_a_judge_is_left_out(
    ranked: Any, track: Track, client: Client, text: Text
) -> None:
    """It is named, with what it lacks; by the other judge it can be compared."""
    Run.objects.filter(submission__system__slug="worst", judge="right").update(state="failed")
    rank_track(track.pk)
    said = text(client.get(PAGE, {"system": THREE}))
    assert "Worst is left out: it has no score by right" in said
    assert "Best and Middle" in said
    said = text(client.get(PAGE, {"system": THREE, "judge": "left"}))
    assert "left out" not in said


def test_no_clip_left(ranking: Ranking, client: Client, text: Text) -> None:
    """Said, with a way back; one clip gives a difference and no interval."""
    response = client.get(PAGE, {"system": THREE[:2], "shortest": "9999"})
    assert "No clip is left under this choice" in text(response)
    one = comparison(ranking, Choice(longest=60.0), THREE[:2])
    assert one.clips == 1
    assert one.pairs[0].overall.p_holm is None
    assert client.get(PAGE, {"system": THREE[:2], "longest": "60"}).status_code == 200


def test_it_is_computed_once(ranking: Ranking, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kept by ranking, choice and systems."""
    calls = []
    compute = compare_module._comparison
    monkeypatch.setattr(compare_module, "_comparison", lambda *a: calls.append(a) or compute(*a))
    for _ in range(2):
        comparison(ranking, Choice(), THREE)
    assert len(calls) == 1
    comparison(ranking, Choice(interval="simultaneous"), THREE)
    assert len(calls) == 1
    comparison(ranking, Choice(), THREE[:2])
    ranking.fingerprint = "another"
    comparison(ranking, Choice(), THREE)
    assert len(calls) == 3


def test_queries_do_not_grow_with_systems_or_clips(
    ranking: Ranking, client: Client, submit: Any, work_off: Any, django_assert_max_num_queries: Any
) -> None:
    """Two or five of three or eight: the same number."""
    with django_assert_max_num_queries(15) as first:
        client.get(PAGE, {"system": THREE[:2]})
    for n in range(5):
        submit(f"More {n}")
    work_off()
    with django_assert_max_num_queries(len(first.captured_queries)):
        client.get(PAGE, {"system": [*THREE, "more-1", "more-2"]})


def test_a_track_without_a_ranking_has_nothing_to_compare(track: Track, client: Client) -> None:
    """404, as for any other track that is not there."""
    assert client.get(PAGE).status_code == 404
    assert client.get("/b/small/1.0/other/compare/").status_code == 404


def test_reported_means_have_no_intervals(
    ranked: Any, track: Track, client: Client, text: Text
) -> None:
    """Differences of what is printed, and why there is no more."""
    for place, slug in enumerate(THREE):
        for judge in ("left", "right"):
            ReportedResult.objects.create(
                track=track, system=System.objects.get(slug=slug), judge=judge, metric="hm_cf",
                mean=0.5 + place / 8, source="A paper",
            )  # fmt: skip
    rank_reported(track.pk)
    response = client.get(PAGE, {"provenance": "reported", "system": THREE[:2]})
    said = text(response)
    assert "Best less Middle −0.1250" in said
    assert "printed in papers" in said
    assert "95% interval" not in said
    assert "charts.js" not in response.content.decode()
    assert response.context["comparison"].pairs[0].overall.p_holm is None


class TestPairTests:
    """Tests stand where other tracks have judges."""

    @pytest.fixture
    def answered(self, release: Release, ann: User, sent: Any) -> Track:
        """Two systems on four tests of four pairs."""
        release.tracks.all().delete()
        track = pairs_track(release)
        wrongs = {
            "Good": {"chrono": ["c1"]},
            "Poor": {"agent_iden": ["c1", "c2"], "chrono": ["c2"]},
        }
        for name, wrong in wrongs.items():
            submission = receive(
                release=release, user=ann, filename="answers.jsonl",
                system=System.objects.create(name=name, slug=name.lower()),
                data=as_jsonl(answers(wrong)), contents=Contents(Kind.PAIRS),
            )  # fmt: skip
            score_run(submission.runs.get().pk)
        rank_track(track.pk)
        return track

    def test_test_by_test(self, answered: Track, client: Client, text: Text) -> None:
        """Accuracies, what each alone got right, and the average of the tests."""
        address = f"{answered.get_absolute_url()}compare/"
        response = client.get(address, {"system": ["good", "poor"]})
        said = text(response)
        found = response.context["comparison"]
        parts = dict(zip(found.parts, found.pairs[0].parts, strict=True))
        agents = parts["Agent identification"]
        assert (agents.difference, agents.wins, agents.ties, agents.losses) == (0.5, 2, 2, 0)
        chronology = parts["Chronology"]
        assert (chronology.difference, chronology.wins, chronology.losses) == (0.0, 1, 1)
        means = [np.mean(s.by_part) for s in found.systems]
        assert found.pairs[0].overall.difference == pytest.approx(means[0] - means[1])
        row = {r["system"]: r["mean"]["classic"] for r in Ranking.objects.get().rows}
        assert [s.mean for s in found.systems] == pytest.approx([row["good"], row["poor"]])
        raw = stats.ttest_rel([1, 1, 1, 1], [0, 0, 1, 1]).pvalue
        assert agents.p == pytest.approx(raw)
        assert agents.p_holm >= raw
        assert "Test by test" in said
        assert "Clip by clip" not in said
