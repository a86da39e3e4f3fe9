"""The tools through the protocol's own client: search, inspect, read, follow, research."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp.client.session import ClientSession
from mcp.shared.memory import create_connected_server_and_client_session as connected

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.workflow.integrations.mcp import build_server

TOOLS = {
    "search", "search_text", "search_semantic", "get_document_metadata", "inspect_document", "read_section",
    "find_references", "resolve_reference", "cited_by", "check_draft", "compare_editions", "research",
}  # fmt: skip


def with_client(kb: KnowledgeBase, use: Callable[[ClientSession], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with connected(build_server(kb)._mcp_server) as client:
            return await use(client)

    return asyncio.run(asyncio.wait_for(run(), 100))


async def value(client: ClientSession, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(tool, arguments)
    assert not result.isError, result.content
    structured = result.structuredContent or {}
    return structured.get("result", structured)


def test_all_tools_are_read_only(sample_kb: KnowledgeBase) -> None:
    listed = with_client(sample_kb, lambda client: client.list_tools())
    assert {tool.name for tool in listed.tools} == TOOLS
    assert all(tool.annotations.readOnlyHint for tool in listed.tools)


def test_search_inspect_read_follow(sample_kb: KnowledgeBase) -> None:
    async def use(client: ClientSession) -> None:
        found = await value(client, "search_text", bucket="Sample", query="Dosis Grenzwert", top_k=3, context_chars=80)
        assert found["total"] >= len(found["hits"]) > 0
        assert all(len(hit["snippet"]) <= 80 for hit in found["hits"])
        both = await value(client, "search", bucket="Sample", query="Dosis Grenzwert", top_k=3)
        assert {hit["doc_id"] for hit in both["hits"]} & {hit["doc_id"] for hit in found["hits"]}
        document = found["hits"][0]["doc_id"]
        outline = await value(client, "inspect_document", doc_id=document)
        entry = next(one for one in outline["outline"] if one["number"])
        section = await value(client, "read_section", doc_id=document, section=entry["number"])
        assert section["text"]
        references = await value(client, "find_references", doc_id=document)
        assert references
        resolved = await value(client, "resolve_reference", reference=f"{entry['number']}", doc_id=document)
        assert resolved[0]["status"] in ("resolved", "missing", "ambiguous")
        assert isinstance(await value(client, "get_document_metadata", doc_id=document), dict)

    with_client(sample_kb, use)


def test_filters_narrow_and_wrong_ones_are_explained(sample_kb: KnowledgeBase) -> None:
    async def use(client: ClientSession) -> None:
        nothing = await value(client, "search_semantic", bucket="", query="dose", filters={"year": {">=": 3000}})
        assert nothing["total"] == 0
        for filters in ({"colour": "red"}, {"year": {"~": 1}}):
            wrong = await client.call_tool("search_text", {"bucket": "", "query": "dose", "filters": filters})
            assert wrong.isError
            assert "Traceback" not in wrong.content[0].text
        unknown = await client.call_tool("search_text", {"bucket": "Nirgends", "query": "dose"})
        assert "Nirgends" in unknown.content[0].text

    with_client(sample_kb, use)


def test_editions_are_compared_and_searched_as_of_a_day(sample_kb: KnowledgeBase) -> None:
    async def use(client: ClientSession) -> None:
        found = await value(client, "compare_editions", old="IsoLV@2012", new="IsoLV@2021", section="§ 8")
        assert [one["change"] for one in found["sections"]] == ["changed"]
        then = await value(
            client, "search_text", bucket="", query="Schwangere Personen Dosis", as_of="2013-01-01", top_k=50
        )
        files = {hit["file"] for hit in then["hits"]}
        assert "IsoLV_2012.pdf" in files
        assert "IsoLV.pdf" not in files
        wrong = await client.call_tool("resolve_reference", {"reference": "§ 8 IsoLV", "as_of": "gestern"})
        assert "is not a date" in wrong.content[0].text

    with_client(sample_kb, use)


@pytest.mark.slow
def test_a_research_follows_a_reference_and_verifies(sample_kb: KnowledgeBase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REASONER", "extractive")
    messages: list[str] = []

    async def use(client: ClientSession) -> Any:
        async def progress(done: float, total: float | None, message: str | None) -> None:
            messages.append(message or "")

        question = "Welche Grenzwerte gelten für beruflich exponierte Personen und wann darf davon abgewichen werden?"
        result = await client.call_tool("research", {"query": question}, progress_callback=progress)
        assert not result.isError, result.content
        return json.loads(result.content[0].text)

    report = with_client(sample_kb, use)
    assert report["metrics"]["followed"] > 0
    assert report["citations"]
    assert all(citation["verified"] for citation in report["citations"])
    assert messages


def test_other_addresses_are_refused(sample_kb: KnowledgeBase) -> None:
    with pytest.raises(UsageError, match="loopback"):
        build_server(sample_kb, host="0.0.0.0")
