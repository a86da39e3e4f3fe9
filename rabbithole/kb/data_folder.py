"""The data folder, which holds everything that is built, and how data of older versions gets there.

``RABBITHOLE_HOME`` names it. Without that, it is ``data`` in the checkout, or the data folder of the person's account
(``$XDG_DATA_HOME/rabbithole``) if the package is installed without a checkout.
"""

from __future__ import annotations

import logging
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from filelock import FileLock
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from rabbithole.kb.files import private_folder

from .errors import KnowledgeBaseError

log = logging.getLogger(__name__)

CHECKOUT: Final = Path(__file__).resolve().parents[2]
DATABASE: Final = "database"
FORMER: Final = Path("kb") / DATABASE
"""Where the knowledge base was up to version 0.1, relative to the folder the command was called in."""
BESIDE: Final = ("document_registry.json", "runs.sqlite*", "chat.sqlite*", "chat.secret", "traces")
"""Files that older versions kept beside the knowledge base. Uploaded PDFs stay: their documents store their paths."""


class DataSettings(BaseSettings):
    """Read from the environment and ``.env``."""

    model_config = SettingsConfigDict(env_file=".env", env_ignore_empty=True, extra="ignore", frozen=True)

    rabbithole_home: Path | None = Field(
        default=None,
        description="folder for everything Rabbithole builds: knowledge base, runs, chats, uploads; None: "
        "data in the checkout, or ~/.local/share/rabbithole if installed without one",
    )


def data_folder() -> Path:
    """Return the data folder as an absolute path; it need not exist yet."""
    configured = DataSettings().rabbithole_home
    if configured is not None:
        return configured.expanduser().absolute()
    if (CHECKOUT / "pyproject.toml").is_file():
        return CHECKOUT / "data"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "rabbithole"


def knowledge_base_folder(path: str | Path | None = None) -> Path:
    """Return the folder of a knowledge base: the one named, else ``database`` in the data folder.

    A knowledge base that an older version built in ``kb/database`` is moved there first. For one more version, naming
    the old folder after it has moved finds the new place. Both are logged as warnings.
    """
    default = data_folder() / DATABASE
    if path is None:
        take_over(default.parent)
        return default
    named = Path(path)
    if named == FORMER and not named.exists() and default.exists():
        log.warning("%s has moved to %s; please use the new path.", FORMER, default)
        return default
    return named.absolute()


def take_over(home: Path) -> None:
    """Move what an older version built in ``kb`` to the data folder, unless that has its own knowledge base.

    Raises KnowledgeBaseError if it cannot be moved.
    """
    for former in _former_folders():
        if (home / DATABASE).exists():
            log.warning(
                "%s was built by an older version and is not used, because %s exists; use --kb %s, or remove it.",
                former / DATABASE, home / DATABASE, former / DATABASE,
            )  # fmt: skip
            continue
        try:
            FileLock(former / DATABASE / "writer.lock", timeout=0).acquire().lock.release()
            private_folder(home)
            beside = [path for pattern in BESIDE for path in sorted(former.glob(pattern))]
            for path in (*beside, former / DATABASE):  # the knowledge base comes last: until then, this can be repeated
                if not (home / path.name).exists():
                    shutil.move(path, home / path.name)
        except OSError as error:  # includes Timeout: another process is writing
            raise KnowledgeBaseError(
                f"{former / DATABASE} was built by an older version and cannot be moved to {home}: "
                f"{error.strerror or error}. Move it by hand, or set RABBITHOLE_HOME."
            ) from error
        log.warning("The knowledge base in %s was moved to %s, where all data is now.", former, home)


def _former_folders() -> Iterator[Path]:
    """Yield the folders, each once, in which an older version kept a knowledge base."""
    folders = (FORMER.parent, CHECKOUT / FORMER.parent)
    for folder in dict.fromkeys(path.resolve() for path in folders):
        if (folder / DATABASE / "catalog.sqlite").exists():
            yield folder
