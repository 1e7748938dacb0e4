"""What images and the compose file say agrees with the code; building them needs an engine."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from infra import web_lock
from scoring.judges import catalogue
from tests.support.variables import READ_BY_LIBRARIES, settings_read

ROOT = Path(__file__).resolve().parent.parent.parent
INFRA = ROOT / "infra"
OURS = ("cliprank-web", "cliprank-worker")
IMAGES = sorted((INFRA / "images").glob("*.Dockerfile"))


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    """The parsed file."""
    loaded: dict[str, Any] = yaml.safe_load((INFRA / "compose.yaml").read_text())
    return loaded


def test_every_variable_is_one_that_is_read(compose: dict[str, Any]) -> None:
    """A misspelt one would be ignored in silence."""
    services = [one for one in compose["services"].values() if one["image"].startswith(OURS)]
    assert len(services) == 5
    for service in services:
        assert not set(service["environment"]) - settings_read() - READ_BY_LIBRARIES


def test_no_password_stands_in_it(compose: dict[str, Any]) -> None:
    """Each comes from the environment, and nothing starts without."""
    for service in compose["services"].values():
        for name, value in service.get("environment", {}).items():
            if re.search("PASS|SECRET|TOKEN", name):
                assert re.fullmatch(r"\$\{\w+:(\?|-)\}", value), name


def test_services_and_volumes_are_there(compose: dict[str, Any]) -> None:
    """What is waited for and mounted is defined; what is to be healthy can say so."""
    services = compose["services"]
    assert {"web", "worker", "gpu-worker", "beat", "postgres", "rabbitmq", "s3"} <= set(services)
    for service in services.values():
        waits = service.get("depends_on", {})
        for other in waits:
            if isinstance(waits, dict) and waits[other]["condition"] == "service_healthy":
                assert "healthcheck" in services[other]
            assert other in services
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in compose["volumes"]
        if "build" in service:
            assert (ROOT / service["build"]["dockerfile"]).is_file()


def test_what_has_to_be_set_is_explained(compose: dict[str, Any]) -> None:
    """In the how-to beside it."""
    asked = set(re.findall(r"\$\{(\w+):\?\}", (INFRA / "compose.yaml").read_text()))
    explained = (INFRA / "README.md").read_text()
    assert asked
    assert not {name for name in asked if f"{name}=" not in explained}


def test_commands_of_services_are_there(compose: dict[str, Any]) -> None:
    """A process that cannot start would be started again and again."""
    ours = [one for one in compose["services"].values() if one["image"].startswith(OURS)]
    commands = [one["command"] for one in ours if "command" in one]
    assert len(commands) == 3
    for program, first, *_ in commands:
        if program == "python":
            assert first == "manage.py"
        else:
            assert (program, first) == ("cliprank-worker", "--judge")
    named = {word for one in commands for word in one if "GPU_JUDGE" in word}
    (judge,) = (re.sub(r"\$\{\w+:-(.*)\}", r"\1", word) for word in named)
    assert judge in {entry.name for entry in catalogue.entries()}


@pytest.mark.parametrize("path", IMAGES, ids=lambda path: path.stem)
def test_what_is_copied_is_there(path: Path) -> None:
    """And let through to the build."""
    let_through = (ROOT / ".dockerignore").read_text().splitlines()
    copied = list(_copied(path.read_text()))
    assert copied
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in let_through, name


@pytest.mark.parametrize("path", IMAGES, ids=lambda path: path.stem)
def test_nobody_runs_as_root(path: Path) -> None:
    """The last user named is not root."""
    assert re.findall(r"^USER (\w+)", path.read_text(), re.MULTILINE)[-1:] == ["10001"]


def _copied(text: str) -> Iterator[str]:
    for line in re.findall(r"^COPY (.+)$", text, re.MULTILINE):
        yield from line.split()[:-1]


def test_the_lock_of_the_web_image_is_up_to_date() -> None:
    """`make lock` writes it."""
    made = web_lock.web_lock((ROOT / "requirements.lock").read_text())
    assert (ROOT / "requirements-web.lock").read_text() == made
    assert "\ndjango==" in made
    assert not re.search(
        r"^(torch|transformers|tokenizers|sympy|scikit-learn)=", made, re.MULTILINE
    )


WEB = """
import sys, importlib.metadata as meta, importlib.abc
from pathlib import Path

root = Path(sys.argv[1])
pinned = {line.split("==")[0] for line in (root / "requirements-web.lock").read_text().splitlines()}
pinned |= {"cliprank", "pip", "setuptools"}
modules = {
    module
    for module, owners in meta.packages_distributions().items()
    if not {owner.lower().replace("_", "-").replace(".", "-") for owner in owners} & pinned
}
assert "torch" in modules and "sklearn" in modules and "django" not in modules

class Blocked(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in modules:
            raise ModuleNotFoundError(f"{name} is not in the web image", name=name)

sys.meta_path.insert(0, Blocked())
import leaderboard.wsgi
from django.core.management import call_command
from django.test import Client

call_command("migrate", verbosity=0)
call_command("load_sample", verbosity=0)
client = Client(headers={"host": "localhost"})
for address in "/ /healthz /b/sample/ /search/?q=a /api/v1/benchmarks /admin/login/".split():
    answer = client.get(address, follow=True)
    assert answer.status_code == 200, (address, answer.status_code)
answer = client.get("/readyz")
assert answer.json()["checks"]["judges"] == "warning", answer.content
call_command("sweep")
print("served")
"""


def test_the_site_is_served_without_what_judges_need(tmp_path: Path) -> None:
    """Everything that is not pinned for the web image cannot be imported: data is brought in, pages
    and API answer, a sweep is sent.
    """
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    done = subprocess.run(
        [sys.executable, "-c", WEB, str(ROOT)],
        cwd=ROOT,
        env={
            "PATH": "/usr/bin:/bin",
            "PYTHONPATH": str(ROOT),
            "DATA_DIR": str(tmp_path),
            "STATICFILES_STORAGE": plain,
        },
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.strip().endswith("served")
