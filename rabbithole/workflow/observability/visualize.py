"""Diagrams of all paths through the research workflow and of one run, as Mermaid or offline HTML."""

from __future__ import annotations

from collections.abc import Sequence

from workflows.representation import get_workflow_representation

from rabbithole.steps.report_models import ReferenceGraph
from rabbithole.workflow.report.followed_graph import reference_graph
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.run_store import RunStore

from .picture import Arrow, Spot, picture

LONGEST_LABEL = 60
HEAD = 24
COLOURS = {"step": "#9ecae1", "external": "#c6dbef", "read": "#a1d99b", "known": "#d9d9d9", "missing": "#fdae6b"}
EVENT_COLOUR = "#fdd0a2"


def flow_mermaid() -> str:
    """Return all paths through the research workflow as Mermaid, derived from the types of its steps."""
    return _mermaid(*_flow())


def flow_html() -> str:
    """Return the diagram of ``flow_mermaid`` as one HTML file."""
    return picture("The workflows of research", *_flow())


def _flow() -> tuple[list[Spot], list[Arrow]]:
    """Return steps and events. Services are left out, because nearly every step uses them and the flow would drown."""
    drawn = get_workflow_representation(ResearchWorkflow)
    shown = [node for node in drawn.nodes if not node.node_type.startswith("resource")]
    names = {node.id for node in shown}
    spots = [
        Spot(
            id=node.id, label=node.label, colour=COLOURS.get(node.node_type, EVENT_COLOUR), box=node.node_type == "step"
        )
        for node in shown
    ]
    pairs = dict.fromkeys((edge.source, edge.target) for edge in drawn.edges if {edge.source, edge.target} <= names)
    return spots, [Arrow(source=source, target=target) for source, target in pairs]


def run_graph(runs: RunStore, run_id: str) -> ReferenceGraph:
    """Return the references that one run has found, even while it is still running."""
    state = runs.load(run_id)
    keys = [key for task in sorted(state.tasks) for key in state.evidence_keys(task)]
    return reference_graph(state.entries(), runs.evidence(run_id, keys))


def run_mermaid(runs: RunStore, run_id: str) -> str:
    """Return one run as Mermaid: places read, references followed, skipped (dashed) and missing."""
    graph = run_graph(runs, run_id)
    lines = ["flowchart LR"]
    lines += [f'  n{number}["{_mermaid_text(node.label)}"]:::{node.status}' for number, node in enumerate(graph.nodes)]
    for edge in _lines(graph):
        arrow = "-.->" if edge.dashed else "-->"
        lines.append(f'  {edge.source} {arrow}|"{_mermaid_text(edge.label)}"| {edge.target}')
    lines += [f"  classDef {status} fill:{COLOURS[status]},color:#111" for status in ("read", "known", "missing")]
    return "\n".join(lines) + "\n"


def run_html(runs: RunStore, run_id: str) -> str:
    """Return the diagram of ``run_mermaid`` as one HTML file."""
    graph = run_graph(runs, run_id)
    spots = [
        Spot(id=f"n{number}", label=_short(node.label), colour=COLOURS[node.status], box=True)
        for number, node in enumerate(graph.nodes)
    ]
    return picture(f"References of run {run_id}", spots, _lines(graph))


def steps_mermaid(runs: RunStore, run_id: str) -> str:
    """Return the executed steps of one run as Mermaid, by session, with the events each received and sent."""
    return _mermaid(*_executed(runs, run_id))


def steps_html(runs: RunStore, run_id: str) -> str:
    """Return the diagram of ``steps_mermaid`` as one HTML file."""
    return picture(f"Steps of run {run_id}", *_executed(runs, run_id))


def _executed(runs: RunStore, run_id: str) -> tuple[list[Spot], list[Arrow]]:
    """Return steps and events in order. Each event is drawn once, between the step that sent it and its receiver."""
    spots: dict[str, Spot] = {}
    lines: list[Arrow] = []
    for session, executed in enumerate(runs.executions(run_id)):
        waiting: dict[str, list[str]] = {}
        for number, one in enumerate(executed):
            step = f"s{session}_{number}"
            spots[step] = Spot(id=step, label=one.step, colour=COLOURS["step"], box=True)
            given = waiting.get(one.took)
            taken = given.pop(0) if given else f"{step}_in"
            label = f"{one.took}: {one.label}" if one.label else one.took
            spots[taken] = Spot(id=taken, label=label, colour=EVENT_COLOUR)
            lines.append(Arrow(source=taken, target=step))
            for position, name in enumerate(one.gave):
                event = f"{step}_{position}"
                spots[event] = Spot(id=event, label=name, colour=EVENT_COLOUR)
                lines.append(Arrow(source=step, target=event))
                waiting.setdefault(name, []).append(event)
    return list(spots.values()), lines


def _lines(graph: ReferenceGraph) -> list[Arrow]:
    """Return one arrow per pair of places, for a followed reference if any; references to read places are left out."""
    found: dict[tuple[int, int], Arrow] = {}
    for edge in sorted(graph.edges, key=lambda one: one.decision != "follow"):
        if edge.decision == "seen" or edge.source == edge.target:
            continue
        line = Arrow(
            source=f"n{edge.source}",
            target=f"n{edge.target}",
            label=_short(edge.text),
            dashed=edge.decision != "follow",
        )
        found.setdefault((edge.source, edge.target), line)
    return list(found.values())


def _mermaid(spots: Sequence[Spot], lines: Sequence[Arrow]) -> str:
    drawn = ["flowchart TD"]
    for spot in spots:
        start, end = ("[", "]") if spot.box else ("([", "])")
        drawn.append(f'  {spot.id}{start}"{_mermaid_text(spot.label)}"{end}')
    drawn += [f"  {line.source} --> {line.target}" for line in lines]
    return "\n".join(drawn) + "\n"


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_LABEL else f"{flat[:HEAD]}… {flat[HEAD + 2 - LONGEST_LABEL :]}"


def _mermaid_text(text: str) -> str:
    return _short(text).replace('"', "'").replace("[", "(").replace("]", ")").replace("|", "/")
