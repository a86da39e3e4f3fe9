"""Copy a whole knowledge base to another place: from a folder to a cluster, back, or from folder to folder.

The source is only read. Documents keep their ids and numbers, the copy its generation, so that everything made from
them (names, references, runs) stays valid; vectors are taken as they are.
"""

from __future__ import annotations

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from .errors import KnowledgeBaseError
from .files import private_folder
from .ingest.run.kept_originals import keep_originals
from .references.names.registry_file import RegistryFile
from .references.names.snapshot import registry_path
from .settings import KbSettings
from .store import copied_documents
from .store.copied_documents import Copying, copying
from .store.encoders.embedding_models import model_name
from .store.index.index_choice import for_new
from .store.ports import Progress
from .store.sql.open_catalog import catalog_exists, open_catalog
from .store.store import Store


@dataclass(frozen=True)
class Location:
    """Where a knowledge base is: its folder, and settings with the addresses of what is not in it.

    ``name`` is how a person calls it.
    """

    name: str
    folder: Path
    settings: KbSettings

    @property
    def address(self) -> str | None:
        """The address of its PostgreSQL database, if it has one."""
        secret = self.settings.rabbithole_catalog
        return secret.get_secret_value() if secret is not None else None

    @property
    def registry(self) -> Path:
        """The file of names."""
        return registry_path(self.folder, self.settings.document_registry_path)


def copy_knowledge_base(source: Location, target: Location, progress: Progress | None = None) -> None:
    """Copy ``source`` to ``target``, which must not exist, be empty, or be what an interrupted copy has left.

    ``progress`` gets the number of documents done and of all. Raises KnowledgeBaseError if one of them cannot be used,
    if the target holds something else or wants another embedding model, or if the source is changed meanwhile; until
    the copy is complete, nothing else opens the target.
    """
    if source.folder.resolve() == target.folder.resolve():
        raise KnowledgeBaseError(f"{source.name} and {target.name} are one folder, {source.folder}: name another one.")
    with closing(_opened(source)) as origin:
        model = origin.catalog.meta("embedding_model")
        settings = target.settings.model_copy(update={"embedding_model": model_name(target.settings, model)})
        kind = for_new(settings)
        if kind == "chroma-server":
            raise KnowledgeBaseError(
                "A knowledge base is not copied to a Chroma server: unset CHROMA_URL for the copy, then move its "
                "vectors there with `rabbithole kb rebuild --keep-vectors`."
            )
        place, generation = str(source.folder.resolve()), origin.catalog.generation
        wanted = Copying(source=place, generation=generation, model=model or "", kind=kind)
        _require_names(source, target)
        begun = _prepared(target, wanted)
        if begun is not None and begun != wanted:
            with closing(Store(target.folder, settings, unfinished=True)) as former:
                copied_documents.clear(former)
        with closing(Store(target.folder, settings, create=True, unfinished=True)) as copy:
            copied_documents.copy_documents(origin, copy, wanted, progress)
            _copy_names(source, target)
            keep_originals(copy, origin.originals)
            copied_documents.finish(origin, copy)


def _opened(source: Location) -> Store:
    """Open the store of the source with the embedding model it was built with; the model itself is not called."""
    shared = source.settings.rabbithole_index is not None
    with closing(open_catalog(source.folder, source.address, shared=shared)) as catalog:
        model = catalog.meta("embedding_model") or "auto"
    return Store(source.folder, source.settings.model_copy(update={"embedding_model": model}))


def _prepared(target: Location, wanted: Copying) -> Copying | None:
    """Require that the target is empty, or an unfinished copy of the same knowledge base, which is returned."""
    folder = target.folder
    if not catalog_exists(folder) and folder.exists() and any(folder.iterdir()):
        raise KnowledgeBaseError(f"The folder {folder} is not empty: name a new one for the copy.")
    shared = target.settings.rabbithole_index is not None
    with closing(open_catalog(folder, target.address, create=True, shared=shared)) as catalog:
        begun = copying(catalog)
        if begun is None:
            if catalog.count() or catalog.collection_names() or catalog.leftovers():
                raise KnowledgeBaseError(
                    f"There is a knowledge base at {target.name} already: name an empty place for the copy."
                )
            return None
    if begun.model_copy(update={"generation": wanted.generation}) != wanted:
        raise KnowledgeBaseError(
            f"There is an unfinished copy of {begun.source} at {target.name}: finish that with the same settings, or "
            "remove it."
        )
    return begun


def _require_names(source: Location, target: Location) -> None:
    """Raise KnowledgeBaseError if there is a file of other names where the copy would have its own."""
    if target.registry.exists() and RegistryFile.load(target.registry) != RegistryFile.load(source.registry):
        raise KnowledgeBaseError(
            f"{target.registry} has names of other documents: move it away, or name another place for the copy."
        )


def _copy_names(source: Location, target: Location) -> None:
    """Copy the file of names with its time, by which the reference graph knows it."""
    if not source.registry.exists() or source.registry.resolve() == target.registry.resolve():
        return
    private_folder(target.registry.parent)
    RegistryFile.load(source.registry).save(target.registry)
    edited = source.registry.stat()
    os.utime(target.registry, ns=(edited.st_atime_ns, edited.st_mtime_ns))
