"""What it costs to read pages of PDFs in a child process rather than in this one.

Pages are drawn from real articles as `benchmarks.ocr` draws them; every second one is a scan, whose
page is an image alone. Each is read here and in a child that is warm, in turns, and the quicker of
three readings counts.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from corpus.model import Unit
from corpus.ocr import isolated, pdf
from corpus.ocr.images import Limits
from evaluation.figure import Figure, mean_figure
from tests.support.drawn_pages import scanned, scanned_pdf

_TURNS = 3


def reading_figures(
    articles: Sequence[Unit],
    pages: int,
    seed: int,
    draw: Callable[[Sequence[Unit], random.Random], tuple[object, bytes]],
) -> list[Figure]:
    """Return seconds for a page read here and in a child, and the mean of their ratios."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.pdf"
        found = []
        for number in range(-1, pages):  # the first warms both up
            rng = random.Random(seed * 1_000_003 + number)
            content = draw(articles, rng)[1]
            scan = number % 2 == 1
            path.write_bytes(scanned_pdf(scanned(content, 1.0)) if scan else content)
            found.append(_one(path))
    here, apart = zip(*found[1:], strict=True)
    ratios = [b / a for a, b in zip(here, apart, strict=True)]
    return [
        mean_figure("read_seconds_here", here),
        mean_figure("read_seconds_in_child", apart),
        mean_figure("read_child_to_here", ratios),
    ]


def _one(path: Path) -> tuple[float, float]:
    here, apart = [], []
    child = partial(isolated.read_page, path, "page", Limits(), isolated.PDF, 1)
    for _ in range(_TURNS):
        here.append(_seconds(lambda: pdf.read_page(path, "page", Limits(), 1)))
        apart.append(_seconds(child))
    return min(here), min(apart)


def _seconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began
