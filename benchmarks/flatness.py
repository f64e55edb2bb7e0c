"""Whether an article costs the same in a small corpus as in a large one.

Every hundredth statute file, from several starting points, makes small corpora that together stand
for the whole: the mean over them has nothing of the luck of one draw. Each is read and built on
its own, like the whole.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.files.given_paths import statute_files
from corpus.graph.build import build_graph
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Statute
from evaluation.figure import Figure

EVERY = 100
STARTS = (0, 20, 40, 60, 80)
LEAST = 2_000  # statute files below which a hundredth of them says nothing


@dataclass(frozen=True, slots=True)
class Cost:
    """How many articles were read and built into a graph, and how long that took."""

    articles: int
    seconds: float

    @property
    def per_1000(self) -> float:
        """Seconds for each thousand articles."""
        return 1_000 * self.seconds / self.articles


def small_corpora(folder: Path, least: int = LEAST) -> Cost | None:
    """Return what the small corpora under `folder` cost together; None where it is small itself."""
    if not folder.is_dir() or len(files := statute_files(folder)) < least:
        return None
    _cost(files[::EVERY])  # once uncounted: some things are done at the first statute only
    costs = [_cost(files[start::EVERY]) for start in STARTS]
    return Cost(sum(one.articles for one in costs), sum(one.seconds for one in costs))


def flatness_figures(small: Cost | None, whole: Cost) -> list[Figure]:
    """Return seconds per 1,000 articles in the whole and in small corpora, and their ratio."""
    figures = [Figure("seconds_per_1000_articles", whole.per_1000, whole.articles)]
    if small is not None:
        each = round(small.articles / len(STARTS))
        figures += [
            Figure("seconds_per_1000_articles_small", small.per_1000, each),
            Figure("time_per_article_ratio", whole.per_1000 / small.per_1000, len(STARTS)),
        ]
    return figures


def articles_of(statutes: Sequence[Statute]) -> int:
    """Return how many articles, and sections of technical standards, the statutes have."""
    levels = (Level.ARTICLE, Level.SECTION)
    return sum(unit.level in levels for one in statutes for unit in one.units)


def _cost(files: Sequence[tuple[Path, str]]) -> Cost:
    with tempfile.TemporaryDirectory() as place:
        for file, name in files:
            copy = Path(place, name)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
        started = time.perf_counter()
        statutes = read_tree(Path(place))
        build_graph(statutes)
        return Cost(articles_of(statutes), time.perf_counter() - started)
