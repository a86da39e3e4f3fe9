"""Sets a report as a web page and prints it: an American filing as a browser prints it, and a German report."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .reports import Report, filled

_BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
_EDGES = {"d": "tt", "t": "t"}
"""Flag of a row -> class of its figures' cells: a double rule below, a rule above."""
_LINES = {"title": "st", "under": "su"}
_INDENTS = {"i1": 14, "i2": 28}  # pixels
Table = Mapping[str, Any]


def browser() -> str | None:
    return next(filter(None, map(shutil.which, _BROWSERS)), None)


def print_report(report: Report, path: Path, program: str) -> None:
    print_page(web_page(report), path, program)


def print_page(text: str, path: Path, program: str, *more: str) -> None:
    """Print a web page to a PDF with a browser that has no window; ``more`` are further options of the browser."""
    with TemporaryDirectory() as folder:
        page = Path(folder) / "page.html"
        page.write_text(text, "utf8")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer", *more]
        subprocess.run(
            [program, *options, f"--print-to-pdf={path.resolve()}", str(page)], check=True, capture_output=True
        )


def web_page(report: Report) -> str:
    table = _american if report.style == "american" else _german
    body = "".join(_block(kind, content, table) for kind, *content in filled(report))
    head = f"<meta charset=utf-8><title>{report.title}</title><style>{report.css}</style>"
    return f"<html lang={report.language}><head>{head}</head><body>{body}</body></html>"


def _block(kind: str, content: Sequence[Any], table: Callable[[Table], str]) -> str:
    if kind == "page":
        return '<div class="pb"></div>'
    (held,) = content
    if kind == "html":
        return str(held)
    if kind == "table":
        return table(held)
    if kind == "contents":
        return _contents(held)
    if kind == "list":
        return _list(held)
    if kind in _LINES:
        return _line(kind, held)
    return f"<{kind}>{held}</{kind}>"


def _line(kind: str, text: str) -> str:
    return f'<div class="{_LINES[kind]}">{text}</div>' if text else ""


def _contents(rows: Sequence[Sequence[str]]) -> str:
    lines = (
        "".join(f"<td>{cell}</td>" for cell in cells) + f'<td style="text-align:right">{page}</td>'
        for *cells, page in rows
    )
    return '<table class="toc">' + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _list(held: Table) -> str:
    """Return a table of words; a column of figures is set to the right."""
    classes = ["v" if cell[0].isdigit() else "l" for cell in held["rows"][0]]
    rows = [("hd", held["columns"]), *(("", row) for row in held["rows"])]
    lines = (
        f'<tr class="{kind}">'
        + "".join(f'<td class="{one}">{cell}</td>' for one, cell in zip(classes, row, strict=True))
        + "</tr>"
        for kind, row in rows
    )
    return _line("title", held.get("title", "")) + "<table>" + "".join(lines) + "</table>"


# --- American filing: a figure has three cells, for the currency, the digits and what follows them --------------------


def _american(held: Table) -> str:
    columns = held["columns"]
    unit = f'<td class="l">{held["unit"]}</td>'
    years = "".join(f'<td class="g"></td><td colspan="3" class="yr">{one}</td>' for one in columns)
    head = f'<tr class="hd">{unit}{years}</tr>'
    if held["over"]:
        over = f'<td class="g"></td><td colspan="{len(columns) * 4 - 1}" class="ov">{held["over"]}</td>'
        head = f'<tr class="hd">{unit}{over}</tr><tr class="hd"><td class="l"></td>{years}</tr>'
    rows = "".join(_american_row(at, row, len(columns)) for at, row in enumerate(held["rows"]))
    above = _line("title", held.get("title", "")) + _line("under", held.get("under", ""))
    return f"{above}<table>{head}{rows}</table>"


def _american_row(at: int, row: Sequence[Any], columns: int) -> str:
    label, values, marks = row
    flags = marks.split()
    indent = next((_INDENTS[one] for one in flags if one in _INDENTS), 0) + 4
    shade = "sh" if at % 2 == 0 else ""
    bold = ' style="font-weight:bold"' if "b" in flags else ""
    empty = '<td class="g"></td><td></td><td></td><td></td>' * columns
    cells = empty if values is None else "".join(_american_cells(one, flags) for one in values)
    return f'<tr class="{shade}"{bold}><td class="l" style="padding-left:{indent}px">{label}</td>{cells}</tr>'


def _american_cells(value: float | str, flags: Sequence[str]) -> str:
    figure, after = american_figure(value, 0 if "n0" in flags else 2 if "e" in flags else 1)
    if "%" in flags:
        after = f"{after} %".strip() if figure not in ("", "—") else ""
    edge = next((_EDGES[one] for one in _EDGES if one in flags), "")
    currency = "$" if "$" in flags and figure else ""
    return (
        f'<td class="g"></td><td class="s {edge}">{currency}</td>'
        f'<td class="v {edge}">{figure}</td><td class="e {edge}">{after}</td>'
    )


def american_figure(value: float | str, decimals: int) -> tuple[str, str]:
    """Return the figure and the bracket that ends it if it is negative."""
    if isinstance(value, str):
        return value, ""
    if value == 0:
        return "—", ""
    digits = f"{abs(value):,.{decimals}f}"
    return (f"({digits}", ")") if value < 0 else (digits, "")


# --- German report: a column for the notes, and the year of the report on a tinted ground -----------------------------


def _german(held: Table) -> str:
    notes = '<td class="an">Anhang</td>' if "notes" in held else ""
    years = "".join(f'<td class="{_tint(at)}">{one}</td>' for at, one in enumerate(held["columns"]))
    rows = "".join(_german_row(row, held) for row in held["rows"])
    head = f'<tr class="hd"><td class="l">{held["unit"]}</td>{notes}{years}</tr>'
    return f"{_line('title', held.get('title', ''))}<table>{head}{rows}</table>"


def _german_row(row: Sequence[Any], held: Table) -> str:
    label, values, marks, *note = row
    flags = marks.split()
    kind = "tot" if "t" in flags else "hdl" if "h" in flags else ""
    decimals = 2 if "e" in flags else 0 if "n0" in flags else held.get("decimals", 1)
    notes = f'<td class="an">{"".join(note)}</td>' if "notes" in held else ""
    figures = [german_figure(one, decimals) for one in values] if values else [""] * len(held["columns"])
    cells = "".join(f'<td class="{_tint(at)}">{one}</td>' for at, one in enumerate(figures))
    indent = 12 if "i" in flags else 0
    return f'<tr class="{kind}"><td class="l" style="padding-left:{indent}px">{label}</td>{notes}{cells}</tr>'


def _tint(column: int) -> str:
    return "v cur" if column == 0 else "v"


def german_figure(value: float | str, decimals: int) -> str:
    if isinstance(value, str):
        return value
    if value == 0:
        return "–"
    digits = f"{abs(value):,.{decimals}f}".translate(str.maketrans(",.", ".,"))
    return f"−{digits}" if value < 0 else digits
