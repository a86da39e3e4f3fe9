"""Pictures: all flows the research can take, and what one run did. Mermaid, or HTML that renders offline."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable
from pathlib import Path

from llama_index.utils.workflow import draw_all_possible_flows_mermaid
from pyvis.network import Network
from workflows.representation import get_workflow_representation

from rabbithole.kb.models import Model
from rabbithole.steps.models import ReferenceGraph
from rabbithole.workflow.report.reference_graph import reference_graph
from rabbithole.workflow.research import ResearchWorkflow
from rabbithole.workflow.run.store import RunStore

REMOTE = re.compile(r"<(?:link|script)\b[^>]*(?:href|src)=\"https?://[^>]*>(?:\s*</script>)?", re.IGNORECASE)
LONGEST_LABEL = 60
HEAD = 24
COLOURS = {"step": "#9ecae1", "external": "#c6dbef", "read": "#a1d99b", "known": "#d9d9d9", "missing": "#fdae6b"}
EVENT_COLOUR = "#fdd0a2"


class Spot(Model):
    """A node of a picture."""

    id: str
    label: str
    colour: str
    box: bool = False


class Line(Model):
    """An edge of a picture."""

    source: str
    target: str
    label: str = ""
    dashed: bool = False


def flow_mermaid() -> str:
    """All flows the research can take, drawn from the steps' own types."""
    with tempfile.TemporaryDirectory() as folder:
        drawn = draw_all_possible_flows_mermaid(ResearchWorkflow, filename=str(Path(folder) / "flow.mermaid"))
    return drawn.strip() + "\n"


def flow_html() -> str:
    """All flows the research can take, as one HTML file."""
    drawn = get_workflow_representation(ResearchWorkflow)
    spots = [
        Spot(
            id=node.id, label=node.label, colour=COLOURS.get(node.node_type, EVENT_COLOUR), box=node.node_type == "step"
        )
        for node in drawn.nodes
    ]
    return picture(spots, [Line(source=edge.source, target=edge.target) for edge in drawn.edges])


def run_graph(runs: RunStore, run_id: str) -> ReferenceGraph:
    """The references one run met, also while it is still running."""
    state = runs.load(run_id)
    keys = [key for task in sorted(state.tasks) for key in state.evidence_keys(task)]
    return reference_graph(state.entries(), runs.evidence(run_id, keys))


def run_mermaid(runs: RunStore, run_id: str) -> str:
    """What one run did: places read, references followed, skipped (dashed) and missing."""
    graph = run_graph(runs, run_id)
    lines = ["flowchart LR"]
    lines += [f'  n{number}["{_mermaid_text(node.label)}"]:::{node.status}' for number, node in enumerate(graph.nodes)]
    for edge in _lines(graph):
        arrow = "-.->" if edge.dashed else "-->"
        lines.append(f'  {edge.source} {arrow}|"{_mermaid_text(edge.label)}"| {edge.target}')
    lines += [f"  classDef {status} fill:{COLOURS[status]},color:#111" for status in ("read", "known", "missing")]
    return "\n".join(lines) + "\n"


def run_html(runs: RunStore, run_id: str) -> str:
    """What one run did, as one HTML file."""
    graph = run_graph(runs, run_id)
    spots = [
        Spot(id=f"n{number}", label=_short(node.label), colour=COLOURS[node.status], box=True)
        for number, node in enumerate(graph.nodes)
    ]
    return picture(spots, _lines(graph))


def steps_mermaid(runs: RunStore, run_id: str) -> str:
    """The steps of one run as they were executed, session by session: what each took and gave."""
    spots, edges = _executed(runs, run_id)
    lines = ["flowchart TD"]
    for spot in spots:
        start, end = ("[", "]") if spot.box else ("([", "])")
        lines.append(f'  {spot.id}{start}"{_mermaid_text(spot.label)}"{end}')
    lines += [f"  {line.source} --> {line.target}" for line in edges]
    return "\n".join(lines) + "\n"


def steps_html(runs: RunStore, run_id: str) -> str:
    """The same as one HTML file."""
    return picture(*_executed(runs, run_id))


def _executed(runs: RunStore, run_id: str) -> tuple[list[Spot], list[Line]]:
    """Steps and events in order. An event is drawn once: from the step that gave it to the one that took it."""
    spots: dict[str, Spot] = {}
    lines: list[Line] = []
    for session, executed in enumerate(runs.executions(run_id)):
        waiting: dict[str, list[str]] = {}
        for number, one in enumerate(executed):
            step = f"s{session}_{number}"
            spots[step] = Spot(id=step, label=one.step, colour=COLOURS["step"], box=True)
            given = waiting.get(one.took)
            taken = given.pop(0) if given else f"{step}_in"
            label = f"{one.took}: {one.label}" if one.label else one.took
            spots[taken] = Spot(id=taken, label=label, colour=EVENT_COLOUR)
            lines.append(Line(source=taken, target=step))
            for position, name in enumerate(one.gave):
                event = f"{step}_{position}"
                spots[event] = Spot(id=event, label=name, colour=EVENT_COLOUR)
                lines.append(Line(source=step, target=event))
                waiting.setdefault(name, []).append(event)
    return list(spots.values()), lines


def _lines(graph: ReferenceGraph) -> list[Line]:
    """One line for each pair of places, the followed one first; references to what was read already are left out."""
    found: dict[tuple[int, int], Line] = {}
    for edge in sorted(graph.edges, key=lambda one: one.decision != "follow"):
        if edge.decision == "seen" or edge.source == edge.target:
            continue
        line = Line(
            source=f"n{edge.source}",
            target=f"n{edge.target}",
            label=_short(edge.text),
            dashed=edge.decision != "follow",
        )
        found.setdefault((edge.source, edge.target), line)
    return list(found.values())


def picture(spots: Iterable[Spot], lines: Iterable[Line]) -> str:
    """A network anyone can drag around; the file loads nothing from anywhere."""
    network = Network(directed=True, height="95vh", width="100%", cdn_resources="in_line")
    for spot in spots:
        network.add_node(spot.id, label=spot.label, color=spot.colour, shape="box" if spot.box else "ellipse")
    for line in lines:
        network.add_edge(line.source, line.target, label=line.label, dashes=line.dashed)
    network.set_options('{"layout": {"hierarchical": {"enabled": true, "direction": "LR", "sortMethod": "directed"}}}')
    return REMOTE.sub("", str(network.generate_html(notebook=False)))


def _short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= LONGEST_LABEL else f"{flat[:HEAD]}… {flat[HEAD + 2 - LONGEST_LABEL :]}"


def _mermaid_text(text: str) -> str:
    return _short(text).replace('"', "'").replace("[", "(").replace("]", ")").replace("|", "/")
