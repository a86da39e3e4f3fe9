"""Measures reference detection: recall, exact spans, precision, targets, speed; each beside the alternatives.

Run: ``python -m bench.references.detection [--save FILE] [--against FILE] [--show NAME]``. ``--save`` stores which gold
mentions were found, ``--against`` lists gains and losses since then, ``--show`` prints the misses of a set.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from bench.references.detection_others import Spans, all_others, seven_patterns
from bench.references.detection_sets import LAW_LABELS, Gold, Row, callouts, ler, norms, strip, uslm
from bench.references.detection_targets import href_of, right_target
from rabbithole.kb.models import Reference
from rabbithole.kb.references.detection.detect import detect

FORMS = Path(__file__).resolve().parents[2] / "tests" / "kb" / "references" / "detection" / "forms.json"
Outcome = dict[str, bool]


def overlaps(span: tuple[int, int], gold: Gold) -> bool:
    return span[0] < gold.end and gold.start < span[1]


def ours(text: str) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in detect(text)]


def line(name: str, value: float, total: int, goal: float | None = None) -> None:
    wanted = f"  goal {goal:.2f} {'ok' if value >= goal else 'SHORT'}" if goal is not None else ""
    print(f"  {name:<58} {value:6.3f}  of {total}{wanted}")


def recall(rows: Sequence[Row], spans: Spans, keep: Callable[[Gold], bool]) -> tuple[float, float, int, Outcome]:
    """Return overlap recall, exact-span recall, the number of golds kept, and the outcome of each mention."""
    found = exact = total = 0
    outcome: Outcome = {}
    for row in rows:
        golds = [gold for gold in row.golds if keep(gold)]
        if not golds:
            continue
        detected = set(spans(row.text))
        trimmed = {strip(row.text, *span) for span in detected}
        for gold in golds:
            hit = any(overlaps(span, gold) for span in detected)
            same = strip(row.text, gold.start, gold.end) in trimmed
            total += 1
            found += hit
            exact += same
            outcome[f"{row.key}:{gold.start}:{gold.text}"] = hit
    return found / max(total, 1), exact / max(total, 1), total, outcome


def marked(text: str, start: int, end: int) -> str:
    """Return a mention, marked, with the text around it."""
    return f"{text[max(0, start - 50) : start]}[[{text[start:end]}]]{text[end : end + 40]}"


def precision(rows: Sequence[Row], spans: Spans) -> tuple[float, int, list[str]]:
    """Return the share of detected spans that overlap an annotated reference, their number, and the wrong ones."""
    good = 0
    wrong: list[str] = []
    for row in rows:
        for span in sorted(set(spans(row.text))):
            if any(overlaps(span, gold) for gold in row.golds):
                good += 1
            else:
                wrong.append(marked(row.text, *span))
    return good / max(good + len(wrong), 1), good + len(wrong), wrong


def named_law(text: str) -> list[tuple[int, int]]:
    """Return mentions that name a law; LER annotates no relative ones ("Absatz 2", "dieser Verordnung")."""
    return [
        (each.start, each.end)
        for each in detect(text)
        if each.document and each.kind in ("legal_section", "document_mention", "document")
    ]


def misses(rows: Sequence[Row], spans: Spans, keep: Callable[[Gold], bool], *, exact: bool) -> Iterable[str]:
    for row in rows:
        detected = set(spans(row.text))
        trimmed = {strip(row.text, *span) for span in detected}
        for gold in filter(keep, row.golds):
            touching = [row.text[slice(*span)] for span in sorted(detected) if overlaps(span, gold)]
            if not touching or (exact and strip(row.text, gold.start, gold.end) not in trimmed):
                yield f"{gold.label} [[{gold.text!r}]] <- {touching} ... {row.text[gold.end : gold.end + 30]!r}"


def is_law(gold: Gold) -> bool:
    return gold.label in LAW_LABELS


def is_section(gold: Gold) -> bool:
    return is_law(gold) and gold.text.startswith(("§", "Art"))


def measure_ler(show: str) -> Outcome:
    rows = ler()
    print("LER, law mentions (text as printed: spaces around punctuation and slashes removed, ends stripped)")
    tools: dict[str, Spans] = {"rabbithole": ours, **all_others()}
    outcome: Outcome = {}
    for name, spans in tools.items():
        mine = name == "rabbithole"
        overlap, exact, total, _ = recall(rows, spans, is_section)
        line(f"{name}: § and Art, overlap", overlap, total, 0.97 if mine else None)
        line(f"{name}: § and Art, exact span", exact, total, 0.93 if mine else None)
        overlap, exact, total, all_found = recall(rows, spans, is_law)
        line(f"{name}: all law, overlap", overlap, total, 0.95 if mine else None)
        line(f"{name}: all law, exact span", exact, total)
        if mine:
            outcome = all_found
            value, count, wrong = precision(rows, named_law)
            line(f"{name}: precision of mentions that name a law", value, count, 0.95)
            value_all, count, wrong_all = precision(rows, spans)
            line(f"{name}: precision of everything, relative ones included", value_all, count)
            if show == "ler":
                print("\n".join(misses(rows, spans, is_law, exact=False)))
            if show == "ler-exact":
                print("\n".join(misses(rows, spans, is_section, exact=True)))
            if show == "ler-wrong":
                print("\n".join(wrong))
            if show == "ler-wrong-all":
                print("\n".join(wrong_all))
        else:
            value, count, _ = precision(rows, spans)
            line(f"{name}: precision", value, count)
    return outcome


def measure_uslm(show: str) -> Outcome:
    rows = uslm()
    print("USLM (target: the link derived from document and path; relative paths compared with the end of the link)")
    outcome: Outcome = {}
    found = right = total = more = 0
    for row in rows:
        references = detect(row.text, language="en")
        for gold in row.golds:
            touching = [each for each in references if overlaps((each.start, each.end), gold)]
            total += 1
            found += bool(touching)
            verdict = right_target(touching, gold) if touching else "missed"
            right += verdict != "wrong" and bool(touching)
            more += verdict == "deeper"
            outcome[f"{row.key}:{gold.start}:{gold.text}"] = verdict in ("right", "deeper")
            if show == "uslm" and verdict in ("wrong", "missed"):
                mine = [(each.text, href_of(each)) for each in touching]
                print(f"  {verdict}: {gold.label} <- {mine} | {marked(row.text, gold.start, gold.end)!r}")
    line("rabbithole: recall", found / total, total, 0.95)
    line("rabbithole: target right, of those found", right / max(found, 1), found, 0.98)
    line("  of these deeper than annotated (section where only the title is linked)", more / max(found, 1), found)
    value, count, _ = precision(rows, ours)
    line("rabbithole: detected spans that are linked (most plain sections are not)", value, count)
    for name, spans in all_others().items():
        overlap, _, total, _ = recall(rows, spans, lambda gold: True)
        line(f"{name}: recall", overlap, total)
    return outcome


def measure_callouts(show: str) -> Outcome:
    rows = callouts()
    print("Papers' callouts")
    outcome: Outcome = {}
    for style, goal in (("bracketed", 0.95), ("author-year", 0.95), ("parenthesised", None), ("superscript", None)):

        def wanted(gold: Gold, style: str = style) -> bool:
            return gold.label == style

        overlap, exact, total, found = recall(rows, ours, wanted)
        outcome |= found
        line(f"rabbithole: {style}, overlap", overlap, total, goal)
        line(f"rabbithole: {style}, exact span", exact, total)
        line(f"seven patterns: {style}, overlap", recall(rows, seven_patterns, wanted)[0], total)
        if show in (style, f"{style}-exact"):
            print("\n".join(misses(rows, ours, wanted, exact=show.endswith("exact"))))

    def academic(text: str) -> list[tuple[int, int]]:
        return [(each.start, each.end) for each in detect(text) if each.kind.startswith("academic")]

    value, count, wrong = precision(rows, academic)
    line("rabbithole: precision of callouts", value, count)
    if show == "callouts-wrong":
        print("\n".join(wrong))
    return outcome


def measure_forms() -> Outcome:
    rows = json.loads(FORMS.read_text(encoding="utf-8"))
    good = {row["text"]: [spell(each) for each in detect(row["text"])] == row["expected"] for row in rows}
    print("Form table")
    line("rabbithole: rows with every span, kind, document and path", sum(good.values()) / len(good), len(good), 1.0)
    for name, spans in all_others().items():
        hit = 0
        for row in rows:
            wanted = {each.split(" | ")[0] for each in row["expected"]}
            hit += {row["text"][slice(*span)] for span in spans(row["text"])} == wanted
        line(f"{name}: rows with every span", hit / len(rows), len(rows))
    return good


def spell(reference: Reference) -> str:
    """Return a reference in one line, as the form table writes it."""
    path = "".join(f"[{unit} {value}]" for unit, value in reference.path)
    flags = " ".join(flag for flag, on in (("following", reference.following), ("relative", reference.relative)) if on)
    return " | ".join(
        [reference.text, reference.kind, reference.document or "-", path or "-", reference.edition or "-", flags or "-"]
    )


def measure_speed() -> None:
    texts = {
        "laws (de)": norms()[:1_500_000],
        "court decisions (de)": " ".join(row.text for row in ler()),
        "statutes (en)": " ".join(row.text for row in uslm()),
        "papers (en)": " ".join(row.text for row in callouts()),
    }
    print("Speed, one core, million characters a second of processor time")
    tools: dict[str, Spans] = {"rabbithole": ours, **all_others(our_names=False)}
    for what, text in texts.items():
        for name, spans in tools.items():
            sample = text if name in ("rabbithole", "seven patterns") else text[:200_000]
            spans(sample[:1000])
            best = min(_seconds(spans, sample) for _ in range(3 if name == "rabbithole" else 1))
            line(f"{name}: {what}", len(sample) / best / 1e6, len(sample), 2.0 if name == "rabbithole" else None)
    print("Time a size (seconds; linear: ten times the text, ten times the time)")
    hostile = {
        "§": "§",
        "§§ 1, ": "§§ 1, ",
        "[1,": "[1,",
        "((((": "(",
        "Abs. 1 ": "Abs. 1 ",
        "a": "a",
        "2019, ": "2019, ",
        "A et al. ": "A et al. ",
        "(Müller, ": "(Müller, ",
        "Section ": "Section ",
    }
    for what, unit in hostile.items():
        times = []
        for size in (100_000, 1_000_000):
            times.append(_seconds(ours, (unit * (size // len(unit) + 1))[:size]))
        print(
            f"  {what!r:<12} 0.1 M {times[0]:7.3f}   1 M {times[1]:7.3f}   ratio {times[1] / max(times[0], 1e-6):5.1f}"
        )


def _seconds(spans: Spans, text: str) -> float:
    start = time.process_time()
    spans(text)
    return time.process_time() - start


def gains_and_losses(before: dict[str, Outcome], after: dict[str, Outcome]) -> None:
    """Print what this version finds that the saved one did not, and the reverse."""
    changes: dict[str, Counter[str]] = defaultdict(Counter)
    for name, outcome in after.items():
        for key, found in outcome.items():
            if before.get(name, {}).get(key, found) != found:
                changes[name]["gained" if found else "lost"] += 1
                print(f"  {'+' if found else '-'} {name} {key}")
    print("Gains and losses:", {name: dict(counts) for name, counts in changes.items()} or "none")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--save", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--show", default="")
    parser.add_argument("--only", default="ler,uslm,callouts,forms,speed")
    options = parser.parse_args()
    only = options.only.split(",")
    outcomes: dict[str, Outcome] = {}
    if "ler" in only:
        outcomes["ler"] = measure_ler(options.show)
    if "uslm" in only:
        outcomes["uslm"] = measure_uslm(options.show)
    if "callouts" in only:
        outcomes["callouts"] = measure_callouts(options.show)
    if "forms" in only:
        outcomes["forms"] = measure_forms()
    if "speed" in only:
        measure_speed()
    if options.against:
        gains_and_losses(json.loads(options.against.read_text(encoding="utf-8")), outcomes)
    if options.save:
        options.save.write_text(json.dumps(outcomes, ensure_ascii=False), encoding="utf-8")


if __name__ == "__main__":
    main()
