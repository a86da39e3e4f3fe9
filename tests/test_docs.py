"""Pages that are written from the code are up to date, and every direct dependency is accounted for."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from typing import Any

from conftest import ROOT

STALE = "run `make docs` and commit what it writes"


def docs_builder() -> Any:
    spec = importlib.util.spec_from_file_location("docs_build", ROOT / "docs" / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_command_line_page_is_what_the_code_says() -> None:
    assert (ROOT / "docs" / "cli.md").read_text(encoding="utf-8") == docs_builder().cli_reference(), STALE


def test_the_settings_are_what_the_code_says() -> None:
    assert (ROOT / ".env.example").read_text(encoding="utf-8") == docs_builder().env_example(), STALE


def test_every_direct_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = [each for group in project["optional-dependencies"].values() for each in group]
    wanted = {re.split(r"[\[<>=]", each)[0] for each in (*project["dependencies"], *extras)} - {"rabbithole"}
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `([^`]+)` \| \S", page, re.M))
    assert wanted == explained


def test_every_page_is_in_the_index() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    for page in (ROOT / "docs").glob("*.md"):
        assert page.name == "index.md" or f"({page.name})" in index, page.name
