"""A clip of the sample plays in a real browser."""

from __future__ import annotations

import json
from typing import Any

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.xdist_group("browser")]

READY = """(video) => video.readyState >= 2 ||
  new Promise((done) => video.addEventListener("loadeddata", () => done(true)))"""

PLAYED = """async (video) => {
  const end = video.currentTime + 1;
  video.muted = true;
  await video.play();
  await new Promise((done) => video.addEventListener("timeupdate", () => {
    if (video.currentTime > end) done();
  }));
}"""

SEEN = """async ([seconds, x, y]) => {
  const video = document.querySelector("video");
  const sought = new Promise((done) => video.addEventListener("seeked", done, { once: true }));
  video.currentTime = seconds;
  await sought;
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
  const picture = canvas.getContext("2d");
  picture.drawImage(video, 0, 0);
  return [...picture.getImageData(x, y, 1, 1).data].slice(0, 3);
}"""


@pytest.mark.parametrize("width", [1440, 390])
def test_the_sample_plays_and_shows_what_its_scene_tells(
    browser: Any, live_site: Any, width: int
) -> None:
    """Any second can be sought: the street is empty at first, and at last a green bus is there."""
    told = live_site.manage("render_sample", "--clip", "puddle-bus")
    assert told == "" or "rendered" in told
    context = browser.new_context(base_url=live_site.url, viewport={"width": width, "height": 900})
    page = context.new_page()
    page.goto("/b/sample/1.0/clips/puddle-bus/")
    player = page.locator("video")
    player.scroll_into_view_if_needed()
    player.evaluate(READY)
    shown = json.loads(
        player.evaluate("v => JSON.stringify([v.duration, v.videoWidth, v.videoHeight])")
    )
    assert shown == [pytest.approx(64, abs=0.5), 480, 270]
    box = player.bounding_box()
    assert 0 < box["width"] <= width
    for seconds, green in ((60.1, True), (5.1, False)):
        red, most, blue = page.evaluate(SEEN, [seconds, 420, 160])
        assert (most > red + 40 and most > blue + 20) == green
    player.evaluate(PLAYED)
    context.close()
