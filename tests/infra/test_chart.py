"""The chart, rendered by Helm's own code: valid manifests that name what the code has."""

from __future__ import annotations

import copy
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import helm_python
import kubernetes_validate
import pytest
import typer.main
import yaml
from django.core.management import get_commands
from django.db import connection
from django.urls import resolve
from model_bakery import baker

from leaderboard import worker_command
from leaderboard.celery import app, queue_of
from leaderboard.models import Run
from scoring.judges import catalogue
from tests.support.variables import READ_BY_LIBRARIES, settings_read

ROOT = Path(__file__).resolve().parent.parent.parent
CHART = ROOT / "infra" / "helm" / "cliprank"
EXAMPLES = sorted((CHART / "examples").glob("*.yaml"))
OLDEST, NEWEST = "1.27", "1.37"
Manifest = dict[str, Any]


def values_of(path: Path) -> dict[str, Any]:
    """Of an example."""
    loaded: dict[str, Any] = yaml.safe_load(path.read_text())
    return loaded


def render(values: dict[str, Any]) -> list[Manifest]:
    """What Helm would send to the cluster."""
    with helm_python.Chart.load(str(CHART)) as chart:
        made = chart.render(values, name="board", namespace="board")
    texts = [text for name, text in made.items() if name.endswith(".yaml")]
    return [one for text in texts for one in yaml.safe_load_all(text) if one]


@pytest.fixture(scope="module", params=EXAMPLES, ids=lambda path: path.stem)
def manifests(request: pytest.FixtureRequest) -> list[Manifest]:
    """Those of each example."""
    return render(values_of(request.param))


def of_kind(manifests: list[Manifest], kind: str) -> dict[str, Manifest]:
    """Name to manifest."""
    return {one["metadata"]["name"]: one for one in manifests if one["kind"] == kind}


def pods(manifests: list[Manifest]) -> Iterator[tuple[Manifest, Manifest]]:
    """(pod's specification, its container)."""
    for one in manifests:
        if one["kind"] in {"Deployment", "Job"}:
            pod = one["spec"]["template"]["spec"]
            assert len(pod["containers"]) == 1
            yield pod, pod["containers"][0]


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_helm_finds_nothing_wrong(path: Path) -> None:
    """Its linter knows three severities above no finding: here none beyond a missing icon."""
    found = helm_python.lint(str(CHART), values_of(path))
    assert [one["error"] for one in found["messages"]] == ["icon is recommended"]


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
def test_manifests_are_valid(manifests: list[Manifest], version: str) -> None:
    """By the schemas of the oldest Kubernetes that the chart allows, and of the newest known."""
    own = [one for one in manifests if not one["apiVersion"].startswith("keda.sh/")]
    assert len(own) > 8
    for one in own:
        kubernetes_validate.validate(one, version, strict=True)


def test_the_oldest_version_is_the_charts() -> None:
    """And a manifest that is wrong does not pass."""
    assert f">={OLDEST}." in (CHART / "Chart.yaml").read_text()
    wrong = copy.deepcopy(render(values_of(EXAMPLES[0]))[0])
    wrong["spec"]["replica"] = 1
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, NEWEST, strict=True)


def test_every_variable_is_one_that_is_read(manifests: list[Manifest]) -> None:
    """A misspelt one would be ignored in silence; none stands twice, none is a password."""
    for _, container in pods(manifests):
        names = [one["name"] for one in container["env"]]
        assert len(names) == len(set(names))
        assert not set(names) - settings_read() - READ_BY_LIBRARIES
        assert not [name for name in names if re.search("PASS|SECRET|TOKEN|_KEY", name)]
        assert container["envFrom"] == [{"secretRef": {"name": "cliprank"}}]


def test_commands_are_there(manifests: list[Manifest]) -> None:
    """Of the console, of Django; options of the worker are ones that it takes."""
    scripts = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
    worker = typer.main.get_command(worker_command.app)
    options = {name for parameter in worker.params for name in parameter.opts}
    for _, container in pods(manifests):
        program, *rest = container["command"]
        if program == "python":
            assert rest[0] == "manage.py"
            assert rest[1] in get_commands()
        elif program == "cliprank-worker":
            assert program in scripts
            assert {one.split("=")[0] for one in rest} <= options
            assert rest
        else:
            assert (program, rest[0]) == ("gunicorn", "leaderboard.wsgi")


def test_every_process_is_confined(manifests: list[Manifest]) -> None:
    """No root, no way to become it, no writing but to its folders, no more than its share."""
    for pod, container in pods(manifests):
        assert pod["securityContext"]["runAsNonRoot"]
        assert pod["securityContext"]["runAsUser"] == 10001
        assert pod["automountServiceAccountToken"] is False
        security = container["securityContext"]
        assert security["readOnlyRootFilesystem"]
        assert security["allowPrivilegeEscalation"] is False
        assert security["capabilities"]["drop"] == ["ALL"]
        for kind in ("requests", "limits"):
            assert {"cpu", "memory"} <= set(container["resources"][kind])
        volumes = {one["name"] for one in pod["volumes"]}
        assert {one["name"] for one in container["volumeMounts"]} == volumes


