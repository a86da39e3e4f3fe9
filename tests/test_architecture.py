"""Imports point one way: workflow -> steps -> kb, and packages never import each other by their folder's bare name."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LAYERS = {"kb": set(), "steps": {"kb"}, "workflow": {"kb", "steps"}}
SOURCES = sorted(
    path for layer in LAYERS for path in (ROOT / layer).rglob("*.py") if "sample" not in path.relative_to(ROOT).parts
)


def imported_layers(path: Path) -> tuple[set[str], set[str]]:
    """Layers reached by relative or ``rabbithole.`` imports, and layers imported by bare name (forbidden)."""
    package = ("rabbithole", *path.relative_to(ROOT).parent.parts)
    reached: set[str] = set()
    bare: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.ImportFrom):
            base = ".".join(package[: len(package) - node.level + 1]) if node.level else ""
            names = [".".join(part for part in (base, node.module or "") if part)]
            if names == ["rabbithole"]:
                names = [f"rabbithole.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "rabbithole" and len(parts) > 1:
                reached.add(parts[1])
            elif parts[0] in LAYERS:
                bare.add(parts[0])
    return reached, bare


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    reached, bare = imported_layers(path)
    assert not bare, f"bare imports of {sorted(bare)} load a second copy"
    assert reached & set(LAYERS) <= LAYERS[layer] | {layer}
