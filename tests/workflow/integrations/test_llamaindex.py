"""The adapters to LlamaIndex, tried with its real classes."""

from __future__ import annotations

import asyncio
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path

import chromadb
import pytest
from kb_records import HASH, knowledge_base, record
from llama_index.core import VectorStoreIndex
from llama_index.core.base.llms.types import ChatMessage, MessageRole, ToolCallBlock
from llama_index.core.llms.mock import MockFunctionCallingLLM
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import Document, TextNode
from llama_index.core.tools import QueryEngineTool
from llama_index.vector_stores.chroma import ChromaVectorStore

from rabbithole.kb import KnowledgeBase
from rabbithole.kb.errors import UsageError
from rabbithole.steps.reasoning.extractive import ExtractiveReasoner
from rabbithole.workflow.integrations.llamaindex import (
    RabbitholeEmbedding,
    RabbitholeQueryEngine,
    RabbitholeRetriever,
    collection_documents,
    document_nodes,
    put_nodes,
    rabbithole_tools,
)

pytestmark = pytest.mark.filterwarnings("ignore::pydantic.warnings.PydanticDeprecationWarning")
"""LlamaIndex lists the members of pydantic models, deprecated ones included."""
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
LIMIT = "Welcher Grenzwert der effektiven Dosis gilt für beruflich exponierte Personen?"
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


def test_the_query_engine_answers_with_verified_places(sample_kb: KnowledgeBase) -> None:
    engine = RabbitholeQueryEngine(sample_kb, ["Sample"], reasoner=ExtractiveReasoner(sample_kb.embed))
    response = engine.query(LIMIT)
    assert response.metadata["status"] in ("answered", "partly", "none")
    assert 0 < response.metadata["probability"] <= 1
    assert response.source_nodes
    for each in response.source_nodes:
        place = each.node.metadata
        assert place["verified"]
        assert place["marker"] in str(response)
        section = sample_kb.section_by_id(place["section"])
        assert section.page <= place["page"] <= section.last_page
        assert sample_kb.find_quote(place["document"], each.node.get_content()) is not None


def test_the_query_engine_is_a_tool_and_works_inside_an_event_loop(sample_kb: KnowledgeBase) -> None:
    engine = RabbitholeQueryEngine(sample_kb, reasoner=ExtractiveReasoner(sample_kb.embed))
    tool = QueryEngineTool.from_defaults(engine, name="rabbithole", description="answers from the documents")

    async def ask() -> tuple[str, str]:
        return str(engine.query(LIMIT)), (await tool.acall(LIMIT)).content

    direct, by_tool = asyncio.run(ask())
    assert direct == by_tool
    assert "[1]" in direct


def test_the_query_engine_says_when_it_found_nothing(sample_kb: KnowledgeBase) -> None:
    engine = RabbitholeQueryEngine(sample_kb, reasoner=ExtractiveReasoner(sample_kb.embed))
    response = engine.query("Wie backt man einen Apfelkuchen mit Streuseln?")
    assert response.metadata["status"] != "answered"
    assert str(response)
    with pytest.raises(UsageError, match="nowhere"):
        RabbitholeQueryEngine(sample_kb, ["nowhere"])


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


def test_another_program_reads_a_knowledge_base_kept_in_chroma(tmp_path: Path) -> None:
    settings = HASH.model_copy(update={"vector_index": "chroma"})
    act = record("act", [("§ 1", "Zweck dieses Gesetzes ist der Schutz."), ("§ 2", "Der Grenzwert beträgt 20 mSv.")])
    with knowledge_base(tmp_path / "kb", act, settings=settings) as kb:
        client = chromadb.PersistentClient(str(tmp_path / "kb" / "chroma"))
        store = ChromaVectorStore(chroma_collection=client.get_collection("rabbithole-chunks-0"))
        index = VectorStoreIndex.from_vector_store(store, embed_model=RabbitholeEmbedding(kb))
        best = index.as_retriever(similarity_top_k=1).retrieve("Grenzwert")[0].node
        assert best.get_content() == kb.chunk("act:c1").text
        assert best.ref_doc_id == "act"
        assert best.metadata["section"] == "act:s1"
        assert best.metadata["page_label"] == "2"
        client.close()


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


def test_the_research_tool_gives_a_report_with_its_citations(sample_kb: KnowledgeBase) -> None:
    tools = {each.metadata.name: each for each in rabbithole_tools(sample_kb, "Sample")}
    said = asyncio.run(tools["research"].acall(question=LIMIT)).raw_output
    assert said.startswith("# ")
    assert "[1]" in said
    refused = asyncio.run(tools["research"].acall(question="")).raw_output
    assert json.loads(refused)["error"]


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
