import pytest
from flows import settings

from rabbithole.kb.errors import UsageError
from rabbithole.workflow.settings import load_settings

SEEDS = {
    "reference_follow_depth": 2,
    "reference_relevance_threshold": 0.6,
    "reference_extraction_method": "hybrid",
    "reference_token_budget": 50_000,
    "convergence_same_doc_threshold": 3,
    "m_chunks_per_query": 4,
    "todo_max_items": 15,
    "initial_todo_items": 5,
    "quality_threshold": 375,
    "k_results": 3,
    "hitl_max_iterations": 5,
    "enable_state_dump": False,
}


@pytest.mark.parametrize(("name", "default"), SEEDS.items())
def test_defaults(name, default):
    assert getattr(settings(), name) == default


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("REFERENCE_FOLLOW_DEPTH", "4", 4),
        ("REFERENCE_TOKEN_BUDGET", "100", 100),
        ("REFERENCE_EXTRACTION_METHOD", "regex", "regex"),
        ("QUALITY_THRESHOLD", "0", 0),
        ("WEB_SEARCH_URL", "http://localhost:8888", "http://localhost:8888"),
        ("REDACT", "report", "report"),
    ],
)
def test_each_is_the_environment_variable_of_its_name(monkeypatch, name, value, expected):
    monkeypatch.setenv(name, value)
    assert getattr(settings(), name.lower()) == expected


@pytest.mark.parametrize(
    ("variables", "words"),
    [
        ({"REFERENCE_FOLLOW_DEPTH": "-1"}, "REFERENCE_FOLLOW_DEPTH"),
        ({"QUALITY_THRESHOLD": "501"}, "QUALITY_THRESHOLD"),
        ({"REFERENCE_EXTRACTION_METHOD": "magic"}, "REFERENCE_EXTRACTION_METHOD"),
        ({"CITATION_STYLE": "nowhere.csl"}, "CITATION_STYLE='nowhere.csl': it must be plain"),
        ({"INITIAL_TODO_ITEMS": "9", "TODO_MAX_ITEMS": "3"}, "INITIAL_TODO_ITEMS=9 is more than TODO_MAX_ITEMS=3"),
        ({"DRIFT_THRESHOLD": "0.9"}, "DRIFT_THRESHOLD=0.9 is above"),
    ],
)
def test_wrong_and_contradictory_settings_are_one_clear_sentence(monkeypatch, tmp_path, variables, words):
    monkeypatch.chdir(tmp_path)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(UsageError) as caught:
        load_settings()
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_dotenv_file_is_read(monkeypatch, tmp_path):
    (tmp_path / ".env").write_text("TODO_MAX_ITEMS=7\nUNKNOWN_THING=1\n")
    monkeypatch.chdir(tmp_path)
    assert load_settings().research.todo_max_items == 7
