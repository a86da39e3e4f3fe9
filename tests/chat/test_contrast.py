"""The elements' colours have the contrast WCAG 2.2 requires, in light and dark mode."""

from __future__ import annotations

import colorsys
import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2] / "public"
TEXT, GRAPHIC = 4.5, 3.0
# what is written, on what, how much of the first colour lies under it as a tint
PAIRS = [
    ("--foreground", "--background", TEXT),
    ("--card-foreground", "--card", TEXT),
    ("--muted-foreground", "--card", TEXT),
    ("--muted-foreground", "--background", TEXT),
    ("--primary", "--card", TEXT),
    ("--primary", "--background", TEXT),
    ("--primary-foreground", "--primary", TEXT),
    ("--popover-foreground", "--popover", TEXT),
    ("--muted-foreground", "--popover", TEXT),
    ("--rh-warn", "--card", TEXT),
    ("--rh-warn", "--background", TEXT),
    ("--destructive", "--card", GRAPHIC),
    ("--ring", "--card", GRAPHIC),
    ("--input", "--background", GRAPHIC),
]
TINTS = [
    ("--primary", "--card", 0.12),
    ("--card-foreground", "--destructive", 0.12),
    ("--card-foreground", "--rh-warn", 0.1),
]

Colour = tuple[float, float, float]


def colour(value: str) -> Colour:
    hue, saturation, lightness = (float(part.rstrip("%")) for part in value.split()[:3])
    return colorsys.hls_to_rgb(hue / 360, lightness / 100, saturation / 100)


def luminance(shown: Colour) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in shown]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: Colour, other: Colour) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def over(tint: Colour, ground: Colour, share: float) -> Colour:
    mixed = [share * a + (1 - share) * b for a, b in zip(tint, ground, strict=True)]
    return mixed[0], mixed[1], mixed[2]


@pytest.fixture(params=["light", "dark"])
def theme(request: pytest.FixtureRequest) -> dict[str, Colour]:
    stored = json.loads((ROOT / "theme.json").read_text(encoding="utf-8"))["variables"][request.param]
    return {name: colour(value) for name, value in stored.items() if re.match(r"[\d.]+ [\d.]+% [\d.]+%", value)}


@pytest.mark.parametrize(("text", "ground", "least"), PAIRS)
def test_contrast(theme: dict[str, Colour], text: str, ground: str, least: float) -> None:
    assert contrast(theme[text], theme[ground]) >= least


@pytest.mark.parametrize(("text", "tint", "share"), TINTS)
def test_contrast_on_a_tint(theme: dict[str, Colour], text: str, tint: str, share: float) -> None:
    ground = over(theme["--primary" if tint == "--card" else tint], theme["--card"], share)
    assert contrast(theme[text], ground) >= TEXT


def test_every_colour_of_the_style_sheet_is_of_the_theme(theme: dict[str, Colour]) -> None:
    used = set(re.findall(r"hsl\(var\((--[\w-]+)\)", (ROOT / "rabbithole.css").read_text(encoding="utf-8")))
    assert used <= theme.keys()
