"""A system's page: its numbers against plain recomputation, and who may know that it exists."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from scipy import stats

from leaderboard import access, access_systems
from leaderboard.models import (
    Clip,
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
from leaderboard.tables.profile import THIRDS, profile

Text = Callable[[Any], str]
SLUGS = ("best", "middle", "worst")


@pytest.fixture
def ranking(ranked: Any, track: Track) -> Ranking:
    """The small site's table, over clips of two categories and four durations."""
    for position, clip in enumerate(Clip.objects.order_by("position")):
        clip.category = "Street" if position < 2 else "Sea"
        clip.duration = (60.0, 90.0, 200.0, 500.0, 10.0)[position]
        clip.save()
    made = Ranking.objects.latest_of(track, Provenance.VERIFIED)
    assert made is not None
    return made


def means() -> dict[str, np.ndarray]:
    """System to its mean over judges on the four scored clips."""
    found: dict[str, list[Any]] = {}
    for run in Run.objects.select_related("submission__system"):
        values = run.vectors.get(metric="hm_cf").values[:4]
        found.setdefault(run.submission.system.slug, []).append(values)
    return {slug: np.mean(values, axis=0) for slug, values in found.items()}


class TestProfile:
    """Strengths, extremes, likeness."""

    def test_parts_are_differences_to_the_mean_of_all(self, ranking: Ranking) -> None:
        """On the same clips, with the interval of the paired t; the strongest part first."""
        found = profile(ranking, "middle")
        assert found is not None
        values = means()
        everybody = np.mean([values[slug] for slug in SLUGS], axis=0)
        gaps = values["middle"] - everybody
        wanted = {"Street": gaps[:2], "Sea": gaps[2:]}
        assert {part.title for part in found.categories} == set(wanted)
        for part in found.categories:
            own = wanted[part.title]
            assert part.difference == pytest.approx(own.mean())
            interval = stats.ttest_1samp(own, 0).confidence_interval(0.95)
            assert (part.low, part.high) == pytest.approx(tuple(interval))
        first, second = found.categories
        assert first.difference >= second.difference
        assert found.whole.own == pytest.approx(values["middle"].mean())
        assert found.whole.everybody == pytest.approx(everybody.mean())

    def test_durations_fall_into_the_bins_of_the_paper(self, ranking: Ranking) -> None:
        """One clip alone has no interval."""
        found = profile(ranking, "best")
        assert found is not None
        assert [(part.title, part.clips) for part in found.durations] == [
            ("(0,120]", 2), ("(120,300]", 1), ("(480,601]", 1),
        ]  # fmt: skip
        assert found.durations[1].low is None

    def test_clips_of_one_bin_fall_into_thirds(self, ranking: Ranking) -> None:
        """Bins that say nothing are not shown."""
        for position, clip in enumerate(Clip.objects.order_by("position")):
            Clip.objects.filter(pk=clip.pk).update(duration=10.0 + position)
        found = profile(ranking, "best")
        assert found is not None
        assert [part.title for part in found.durations] == list(THIRDS)
        assert sum(part.clips for part in found.durations) == 4

    def test_best_and_worst_clips(self, ranking: Ranking) -> None:
        """By the distance to the mean of all systems."""
        found = profile(ranking, "middle")
        assert found is not None
        values = means()
        gaps = values["middle"] - np.mean([values[slug] for slug in SLUGS], axis=0)
        order = [f"c{at + 1}" for at in np.argsort(-gaps) if gaps[at] > 0]
        assert [line.key for line in found.best] == order
        assert [line.key for line in found.worst] == [
            f"c{at + 1}" for at in np.argsort(gaps) if gaps[at] < 0
        ]

    def test_likeness_is_by_profile(self, ranking: Ranking) -> None:
        """Correlations of what is left beside the clips' means; never the system itself."""
        found = profile(ranking, "best")
        assert found is not None
        values = means()
        left = np.array([values[slug] for slug in SLUGS])
        left = left - left.mean(axis=0)
        wanted = dict(zip(SLUGS, np.corrcoef(left)[0], strict=True))
        assert {slug: r for slug, _, r in found.alike} == pytest.approx(
            {slug: wanted[slug] for slug in ("middle", "worst")}
        )

    def test_a_gap_among_the_positions_shifts_nothing(
        self, release: Release, track: Track, submit: Any, work_off: Any
    ) -> None:
        """As a clip leaves that was deleted from the draft in the admin."""
        Clip.objects.filter(release=release, key="c4").update(position=9)
        submit("Best")
        submit("Worst", {"c4": "Nothing of the kind."})
        work_off()
        made = Ranking.objects.latest_of(track, Provenance.VERIFIED)
        assert made is not None
        found = profile(made, "best")
        assert found is not None
        assert found.clips == 4
        assert [line.key for line in found.best] == ["c4"]

    def test_a_system_without_a_judge_has_none(self, ranked: Any, track: Track) -> None:
        """And takes no part in the means of the others."""
        Run.objects.filter(submission__system__slug="worst", judge="right").update(state="failed")
        made = rank_track(track.pk)
        assert made is not None
        assert profile(made, "worst") is None
        other = profile(made, "best")
        assert other is not None
        assert other.systems == 2


