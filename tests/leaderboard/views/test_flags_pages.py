"""What texts show by themselves, where people and programs read it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client

from leaderboard.models import Submission

Submit = Callable[..., Submission]
LONG = {
    f"c{n}": (
        f"In scene {word} a person with a {word} hat walks along the river, meets a friend who "
        f"carries a {word} bag, and both of them sit down near the {word} bridge to eat bread."
    )
    for n, word in enumerate(("red", "small", "broken", "wooden"), start=1)
}
REFUSAL = "I'm sorry, but I cannot view the video."


def test_flags_on_the_pages_and_in_the_api(
    client: Client, submit: Submit, text: Callable[[Any], str]
) -> None:
    """On the submission's page with examples, on the clip's page beside the text, in JSON."""
    submission = submit(texts=LONG | {"c1": REFUSAL, "c2": "<script>alert(1)</script> the the"})
    page = client.get(submission.get_absolute_url())
    said = text(page)
    assert "Refusal 1 clip" in said
    assert "sorry, but I cannot view the video." in said
    assert b"<script>alert" not in page.content
    stored = client.get(f"/api/v1/submissions/{submission.pk}").json()["diagnostics"]
    (flag,) = stored["flags"]
    assert (flag["code"], flag["severity"], flag["clips"]) == ("refusal", "serious", ["c1"])
    assert flag["title"] == "Refusal"
    clip = f"/b/small/1.0/clips/c1/?submission={submission.pk}"
    assert "Refusal" in text(client.get(clip))
    other = f"/b/small/1.0/clips/c3/?submission={submission.pk}"
    assert "Refusal" not in text(client.get(other))
