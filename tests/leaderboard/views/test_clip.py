"""The clips of a release, and the page of one."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.test import Client
from model_bakery import baker

from leaderboard.models import Clip, Evidence, Release, ScoreVector, Submission
from leaderboard.views import clip as clip_views

CLIPS = "/b/small/1.0/clips/"
ONE = f"{CLIPS}c2/"


def article(response: Any, name: str) -> str:
    """The card of a system, without tags."""
    found = re.search(
        rf'<article class="card description"\s+aria-label="{name}"[^>]*>(.*?)</article>',
        response.content.decode(),
        re.DOTALL,
    )
    assert found is not None
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", found[1]))


def test_reference_beside_descriptions_with_their_scores(
    client: Client, ranked: list[Submission]
) -> None:
    """Every digit is that of the vector at the clip's position."""
    response = client.get(ONE)
    reference = response.content.decode().partition('id="reference"')[2]
    said = re.sub(r"<[^>]+>", "", reference)
    assert "A red car stops at the light. The driver waves at a child." in said
    for submission in ranked:
        card = article(response, submission.system.name)
        text = re.sub(r"\s+", "", submission.descriptions.get(clip__key="c2").text)
        assert text in re.sub(r"\s+", "", card)
        for vector in ScoreVector.objects.filter(run__submission=submission):
            assert f"{vector.values[1]:.4f}" in card
    assert "place 1 of 3" in article(response, "Best")
    assert "rank 1 overall" in article(response, "Best")


def test_sentence_by_sentence(client: Client, ranked: Any) -> None:
    """Each sentence with its nearest one and their cosine, as the chosen judge sees it."""
    card = article(client.get(ONE, {"judge": "right"}), "Best")
    assert "Sentence by sentence, as right sees it" in card
    assert "The driver waves at a child. The driver waves at a child. 1.0000" in card


