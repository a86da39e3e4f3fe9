"""The user's settings for questions: the widgets of the form, and their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from chainlit.input_widget import InputWidget, Select, TextInput
from pydantic import ValidationError

from rabbithole.kb.models import Model
from rabbithole.workflow.chat.locales import Language, say

from .run_view import Ask, Mode

LANGUAGES: tuple[Literal["auto", "de", "en"], ...] = ("auto", "de", "en")
INTERFACE = "interface"
"""Name of the setting for the language of menus and field, which the browser keeps."""
AS_CONFIGURED = "default"  # because the widget accepts no empty value
DEFAULT_DEPTH, MAX_DEPTH = 2, 5


class Preferences(Model):
    mode: Mode = "research"
    collections: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    depth: int = DEFAULT_DEPTH
    language: Literal["auto", "de", "en"] = "auto"
    model: str = AS_CONFIGURED
    upload_collection: str = ""

    def ask(self, query: str, parent_run: str = "", spoken: Literal["", "de", "en"] = "") -> Ask:
        return Ask(
            query=query, mode=self.mode, collections=self.collections, documents=self.documents, language=self.language,
            spoken=spoken, depth=self.depth, model="" if self.model == AS_CONFIGURED else self.model,
            parent_run=parent_run,
        )  # fmt: skip


def preferences_of(stored: Mapping[str, object]) -> Preferences:
    """Return the stored settings; values no longer valid fall back to the default."""
    known = {name: value for name, value in stored.items() if name in Preferences.model_fields and value is not None}
    try:
        return Preferences.model_validate(known)
    except ValidationError as error:
        wrong = {str(item["loc"][0]) for item in error.errors()}
        return Preferences.model_validate({name: value for name, value in known.items() if name not in wrong})


def widgets(
    stored: Preferences, language: Language, chosen: str, models: Sequence[str], uploads: str
) -> list[InputWidget]:
    """Return the settings form in the user's language; ``chosen`` is the one chosen for it, or 'auto'.

    Scope and depth are chosen below the input field instead.
    """

    def choice(name: str, values: Sequence[str], chosen: str) -> Select:
        items = {say(language, f"settings.{name}.{value}"): value for value in values}
        return Select(id=name, label=say(language, f"settings.{name}"), items=items, initial_value=chosen)

    made: list[InputWidget] = [
        choice("language", LANGUAGES, stored.language),
        choice(INTERFACE, LANGUAGES, chosen),
    ]
    if models:
        items = {say(language, "settings.model.default"): AS_CONFIGURED, **{name: name for name in models}}
        made.append(Select(id="model", label=say(language, "settings.model"), items=items, initial_value=stored.model))
    made.append(
        TextInput(
            id="upload_collection", label=say(language, "settings.upload_collection"),
            initial=stored.upload_collection or uploads,
        )
    )  # fmt: skip
    return made