def test_the_page_shows_card_results_and_profile(
    ranking: Ranking, client: Client, text: Text
) -> None:
    """Fields that say something, and nothing of the others; clips lead to the clip page."""
    System.objects.filter(slug="best").update(
        organisation="Lab", modality="video and sound", open_weights=False, decoding="greedy",
        paper="https://example.org/paper", training_data="None of the clips.",
    )  # fmt: skip
    response = client.get("/systems/best/")
    said, page = text(response), response.content.decode()
    for words in ("Lab", "video and sound", "Open weights no", "greedy", "None of the clips."):
        assert words in said
    assert 'href="https://example.org/paper"' in page
    assert "Licence of the weights" not in said
    row = ranking.rows[0]
    assert f"Main Small 1.0 Verified 1 of 3 {row['rank_low']}" in said
    assert f"{row['mean']['hm_cf']:.4f}" in said
    assert "/clips/c1/?track=main&amp;system=best" in page
    assert "/systems/middle/" in page
    assert "compare/?system=best&amp;system=middle" in page


def test_reported_results_stand_beside_verified_ones(
    ranking: Ranking, track: Track, client: Client, text: Text
) -> None:
    """Each told apart; a system that papers alone know has a page too."""
    for name, mean in (("best", 0.5), ("paper-only", 0.75)):
        system, _ = System.objects.get_or_create(slug=name, defaults={"name": name})
        for judge in ("left", "right"):
            ReportedResult.objects.create(
                track=track, system=system, judge=judge, metric="hm_cf", mean=mean, source="Paper"
            )
    rank_reported(track.pk)
    said = text(client.get("/systems/best/"))
    assert "Verified 1 of 3" in said
    assert "Reported 2 of 2" in said
    said = text(client.get("/systems/paper-only/"))
    assert "Reported 1 of 2 – none 0.7500" in said
    assert "Strengths and weaknesses" not in said
    assert "Versions" not in said


def test_versions_and_edits(
    ranking: Ranking, submit: Any, client: Client, text: Text, ann: User
) -> None:
    """Public ones for everybody; changes of the card since it is public, with both values."""
    submit("Best", note="Second try")
    submit("Best", note="Secret try", visibility=Submission.Visibility.PRIVATE)
    system = System.objects.get(slug="best")
    system.parameters = "8B"
    system.save()
    response = client.get("/systems/best/")
    said = text(response)
    assert "Second try" in said
    assert "Secret try" not in said
    assert "Parameters: empty 8B" in said
    client.force_login(ann)
    assert "Secret try" in text(client.get("/systems/best/"))


def test_what_a_card_was_before_it_was_public_stays_unsaid(
    ranking: Ranking, client: Client, text: Text
) -> None:
    """A name that was given up before the first public submission is nobody's business."""
    system = System.objects.get(slug="best")
    system.name = "Best of all"
    system.save()
    assert "Name: Best Best of all" in text(client.get("/systems/best/"))
    later = timezone.now() + timedelta(hours=1)
    Submission.objects.filter(system=system).update(published_at=later)
    assert "Changes of the card" not in text(client.get("/systems/best/"))


