"""Check whether an editor can follow the code: definition, references and rename across package and tests.

Run: ``make language-server``. Jedi is the engine behind python-lsp-server and jedi-language-server; it reads the code
without running it. A name is looked up where it is defined and from every file that imports it; each answer has to lie
in the real package, never behind one of the links at the top of the repository.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import jedi

ROOT = Path(__file__).resolve().parent.parent
REAL = ("rabbithole/", "tests/", "bench/", "examples/", "tools/")
NAMES = (
    ("rabbithole/workflow/ledger.py", "LedgerEntry"),
    ("rabbithole/workflow/run/state.py", "ResearchState"),
    ("rabbithole/kb/models.py", "Resolution"),
    ("rabbithole/steps/phases/gate.py", "sort_out"),
)


def script_of(path: Path, project: jedi.Project) -> jedi.Script:
    return jedi.Script(path=path, project=project)


def position(path: Path, name: str) -> tuple[int, int]:
    """Return line and column of the first use of a name as a word."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := re.search(rf"\b{name}\b", line):
            return number, match.start()
    raise ValueError(f"{name} does not occur in {path}")


def importers(name: str) -> Iterator[Path]:
    """Yield the files that import this name, as text search finds them."""
    for folder in ("rabbithole", "tests", "bench"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if re.search(rf"^from [\w.]+ import (?:\([^)]*\b{name}\b|[^(\n]*\b{name}\b)", text, re.MULTILINE):
                yield path


def relative(paths: Iterable[Path | None]) -> set[str]:
    return {str(path.relative_to(ROOT)) for path in paths if path is not None}


def check(project: jedi.Project, file: str, name: str) -> Iterator[str]:
    """Yield what an editor gets wrong about one name; print what was asked and found."""
    home = ROOT / file
    importing = list(importers(name))
    for path in importing:
        found = relative(
            one.module_path for one in script_of(path, project).goto(*position(path, name), follow_imports=True)
        )
        if found != {file}:
            yield f"definition of {name} from {path.relative_to(ROOT)}: {sorted(found) or 'none'}, not {file}"
    script, at = script_of(home, project), defined_at(home, name)
    referring = relative(one.module_path for one in script.get_references(*at, scope="project"))
    renamed = relative(script.rename(*at, new_name=f"{name}Renamed").get_changed_files())
    tests = sum(one.startswith("tests/") for one in referring)
    print(
        f"{name:<16} definition from {len(importing)} files; references in {len(referring)} files, {tests} tests;"
        f" rename changes {len(renamed)} files"
    )
    for wanted, found in (("references", referring), ("rename", renamed)):
        lacking = relative(importing) - found
        if lacking:
            yield f"{wanted} of {name}: not in {', '.join(sorted(lacking))}"
        behind = {
            one for one in found if not one.startswith(("rabbithole/", "tests/", "bench/", "examples/", "tools/"))
        }
        if behind:
            yield f"{wanted} of {name}: behind a link: {', '.join(sorted(behind))}"


def defined_at(path: Path, name: str) -> tuple[int, int]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if match := re.match(rf"(?:class|def|async def) ({name})\b", line):
            return number, match.start(1)
    raise ValueError(f"{name} is not defined in {path}")


def main() -> None:
    project = jedi.Project(ROOT, added_sys_path=[str(ROOT / "tests")], environment_path=str(ROOT / ".venv"))
    wrong = [sentence for file, name in NAMES for sentence in check(project, file, name)]
    for sentence in wrong:
        print(f"WRONG: {sentence}")
    print(f"{len(NAMES)} names, {len(wrong)} wrong answers")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
