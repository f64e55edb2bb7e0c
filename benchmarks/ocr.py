"""How well Tesseract drafts scanned pages of Korean statutes, and what its marks are worth.

Pages are drawn from real articles: a heading, paragraphs as they would be printed and a table with
merged cells, then turned by up to 2°, greyed and specked. What was drawn is the truth that drafts
are compared with (`evaluation.ocr`). A scan of real paper may be better or worse than
these.

    python -m benchmarks.ocr --pages 60
    python -m benchmarks.ocr --reading 30   # what reading PDFs in a child process costs
    python -m benchmarks.ocr --layouts 5    # in what order the text of PDFs in columns is read
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "cer wer cell_accuracy cell_structure marked_of_wrong wrong_of_marked seconds_per_page "
    "read_seconds_here read_seconds_in_child read_child_to_here pairs_in_order "
    "pairs_in_order_read pairs_in_order_rows pairs_in_order_paragraphs pairs_in_order_shuffled",
)
PARSER.add_argument("--pages", type=int, default=60)
PARSER.add_argument("--reading", type=int, metavar="PAGES", help="only time reading PDFs")
PARSER.add_argument("--layouts", type=int, metavar="PAGES", help="only the order of columns")
PARSER.add_argument("--seed", type=int, default=0)
PARSER.add_argument("--law", type=Path, default=SHARED / "korean-law" / "fire-safety")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import random
import re
import time
from argparse import Namespace
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from textwrap import TextWrapper

from benchmarks.page_layouts import order_figures
from benchmarks.program import UnmeasurableError, run, seconds
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Unit
from corpus.ocr import isolated, pdf
from corpus.ocr.blocks import Block, BlockKind, Cell
from corpus.ocr.cleaning import straightened
from corpus.ocr.drafting import draft_page
from corpus.ocr.images import Limits
from evaluation import ocr as error_rates
from evaluation.figure import Figure, mean_figure
from evaluation.ocr import PageScore, score_page
from services.ocr import tesseract
from tests.support.drawn_pages import drawn, scanned, scanned_pdf

_PRINTED = TextWrapper(38, break_long_words=False, break_on_hyphens=False)
_NOISES, _DPIS = (0.0, 18.0, 30.0), (200, 300)


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return how pages are drafted, in what order layouts are read, or what a child costs."""
    if options.layouts:
        return order_figures(options.layouts, options.seed)
    if not options.reading and tesseract.version() is None:
        raise UnmeasurableError("Tesseract with Korean is absent")
    articles = [unit for statute in read_tree(options.law) for unit in statute.units]
    found = [unit for unit in articles if unit.level is Level.ARTICLE and len(unit.text) > 120]
    if options.reading:
        return reading_figures(found, options.reading, options.seed, folder)
    return measure(found, options.pages, options.seed)


def measure(articles: Sequence[Unit], pages: int, seed: int) -> list[Figure]:
    """Return the figures over so many pages drawn from these articles."""
    jobs = [(articles, seed * 1_000_003 + number) for number in range(pages)]
    with ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda job: one_page(*job), jobs))
    scores = [score for score, _ in done]
    of_text = error_rates.cer, error_rates.wer
    of_cells = error_rates.cell_accuracy, error_rates.cell_structure
    marks = error_rates.marked_of_wrong, error_rates.wrong_of_marked
    figures = [each(scores) for each in (*of_text, *of_cells, *marks)]
    return [*figures, mean_figure("seconds_per_page", [spent for _, spent in done])]


def one_page(articles: Sequence[Unit], seed: int) -> tuple[PageScore, float]:
    """Draw a page, scan it badly, draft it; return how far the draft is off, and the seconds."""
    rng = random.Random(seed)
    truth, pdf = a_page(articles, rng)
    noise, dpi = rng.choice(_NOISES), rng.choice(_DPIS)
    scan = scanned(pdf, rng.uniform(-2, 2), noise, seed, dpi)
    began = time.perf_counter()
    draft = draft_page(straightened(scan)[0], partial(tesseract.read, language="ko"))
    return score_page(draft.blocks, truth), time.perf_counter() - began


def a_page(articles: Sequence[Unit], rng: random.Random) -> tuple[list[Block], bytes]:
    """Return what a page says and a PDF of it."""
    heading = rng.choice([unit.heading for unit in articles if 4 <= len(unit.heading) <= 20])
    texts = [_sentence(rng.choice(articles).text) for _ in range(3)]
    texts = [text for text in texts if text]
    cells = _cells([unit.heading for unit in articles if 2 <= len(unit.heading) <= 9], rng)
    note = "비고: 위 표는 별표에 따라 정한다."
    lines = [line for text in texts for line in _PRINTED.wrap(text)]
    pdf = drawn(heading, lines, cells, note)
    table = Block(BlockKind.TABLE, rows=5, columns=4, cells=tuple(Cell(*cell) for cell in cells))
    truth = [
        Block(BlockKind.HEADING, heading),
        *(Block(BlockKind.PARAGRAPH, text) for text in texts),
    ]
    return [*truth, table, Block(BlockKind.PARAGRAPH, note)], pdf


def _sentence(text: str) -> str:
    """Return the first sentence or so of an article, without what fonts here lack."""
    flat = " ".join(re.sub(r"[<\[][^<>\[\]]*[>\]]|[*①-⑳]", " ", text).split())
    return flat[:160].rsplit(" ", 1)[0]


def _cells(phrases: Sequence[str], rng: random.Random) -> list[tuple[int, int, int, int, str]]:
    """Return a table of five rows and four columns, some of its cells merged."""
    places = [(0, 0, 1, 2), (0, 2, 1, 2), (1, 0, 2, 1), (3, 0, 2, 1)]
    places += [(row, column, 1, 1) for row in range(1, 5) for column in range(1, 4)]
    return [(*place, rng.choice(phrases)) for place in sorted(places)]


_TURNS = 3


def reading_figures(articles: Sequence[Unit], pages: int, seed: int, folder: Path) -> list[Figure]:
    """Return seconds for a page read here and in a child, and the mean of their ratios.

    Every second page is a scan, an image alone. Each is read here and in a child that is warm, in
    turns, and the quicker of three readings counts.
    """
    path = folder / "page.pdf"
    found = []
    for number in range(-1, pages):  # the first warms both up
        _, content = a_page(articles, random.Random(seed * 1_000_003 + number))
        path.write_bytes(scanned_pdf(scanned(content, 1.0)) if number % 2 == 1 else content)
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
        here.append(seconds(lambda: pdf.read_page(path, "page", Limits(), 1)))
        apart.append(seconds(child))
    return min(here), min(apart)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
