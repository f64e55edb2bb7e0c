"""Graph baselines on real law and real questions, read by rule, and PageRank over a country's law.

    python -m benchmarks.graph_baselines [--statutes DIR] [--questions FILE] [--whole PATH] [--json]
                                         [--quality-only | --walk-only]

NativeRAG, LightRAG, HippoRAG-2 and PIKE-RAG, those of them that there are, over one dense base that
needs no download (LSA of morphemes), beside that base and beside the recommended method. No model
is asked: what a model would read out of each article is read by rule (``reader: stand_in``), the
keywords of a question are its terms, all facts are kept. So this says what these methods do with
that, and nothing of what they reach with a model. Gold is what the source's labels name, articles
alone. Figures:

``articles``, ``questions``  what is searched, and the questions that have gold in it
``recall_at_10[<method>]``   mean share of a question's gold among the first ten, with its 95 %
                             bootstrap over questions
``gain[<method> over lsa]``  the mean paired difference from the dense base, with its interval
``gain[<method> over best]`` the same from the recommended method, `best`
``holm_p[…]``                p of both by the paired randomisation test, all Holm-corrected together
``fit_seconds[<method>]``    fitting it, its base ready; reading by rule included
``query_ms[<method>]``       mean time of a question, asked alone

and those of PageRank over PATH, a tree or an archive of statutes (DIR where there is none). Every
unit is a node, and each pair of units with a citation between them an edge, walked both ways. The
walker is put back as HippoRAG-2 puts it back: to `SEEDS` units drawn at random with a weight of 1,
and to every unit with a weight of .05 times a score drawn from 0 to 1; damping is ½:

``ppr_units``, ``ppr_pairs``  units and pairs of units with a citation between them
``ppr_ms``             the median time of one query, of `QUERIES`, in milliseconds
``ppr_p95_ms``         the 95th percentile of the same
``ppr_cpu_ms``         the median of the processor's time for it, which others on the machine do not
                       lengthen by as much
``ppr_max_error``      the greatest difference of any unit's rank from what networkx finds, over
                       `CHECKED` queries on a part of the graph of `PART` units: those met first on
                       a walk in rings around the unit with the most citations
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "articles questions recall_at_10[*] gain[*] holm_p[*] fit_seconds[*] query_ms[*] "
    "ppr_units ppr_pairs ppr_ms ppr_p95_ms ppr_cpu_ms ppr_max_error",
)
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law/fire-safety/kr")
PARSER.add_argument("--questions", type=Path, default=SHARED / "searchfiresafety/qna.jsonl")
PARSER.add_argument("--whole", type=Path, help="tree or archive over which PageRank is measured")
only = PARSER.add_mutually_exclusive_group()
only.add_argument("--quality-only", action="store_true", help="leave PageRank out")
only.add_argument("--walk-only", action="store_true", help="PageRank alone")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.program import need, run
from benchmarks.retrieval_quality import (
    BEST,
    DENSE_BASE,
    MEASURED,
    Asked,
    Shelf,
    corpus_of,
    query_ms,
    recall_of,
    recall_scores,
    resources_of,
    whole_law,
)
from corpus.importers.legalize_kr import read_tree
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.compare import Scores, compare_each
from retrieval.baselines.pagerank import Transitions
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Spec
from retrieval.core.registry import METHODS
from retrieval.graph.citation_graph import CitationGraph, Positions, kept_links

_BASE = MEASURED[DENSE_BASE]
_ALL: Mapping[str, Mapping[str, Any]] = {
    "nativerag": {"method": "nativerag"},
    "lightrag_local": {"method": "lightrag", "mode": "local"},
    "lightrag_global": {"method": "lightrag", "mode": "global"},
    "lightrag_hybrid": {"method": "lightrag", "mode": "hybrid"},
    "lightrag": {"method": "lightrag", "mode": "mix"},
    "hipporag2": {"method": "hipporag2"},
    "hipporag2_ascii": {"method": "hipporag2", "ascii_only": True},
    "pikerag": {"method": "pikerag"},
}


def compared() -> dict[str, dict[str, Any]]:
    """Return the methods that are compared, by name: the dense base and the recommended one last.

    Those that are not in the registry are left out.
    """
    graph = {
        name: {**spec, "base": _BASE} for name, spec in _ALL.items() if spec["method"] in METHODS
    }
    return graph | {DENSE_BASE: dict(_BASE), BEST: dict(MEASURED[BEST])}


def quality(
    corpus: Corpus,
    questions: Sequence[Asked],
    resources: Resources,
    methods: Mapping[str, Spec] | None = None,
) -> list[Figure]:
    """Return the figures of `methods` on `corpus`; the dense base and `best` are among them."""
    methods = compared() if methods is None else methods
    shelf = Shelf(resources)
    scores: dict[str, Scores] = {}
    costs: list[Figure] = []
    for name, spec in methods.items():
        method = shelf.ready(spec, corpus)
        scores[name] = recall_scores(method, questions)
        seconds = shelf.seconds[method.content]
        costs.append(Figure(f"fit_seconds[{name}]", seconds, len(corpus)))
        costs.append(Figure(f"query_ms[{name}]", query_ms(method, questions), len(questions)))
    found = [
        mean_figure(f"recall_at_10[{name}]", list(each.values())) for name, each in scores.items()
    ]
    return [*found, *_tests(scores), *costs]


def _tests(scores: Mapping[str, Scores]) -> list[Figure]:
    gains: list[Figure] = []
    tests: list[Figure] = []
    (told,) = compare_each([(scores, [DENSE_BASE, BEST])])
    for base, others in told.items():
        for name, each in others.items():
            if {name, base} == {DENSE_BASE, BEST} and base == BEST:
                continue  # the same pair the other way round
            gains.append(replace(each.difference, name=f"gain[{name} over {base}]"))
            tests.append(Figure(f"holm_p[{name} over {base}]", each.p_holm, each.n))
    return [*gains, *tests]


def figures_of(options: argparse.Namespace, folder: Path) -> list[Figure]:
    """Return how often gold is found, and what walks cost."""
    need(options, "statutes", "questions", "whole")
    found: list[Figure] = []
    if not options.walk_only:
        found += recall_of(options.statutes, options.questions, folder, quality)
    if not options.quality_only:
        with whole_law(options) as folder_of_law:
            law = read_tree(folder_of_law)
        found += walk_figures(corpus_of(law), resources_of(law))
    return found


PART = 2_000
QUERIES, CHECKED = 50, 5
SEEDS, PASSAGE_WEIGHT, DAMPING = 5, 0.05, 0.5
_SEED = 20


def walk_figures(corpus: Corpus, resources: Resources) -> list[Figure]:
    """Return the figures of the citation graph of `corpus`, which `resources` have."""
    links = kept_links(corpus, resources)
    if links is None:
        raise TypeError("there is no citation graph")
    graph = CitationGraph(links.sources, links.targets, len(corpus), undirected=True)
    walk = _walk(graph.sources, graph.targets, len(corpus))
    times, busy = _times(walk)
    part = around(graph, PART)
    errors = [abs(ours - theirs).max() for ours, theirs in _both(graph, part)]
    median, high = np.quantile(times, (0.5, 0.95)).tolist()
    return [
        Figure("ppr_units", len(corpus), len(corpus)),
        Figure("ppr_pairs", len(graph) / 2, len(corpus)),
        Figure("ppr_ms", median, len(times)),
        Figure("ppr_p95_ms", high, len(times)),
        Figure("ppr_cpu_ms", float(np.median(busy)), len(busy)),
        Figure("ppr_max_error", float(max(errors)), len(part)),
    ]


def around(graph: CitationGraph, units: int) -> Positions:
    """Return so many units, ascending: rings around the one with the most neighbours, then any."""
    found = np.zeros(len(graph.out.degrees), dtype=bool)
    ring = np.array([int(graph.out.degrees.argmax())])
    met: list[int] = []
    while len(ring) and len(met) < units:
        found[ring] = True
        met += ring.tolist()
        _, ends = graph.out.of(ring)
        ring = np.unique(ends[~found[ends]])
    rest = np.flatnonzero(~found)[: max(units - len(met), 0)].tolist()
    return np.sort(np.array((met + rest)[:units], dtype=np.int64))


def reset(nodes: int, drawn: np.random.Generator) -> NDArray[np.float64]:
    """Return where the walker is put back to for one query."""
    found = PASSAGE_WEIGHT * drawn.uniform(size=nodes)
    found[drawn.integers(0, nodes, SEEDS)] += 1.0
    return found


def _walk(sources: Positions, targets: Positions, nodes: int) -> Transitions:
    once = sources < targets  # each pair stands there both ways
    return Transitions.undirected(sources[once], targets[once], np.ones(once.sum()), nodes)


def _times(walk: Transitions) -> tuple[list[float], list[float]]:
    """Return milliseconds of each query, by the clock and of the processor."""
    drawn = np.random.default_rng(_SEED)
    walk.pagerank(reset(len(walk), drawn), DAMPING)  # the first one imports
    times, busy = [], []
    for _ in range(QUERIES):
        back = reset(len(walk), drawn)
        began, working = time.perf_counter(), time.thread_time()
        walk.pagerank(back, DAMPING)
        times.append(1_000 * (time.perf_counter() - began))
        busy.append(1_000 * (time.thread_time() - working))
    return times, busy


def _both(
    graph: CitationGraph, part: Positions
) -> Iterator[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Yield what is found and what networkx finds, for each query on the part of the graph."""
    import networkx as nx

    inside = np.isin(graph.sources, part) & np.isin(graph.targets, part)
    sources = np.searchsorted(part, graph.sources[inside])
    targets = np.searchsorted(part, graph.targets[inside])
    walk = _walk(sources, targets, len(part))
    theirs = nx.Graph()
    theirs.add_nodes_from(range(len(part)))
    theirs.add_edges_from(zip(sources.tolist(), targets.tolist(), strict=True))
    drawn = np.random.default_rng(_SEED)
    for _ in range(CHECKED):
        back = reset(len(part), drawn)
        kept = dict(enumerate(back.tolist()))
        ranks = nx.pagerank(theirs, alpha=DAMPING, personalization=kept, tol=1e-13, max_iter=1_000)
        yield walk.pagerank(back, DAMPING), np.array([ranks[at] for at in range(len(part))])


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
