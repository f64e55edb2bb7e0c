"""Law as data at size: how fast statutes become a stored graph, and how right its citations are.

Figures:

``articles``             articles read; sections of technical standards count
``seconds_to_graph``     parse, segment, find, resolve and build, to edges in memory
``seconds_to_store``     statutes and graph into a new SQLite workspace
``seconds_per_1000_articles``  of ``seconds_to_graph``; also ``…_small``, the mean over corpora of
                         every hundredth file, from several starting points, so that it has nothing
                         of the luck of one draw, each read and built on its own like the whole;
                         and ``time_per_article_ratio``, whole over small: 1
                         where an article costs the same in a corpus of any size. The last two come
                         only where the statutes are many
``seconds_to_report``    the graph report, from the database
``first_map_to_report``  seconds to the first map of the law, of its 300 most joined units and the
                         reading of all edges included, over ``seconds_to_report``
``next_map_to_report``   the like of another map, of statutes, once the edges are in memory
``peak_rss_mb``          the most memory that this process had held by then, in MiB
``neighbours_ms``        95th percentile of "neighbours of this unit" from the database, over units
                         drawn by a fixed seed; every unit of the corpus can be drawn
``citation_precision``   of the references resolved in the sampled articles, how many are right
``citation_recall``      of the references that the sample lists, how many are found and right
``pinpoint_accuracy``    of the sampled references with right units, how many have the right part
``whole_precision``, ``whole_recall``  the like over articles in which every reference was marked
``held_out_precision``, ``held_out_recall``  the like over articles that were marked only after the
                         resolver had been mended

What is right is asked of the hand-checked files in tests/fixtures and the statutes that they were
drawn from (``--sampled``), whatever ``--statutes`` says: that a law outside these cannot be meant
holds only there. docs/references-sample.md says how they were made.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "articles seconds_to_graph seconds_per_1000_articles seconds_per_1000_articles_small "
    "time_per_article_ratio seconds_to_store neighbours_ms seconds_to_report first_map_to_report "
    "next_map_to_report peak_rss_mb citation_precision citation_recall pinpoint_accuracy "
    "whole_precision whole_recall held_out_precision held_out_recall",
)
SAMPLED = SHARED / "korean-law/fire-safety/kr"
PARSER.add_argument("--statutes", type=Path, default=SAMPLED)
PARSER.add_argument("--sampled", type=Path, default=SAMPLED)
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import random
import resource
import shutil
import tarfile
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from benchmarks.draw_references import (
    FIXTURE,
    HELD_OUT,
    READ,
    citation_figures,
    pinpoint_accuracy,
    read_articles,
    read_marks,
    whole_article_figures,
)
from benchmarks.program import run, seconds
from corpus.files.given_paths import statute_files
from corpus.graph.build import GraphBuild, build_graph
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level, Statute
from evaluation.figure import Figure
from services.law.graph.citation_graph import neighbourhood
from services.law.graph.law_map import MOST_NODES, MapQuery, Nodes, law_map
from services.law.graph.report import graph_report
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.graph import keep_graph
from storage.law.imports import keep_statutes
from storage.projects import create_project

ASKED = 1_000  # units whose neighbours are asked for
SEED = 0
_SLUG = "benchmark"


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return what storing takes, and how right citations are where the sampled law is there."""
    with unpacked(options.statutes) as law:
        found = measured(law)
    return found + (right_and_wrong(options.sampled) if options.sampled.is_dir() else [])


def measured(folder: Path) -> list[Figure]:
    """Return the figures of time and memory for the statutes under `folder`."""
    small = small_corpora(folder)  # first: before this process holds much
    started = time.perf_counter()
    statutes = read_tree(folder)
    built = build_graph(statutes)
    whole = Cost(articles_of(statutes), time.perf_counter() - started)
    with tempfile.TemporaryDirectory() as place:
        kept = _kept(Path(place), statutes, built)
    return [
        Figure("articles", whole.articles, len(statutes)),
        Figure("seconds_to_graph", whole.seconds, whole.articles),
        *flatness_figures(small, whole),
        *kept,
    ]


def right_and_wrong(folder: Path) -> list[Figure]:
    """Return how many references are read right, of the statutes that the sample is from."""
    statutes = read_tree(folder)
    built = build_graph(statutes)
    marks = read_marks(FIXTURE)
    held_out = whole_article_figures(read_articles(HELD_OUT), statutes, built)
    return [
        *citation_figures(marks, statutes, built),
        pinpoint_accuracy(marks, statutes, built),
        *whole_article_figures(read_articles(READ), statutes, built),
        *(replace(one, name=one.name.replace("whole", "held_out")) for one in held_out),
    ]


@contextmanager
def unpacked(path: Path) -> Iterator[Path]:
    """Yield the folder of statutes: `path` itself, or what the archive at `path` holds."""
    if path.is_dir() or path.suffix == ".md":
        yield path
        return
    with tempfile.TemporaryDirectory() as place:
        with tarfile.open(path) as archive:
            archive.extractall(place, filter="data")
        yield Path(place)


def _stored(folder: Path, statutes: Sequence[Statute], built: GraphBuild) -> tuple[Workspace, int]:
    ws = Workspace(folder)
    migrate(ws)
    create_project(ws, _SLUG, "Benchmark")
    report = keep_statutes(ws, _SLUG, statutes, "benchmark")
    keep_graph(ws, report.snapshot_id, built)
    return ws, report.snapshot_id


def _kept(folder: Path, statutes: Sequence[Statute], built: GraphBuild) -> list[Figure]:
    """Return the figures of the database: storing the graph, walking it and reporting on it."""
    started = time.perf_counter()
    ws, snapshot_id = _stored(folder, statutes, built)
    to_store = time.perf_counter() - started
    asked = _neighbour_times(ws, snapshot_id, statutes)
    to_report = seconds(partial(graph_report, ws, _SLUG))
    first, following = _map_times(ws)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_024
    articles = articles_of(statutes)
    return [
        Figure("seconds_to_store", to_store, articles),
        Figure("neighbours_ms", float(np.percentile(asked, 95)), len(asked)),
        Figure("seconds_to_report", to_report, articles),
        Figure("first_map_to_report", first / to_report, articles),
        Figure("next_map_to_report", following / to_report, articles),
        Figure("peak_rss_mb", peak, 1),
    ]


def _map_times(ws: Workspace) -> list[float]:
    """Return the seconds of a first map and of the next."""
    queries = MapQuery(Nodes.UNITS, most=MOST_NODES), MapQuery(most=MOST_NODES)
    return [seconds(partial(law_map, ws, _SLUG, query)) for query in queries]


def _neighbour_times(ws: Workspace, snapshot_id: int, statutes: Sequence[Statute]) -> list[float]:
    """Return milliseconds per question, one for each drawn unit, after one to open the file."""
    units = [unit.semantic_id for one in statutes for unit in one.units]
    drawn = random.Random(SEED).choices(units, k=min(ASKED, len(units)))
    neighbourhood(ws, snapshot_id, drawn[0])
    return [1_000 * seconds(partial(neighbourhood, ws, snapshot_id, unit)) for unit in drawn]


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


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
