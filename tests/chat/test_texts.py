"""All texts exist in both languages, none is inline, and examples come from the collection."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rabbithole.kb.knowledge_base import KnowledgeBase
from rabbithole.steps.document_names import short_title
from rabbithole.workflow.chat.chosen_language import chosen_language
from rabbithole.workflow.chat.conversation.conversation import RUN_ELEMENTS, shown
from rabbithole.workflow.chat.conversation.message_handler import written_in
from rabbithole.workflow.chat.documents.uploads import add
from rabbithole.workflow.chat.locales import Language, language_of, texts
from rabbithole.workflow.chat.runs.history import Item
from rabbithole.workflow.chat.runs.preferences import Preferences, preferences_of, widgets
from rabbithole.workflow.chat.view.short_labels import place, place_label

ROOT = Path(__file__).resolve().parents[2]
ELEMENTS = sorted((ROOT / "public" / "elements").glob("*.jsx"))
SCRIPTS = sorted((ROOT / "public").glob("*.js"))
CALL = re.compile(r"\b(?:t|plural)\(\s*\"([a-z_.]+)\"")
DYNAMIC = re.compile(r"\b(?:t|plural)\(\s*`([a-z_.]+)\$\{")
PLACES = re.compile(r"{(\w+)}")


def keys(source: str) -> set[str]:
    return set(CALL.findall(source))


def test_both_languages_have_the_same_texts_with_the_same_places() -> None:
    de, en = texts("de"), texts("en")
    assert de.keys() == en.keys()
    for key in de:
        assert set(PLACES.findall(de[key])) == set(PLACES.findall(en[key])), key
        assert de[key].strip(), key


@pytest.mark.parametrize("path", [*ELEMENTS, *SCRIPTS], ids=lambda path: path.name)
def test_every_text_an_element_asks_for_exists(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    known = texts("en")
    assert keys(source) <= known.keys()
    for prefix in DYNAMIC.findall(source):
        assert any(key.startswith(prefix) for key in known), prefix


@pytest.mark.parametrize("path", ELEMENTS, ids=lambda path: path.name)
def test_no_words_stand_in_an_element(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    between_tags = re.findall(r">\s*([A-ZÄÖÜa-zäöü][A-Za-zäöüÄÖÜß]+(?: [A-Za-zäöüß]+)*)\s*</", source)
    in_labels = re.findall(r'(?:aria-label|title|placeholder)="([^"]+)"', source)
    assert between_tags == []
    assert in_labels == []


def test_the_frame_says_everything_in_german_too() -> None:
    def flat(value: object, name: str = "") -> dict[str, str]:
        if isinstance(value, dict):
            return {key: text for part, inner in value.items() for key, text in flat(inner, f"{name}.{part}").items()}
        return {name: str(value)}

    folder = ROOT / ".chainlit" / "translations"
    de, en = (flat(json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))) for name in ("de-DE", "en-US"))
    assert de.keys() == en.keys()


@pytest.mark.parametrize(
    ("tag", "language"), [("de", "de"), ("de-AT", "de"), ("DE-de", "de"), ("en-US", "en"), ("fr", "en"), (None, "en")]
)
def test_language_of_a_browser(tag: str | None, language: str) -> None:
    assert language_of(tag) == language


def test_a_conversation_is_restored_the_same_each_time() -> None:
    items = [
        Item(id="m", kind="user", body="Why?", created=1.0),
        Item(
            id="n",
            kind="note",
            body='{"key": "upload.known", "values": {"name": "a.pdf", "collection": "C"}}',
            created=2,
        ),
        Item(id="r", kind="run", body="r", created=3.0),
    ]
    steps, elements = shown(items, "t", "de")
    assert [step["type"] for step in steps] == ["user_message", "assistant_message", "assistant_message"]
    assert steps[1]["output"] == "a.pdf ist bereits in der Sammlung C."
    assert [one["name"] for one in elements] == list(RUN_ELEMENTS)
    assert shown(items, "t", "de") == (steps, elements)
    assert {f"{name}.jsx" for name in RUN_ELEMENTS} <= {path.name for path in ELEMENTS}


@pytest.mark.parametrize(
    ("title", "short"),
    [
        ("Gesetz über Labore (Laborgesetz - LabG)", "LabG"),
        ("Verordnung (LabV) vom 3. Mai 2012", "LabV vom 3. Mai 2012"),
        ("Manual of filters", "Manual of filters"),
        ("A title " * 20, f"{'A title ' * 14}A …"),
    ],
)
def test_short_titles(title: str, short: str) -> None:
    assert short_title(title) == short
    assert place_label(title, None) == short


def test_settings_that_are_not_understood_fall_back() -> None:
    stored = preferences_of({"mode": "nonsense", "depth": 3, "collections": ["A"], "gone": 1, "model": None})
    assert stored == Preferences(depth=3, collections=("A",))
    assert stored.ask("why", "r1").parent_run == "r1"


@pytest.mark.parametrize("language", ["de", "en"])
def test_the_settings_form(language: str) -> None:
    made = widgets(Preferences(), language, "auto", ["qwen3:8b"], "Uploads")  # type: ignore[arg-type]
    assert [one.id for one in made] == ["language", "interface", "model", "upload_collection"]
    assert all(one.to_dict()["label"] for one in made)


@pytest.mark.slow
def test_an_upload_is_searchable_and_a_bad_one_is_one_sentence(kb_copy: KnowledgeBase, tmp_path: Path) -> None:
    bad = tmp_path / "bad"
    bad.write_bytes(b"this is no pdf")
    refused = add(kb_copy, bad, "bad.pdf", folder=tmp_path / "in", collection="Uploads")
    assert not refused.taken
    assert refused.reason
    assert "\n" not in refused.reason
    assert not list((tmp_path / "in").rglob("*.pdf"))


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("DIN 98412-3:2019-06 Lüftung von Isotopenlaboratorien - Teil 3: Prüfung", "DIN 98412-3:2019-06"),
        ("ILA TR-12 Operation and Maintenance of Confinement Systems", "ILA TR-12"),
        ("RFC 8446: The Transport Layer Security Protocol", "RFC 8446"),
        ("DIN EN ISO 9001 Quality", "DIN EN ISO 9001"),
        ("Verordnung über Isotopenlaboratorien (Isotopenlaborverordnung - IsoLV)", "IsoLV"),
        ("Retention of methyl iodide", "Retention of methyl iodide"),
        ("A Study of 12 Filters", "A Study of 12 Filters"),
        ("KTA 1404", "KTA 1404"),
    ],
)
def test_a_document_goes_by_its_abbreviation_or_number(title: str, shown: str) -> None:
    assert short_title(title) == shown


def test_a_heading_that_repeats_the_title_is_not_said_twice() -> None:
    assert place("ILA TR-12 Operation of Systems", "ILA TR-12 Operation of Systems") == "ILA TR-12"
    assert place("ILA TR-12 Operation of Systems", "5.3 Shelf life") == "ILA TR-12, 5.3 Shelf life"


@pytest.mark.parametrize(
    ("text", "before", "expected"),
    [
        ("Wer prüft die Filter?", "en", "de"),
        ("Who tests the filters of the laboratory?", "de", "en"),
        ("Quelle est la hauteur de la pénalité pour retard ?", "de", "other"),
        ("12?", "en", "en"),
        ("12?", "de", "de"),
    ],
)
def test_the_language_of_a_message(text: str, before: Language, expected: str) -> None:
    assert written_in(text, before) == expected


@pytest.mark.parametrize(
    ("cookies", "chosen"),
    [
        ("", "auto"),
        ("rabbithole-language=de", "de"),
        ("other=1; rabbithole-language=en; last=2", "en"),
        ("rabbithole-language=fr", "auto"),
        ("not-rabbithole-language=de", "auto"),
    ],
)
def test_the_language_chosen_for_the_frame(cookies: str, chosen: str) -> None:
    assert chosen_language(cookies) == chosen
