"""``deploy/compose.yaml``: every command, option, setting, file and secret it names exists."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from conftest import ROOT
from test_docs import docs_builder

from rabbithole.workflow.cli.lazy import COMMANDS, load

DEPLOY = ROOT / "deploy"
OTHERS = frozenset(
    "RABBITHOLE_KB AWS_ENDPOINT_URL AWS_ALLOW_HTTP AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY RAY_AUTH_MODE "
    "RAY_AUTH_TOKEN RAY_USAGE_STATS_ENABLED POSTGRES_USER POSTGRES_DB POSTGRES_PASSWORD MINIO_ROOT_USER "
    "MINIO_ROOT_PASSWORD RABBITHOLE_HOST".split()
)
"""Variables that PostgreSQL, Ray, the object store, the proxy or the command line read, not a model of settings."""


@pytest.fixture(scope="module")
def compose() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))


def commands(compose: Any, program: str) -> list[list[str]]:
    found = [shlex.split(service["command"]) for service in compose["services"].values() if "command" in service]
    return [words[1:] for words in found if words[0] == program]


def options(command: Any) -> set[str]:
    return {name for one in command.params for name in (*one.opts, *one.secondary_opts)}


def test_it_has_the_services_of_a_cluster(compose: Any) -> None:
    assert set(compose["services"]) == {
        "postgres", "objects", "ray-head", "ray-worker", "serve", "chat", "proxy"
    }  # fmt: skip
    published = {name for name, service in compose["services"].items() if "ports" in service}
    assert published == {"proxy"}  # Ray and the stores answer whoever reaches them


def test_our_commands_and_their_options_exist(compose: Any) -> None:
    found = commands(compose, "rabbithole")
    assert len(found) == 2
    for name, *words in found:
        assert name in COMMANDS
        command = load(name)
        assert {word for word in words if word.startswith("--")} <= options(command), name


def test_options_of_ray_exist(compose: Any) -> None:
    scripts: Any = pytest.importorskip("ray.scripts.scripts")
    found = commands(compose, "ray")
    assert len(found) == 2
    for name, *words in found:
        named = {word.partition("=")[0] for word in words if word.startswith("--")}
        assert named <= options(scripts.cli.commands[name])


def test_settings_exist_and_secrets_are_named_by_the_page(compose: Any) -> None:
    known = {field.upper() for _, model in docs_builder().PARTS for field in model.model_fields} | OTHERS
    for name, service in compose["services"].items():
        assert set(service.get("environment", {})) <= known, name
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    page = (ROOT / "docs" / "growing.md").read_text(encoding="utf-8")
    needed = set(re.findall(r"\$\{([A-Z_]+):\?", text))
    assert needed
    assert {name for name in needed if f"{name}=" not in page} == set()


def test_files_and_volumes_exist(compose: Any) -> None:
    for service in compose["services"].values():
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            if source.startswith("./"):
                assert (DEPLOY / source).is_file()
            elif not source.startswith("$"):
                assert source in compose["volumes"]
    build = compose["x-rabbithole"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()


def test_what_the_image_copies_exists() -> None:
    copied = re.findall(r"^COPY (.+) \S+$", (DEPLOY / "Dockerfile").read_text(encoding="utf-8"), re.M)
    names = [name for line in copied for name in line.split() if name != "."]
    assert names
    assert all(Path(ROOT / name).is_file() for name in names)
