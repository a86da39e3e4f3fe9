"""Open the catalog of a knowledge base, in the engine that the settings name."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from rabbithole.kb.errors import KnowledgeBaseError
from rabbithole.kb.files import private_file, private_folder

from .sql_catalog import SqlCatalog
from .sqlite import FILE_NAME, SqliteEngine

MARK: Final = "catalog.id"
"""A file in the folder of the indexes that says which catalog in a PostgreSQL database they belong to."""


def catalog_exists(folder: Path) -> bool:
    """Return whether there is a knowledge base in a folder, with its catalog there or in a database."""
    return (folder / FILE_NAME).exists() or (folder / MARK).exists()


def open_catalog(folder: Path, address: str | None = None, *, create: bool = False, shared: bool = False) -> SqlCatalog:
    """Open the catalog of the knowledge base in a folder, or with ``create`` make it if there is none.

    ``address``: the PostgreSQL database of the catalog; None: an SQLite file in the folder. ``shared``: the indexes are
    not in the folder, so that several folders may use one database. Raises KnowledgeBaseError if there is no catalog,
    if it is damaged or of another format, or if it belongs to another folder.
    """
    if not address:
        if (folder / MARK).exists():
            raise KnowledgeBaseError(
                f"The catalog of the knowledge base at {folder} is in a PostgreSQL database: name it in "
                "RABBITHOLE_CATALOG."
            )
        return SqlCatalog(SqliteEngine(folder, create=create))
    if (folder / FILE_NAME).exists():
        raise KnowledgeBaseError(
            f"The knowledge base at {folder} has its catalog in a file there, but RABBITHOLE_CATALOG names a database: "
            "unset it, or name another folder with --kb."
        )
    from .postgres import PostgresEngine  # noqa: PLC0415  its library is an extra

    engine = PostgresEngine(address, folder, create=create)
    catalog = SqlCatalog(engine)
    try:
        _require_own(catalog, folder, engine.name, shared=shared)
    except BaseException:
        catalog.close()
        raise
    return catalog


def _require_own(catalog: SqlCatalog, folder: Path, name: str, *, shared: bool) -> None:
    """Require that a catalog and the indexes in a folder belong together; two that are both new are joined."""
    base, mark = catalog.meta("base") or "", folder / MARK
    if mark.exists():
        if mark.read_text(encoding="utf-8").strip() == base:
            if catalog.meta("joined") is None and not catalog.read_only:  # it was interrupted
                catalog.set_meta({"joined": "1"})
            return
        raise KnowledgeBaseError(
            f"The indexes at {folder} belong to a catalog in another database than {name} (RABBITHOLE_CATALOG): name "
            "theirs, or another folder with --kb."
        )
    with catalog.engine.transaction() as transaction:
        if not shared and transaction.rows("SELECT 1 FROM meta WHERE key = 'joined'"):
            raise KnowledgeBaseError(
                f"The database {name} (RABBITHOLE_CATALOG) is the catalog of another knowledge base than the one at "
                f"{folder}: name its folder with --kb, or another database."
            )
        private_folder(folder)
        draft = mark.with_suffix(".new")
        private_file(draft)
        draft.write_text(base + "\n", encoding="utf-8")
        draft.replace(mark)
        transaction.run("INSERT INTO meta VALUES ('joined', '1') ON CONFLICT DO NOTHING")
