"""Writes ``requirements.lock`` and ``requirements-build.lock`` from ``constraints.txt``: pins with their files' hashes.

Run by ``make lock`` after a pin has changed; hashes of pins that stay are kept, so that it asks for little. It asks the
index pip is configured with, and the folders pip finds wheels in, for every file of a version: for all platforms.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pip._internal.commands import create_command
from pip._internal.index.collector import LinkCollector, parse_links
from pip._internal.models.link import Link
from pip._vendor.packaging.utils import canonicalize_name, parse_sdist_filename, parse_wheel_filename

ROOT = Path(__file__).resolve().parents[1]
PINS, LOCK = ROOT / "constraints.txt", ROOT / "requirements.lock"
BUILD_LOCK = ROOT / "requirements-build.lock"
HEAD = (
    "# Written by `make lock` from constraints.txt; installed by `make setup` with --require-hashes --no-deps.\n"
    "# torch is pinned in requirements-torch.txt: its builds differ by machine (docs/installation-offline.md).\n"
)
APART = frozenset({"torch"})
BUILD = frozenset({"setuptools", "wheel"})
"""What makes a wheel of a source: installed first, so that nothing is fetched without a hash for that."""


def pins(path: Path) -> list[tuple[str, str]]:
    """(name, version) of every line; comments and blank lines are passed over. Raises SystemExit for another line."""
    found: list[tuple[str, str]] = []
    for line in path.read_text(encoding="utf-8").splitlines():
        text = line.split("#")[0].strip()
        if not text:
            continue
        match = re.fullmatch(r"([A-Za-z0-9._-]+)==([^\s;]+)", text)
        if match is None:
            raise SystemExit(f"{path.name}: {text!r} is no pin of the form name==version.")
        found.append((canonicalize_name(match[1]), match[2]))
    return sorted(found)


def known(path: Path) -> dict[tuple[str, str], list[str]]:
    """The hashes of a lock written before."""
    if not path.exists():
        return {}
    joined = path.read_text(encoding="utf-8").replace("\\\n", " ")
    found: dict[tuple[str, str], list[str]] = {}
    for line in joined.splitlines():
        if match := re.match(r"([a-z0-9._-]+)==(\S+)\s+--hash", line):
            found[match[1], match[2]] = re.findall(r"--hash=(sha256:[0-9a-f]{64})", line)
    return found


@contextmanager
def collector() -> Iterator[LinkCollector]:
    """What pip itself reads indexes with, configured as pip is on this machine."""
    command: Any = create_command("download")
    options, _ = command.parse_args(["nothing"])
    with command.main_context():
        session = command.enter_context(command._build_session(options))
        yield command._build_package_finder(options, session)._link_collector


def hashes_of(links: LinkCollector, name: str, version: str) -> list[str]:
    """The SHA-256 of every file of a version. Raises SystemExit when there is none."""
    found: set[str] = set()
    for link in _links(links, name):
        if _is_of(link, name, version):
            if link.is_file:
                found.add("sha256:" + _digest(Path(link.file_path)))
            elif link.hash_name == "sha256" and link.hash:
                found.add(f"sha256:{link.hash}")
    if not found:
        raise SystemExit(f"{name}=={version}: no file with a hash is known to the index pip is configured with.")
    return sorted(found)


def _links(collector_: LinkCollector, name: str) -> list[Link]:
    found: list[Link] = []
    for address in collector_.search_scope.get_index_urls_locations(name):
        page = collector_.fetch_response(Link(address))
        if page is not None:
            found += parse_links(page)
    for folder in collector_.find_links:
        if Path(folder).is_dir():
            found += [Link(path.as_uri()) for path in Path(folder).iterdir() if path.is_file()]
    return found


def _is_of(link: Link, name: str, version: str) -> bool:
    try:
        if link.filename.endswith(".whl"):
            named, number, *_ = parse_wheel_filename(link.filename)
        else:
            named, number = parse_sdist_filename(link.filename)
    except ValueError:  # another kind of file
        return False
    return named == name and (number.public == version or str(number) == version)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> None:
    before, lines, build = known(LOCK) | known(BUILD_LOCK), [HEAD], [HEAD]
    with collector() as links:
        for name, version in pins(PINS):
            if name in APART:
                continue
            hashes = before.get((name, version)) or hashes_of(links, name, version)
            target = build if name in BUILD else lines
            target.append(" \\\n".join([f"{name}=={version}", *(f"    --hash={one}" for one in hashes)]) + "\n")
    LOCK.write_text("".join(lines), encoding="utf-8")
    BUILD_LOCK.write_text("".join(build), encoding="utf-8")
    sys.stdout.write(f"{len(lines) + len(build) - 2} pins with hashes in {LOCK.name} and {BUILD_LOCK.name}\n")


if __name__ == "__main__":
    main()
