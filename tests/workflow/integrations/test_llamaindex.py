"""The adapters to LlamaIndex, tried with its real classes."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from kb_records import HASH
from llama_index.core import VectorStoreIndex
from llama_index.core.base.llms.types import ChatMessage, MessageRole, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import Document, TextNode

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.workflow.integrations.llamaindex import (
    RabbitholeEmbedding,
    RabbitholeRetriever,
    collection_documents,
    document_nodes,
    put_nodes,
    rabbithole_tools,
)

pytestmark = pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning")
"""LlamaIndex lists the members of pydantic models, deprecated ones included."""
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
QUESTION = "Welche Dosis dürfen Personen im Isotopenlaboratorium erhalten?"


def test_the_retriever_gives_nodes_with_their_place(sample_kb: KnowledgeBase) -> None:
    found = RabbitholeRetriever(sample_kb, ["Sample"], mode="keyword", top_k=3).retrieve(QUESTION)
    assert len(found) == 3
    for each in found:
        node = each.node
        text = sample_kb.text(node.metadata["document"], node.start_char_idx, node.end_char_idx)
        assert node.get_content() == text
        assert node.metadata["file"].endswith(".pdf")


def test_followed_references_carry_the_chain_that_led_to_them(sample_kb: KnowledgeBase) -> None:
    found = RabbitholeRetriever(sample_kb, ["Sample"], follow_references=True, max_followed=4).retrieve(QUESTION)
    followed = [each for each in found if "chain" in each.node.metadata]
    assert 1 <= len(followed) <= 4
    sections = [each.node.metadata["section"] for each in found]
    assert all(sections.count(each.node.metadata["section"]) == 1 for each in followed)
    origin, words, reached = followed[0].node.metadata["chain"]
    assert origin
    assert words
    assert reached
    assert all(each.score < found[0].score for each in followed)


def test_the_retriever_refuses_what_it_cannot_search(sample_kb: KnowledgeBase) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        RabbitholeRetriever(sample_kb, ["nowhere"])
    with pytest.raises(UsageError, match="at least 1"):
        RabbitholeRetriever(sample_kb, top_k=0)


def test_the_embedding_is_the_knowledge_base_s_own(sample_kb: KnowledgeBase) -> None:
    embedding = RabbitholeEmbedding(sample_kb)
    assert embedding.get_text_embedding("Grenzwert") == pytest.approx(list(sample_kb.embed(["Grenzwert"])[0]))
    assert asyncio.run(embedding.aget_query_embedding("Grenzwert")) == pytest.approx(
        list(sample_kb.embed(["Grenzwert"], query=True)[0])
    )


def test_passages_make_an_index_of_llamaindex(sample_kb: KnowledgeBase) -> None:
    document = sample_kb.documents("Sample")[0]
    nodes = document_nodes(sample_kb, document.id)
    index = VectorStoreIndex(nodes, embed_model=RabbitholeEmbedding(sample_kb))
    best = index.as_retriever(similarity_top_k=1).retrieve(nodes[-1].get_content())[0]
    assert best.node.node_id == nodes[-1].node_id


def test_documents_go_out_whole(sample_kb: KnowledgeBase) -> None:
    out = collection_documents(sample_kb, "Sample")
    assert {each.id_ for each in out} == {each.id for each in sample_kb.documents("Sample")}
    assert out[0].text == sample_kb.text(out[0].id_)


def test_nodes_of_a_reader_become_a_document(tmp_path: Path) -> None:
    source = Document(
        text="The valve opens at 7 bar. " * 40 + "The pump stops at 80 degrees.",
        metadata={"file_name": "manual.md", "page_label": "iv", "title": "Pump manual"},
    )
    nodes = SentenceSplitter(chunk_size=128, chunk_overlap=0).get_nodes_from_documents([source])
    with KnowledgeBase.open(tmp_path / "kb", HASH, create=True) as kb:
        first = put_nodes(kb, nodes, "Manuals")
        assert put_nodes(kb, nodes, "Manuals") == first  # replaced, not doubled
        (document,) = kb.documents("Manuals")
        assert (document.title, document.file) == ("Pump manual", "manual.md")
        hit = kb.search("pump stops degrees", ["Manuals"]).hits[0]
        assert "80 degrees" in hit.chunk.text
        assert hit.chunk.page_label == "iv"


def test_nodes_without_text_are_refused(tmp_path: Path) -> None:
    with (
        KnowledgeBase.open(tmp_path / "kb", HASH, create=True) as kb,
        pytest.raises(UsageError, match="nothing was stored"),
    ):
        put_nodes(kb, [TextNode(text="  ")], "C")


def test_every_tool_answers_with_json(sample_kb: KnowledgeBase) -> None:
    tools = {each.metadata.name: each for each in rabbithole_tools(sample_kb, "Sample")}
    assert set(tools) == {"search", "outline", "read_section", "find_references", "resolve_reference", "research"}
    hit = json.loads(tools["search"].call(query="Grenzwerte beruflich exponierte Personen").raw_output)["hits"][0]
    outline = json.loads(tools["outline"].call(doc_id=hit["doc_id"]).raw_output)["outline"]
    number = next(entry["number"] for entry in outline if entry["number"])
    assert json.loads(tools["read_section"].call(doc_id=hit["doc_id"], section=number).raw_output)["text"]
    assert isinstance(json.loads(tools["find_references"].call(doc_id=hit["doc_id"], section=number).raw_output), list)
    led = json.loads(
        asyncio.run(tools["resolve_reference"].acall(reference="§ 8 der Isotopenlaborverordnung")).raw_output
    )
    assert led[0]["status"] == "resolved"


def test_a_mistake_of_the_agent_is_a_sentence(sample_kb: KnowledgeBase) -> None:
    tools = {each.metadata.name: each for each in rabbithole_tools(sample_kb, "Sample")}
    assert "No reference" in json.loads(tools["resolve_reference"].call(reference="hello").raw_output)["error"]


def test_an_agent_of_llamaindex_works_with_the_tools(sample_kb: KnowledgeBase) -> None:
    """The example's agent: its model asks for one resolution and then answers with what came back."""
    spec = importlib.util.spec_from_file_location("llamaindex_agent", EXAMPLES / "llamaindex_agent.py")
    assert spec is not None
    assert spec.loader is not None
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    call = ToolCallBlock(
        tool_call_id="1", tool_name="resolve_reference", tool_kwargs={"reference": "§ 8 der Isotopenlaborverordnung"}
    )

    def scripted(messages: Sequence[ChatMessage], **_: object) -> ChatMessage:
        results = [each for each in messages if each.role == MessageRole.TOOL]
        if not results:
            return ChatMessage(role=MessageRole.ASSISTANT, blocks=[call])
        return ChatMessage(role=MessageRole.ASSISTANT, content=f"Found: {results[-1].content}")

    model = MockFunctionCallingLLM(response_generator=scripted)
    said = asyncio.run(example.answer(sample_kb, QUESTION, model))
    assert "resolved" in said
    assert "§ 8" in said
