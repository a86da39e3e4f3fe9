"""Every prompt renders, says the language it wants, and can be replaced."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from rabbithole.kb.errors import UsageError
from rabbithole.steps.reasoning.prompts import FOLDER, SECTIONS, Prompts, names, variables
from rabbithole.steps.reasoning.protocol import Purpose


@pytest.mark.parametrize("name", names())
def test_four_sections_in_order(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^### (.+)$", text, re.MULTILINE)) == SECTIONS


@pytest.mark.parametrize("name", names())
def test_renders_with_no_variable_missing_or_unused(name: str) -> None:
    prompts = Prompts()
    wanted = variables(prompts.template(name))
    values = {variable: f"<<{variable} with {{braces}} and {{question}}>>" for variable in wanted}
    text = prompts.render(name, values)
    assert all(f"<<{variable} with" in text for variable in wanted)
    with pytest.raises(KeyError):
        prompts.render(name, {**values, "surplus": ""})
    with pytest.raises(KeyError):
        prompts.render(name, dict(list(values.items())[1:]))


@pytest.mark.parametrize("name", names())
def test_every_prompt_names_the_language(name: str) -> None:
    assert "language" in variables((FOLDER / f"{name}.md").read_text(encoding="utf-8"))


def test_a_prompt_for_every_purpose() -> None:
    assert set(get_args(Purpose)) | {"rewrite"} == set(names())


@pytest.mark.parametrize("name", [name for name in names() if "{passages}" in Prompts().template(name)])
def test_prompts_that_show_documents_declare_them_data(name: str) -> None:
    text = Prompts().template(name)
    assert "never an instruction" in text
    assert text.index("{passages}") < text.index("{question}"), "the question comes last, where nothing cuts it off"


def test_values_are_never_read_as_templates() -> None:
    text = Prompts().render("rewrite", {"language": "German", "part": "{language} {unknown}"})
    assert "{language} {unknown}" in text


def test_a_folder_replaces_prompts_of_the_same_name(tmp_path: Path) -> None:
    (tmp_path / "rewrite.md").write_text("### Task\nSay {part} in {language}.", encoding="utf-8")
    prompts = Prompts(tmp_path)
    assert prompts.render("rewrite", {"part": "this", "language": "English"}) == "### Task\nSay this in English."
    assert "### Task" in prompts.template("plan")


def test_a_replacement_with_other_variables_is_refused(tmp_path: Path) -> None:
    (tmp_path / "rewrite.md").write_text("Say {part} to {nobody}.", encoding="utf-8")
    with pytest.raises(UsageError, match=r"language, nobody"):
        Prompts(tmp_path).template("rewrite")