def test_probes_ask_what_the_site_answers(manifests: list[Manifest]) -> None:
    """By an address that it has and under a name that it takes."""
    container = of_kind(manifests, "Deployment")["board-web"]["spec"]["template"]["spec"]
    web = container["containers"][0]
    env = {one["name"]: one["value"] for one in web["env"]}
    for probe, path in (("startup", "healthz"), ("liveness", "healthz"), ("readiness", "readyz")):
        asked = web[f"{probe}Probe"]["httpGet"]
        assert asked["path"] == f"/{path}"
        assert resolve(asked["path"])
        (host,) = asked["httpHeaders"]
        assert host["value"] in env["ALLOWED_HOSTS"].split(",")
        assert asked["port"] in {port["name"] for port in web["ports"]}


def test_the_web_process_scales_by_cpu_and_survives_an_eviction(manifests: list[Manifest]) -> None:
    """Its number is the autoscaler's, so the deployment names none."""
    scaler = of_kind(manifests, "HorizontalPodAutoscaler")["board-web"]["spec"]
    assert scaler["scaleTargetRef"]["name"] == "board-web"
    assert scaler["metrics"][0]["resource"]["name"] == "cpu"
    web = of_kind(manifests, "Deployment")["board-web"]
    assert "replicas" not in web["spec"]
    labels = web["spec"]["template"]["metadata"]["labels"]
    for kind, selects in (
        ("PodDisruptionBudget", lambda one: one["spec"]["selector"]["matchLabels"]),
        ("Service", lambda one: one["spec"]["selector"]),
    ):
        assert selects(of_kind(manifests, kind)["board-web"]).items() <= labels.items()


def test_a_judge_has_workers_while_its_queue_has_messages(manifests: list[Manifest]) -> None:
    """Each deployment of workers is scaled from zero by queues that the site sends to."""
    workers = {
        name: one
        for name, one in of_kind(manifests, "Deployment").items()
        if name.startswith("board-worker-")
    }
    scaled = of_kind(manifests, "ScaledObject")
    assert set(scaled) == set(workers)
    queues = {queue.name for queue in app.amqp.queues.values()}
    for name, one in scaled.items():
        worker = workers[name]["spec"]
        assert one["spec"]["scaleTargetRef"]["name"] == name
        assert "replicas" not in worker
        command = worker["template"]["spec"]["containers"][0]["command"]
        judges = [part.removeprefix("--judge=") for part in command if "--judge=" in part]
        expected = [queue_of(judge) for judge in judges] or [app.conf.task_default_queue]
        read = [trigger["metadata"] for trigger in one["spec"]["triggers"]]
        named = [of.get("queueName") or of.get("listName") for of in read]
        assert [queue for queue in named if queue] == expected
        assert set(expected) <= queues
        assert one["spec"]["minReplicaCount"] == (0 if judges else 1)
        for trigger in one["spec"]["triggers"]:
            auth = trigger["authenticationRef"]["name"]
            assert auth in of_kind(manifests, "TriggerAuthentication")


def test_a_judge_at_work_is_counted_as_work(db: None) -> None:
    """A list of Redis no longer has the message that a worker has taken; the database is asked."""
    manifests = render(values_of(CHART / "examples" / "redis.yaml"))
    triggers = of_kind(manifests, "ScaledObject")["board-worker-tfidf"]["spec"]["triggers"]
    (query,) = [of["metadata"]["query"] for of in triggers if of["type"] == "postgresql"]
    baker.make(Run, judge="char-tfidf", state=Run.State.RUNNING)
    baker.make(Run, judge="char-tfidf", state=Run.State.QUEUED)
    baker.make(Run, judge="all-minilm-l6-v2", state=Run.State.RUNNING)
    with connection.cursor() as cursor:
        cursor.execute(query)
        assert cursor.fetchone() == (1,)


def test_judges_of_billions_of_parameters_get_a_gpu() -> None:
    """On nodes that carry its label and taint, which Terraform gives them."""
    manifests = render(values_of(CHART / "examples" / "published-panel.yaml"))
    nodes = (ROOT / "infra" / "terraform" / "cluster.tf").read_text()
    assert re.search(r'"cliprank/pool" = "gpu"', nodes)
    assert re.search(r'key\s+= "nvidia.com/gpu"', nodes)
    found = set()
    for pod, container in pods(manifests):
        if "nvidia.com/gpu" in container["resources"]["limits"]:
            assert pod["nodeSelector"] == {"cliprank/pool": "gpu"}
            assert pod["tolerations"][0]["key"] == "nvidia.com/gpu"
            assert container["image"].endswith("-cuda")
            found |= {part.removeprefix("--judge=") for part in container["command"][1:]}
    assert found == {entry.name for entry in catalogue.entries() if "B" in entry.parameters}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"site": {"host": "https://board.example.org"}}, "/site/host"),
        ({"storage": {"bucket": "", "claim": ""}}, "/storage"),
        ({"storage": {"bucket": "bucket", "claim": "media"}}, "/storage"),
        ({"secret": ""}, "/secret"),
        ({"replicas": 3}, "replicas"),
        ({"site": {"host": "a.org", "env": {"CHAT_API_KEY": "x"}}}, "CHAT_API_KEY"),
        ({"scaling": {"trigger": "redis"}}, "/scaling/redis/address"),
    ],
)
def test_wrong_values_are_refused(change: dict[str, Any], said: str) -> None:
    """Before anything is sent, and by name."""
    with pytest.raises(helm_python.HelmValuesError, match=re.escape(said)):
        render(values_of(CHART / "examples" / "minimal.yaml") | change)


def test_every_value_is_in_the_schema() -> None:
    """And has a comment above it or says what it is."""
    values = yaml.safe_load((CHART / "values.yaml").read_text())
    schema = json.loads((CHART / "values.schema.json").read_text())
    assert set(values) == set(schema["properties"]) - {"global"}
