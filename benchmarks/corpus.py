"""Law as data at size: how fast statutes become a stored graph, and how right its citations are.

Figures:

``articles``             articles read; sections of technical standards count
``seconds_to_graph``     parse, segment, find, resolve and build, to edges in memory
``seconds_to_store``     statutes and graph into a new SQLite workspace
``seconds_per_1000_articles``  of ``seconds_to_graph``; also ``…_small``, the mean over corpora of
                         every hundredth file, and ``time_per_article_ratio``, whole over small: 1
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
import tarfile
import tempfile
import time
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from benchmarks.draw_references import HELD_OUT, READ
from benchmarks.flatness import Cost, articles_of, flatness_figures, small_corpora
from benchmarks.program import run
from benchmarks.whole_articles import (
    FIXTURE,
    citation_figures,
    pinpoint_accuracy,
    read_articles,
    read_marks,
    read_sample,
    whole_article_figures,
)
from corpus.graph.build import GraphBuild, build_graph
from corpus.importers.legalize_kr import read_tree
from corpus.model import Statute
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
    held_out = whole_article_figures(read_articles(HELD_OUT), statutes, built)
    return [
        *citation_figures(read_sample(FIXTURE), statutes, built),
        pinpoint_accuracy(read_marks(FIXTURE), statutes, built),
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
    started = time.perf_counter()
    graph_report(ws, _SLUG)
    to_report = time.perf_counter() - started
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
    times = []
    for query in (MapQuery(Nodes.UNITS, most=MOST_NODES), MapQuery(most=MOST_NODES)):
        started = time.perf_counter()
        law_map(ws, _SLUG, query)
        times.append(time.perf_counter() - started)
    return times


def _neighbour_times(ws: Workspace, snapshot_id: int, statutes: Sequence[Statute]) -> list[float]:
    """Return milliseconds per question, one for each drawn unit, after one to open the file."""
    units = [unit.semantic_id for one in statutes for unit in one.units]
    drawn = random.Random(SEED).choices(units, k=min(ASKED, len(units)))
    neighbourhood(ws, snapshot_id, drawn[0])
    times = []
    for unit in drawn:
        started = time.perf_counter()
        neighbourhood(ws, snapshot_id, unit)
        times.append((time.perf_counter() - started) * 1_000)
    return times


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
