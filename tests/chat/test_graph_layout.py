"""The map grows without moving what is there, and its layout does not depend on who draws it."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from rabbithole.steps.models import Decision
from rabbithole.steps.report_models import GraphEdge, GraphNode, ReferenceGraph
from rabbithole.workflow.chat.runs.run_view import ReferenceView
from rabbithole.workflow.chat.view.graph_layout import (
    WIDTH,
    MapNode,
    from_graph,
    from_references,
    places_read,
    with_answer,
)
from rabbithole.workflow.chat.view.graph_svg import clipped, halves, to_svg


def seen(source: str, target: str, decision: Decision, depth: int = 1, task: int = 0) -> ReferenceView:
    return ReferenceView(
        task=task, depth=depth, text=f"see {target}", kind="section", source=f"Law, {source}", source_document="law",
        source_section=source, target=f"Law, {target}", target_document=None if decision == "missing" else "law",
        target_section=None if decision == "missing" else target, decision=decision, reason="because",
    )  # fmt: skip


WALK = [
    seen("1", "2", "follow"),
    seen("1", "3", "skip"),
    seen("2", "4", "follow", depth=2),
    seen("2", "ISO 1", "missing", depth=2),
    seen("4", "1", "seen", depth=3),
]


def test_places_are_nodes_and_references_are_edges() -> None:
    drawn = from_references(WALK)
    assert [node.section for node in drawn.nodes if node.document] == ["1", "2", "3", "4"]
    assert [node.status for node in drawn.nodes] == ["read", "read", "known", "read", "missing"]
    assert [edge.line for edge in drawn.edges] == ["follow", "skip", "follow", "missing", "follow"]
    assert len({(node.x, node.y) for node in drawn.nodes}) == len(drawn.nodes)
    assert drawn.height <= drawn.full_height


def test_growing_moves_no_place_that_was_read() -> None:
    small, large = from_references(WALK[:3]), from_references(WALK)
    for node in small.nodes:
        if node.status == "read":
            assert (node.x, node.y) in {(one.x, one.y) for one in large.nodes if one.label == node.label}


def test_several_tasks_that_meet_a_reference_draw_it_once_as_followed() -> None:
    drawn = from_references([seen("1", "2", "skip", task=1), seen("1", "2", "follow", task=2)])
    assert [edge.line for edge in drawn.edges] == ["follow"]


def test_a_finished_report_has_a_map_without_its_events() -> None:
    nodes = (
        GraphNode(document="law", section="1", label="Law, 1"),
        GraphNode(document=None, section=None, label="ISO 1", status="missing"),
    )
    edge = GraphEdge(
        source=0, target=1, text="ISO 1", kind="document_mention", depth=1, task=0, decision="missing", reason=""
    )
    drawn = from_graph(ReferenceGraph(nodes=nodes, edges=(edge,)))
    assert [node.x for node in drawn.nodes] == sorted(node.x for node in drawn.nodes)
    assert drawn.edges[0].line == "missing"
    assert from_references([]).nodes == ()


def test_the_file_is_xml_without_links_or_scripts() -> None:
    evil = seen("1", '2"><script>alert(1)</script>', "follow")
    svg = to_svg(from_references([*WALK, evil]), "a & b")
    root = ET.fromstring(svg)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} <= {
        "svg", "title", "style", "rect", "path", "g", "text",
    }  # fmt: skip
    assert "http" not in svg.replace("http://www.w3.org/2000/svg", "")


def test_a_missing_name_goes_over_two_lines() -> None:
    drawn = from_references([seen("1", "A long name of a document that nobody has", "missing")])
    first, second = halves(drawn.nodes[1])
    assert len(first) <= 27
    assert f"{first} {second}" == drawn.nodes[1].label


@pytest.mark.parametrize(
    "label", ["Medizinprodukterecht-Durchführungsgesetz", "Donaudampfschifffahrtsgesellschaftsgesetz"]
)
def test_no_word_of_a_missing_name_is_cut_in_two_lines(label: str) -> None:
    node = MapNode(document=None, section=None, label=label, status="missing", depth=1)
    assert halves(node) == (label, "")


@pytest.mark.parametrize("text", ["W" * 40, "MANUAL TRANSMITTAL OF COMMAND CODES", "i" * 200, "short", ""])
def test_a_text_is_cut_to_its_box(text: str) -> None:
    shown = clipped(text, 12)
    assert shown == text or (shown.endswith("…") and text.startswith(shown[:-1]))
    assert len(shown) <= WIDTH / 4


def cited(section: str, document: str = "law") -> MapNode:
    return MapNode(document=document, section=section, label=f"Law, {section}", status="read", depth=0, page=3)


def test_the_places_of_the_answer_stand_first_and_others_aside() -> None:
    other = ReferenceView(
        task=0, depth=1, text="see 2.3", kind="section", source="Tax manual", source_document="tax", source_section="2",
        target="Tax manual, 2.3", target_document="tax", target_section="2.3", decision="follow",
    )  # fmt: skip
    drawn = with_answer(from_references([other, *WALK]), [cited("4"), cited("9")])
    answers = [node.section for node in drawn.nodes if node.answers]
    assert answers == ["4", "9"]
    assert [node.document for node in drawn.nodes if node.aside] == ["tax", "tax"]
    top = {node.section: node.y for node in drawn.nodes}
    assert top["9"] == min(node.y for node in drawn.nodes if node.depth == 0)
    assert drawn.height < drawn.full_height
    assert 'class="answers"' in to_svg(drawn, "q")


@pytest.mark.parametrize(
    ("references", "places", "count"),
    [
        ([], [], 0),
        ([], [cited("4"), cited("9"), cited("9")], 2),  # the answer was found without any reference
        (WALK, [], 3),
        (WALK, [cited("1"), cited("9")], 4),
        (WALK, [cited("3")], 4),  # a reference to it was skipped
    ],
)
def test_the_count_is_that_of_the_places_read_on_the_map(
    references: list[ReferenceView], places: list[MapNode], count: int
) -> None:
    assert places_read(references, places) == count
    drawn = with_answer(from_references(references), places)
    assert sum(node.status == "read" for node in drawn.nodes) == count


def test_a_map_without_a_cited_place_is_as_it_was() -> None:
    assert with_answer(from_references(WALK), []) == from_references(WALK)
