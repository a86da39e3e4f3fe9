"""Pages that are written from the code are up to date, and every direct dependency is accounted for."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

STALE = "run `make docs` and commit what it writes"
FOLDERS = (
    ".chainlit",
    ".ci",
    ".github",
    "bench",
    "deploy",
    "docs",
    "examples",
    "public",
    "rabbithole",
    "tests",
    "tools",
)
"""Folders that belong to the repository, besides the files at its top."""
PAGES = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md")))
MADE_IN_USE = frozenset(
    "catalog.sqlite chat.sqlite names.sqlite runs.sqlite users.json writer.lock chroma.lock chroma/ "
    "keywords-N/ vectors-N/ kb/document_registry.json data/sample/reports/demo-de.html bench/results/eval "
    "build/bench-kb.md build/sbom.json metadata.csv serve-HOST-PORT.sqlite REPORT.json prompts/NAME.md "
    "deploy/.env".split()
)
"""Files and folders that pages name and that nobody has before the product is used or built."""
CODE = re.compile(r"`([^`\n]+)`")
BLOCK = re.compile(r"^```.*?^```", re.M | re.S)
FILE = re.compile(
    r"(?:[\w.*-]+/)*[\w.*-]+\.(?:css|csv|gz|html|jsx?|json|lock|md|py|sqlite|toml|txt|ya?ml)|(?:[\w.-]+/)+"
    rf"|(?:{'|'.join(map(re.escape, FOLDERS))}|kb|steps|workflow)(?:/[\w.*-]+)+"
)


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


@lru_cache(maxsize=1)
def repository() -> tuple[Path, ...]:
    """Its files and folders, relative to its top."""
    inside = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*") if "__pycache__" not in path.parts]
    return tuple(path.relative_to(ROOT) for path in (*ROOT.iterdir(), *inside))


@lru_cache(maxsize=1)
def names() -> frozenset[str]:
    """Return each path and each of its endings: the names that a page may use."""
    return frozenset("/".join(path.parts[at:]) for path in repository() for at in range(len(path.parts)))


def exists(name: str) -> bool:
    path = name.rstrip("/")
    return any(each.match(path) for each in repository()) if "*" in path else path in names()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_file_a_page_names_is_there(page: Path) -> None:
    """Return the names in backticks outside code blocks. Files made in use are listed in ``MADE_IN_USE``."""
    named = {name for name in CODE.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))) if FILE.fullmatch(name)}
    assert sorted(name for name in named - MADE_IN_USE if not exists(name)) == []


def test_what_is_made_in_use_is_named_by_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert sorted(name for name in MADE_IN_USE if f"`{name}`" not in text) == []
