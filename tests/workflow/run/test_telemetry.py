import json
import os
import subprocess
import sys

import pytest
from flows import QUESTION, research
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from rabbithole.workflow.run import telemetry


def test_every_step_is_a_span_without_words_of_question_or_documents(sample_kb, tmp_path):
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    handler = telemetry.install(provider)
    try:
        research(sample_kb, tmp_path / "runs.sqlite", initial_todo_items=1, max_iterations=1)
    finally:
        telemetry.get_dispatcher().span_handlers.remove(handler)
    spans = exporter.get_finished_spans()
    names = {span.name.split(".")[-1] for span in spans}
    assert {"begin", "understand", "plan", "search", "plan_wave", "follow", "gather", "write", "attribute"} <= names
    assert all(span.end_time >= span.start_time for span in spans)
    said = json.dumps([span.to_json() for span in spans])
    assert QUESTION[:40] not in said
    assert "Dosis" not in said
    assert not handler.open_spans


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318"}, True),
        ({"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://localhost:4318/v1/traces"}, True),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_SDK_DISABLED": "true"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://localhost:4318", "OTEL_TRACES_EXPORTER": "none"}, False),
    ],
)
def test_spans_are_made_only_where_an_exporter_is_configured(environment, expected):
    assert telemetry.wanted(environment) is expected


@pytest.mark.slow
def test_nothing_of_opentelemetry_is_loaded_when_no_exporter_is_configured():
    code = (
        "import sys; from rabbithole.workflow import ResearchWorkflow; "
        "from rabbithole.workflow.run import telemetry; telemetry.install_if_configured(); "
        "print(any(name.startswith('opentelemetry.sdk') for name in sys.modules))"
    )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("OTEL_")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.strip() == "False"
