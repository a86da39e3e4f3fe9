"""Dump the state of a run as Markdown at each change of phase, if ENABLE_STATE_DUMP is set."""

from __future__ import annotations

import json
from pathlib import Path

from rabbithole.kb.files import private_folder
from rabbithole.steps.redact import redact
from rabbithole.steps.settings import ResearchSettings
from rabbithole.workflow.run.run_store import RunError
from rabbithole.workflow.run.state import Phase, ResearchState

ORDER: tuple[Phase, ...] = ("understand", "plan", "dig", "validate", "write", "check", "attribute", "done")


def dump_state(state: ResearchState, settings: ResearchSettings) -> Path | None:
    """Write every field of the state, including the ledger, to ``<STATE_DUMP_PATH>/<run>/<n>_<phase>.md``.

    Return the path, or None if dumps are off. Raises ``RunError`` if the file cannot be written.
    """
    if not settings.enable_state_dump:
        return None
    fields = state.model_dump(mode="json") | {"ledger": [entry.model_dump(mode="json") for entry in state.entries()]}
    parts = [f"# {state.phase}\n"]
    for name in sorted(fields):
        value = json.dumps(fields[name], ensure_ascii=False, indent=2)
        parts.append(f"## {name}\n\n```json\n{value}\n```\n")
    text = "\n".join(parts)
    path = settings.state_dump_path / state.run_id / f"{ORDER.index(state.phase)}_{state.phase}.md"
    try:
        private_folder(path.parent)
        path.write_text(redact(text) if settings.redact == "all" else text, encoding="utf-8")
    except OSError as error:
        raise RunError(f"The state could not be dumped to {path}: {error.strerror or error}.") from error
    return path
