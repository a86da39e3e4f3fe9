"""``rabbithole kb copy``: a whole knowledge base in another place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import typer
from dotenv import dotenv_values
from pydantic import ValidationError
from rich.text import Text

from rabbithole.kb.copying import Location, copy_knowledge_base
from rabbithole.kb.data_folder import DATABASE, knowledge_base_folder
from rabbithole.kb.errors import UsageError
from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.kb.settings import KbSettings
from rabbithole.kb.store.sql.open_catalog import MARK
from rabbithole.workflow.cli.console import OUT
from rabbithole.workflow.cli.progress_bar import progress_bar
from rabbithole.workflow.settings import sentence

_WHERE: Final = (
    "rabbithole_catalog",
    "rabbithole_index",
    "rabbithole_originals",
    "vector_index",
    "chroma_url",
    "document_registry_path",
)
"""The settings that say where a knowledge base is. Those of one place are never taken for the other."""
_SHARED: Final = _WHERE[:3]
"""Those that a knowledge base in a folder does without."""
_HOW: Final = "write RABBITHOLE_HOME, RABBITHOLE_CATALOG and RABBITHOLE_INDEX into a file like .env, and name that"
_PLACE: Final = "A folder with everything in it, or a file with the settings of a cluster (as in .env)."


def copy(
    source: Annotated[str, typer.Argument(metavar="FROM", help=_PLACE)],
    target: Annotated[str, typer.Argument(metavar="TO", help=f"{_PLACE} Must be empty.")],
) -> None:
    """Copy a knowledge base between a folder and a cluster, either way; nothing is read or embedded again.

    The file of a cluster names its RABBITHOLE_HOME, RABBITHOLE_CATALOG and RABBITHOLE_INDEX. An interrupted copy goes
    on when the command is given again. Runs and the chat's history stay where they are.
    """
    origin, place = located(source), located(target)
    origin = replace(origin, settings=origin.settings.model_copy(update={"vector_index": "auto"}))
    if not Path(target).is_file():  # a folder holds its vectors itself
        place = replace(place, settings=place.settings.model_copy(update={"chroma_url": None}))
    with progress_bar("Copying") as tell:
        copy_knowledge_base(origin, place, tell)
    with KnowledgeBase.open(place.folder, place.settings) as base:
        wrong, count = base.check(), base.count()
    OUT.print(Text(f"{count} document{'' if count == 1 else 's'} copied to {place.name}."))
    OUT.print("Runs and the chat's history were not copied: they stay where they are.")
    for problem in wrong:
        OUT.print(Text(problem, style="red"))
    OUT.print("No problems found." if not wrong else "`rabbithole kb check` found this in the copy.")
    if wrong:
        raise typer.Exit(1)


def located(given: str) -> Location:
    """Return the location that ``given`` names: a folder, or a file with settings. Raises UsageError."""
    if "://" in given:
        raise UsageError(f"An address alone does not name a knowledge base: {_HOW}.")
    path = Path(given)
    if path.is_file():
        return _described(given, _values(path))
    if path.suffix == ".env":
        raise UsageError(f"There is no file {given}: {_HOW}.")
    folder = knowledge_base_folder(path)
    if (folder / MARK).exists():
        raise UsageError(f"The catalog of the knowledge base at {given} is in a PostgreSQL database: {_HOW}.")
    return Location(given, folder, _settings(given, dict.fromkeys(_SHARED)))


def _described(given: str, values: Mapping[str, str]) -> Location:
    """Return the location that a file's variables name. Raises UsageError if they name none."""
    if named := values.get("RABBITHOLE_KB"):
        folder = Path(named).expanduser().absolute()
    elif home := values.get("RABBITHOLE_HOME"):
        folder = Path(home).expanduser().absolute() / DATABASE
    else:
        raise UsageError(f"{given} names no folder: add RABBITHOLE_HOME=FOLDER to it.")
    default = {name: KbSettings.model_fields[name].default for name in _WHERE}
    stated = {name: values[name.upper()] for name in KbSettings.model_fields if name.upper() in values}
    return Location(given, folder, _settings(given, default | stated))


def _settings(given: str, values: Mapping[str, Any]) -> KbSettings:
    try:
        return KbSettings(**values)
    except ValidationError as error:
        raise UsageError(f"{given}: {sentence(error)}") from error


def _values(path: Path) -> dict[str, str]:
    """Return the variables of a file; an empty value is none."""
    try:
        return {name.upper(): value for name, value in dotenv_values(path).items() if value}
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as a file of settings: {_HOW}.") from error
