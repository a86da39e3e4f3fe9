"""Choose the embedding model: by the setting, the model of the knowledge base, and the models on this machine."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np

from rabbithole.kb.errors import KnowledgeBaseError, ModelError
from rabbithole.kb.settings import QWEN_INSTRUCTION, KbSettings
from rabbithole.kb.store.vectors.matrix import Float32

from .embeddings import HASH, MULTILINGUAL, QWEN, Embedder, HashEmbedder, LazyEmbedder, normalised

_PROMPTS = "config_sentence_transformers.json"


def model_name(settings: KbSettings, built_with: str | None) -> str:
    """Return the name of the model to use.

    ``built_with``: the model of the knowledge base, None for a new one. The setting ``auto`` keeps that model, or takes
    the best on this machine. Raises KnowledgeBaseError if the setting names another model than ``built_with``.
    """
    wanted = settings.embedding_model
    if wanted == "auto":
        return built_with or (QWEN if is_cached(QWEN) else MULTILINGUAL)
    if built_with is not None and wanted != built_with:
        raise KnowledgeBaseError(
            f"The knowledge base was built with the embedding model {built_with!r}, EMBEDDING_MODEL names {wanted!r}: "
            f"set EMBEDDING_MODEL={built_with}, or embed it anew with `rabbithole kb rebuild`."
        )
    return wanted


def make_embedder(name: str, settings: KbSettings) -> Embedder:
    """Return the embedder with this name; its model is loaded at the first use."""
    if name == HASH:
        return HashEmbedder()
    if name == MULTILINGUAL:
        return LazyEmbedder(name, _multilingual)
    return LazyEmbedder(name, partial(HuggingFaceEmbedder, name, settings))


def is_cached(model: str) -> bool:
    """Return whether a model is in the local Hugging Face cache, without importing the library."""
    home = (
        os.environ.get("HF_HOME") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser() / "huggingface"
    )
    hub = Path(os.environ.get("HF_HUB_CACHE") or Path(home) / "hub")
    snapshots = hub / f"models--{model.replace('/', '--')}" / "snapshots"
    return any(
        any(folder.glob("*.safetensors")) and (folder / "config.json").exists() for folder in snapshots.glob("*")
    )


def require_local(model: str, otherwise: str) -> None:
    """Raise ModelError if a model is neither a folder nor in the cache, unless HF_HUB_OFFLINE=0 allows a download.

    ``otherwise``: the setting that avoids the model, for the message.
    """
    if os.environ.get("HF_HUB_OFFLINE", "1").lower() in ("0", "false", "no", "off"):
        return
    if not Path(model).is_dir() and not is_cached(model):
        raise ModelError(
            f"The model {model!r} is not on this machine: fetch it with `hf download {model}`, or set {otherwise}."
        )


def own_prompts(model: str) -> dict[str, str]:
    """Return the texts that a sentence-transformers model puts before queries and documents, by their names.

    ``model``: a folder, or a name in the local cache or, if HF_HUB_OFFLINE=0, on the hub. Empty if it has none.
    """
    if (folder := Path(model)).is_dir():
        file = folder / _PROMPTS
    else:
        from huggingface_hub import hf_hub_download  # noqa: PLC0415  half a second
        from huggingface_hub.errors import EntryNotFoundError  # noqa: PLC0415

        try:
            file = Path(hf_hub_download(model, _PROMPTS))
        except EntryNotFoundError:  # also of a cache that has the model without this file
            return {}
    if not file.is_file():
        return {}
    prompts = json.loads(file.read_text(encoding="utf8")).get("prompts") or {}
    return {name: text for name, text in prompts.items() if isinstance(text, str)}


class HuggingFaceEmbedder:
    """A sentence-transformers model through LlamaIndex, from the local cache or a folder.

    It is downloaded only if a person named it in EMBEDDING_MODEL and set HF_HUB_OFFLINE=0. Raises ModelError if it is
    missing or cannot be loaded.
    """

    def __init__(self, name: str, settings: KbSettings) -> None:
        self.name = name
        require_local(name, "EMBEDDING_MODEL=use-multilingual")
        from llama_index.embeddings.huggingface import (  # noqa: PLC0415  loads torch (5 s)
            HuggingFaceEmbedding,
        )

        try:
            prompts = own_prompts(name)
            instruction = settings.embedding_query_instruction
            if instruction is None:
                instruction = QWEN_INSTRUCTION if "qwen3-embedding" in name.lower() else prompts.get("query", "")
            # The integration drops the model's own prompts, so they must be passed.
            self._model = HuggingFaceEmbedding(
                model_name=name,
                query_instruction=instruction,
                text_instruction=prompts.get("document") or prompts.get("passage", ""),
                device=settings.embedding_device,
                embed_batch_size=settings.embedding_batch_size,
            )
        except (OSError, ValueError) as error:
            raise ModelError(
                f"The embedding model {name!r} cannot be loaded: {' '.join(str(error).split())[:200]}"
            ) from error
        self.dimension = self.embed(["dimension"]).shape[1]

    def embed(self, texts: Sequence[str], *, query: bool = False) -> Float32:
        encode = self._model.get_query_embedding if query else None
        if encode is not None:
            return normalised(np.asarray([encode(text) for text in texts], dtype=np.float32))
        return normalised(np.asarray(self._model.get_text_embedding_batch(list(texts)), dtype=np.float32))


def _multilingual() -> Embedder:
    from .multilingual import MultilingualEncoder  # noqa: PLC0415  its weights

    return MultilingualEncoder()