def test_sentences_lead_to_their_nearest(client: Client, ranked: Any) -> None:
    """Links both ways, whose ends are on the page; without a script they do the same."""
    page = client.get(ONE, {"system": ["best", "worst"]}).content.decode()
    ids = re.findall(r'class="sentence[^"]*" id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert {"r0-0", "r0-1"} <= set(ids)
    targets = re.findall(r'class="sentence[^>]*href="#([^"]+)"', page)
    assert targets
    assert set(targets) <= set(ids)


def test_places_by_judge(client: Client, ranked: Any) -> None:
    """Each judge's own place on the clip stands in its row."""
    page = client.get(ONE, {"system": "best"}).content.decode()
    assert re.search(r'<th scope="row">left</th>.*?<td class="num">1</td>\s*</tr>', page, re.DOTALL)


def test_cosines_of_all_pairs(client: Client, ranked: Any) -> None:
    """A table that is also drawn; old evidence has none, and the page stands without."""
    assert "Every sentence against every sentence" in client.get(ONE).content.decode()
    for seen in Evidence.objects.all():
        del seen.data["cosines"]
        seen.save()
    page = client.get(ONE).content.decode()
    assert "Every sentence against every sentence" not in page
    assert "Sentence by sentence" in page


def test_videos_of_known_hosts_play_on_the_page(client: Client, ranked: Any) -> None:
    """In a frame that the policy allows, loaded only when it is opened."""
    Clip.objects.filter(key="c2").update(link="https://www.youtube.com/watch?v=aqz-KE-bpKQ&t=42")
    response = client.get(ONE)
    assert "https://www.youtube-nocookie.com" in response["Content-Security-Policy"]
    page = response.content.decode()
    assert 'src="https://www.youtube-nocookie.com/embed/aqz-KE-bpKQ?start=42"' in page
    assert 'loading="lazy"' in page
    Clip.objects.filter(key="c2").update(link="https://example.org/video.mp4")
    page = client.get(ONE).content.decode()
    assert "<iframe" not in page
    assert 'href="https://example.org/video.mp4"' in page


def test_a_clips_own_video(client: Client, release: Release, no_links: None) -> None:
    """Served by the site, in ranges; a draft's is not there for anybody."""
    one = release.clips.get(key="c2")
    one.media.save("clips/c2.mp4", ContentFile(bytes(range(100))))
    assert f'src="/clips/{one.pk}/media/"' in client.get(ONE).content.decode()
    answer = client.get(f"/clips/{one.pk}/media/", headers={"Range": "bytes=10-19"})
    assert (answer.status_code, answer["Content-Type"]) == (206, "video/mp4")
    assert b"".join(answer) == bytes(range(10, 20))
    assert client.get(f"/clips/{release.clips.get(key='c1').pk}/media/").status_code == 404
    Release.objects.update(published_at=None)
    assert client.get(f"/clips/{one.pk}/media/").status_code == 404


def test_a_submission_on_the_board_stands_once(as_ann: Client, ranked: list[Submission]) -> None:
    """Also when its own page leads here."""
    page = as_ann.get(ONE, {"submission": str(ranked[0].pk)}).content.decode()
    names = re.findall(r'<article class="card description"\s+aria-label="(\w+)"', page)
    assert len(names) == len(set(names)) == 3


def test_next_and_previous_keep_the_choice(client: Client, ranked: Any) -> None:
    """The excluded clip at the end is no neighbour."""
    page = client.get(ONE, {"system": "best"}).content.decode()
    assert 'href="/b/small/1.0/clips/c1/?system=best"' in page
    assert 'href="/b/small/1.0/clips/c3/?system=best"' in page
    assert 'rel="next"' not in client.get(f"{CLIPS}c4/").content.decode()
    assert 'rel="prev"' not in client.get(f"{CLIPS}c1/").content.decode()


def test_chosen_systems_only(client: Client, ranked: Any) -> None:
    """By checkbox, in the address; a system that is not there is left out."""
    page = client.get(ONE, {"system": ["worst", "no-such"]}).content.decode()
    assert re.findall(r'<article class="card description"\s+aria-label="(\w+)"', page) == ["Worst"]
    assert re.search(r'value="worst"\s+checked', page)
    assert not re.search(r'value="best"\s+checked', page)


def test_an_empty_description_is_said_to_be_empty(
    client: Client, submit: Any, work_off: Any
) -> None:
    """It scores 0 and has no matches."""
    submit("Silent", {"c2": " \u200b"})
    work_off()
    card = article(client.get(ONE), "Silent")
    assert "The description is empty" in card
    assert "0.0000" in card
    assert "Sentence by sentence" not in card


def test_an_excluded_clip_says_so(client: Client, ranked: Any) -> None:
    """Its page exists: links from a paper lead somewhere."""
    Clip.objects.filter(key="c5").update(exclusion_reason="The video is gone.")
    response = client.get(f"{CLIPS}c5/")
    assert response.status_code == 200
    assert b"The video is gone." in response.content


def test_keys_with_slashes_and_odd_letters(client: Client, release: Release) -> None:
    """A clip's id is any text."""
    baker.make(Clip, release=release, key="part 1/ärger?&#", position=9)
    page = client.get(CLIPS).content.decode()
    (link,) = re.findall(r'href="(/b/small/1.0/clips/part[^"]+)"', page)
    response = client.get(html.unescape(link))
    assert response.status_code == 200
    assert b"part 1/\xc3\xa4rger?&amp;#" in response.content


def test_a_private_submission_stands_beside_the_board_for_its_owner(
    client: Client, as_ann: Client, ranked: Any, submit: Any, work_off: Any, ben: Any
) -> None:
    """With the place it would have; for others it does not exist."""
    own = submit("Secret", visibility="private")
    work_off()
    address = {"submission": str(own.pk)}
    assert "place 1 beside 3" in article(as_ann.get(ONE, address), "Secret")
    assert b"Secret" not in as_ann.get(ONE).content
    client.force_login(ben)
    assert client.get(ONE, address).status_code == 404
    client.logout()
    assert client.get(ONE, address).status_code == 404
    assert client.get(ONE, {"submission": "nonsense"}).status_code == 404


def test_a_clip_that_nobody_has_described(client: Client, release: Release) -> None:
    """Only the reference."""
    response = client.get(ONE)
    assert response.status_code == 200
    assert b"No system has been scored on this clip yet" in response.content


@pytest.mark.parametrize("address", [CLIPS, ONE, f"{CLIPS}c9/", "/b/none/1.0/clips/"])
def test_what_is_not_published_is_not_there(client: Client, release: Release, address: str) -> None:
    """List and page alike."""
    Release.objects.update(published_at=None)
    assert client.get(address).status_code == 404


def test_queries_do_not_grow_with_systems(
    client: Client, ranked: Any, submit: Any, work_off: Any, django_assert_max_num_queries: Any
) -> None:
    """Neither on the page of a clip nor on the list."""
    with django_assert_max_num_queries(17) as page:
        client.get(ONE)
    with django_assert_max_num_queries(11) as listed:
        client.get(CLIPS)
    for n in range(6):
        submit(f"More {n}")
    work_off()
    with django_assert_max_num_queries(len(page.captured_queries)):
        assert b"More 5" in client.get(ONE).content
    with django_assert_max_num_queries(len(listed.captured_queries)):
        client.get(CLIPS)


def test_the_list_shows_means_over_systems_and_judges(
    client: Client, ranked: list[Submission], text: Callable[[Any], str]
) -> None:
    """And the best system of each clip."""
    said = text(client.get(CLIPS))
    vectors = [v.values[:4] for v in ScoreVector.objects.filter(metric="hm_cf")]
    for position in range(4):
        assert f"{sum(v[position] for v in vectors) / len(vectors):.4f}" in said
    assert "Best 1.0000" in said
    assert "Left out for everybody" in said


def test_the_list_sorts_and_turns_pages(
    client: Client, ranked: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hardest first; a page that is not there gives the last one."""
    monkeypatch.setattr(clip_views, "PER_PAGE", 3)
    keys = re.compile(r'<th scope="row">\s*<a href="/b/small/1.0/clips/(c\d)/')
    everything = [
        key
        for page in (1, 2)
        for key in keys.findall(client.get(CLIPS, {"sort": "mean", "page": page}).content.decode())
    ]
    means = {
        key: sum(v.values[i] for v in ScoreVector.objects.filter(metric="hm_cf"))
        for i, key in enumerate(["c1", "c2", "c3", "c4"])
    }
    assert everything == sorted(means, key=lambda key: means[key])
    assert keys.findall(client.get(CLIPS, {"page": 99}).content.decode()) == ["c4"]
