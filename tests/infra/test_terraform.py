"""Terraform's files parse, and name only what they declare; planning them needs an account."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hcl2
import pytest

from tests.support.variables import settings_read

ROOT = Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "infra" / "terraform"
FILES = sorted(FOLDER.glob("*.tf"))
Block = dict[str, Any]


@pytest.fixture(scope="module")
def declared() -> dict[str, dict[str, Block]]:
    """Kind to address to body; addresses as references write them."""
    found: dict[str, dict[str, Block]] = {}
    for path in FILES:
        for kind, blocks in hcl2.loads(path.read_text()).items():
            for block in () if kind.startswith("__") else blocks:
                for address, body in _addressed(kind, block):
                    assert address not in found.setdefault(kind, {}), address
                    found[kind][address] = body
    return found


def _addressed(kind: str, block: Block) -> Iterator[tuple[str, Block]]:
    named = {name.strip('"'): body for name, body in block.items() if not name.startswith("__")}
    if kind == "locals":
        yield from named.items()
        return
    for name, body in named.items():
        if kind in {"resource", "data"}:
            yield from ((f"{name}.{own.strip(chr(34))}", of) for own, of in body.items())
        else:
            yield name, body


def code() -> str:
    """All files without comments."""
    text = "\n".join(path.read_text() for path in FILES)
    return re.sub(r"^\s*#.*$", "", text, flags=re.MULTILINE)


def test_every_reference_is_declared(declared: dict[str, dict[str, Block]]) -> None:
    """Variables, locals, resources and what is looked up."""
    text = code()
    assert set(re.findall(r"\bvar\.(\w+)", text)) == set(declared["variable"])
    assert set(re.findall(r"\blocal\.(\w+)", text)) == set(declared["locals"])
    looked_up = set(re.findall(r"\bdata\.(\w+\.\w+)", text))
    assert looked_up == set(declared["data"])
    made = set(re.findall(r"(?<!data\.)\b((?:aws|random)_\w+\.[a-z]\w*)", text))
    assert len(made) > 20
    assert not made - set(declared["resource"])


def test_every_resource_has_a_provider(declared: dict[str, dict[str, Block]]) -> None:
    """And every provider is pinned."""
    (required,) = declared["terraform"]["required_providers"]
    pinned = {name: one for name, one in required.items() if not name.startswith("__")}
    used = {address.split("_")[0] for kind in ("resource", "data") for address in declared[kind]}
    assert used == set(pinned)
    assert all('"~> ' in one["version"] for one in pinned.values())


def test_variables_and_outputs_are_explained(declared: dict[str, dict[str, Block]]) -> None:
    """What has no default stands in the example."""
    given = set(re.findall(r"^(\w+)\s+=", (FOLDER / "example.tfvars").read_text(), re.MULTILINE))
    for name, body in declared["variable"].items():
        assert len(body["description"]) > 20, name
        assert "type" in body, name
        assert ("default" in body) != (name in given), name
    assert all(body["description"] for body in declared["output"].values())


def test_the_bucket_is_private_encrypted_and_tidied(
    declared: dict[str, dict[str, Block]],
) -> None:
    """Nobody reads it without a role or a signed address."""
    resources = declared["resource"]
    closed = resources["aws_s3_bucket_public_access_block.main"]
    assert sum(value is True for name, value in closed.items() if not name.startswith("__")) == 4
    assert "aws_s3_bucket_server_side_encryption_configuration.main" in resources
    rules = resources["aws_s3_bucket_lifecycle_configuration.main"]["rule"]
    assert any("abort_incomplete_multipart_upload" in rule for rule in rules)


def test_no_gpu_runs_while_there_is_nothing_to_score(
    declared: dict[str, dict[str, Block]],
) -> None:
    """Their nodes are scaled from none."""
    (scaling,) = declared["resource"]["aws_eks_node_group.gpu"]["scaling_config"]
    assert scaling["min_size"] == scaling["desired_size"] == 0


def test_the_secret_says_what_the_settings_read() -> None:
    """And what the chart asks of it."""
    (told,) = re.findall(r"secret_string = jsonencode\(\{(.*?)\}\)", code(), re.DOTALL)
    names = set(re.findall(r"^\s*([A-Z_]+)\s+=", told, re.MULTILINE))
    values = (ROOT / "infra" / "helm" / "cliprank" / "values.yaml").read_text()
    assert names - settings_read() == {"RABBITMQ_MANAGEMENT_URL"}
    assert not {name for name in names if name not in values}


def test_values_for_the_chart_are_ones_that_it_takes() -> None:
    """The output is handed to Helm as it is."""
    schema = json.loads((ROOT / "infra/helm/cliprank/values.schema.json").read_text())
    (given,) = re.findall(r'output "values" \{.*?value = \{(.*?)\n  \}\n\}', code(), re.DOTALL)
    for name in re.findall(r"^    (\w+)\s+=", given, re.MULTILINE):
        assert name in schema["properties"]
    for part, keys in (("storage", "bucket region"), ("site", "host"), ("images", "web cpu cuda")):
        assert set(keys.split()) <= set(schema["properties"][part]["properties"])


def test_files_are_laid_out_as_terraform_does() -> None:
    """Where there is one."""
    if not (terraform := shutil.which("terraform")):
        pytest.skip("no terraform on this machine")
    done = subprocess.run(
        [terraform, "fmt", "-check", "-diff", "-recursive", str(FOLDER)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