class TestWhoMayKnow:
    """A system that has no public result does not exist for others."""

    @pytest.mark.parametrize(
        ("visibility", "seen"), [("private", False), ("anonymous", False), ("public", True)]
    )
    def test_by_visibility(
        self, submit: Any, work_off: Any, client: Client, ann: User, ben: User,
        visibility: str, seen: bool,
    ) -> None:  # fmt: skip
        """Others get 404; whose it is, and staff, see it always."""
        submit("Hidden", visibility=visibility)
        work_off()
        expected = 200 if seen else 404
        assert client.get("/systems/hidden/").status_code == expected
        client.force_login(ben)
        assert client.get("/systems/hidden/").status_code == expected
        client.force_login(ann)
        assert client.get("/systems/hidden/").status_code == 200
        ben.is_staff = True
        ben.save()
        client.force_login(ben)
        assert client.get("/systems/hidden/").status_code == 200

    def test_a_pseudonym_has_no_page(self, submit: Any, work_off: Any, client: Client) -> None:
        """What stands on the board without names leads nowhere, by either slug."""
        submit("Public")
        submit("Hidden", {"c1": "A man."}, visibility=Submission.Visibility.ANONYMOUS)
        work_off()
        rows = Ranking.objects.latest("computed_at").rows
        (hidden,) = [row["system"] for row in rows if row["system"] != "public"]
        assert hidden != "hidden"
        assert client.get(f"/systems/{hidden}/").status_code == 404
        page = client.get("/systems/public/").content.decode()
        assert "Hidden" not in page
        assert f"/systems/{hidden}/" not in page

    def test_an_anonymous_submission_is_not_listed_with_public_ones(
        self, submit: Any, work_off: Any, client: Client
    ) -> None:
        """Neither as a version nor as a result; once its names are shown it is."""
        submit("Both")
        nameless = submit("Both", {"c1": "A man."}, visibility=Submission.Visibility.ANONYMOUS)
        work_off()
        page = client.get("/systems/both/")
        assert str(nameless.pk) not in page.content.decode()
        assert len(page.context["page"].results) == 1
        Submission.objects.filter(pk=nameless.pk).update(named_from=timezone.now())
        assert str(nameless.pk) in client.get("/systems/both/").content.decode()

    @pytest.mark.parametrize(
        "change", [{"standing": "hidden"}, {"standing": "held"}, {"withdrawn_at": timezone.now()}]
    )
    def test_what_is_hidden_or_withdrawn_is_gone(
        self, ranked: Any, client: Client, change: dict[str, Any]
    ) -> None:
        """A page of nothing else is gone with it."""
        Submission.objects.filter(system__slug="best").update(**change)
        assert client.get("/systems/best/").status_code == 404

    def test_a_result_that_was_taken_back_is_gone_at_once(
        self, ranked: Any, submit: Any, client: Client
    ) -> None:
        """Though the table still has it: the system is known by another submission."""
        submit("Best", {"c1": "A man."})
        old = Submission.objects.filter(system__slug="best").earliest("created_at")
        assert len(client.get("/systems/best/").context["page"].results) == 1
        Submission.objects.filter(pk=old.pk).update(visibility="anonymous")
        assert client.get("/systems/best/").context["page"].results == ()

    def test_an_unpublished_release_makes_nobody_known(
        self, ranked: Any, client: Client, release: Release
    ) -> None:
        """Its results are not public."""
        Release.objects.update(published_at=None)
        assert client.get("/systems/best/").status_code == 404

    def test_an_embargo_hides_results(
        self, ranked: Any, client: Client, release: Release, ben: User, text: Text
    ) -> None:
        """Until it ends, for all but curators."""
        Release.objects.update(embargo_until=timezone.now() + timedelta(days=1))
        said = text(client.get("/systems/best/"))
        assert "No result of it stands in a ranking now" in said
        assert "Strengths" not in said
        release.benchmark.curators.add(ben)
        client.force_login(ben)
        assert "1 of 3" in text(client.get("/systems/best/"))

    def test_one_of_many_agrees_with_one_alone(self, release: Release, ben: User) -> None:
        """The sets of releases say what ``shows_scores`` and ``shows_references`` say."""
        for embargo in (None, timezone.now() - timedelta(days=1), timezone.now() + timedelta(1)):
            for hidden in (False, True):
                Release.objects.update(embargo_until=embargo, references_hidden=hidden)
                made = Release.objects.get()
                for curated in (False, True):
                    release.benchmark.curators.set([ben] if curated else [])
                    scores = access_systems.releases_with_scores(ben).exists()
                    assert scores == access.shows_scores(ben, made)
                    texts = access_systems.releases_with_references(ben).exists()
                    assert texts == access.shows_references(ben, made)


def test_queries_do_not_grow(
    ranking: Ranking, client: Client, submit: Any, work_off: Any, django_assert_max_num_queries: Any
) -> None:
    """With systems, submissions and clips."""
    with django_assert_max_num_queries(22) as first:
        client.get("/systems/best/")
    for n in range(4):
        submit(f"More {n}")
        submit("Best", {"c1": f"A man {n}."})
    work_off()
    with django_assert_max_num_queries(len(first.captured_queries)):
        client.get("/systems/best/")
