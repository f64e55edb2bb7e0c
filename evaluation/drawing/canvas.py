"""Matplotlib setup for figures: size, themes, fonts, and output as SVG or PNG.

Text is drawn as outlines, so that a figure looks the same without its fonts. Nothing
in a file depends on when or where it was made: no date, no random ids.
"""

from __future__ import annotations

import io
import threading
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from matplotlib import rc_context, rcParamsDefault
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.font_manager import findSystemFonts, fontManager

Format = Literal["svg", "png"]
Mode = Literal["light", "dark"]
FORMATS: tuple[Format, ...] = ("svg", "png")
DPI = 200

# The first installed one is used; missing glyphs come from the next.
_FAMILIES = (
    "Noto Sans CJK KR",
    "Noto Sans CJK JP",  # the collection's first face, by whose name matplotlib lists it
    "Noto Sans KR",
    "Source Han Sans KR",
    "NanumGothic",
    "Apple SD Gothic Neo",
    "Malgun Gothic",
)
_FILES = ("NotoSansCJK", "NotoSansKR", "SourceHanSansK", "NanumGothic.", "AppleSDGothic", "malgun")
# Settings without effect on a figure's look.
_OTHERS = ("backend", "interactive", "keymap", "toolbar", "tk.", "webagg", "macosx", "animation")
_ALWAYS = "DejaVu Sans"  # comes with matplotlib and has no Korean
_OURS_TO_SET = [name for name in rcParamsDefault if not name.startswith(_OTHERS)]
_turn = threading.Lock()  # matplotlib's settings are global to the process


@dataclass(frozen=True, slots=True)
class Theme:
    """The colours of a figure. `series` are distinguishable with colour-blindness."""

    paper: str
    ink: str
    faint: str
    grid: str
    series: tuple[str, ...]
    seed: str
    gold: str


_SERIES = ("#4c8bc0", "#d08a2e", "#6aa56a", "#a579b8", "#7d8590", "#b85c5c")
THEMES: dict[Mode, Theme] = {
    "light": Theme("#ffffff", "#1f2429", "#8a8f98", "#e4e3de", _SERIES, "#2f6ea8", "#d97a0b"),
    "dark": Theme("#15181c", "#e4e6e8", "#868c95", "#30363d", _SERIES, "#72aee3", "#f0a24a"),
}


@dataclass(frozen=True, slots=True)
class Look:
    """How a figure is drawn: mode, file format, and language of its texts."""

    mode: Mode = "light"
    format: Format = "svg"
    language: str = "en"

    @property
    def theme(self) -> Theme:
        """The colours of the mode."""
        return THEMES[self.mode]


PLAIN = Look()


@lru_cache(maxsize=1)
def families() -> tuple[str, ...]:
    """Return the font families to draw with, one with Korean first."""
    installed = {font.name for font in fontManager.ttflist}
    if installed.isdisjoint(_FAMILIES):  # matplotlib keeps a list: one may have come since
        installed = _families_on_disk()
    return (*[name for name in _FAMILIES if name in installed][:1], _ALWAYS)


def _families_on_disk() -> set[str]:
    """Return the installed families, after registering Korean fonts found on disk."""
    for file in sorted(findSystemFonts()):
        if Path(file).name.startswith(_FILES):
            fontManager.addfont(file)
    return {font.name for font in fontManager.ttflist}


class Paper(Figure):
    """A figure with a PNG representation for notebooks, without pyplot."""

    def _repr_png_(self) -> bytes:
        out = io.BytesIO()
        FigureCanvasAgg(self)
        self.savefig(out, format="png", dpi=DPI / 2)
        return out.getvalue()


def filled(size: tuple[float, float], look: Look, draw: Callable[[Any], None]) -> Paper:
    """Return a figure of `size` (inches) drawn by `draw`."""
    with _turn, rc_context(_settings(look.theme)):
        return _draw_on_paper(size, draw)


def _draw_on_paper(size: tuple[float, float], draw: Callable[[Any], None]) -> Paper:
    paper = Paper(figsize=size, layout="constrained")
    draw(paper)
    return paper


def drawn(size: tuple[float, float], look: Look, draw: Callable[[Any], None]) -> bytes:
    """Return the file of a figure of `size` (inches) drawn by `draw`."""
    with _turn, rc_context(_settings(look.theme)):
        paper = _draw_on_paper(size, draw)
        out = io.BytesIO()
        if look.format == "svg":
            FigureCanvasSVG(paper)
            paper.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
        else:
            FigureCanvasAgg(paper)
            paper.savefig(out, format="png", dpi=DPI, metadata={"Software": None})
        return out.getvalue()


def quiet(axes: Any, theme: Theme, grid: Literal["x", "y", "both", "none"] = "y") -> None:
    """Style axes: thin lines at left and bottom, and a faint grid in the background."""
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(theme.faint)
    axes.tick_params(colors=theme.ink, labelcolor=theme.ink, color=theme.faint)
    axes.set_axisbelow(True)
    if grid != "none":
        axes.grid(axis=grid, color=theme.grid, linewidth=0.8)


def printable_line(text: str) -> str:
    """Return text on one line, without non-printable characters."""
    return "".join(each for each in " ".join(text.split()) if each.isprintable())


def inches(text: str) -> float:
    """Return the approximate width of `text`: Korean letters are nearly twice as wide."""
    wide = sum(unicodedata.east_asian_width(each) in "WF" for each in text)
    return 0.075 * len(text) + 0.055 * wide


def short(text: str, characters: int) -> str:
    """Truncate `text` to a number of characters, with an ellipsis."""
    return text if len(text) <= characters else text[: characters - 1].rstrip() + "…"


def fitting(text: str, width: float) -> str:
    """Truncate `text` to a width in inches, with an ellipsis."""
    if inches(text) <= width:
        return text
    kept = len(text)
    while kept and inches(f"{text[:kept]}…") > width:
        kept -= 1
    return f"{text[:kept].rstrip()}…"


def _settings(theme: Theme) -> Any:
    """Return matplotlib settings of a theme; a user's matplotlibrc has no effect."""
    # From matplotlib's own defaults, so that a user's matplotlibrc has no effect.
    usual = {name: rcParamsDefault[name] for name in _OURS_TO_SET}
    return usual | {
        "font.family": list(families()),
        "font.size": 9.5,
        "axes.unicode_minus": False,
        "text.parse_math": False,  # a pair of $ is plain text
        "axes.edgecolor": theme.faint,
        "axes.labelcolor": theme.ink,
        "axes.titlesize": 10.5,
        "axes.titlecolor": theme.ink,
        "text.color": theme.ink,
        "xtick.color": theme.ink,
        "ytick.color": theme.ink,
        "figure.facecolor": theme.paper,
        "savefig.facecolor": theme.paper,
        "axes.facecolor": theme.paper,
        "legend.frameon": False,
        "svg.hashsalt": "touchstone",
        "svg.fonttype": "path",
    }
