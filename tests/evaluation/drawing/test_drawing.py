"""What every figure is held to: it is drawn, in both modes, and its bytes say nothing but it."""

from __future__ import annotations

import io
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from matplotlib import rc_context
from matplotlib.font_manager import fontManager
from PIL import Image

from evaluation.drawing import canvas
from evaluation.drawing.bars import bar_chart, bounds, histogram_figure, similarity_figure
from evaluation.drawing.canvas import THEMES, Look, Mode, fitting, inches, printable_line, short
from evaluation.drawing.neighbourhood import letters, neighbourhood_figure
from evaluation.figure import Figure
from evaluation.figures.buckets import Bar, Curve, curve
from evaluation.figures.datasets import Dataset, Description, Likeness, describe
from evaluation.figures.neighbourhood import Neighbourhood, neighbourhood, units_of

HOSTILE = "<img src=x onerror=alert(1)> $x$ \\frac{1}{2} & -- \u0000\ud800"


def bars(name: str = "BM25 · 글자") -> list[Bar]:
    return [
        Bar("Recall@10", name, Figure("Recall@10", 0.5, 147, 0.4, 0.6)),
        Bar("Recall@10", "LSA", Figure("Recall@10", None, 0)),
        Bar("nDCG@10", name, Figure("nDCG@10", 0.3, 147, 0.2, 0.4)),
        Bar("nDCG@10", "LSA", Figure("nDCG@10", 0.35, 147)),
    ]


def near() -> Neighbourhood:
    seeds, gold = ["s1", "s2"], ["g1", "s2"]
    cosine, explicit = {"s1": ["n1"], "s2": ["s1"]}, {"s1": ["g1", "n2"]}
    count = len(units_of(seeds, gold, cosine, explicit))
    vectors = np.random.default_rng(5).normal(size=(count, 6)).astype(np.float32)
    return neighbourhood(seeds, gold, cosine, explicit, vectors, vectors[0])


def curves(name: str = "BM25") -> list[Curve]:
    alike = {f"q{n}": n / 40 for n in range(40)}
    return [curve(name, alike, {q: float(x > 0.4) for q, x in alike.items()}), curve("LSA", {}, {})]


def sets(name: str = "소방 질의회시") -> list[Description]:
    rows = [Likeness(f"q{n}", 1, n / 20, None) for n in range(20)]
    return [describe(Dataset(name, tuple(rows))), describe(Dataset("empty", ()))]


DRAW: dict[str, Callable[[Look], bytes]] = {
    "bars": lambda look: bar_chart(bars(), look),
    "neighbourhood": lambda look: neighbourhood_figure(near(), "질문?", {"g1": "소방법"}, look),
    "similarity": lambda look: similarity_figure(curves(), "Recall@10", look),
    "histograms": lambda look: histogram_figure(sets(), look),
}
EMPTY: dict[str, Callable[[Look], bytes]] = {
    "bars": lambda look: bar_chart([], look),
    "similarity": lambda look: similarity_figure([], "Recall@10", look),
    "histograms": lambda look: histogram_figure([], look),
}


@pytest.mark.parametrize("name", DRAW)
def test_equal_data_give_equal_files_that_hold_no_date(name: str) -> None:
    first, again = (DRAW[name](Look("light", "svg", "ko")) for _ in range(2))
    assert first == again
    root = ET.fromstring(first)  # noqa: S314
    assert root.tag.endswith("svg")
    assert b"dc:date" not in first
    assert b"Matplotlib v" not in first


def test_somebody_elses_settings_and_threads_change_nothing() -> None:
    alone = DRAW["bars"](Look("dark"))
    with rc_context({"axes.linewidth": 9, "svg.hashsalt": "other", "lines.linewidth": 7}):
        assert DRAW["bars"](Look("dark")) == alone
    with ThreadPoolExecutor(4) as pool:
        looks = [Look(mode) for mode in ("dark", "light", "dark", "light")]
        drawn = list(pool.map(DRAW["bars"], looks))
    assert drawn[0] == drawn[2] == alone
    assert drawn[1] == drawn[3] != alone


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_a_picture_is_on_the_paper_of_its_mode(mode: Mode) -> None:
    made = DRAW["bars"](Look(mode, "png"))
    assert made == DRAW["bars"](Look(mode, "png"))
    picture = Image.open(io.BytesIO(made)).convert("RGB")
    red, green, blue = picture.getpixel((2, 2))  # type: ignore[misc]
    assert f"#{red:02x}{green:02x}{blue:02x}" == THEMES[mode].paper
    assert len(picture.getcolors(1_000_000) or []) > 20


@pytest.mark.parametrize("name", EMPTY)
def test_nothing_to_draw_is_drawn_as_nothing(name: str) -> None:
    assert ET.fromstring(EMPTY[name](Look())).tag.endswith("svg")  # noqa: S314


def test_text_of_others_stays_text() -> None:
    for made in (
        bar_chart(bars(HOSTILE)),
        neighbourhood_figure(near(), HOSTILE, {"g1": HOSTILE}),
        similarity_figure(curves(HOSTILE), HOSTILE),
        histogram_figure(sets(HOSTILE)),
    ):
        assert b"<img" not in made
        ET.fromstring(made)  # noqa: S314


def test_korean_has_its_letters_where_a_font_is_installed() -> None:
    if len(canvas.families()) == 1:
        pytest.skip("no font with Korean letters is installed (Debian: fonts-noto-cjk)")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # matplotlib warns about a letter that no font has
        DRAW["neighbourhood"](Look("light", "svg", "ko"))


def test_a_font_that_was_installed_since_matplotlib_looked_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = canvas.families()
    only = [font for font in fontManager.ttflist if font.name == "DejaVu Sans"]
    monkeypatch.setattr(fontManager, "ttflist", only)
    canvas.families.cache_clear()
    try:
        assert canvas.families() == known
    finally:
        canvas.families.cache_clear()


def test_without_such_a_font_figures_are_drawn_all_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(canvas, "families", lambda: ("DejaVu Sans",))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert DRAW["bars"](Look("light", "png", "ko")).startswith(b"\x89PNG")


def test_gold_units_have_letters_in_the_order_of_the_points() -> None:
    assert letters(near()) == {"s2": "A", "g1": "B"}


def test_an_axis_holds_every_bound() -> None:
    assert bounds([Figure("x", 0.7, 3, 0.6, 0.8)]) == (0.0, 1.0)
    low, high = bounds([Figure("x", 1.5, 3, -0.5, 2.0)])
    assert low < -0.5
    assert high > 2.0
    assert bounds([Figure("x", None, 0)])[1] > 0


def test_long_text_is_cut_and_no_control_character_kept() -> None:
    assert short("소방시설법", 4) == "소방시…"
    assert short("소방", 4) == "소방"
    for long in ("소방시설을 설치하여야 하는 " * 12, "fire protection systems " * 12):
        assert 9.0 < inches(fitting(long, 9.4)) <= 9.4 and fitting(long, 9.4).endswith("…")
    assert fitting("소방", 9.4) == "소방"
    assert printable_line("a  $5\nb\\c\x00") == "a $5 b\\c"
