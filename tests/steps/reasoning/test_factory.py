"""The choice of the reasoner, and the error if none is available."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError
from servers.model_server import Behaviour, running
from servers.settings import settings_for

from rabbithole.kb.errors import ModelError
from rabbithole.steps.reasoning.client.availability import ServerFacts
from rabbithole.steps.reasoning.client.gateway_factory import context_window
from rabbithole.steps.reasoning.client.probe import probe
from rabbithole.steps.reasoning.factory import make_reasoner
from rabbithole.steps.reasoning.protocol import Availability
from rabbithole.steps.reasoning.settings import ReasonerSettings

NOWHERE = "http://127.0.0.1:9"


def test_auto_takes_the_model_when_it_is_there() -> None:
    with running() as server:
        found = make_reasoner(settings_for(server.url, reasoner="auto")).availability
    assert (found.name, found.model) == ("ollama", "qwen3:14b")
    assert "answers" in found.reason


def test_auto_takes_the_fallback_model_and_says_so() -> None:
    with running(Behaviour(models=["qwen3:8b"])) as server:
        found = make_reasoner(settings_for(server.url, reasoner="auto")).availability
    assert found.model == "qwen3:8b"
    assert "qwen3:14b is not installed" in found.reason


@pytest.mark.parametrize("models", [None, ["llama3:8b"]])
def test_auto_goes_without_a_model_and_says_why(models: list[str] | None) -> None:
    if models is None:
        found = make_reasoner(settings_for(NOWHERE, reasoner="auto")).availability
        assert "connection refused" in found.reason
    else:
        with running(Behaviour(models=models)) as server:
            found = make_reasoner(settings_for(server.url, reasoner="auto")).availability
        assert "ollama pull qwen3:14b" in found.reason
    assert found.name == "extractive"


def test_a_model_demanded_and_not_there_is_one_clear_sentence() -> None:
    with pytest.raises(ModelError, match="REASONER=ollama, but no model server answers at"):
        make_reasoner(settings_for(NOWHERE))
    with running(Behaviour(models=["x"])) as server:
        with pytest.raises(ModelError, match="`ollama pull qwen3:14b`"):
            make_reasoner(settings_for(server.url))
        with pytest.raises(ModelError, match="set OPENAI_MODEL"):
            make_reasoner(settings_for(server.url, reasoner="openai", openai_model="y"))
    with pytest.raises(ModelError, match="OPENAI_BASE_URL"):
        make_reasoner(settings_for(NOWHERE, reasoner="openai"))


def test_something_else_on_the_port_is_no_model_server() -> None:
    with running() as server, pytest.raises(ModelError, match="404"):
        make_reasoner(settings_for(f"{server.url}/other"))


def test_the_window_is_what_is_asked_for_and_never_more_than_the_model_has() -> None:
    facts = ServerFacts(model="m", context_length=8192)
    assert context_window(settings_for(NOWHERE, ollama_num_ctx=4096), facts, "ollama") == 4096
    assert context_window(settings_for(NOWHERE), facts, "ollama") == 8192
    assert context_window(settings_for(NOWHERE), facts, "openai") == 8192
    assert context_window(settings_for(NOWHERE), ServerFacts(model="m"), "openai") == 32_768


@pytest.mark.parametrize(
    ("given", "address"),
    [
        ("0.0.0.0:11434", "http://127.0.0.1:11434"),
        ("http://0.0.0.0:11434/", "http://127.0.0.1:11434"),
        ("gpu.local:1234", "http://gpu.local:1234"),
        ("https://models.example/", "https://models.example"),
    ],
)
def test_addresses_are_read_as_people_write_them(given: str, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OLLAMA_HOST", given)
    assert ReasonerSettings(_env_file=None).ollama_base_url == address


def test_settings_come_from_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("REASONER", "openai")
    monkeypatch.setenv("OLLAMA_NUM_CTX", "8192")
    monkeypatch.setenv("LLM_MODELS", '{"gate": "small"}')
    monkeypatch.setenv("PROMPTS_DIR", str(tmp_path))
    settings = ReasonerSettings(_env_file=None)
    assert (settings.reasoner, settings.ollama_num_ctx) == ("openai", 8192)
    assert settings.llm_models == {"gate": "small"}
    with pytest.raises(ValidationError, match="PROMPTS_DIR"):
        ReasonerSettings(_env_file=None, prompts_dir=tmp_path / "none")
    with pytest.raises(ValidationError, match="LLM_IDLE_TIMEOUT"):
        ReasonerSettings(_env_file=None, llm_idle_timeout=99, llm_total_timeout=9)


def test_the_probe_tries_every_promise() -> None:
    with running() as server:
        found = {item.name: item for item in probe(settings_for(server.url))}
    assert set(found) == {"server", "model", "context window", "structured output", "speed"}
    assert all(item.status == "ok" for item in found.values())
    assert "0.12.6" in found["server"].detail
    assert "a research run takes about" in found["speed"].detail


def test_the_probe_finds_a_schema_that_is_ignored_without_thinking() -> None:
    with running(Behaviour(ignores_schema_without_thinking=True)) as server:
        found = {item.name: item for item in probe(settings_for(server.url))}
    assert found["structured output"].status == "warn"
    assert "thinking is switched on" in found["structured output"].detail


@pytest.mark.slow
def test_the_probe_sees_that_prompts_are_cut_off() -> None:
    """Servers whose window is smaller than the one asked for cut silently; only what they counted tells."""
    with running(Behaviour(cuts_off_after=4096)) as server:
        found = {item.name: item for item in probe(settings_for(server.url))}
    assert found["context window"].status == "fail"
    assert "read 4,096 tokens" in found["context window"].detail
    with running() as server:
        found = {item.name: item for item in probe(settings_for(server.url))}
    assert "arrived complete" in found["context window"].detail


def test_a_server_that_still_loads_its_model_is_said_to() -> None:
    with running(Behaviour(loading=True)) as server:
        (found,) = probe(settings_for(server.url))
        assert "still loading its model" in found.detail
        with pytest.raises(ModelError, match="wait for it"):
            make_reasoner(settings_for(server.url))


def test_the_probe_says_what_to_do() -> None:
    (server,) = probe(settings_for(NOWHERE))
    assert server.status == "fail"
    (automatic,) = probe(settings_for(NOWHERE, reasoner="auto"))
    assert automatic.status == "warn"
    assert "extractively" in automatic.detail
    with running(Behaviour(models=["x"])) as running_server:
        (model,) = probe(settings_for(running_server.url))
    assert model.remedy == "run `ollama pull qwen3:14b`"
    (chosen,) = probe(settings_for(NOWHERE, reasoner="extractive"))
    assert chosen.status == "ok"
    with running(Behaviour(rate=1.0, faults=("status_500",))) as broken:
        assert probe(settings_for(broken.url))[-1].status == "fail"


@pytest.mark.parametrize(
    ("model", "title"),
    [
        ("", "openai"),
        ("qwen3:14b", "openai qwen3:14b"),
        ("Qwen/Qwen3-8B", "openai Qwen/Qwen3-8B"),
        ("/srv/models/qwen.gguf", "openai qwen.gguf"),
        ("C:\\models\\qwen.gguf", "openai qwen.gguf"),
    ],
)
def test_a_report_names_a_model_and_no_path(model: str, title: str) -> None:
    assert Availability(name="openai", model=model).title == title
