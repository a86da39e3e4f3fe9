"""Print the size of the project and the names used twice. Run: ``python tools/measures.py``.

Prints files and lines of each part, files over 300 lines, folders of more than twenty Python files, names that stand
for more than one thing, and how long ``rabbithole --help`` takes. Modules that do the same for two languages, two
reasoners, two interfaces or a command and its work may share a name; ``SAME_ROLE`` lists their folders. The folders of
adapters are among them: ``sql`` (the catalog) and ``stores`` (the run store) each have one module per database, named
after the database.
"""

from __future__ import annotations

import ast
import subprocess
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PARTS = ("rabbithole/kb", "rabbithole/steps", "rabbithole/workflow", "tests", "bench")
MOST_LINES, MOST_FILES = 300, 20
SAME_ROLE = (
    ("german", "english"),
    ("extractive", "llm", "phases"),
    ("commands",),
    ("formats", "report"),
    ("sql", "stores"),
)
SAME_NAME = ("__init__", "models", "settings")


def python_files(part: str) -> list[Path]:
    return sorted(path for path in (ROOT / part).rglob("*.py") if path.is_file())


def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def same_role(places: list[Path]) -> bool:
    """Return whether modules of one name do the same for several languages, reasoners or formats, or for a command."""
    folders = [place.parent.name for place in places]
    if any(folder == "commands" for folder in folders) and len(places) == 2:
        return True
    return any(all(folder in role for folder in folders) for role in SAME_ROLE)


def twice() -> Iterator[tuple[str, Mapping[str, list[Path]]]]:
    files: dict[str, list[Path]] = defaultdict(list)
    classes: dict[str, list[Path]] = defaultdict(list)
    for path in python_files("rabbithole"):
        if path.stem not in SAME_NAME:
            files[path.stem].append(path)
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                classes[node.name].append(path)
    yield "modules", {name: found for name, found in files.items() if len(found) > 1 and not same_role(found)}
    yield "public classes", {name: found for name, found in classes.items() if len(found) > 1}


def help_seconds() -> float:
    """Return the quickest of five calls of the command's help."""
    spent = []
    for _ in range(5):
        begun = time.perf_counter()
        subprocess.run([str(ROOT / ".venv/bin/rabbithole"), "--help"], cwd=ROOT, check=True, capture_output=True)
        spent.append(time.perf_counter() - begun)
    return min(spent)


def main() -> None:
    for part in PARTS:
        found = python_files(part)
        long = [str(path.relative_to(ROOT)) for path in found if lines(path) > MOST_LINES]
        print(
            f"{part:<20} {len(found):>4} files {sum(map(lines, found)):>7} lines  over {MOST_LINES}: {', '.join(long)}"
        )
    folders = Counter(path.parent.relative_to(ROOT) for part in PARTS for path in python_files(part))
    full = {str(folder): count for folder, count in folders.items() if count > MOST_FILES}
    print(f"{len(full)} folders of more than {MOST_FILES} Python files: {full}")
    for title, names in twice():
        print(f"{len(names)} names of {title} stand for more than one thing")
        for name, places in sorted(names.items()):
            print(f"  {name}: {', '.join(str(place.relative_to(ROOT / 'rabbithole')) for place in places)}")
    print(f"rabbithole --help: {help_seconds():.2f} s (goal 0.35)")


if __name__ == "__main__":
    main()
