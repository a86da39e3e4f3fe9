"""Web search through an instance of the person's own: results stay apart from the collection's evidence."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from flows import research, settings

from rabbithole.steps.web import WebSearchError, queries_for, search_web

RESULTS = [
    {"title": "Eine Seite", "url": "https://example.org/a", "content": "Was im Netz steht.\n\n<b>fett</b>"},
    {"title": "Skript", "url": "javascript:alert(1)", "content": "böse"},
    {"title": "Noch eine", "url": "http://example.org/b", "content": "Mehr aus dem Netz."},
]


@contextmanager
def searx(answer: bytes, status: int = 200) -> Iterator[tuple[str, list[str]]]:
    """A server that answers ``/search`` as SearXNG does; the queries it was asked."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.extend(parse_qs(urlsplit(self.path).query)["q"])
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *args: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        server.server_close()


FOUND = json.dumps({"results": RESULTS}).encode()


def test_results_are_external_evidence_and_only_web_addresses():
    with searx(FOUND) as (url, asked):
        found = asyncio.run(search_web(url, "Dosis", 3, 0))
    assert asked == ["Dosis"]
    assert [one.external for one in found] == ["https://example.org/a", "http://example.org/b"]
    assert all(one.tier == "tertiary" and not one.document and not one.quotes for one in found)


@pytest.mark.parametrize(
    ("answer", "status"), [(b"no json", 200), (b"{}", 200), (b"[]", 200), (FOUND, 500), (b'{"results": 3}', 200)]
)
def test_an_instance_that_answers_otherwise_is_one_clear_sentence(answer, status):
    with searx(answer, status) as (url, _), pytest.raises(WebSearchError, match="WEB_SEARCH_URL"):
        asyncio.run(search_web(url, "Dosis", 3, 0))


@pytest.mark.slow
def test_nobody_is_asked_unless_an_instance_is_configured(sample_kb, tmp_path):
    assert settings().web_search_url is None
    with searx(FOUND) as (_, asked):
        report = research(sample_kb, tmp_path / "runs.sqlite", query="Wie hoch ist die Gebühr für einen Quantenschirm?")
    assert asked == []
    assert "Aus dem Internet" not in report.markdown


@pytest.mark.slow
def test_external_results_are_listed_apart_and_never_cited_as_evidence(sample_kb, tmp_path):
    question = "Welche Gebühr kostet die Genehmigung eines Quantenschirms für ein Isotopenlaboratorium?"
    plain = research(sample_kb, tmp_path / "a.sqlite", query=question)
    with searx(FOUND) as (url, asked):
        report = research(sample_kb, tmp_path / "b.sqlite", query=question, web_search_url=url)
    assert asked
    assert "https://example.org/a" in report.markdown
    assert "<b>" not in report.markdown
    assert "javascript:" not in report.markdown
    external = {one.key for tier in report.evidence.values() for one in tier if one.external}
    assert external
    assert not external & {citation.key for citation in report.citations if not citation.external}
    before, after = plain.markdown.split("## ")[1], report.markdown.split("## ")[1]
    assert before == after  # what the collection says is not changed by it


@pytest.mark.slow
def test_a_dead_instance_is_a_warning_and_the_report_is_written(sample_kb, tmp_path):
    question = "Welche Gebühr kostet die Genehmigung eines Quantenschirms für ein Isotopenlaboratorium?"
    report = research(sample_kb, tmp_path / "runs.sqlite", query=question, web_search_url="http://127.0.0.1:9")
    assert any("WEB_SEARCH_URL" in warning for warning in report.warnings)
    assert report.citations


def test_a_query_for_each_gap_at_most_three():
    assert queries_for(["a", "b", "c", "d"], "Frage") == ("Frage a", "Frage b", "Frage c")
