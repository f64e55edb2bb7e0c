"""Graph baselines on real law and real questions, read by rule, and PageRank over a country's law.

    python benchmarks/graph_baselines.py [--statutes DIR] [--questions FILE] [--whole PATH] [--json]
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

and those of PageRank over PATH, a tree or an archive of statutes (DIR where there is none), which
benchmarks/graph_walk.py tells: ``ppr_ms``, ``ppr_max_error`` and beside them.
"""

from __future__ import annotations

import sys
from pathlib import Path

if not __package__:  # run as a script: the root comes first, and this folder goes
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

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
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from benchmarks.corpus import unpacked
from benchmarks.figures import UnmeasurableError, need, run
from benchmarks.graph_walk import walk_figures
from benchmarks.retrieval_law import Asked, asked_of, corpus_of, resources_of
from benchmarks.retrieval_methods import BEST, DENSE_BASE, MEASURED
from benchmarks.retrieval_quality import DEPTH, Shelf, recall_scores
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.compare import Scores, compare_each
from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Spec
from retrieval.core.registry import METHODS

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
    corpus: Corpus, questions: Sequence[Asked], resources: Resources, methods: Mapping[str, Spec]
) -> list[Figure]:
    """Return the figures of `methods` on `corpus`; the dense base and `best` are among them."""
    shelf = Shelf(resources)
    scores: dict[str, Scores] = {}
    costs: list[Figure] = []
    for name, spec in methods.items():
        method = shelf.ready(spec, corpus)
        scores[name] = recall_scores(method, questions)
        seconds = shelf.seconds[method.content]
        costs.append(Figure(f"fit_seconds[{name}]", seconds, len(corpus)))
        costs.append(Figure(f"query_ms[{name}]", _query_ms(method, questions), len(questions)))
    found = [
        mean_figure(f"recall_at_10[{name}]", list(each.values())) for name, each in scores.items()
    ]
    return [*found, *_tests(scores), *costs]


def _query_ms(method: Method, questions: Sequence[Asked]) -> float:
    began = time.perf_counter()
    for each in questions:
        method.search([each.query], DEPTH)
    return 1_000 * (time.perf_counter() - began) / len(questions)


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
        found += _recall(options.statutes, options.questions, folder)
    if not options.quality_only:
        archive = SHARED / "korean-law-all.tar.xz"
        whole = options.whole or (archive if archive.exists() else options.statutes)
        with unpacked(whole) as folder_of_law:
            law = read_tree(folder_of_law)
        found += walk_figures(corpus_of(law), resources_of(law))
    return found


def _recall(statutes: Path, questions: Path, folder: Path) -> list[Figure]:
    law = read_tree(statutes)
    corpus = corpus_of(law, [Level.ARTICLE])
    asked = asked_of(questions, law, corpus)
    if not asked:
        raise UnmeasurableError(f"{questions}: no question has a gold article below {statutes}")
    return [
        Figure("articles", len(corpus), len(corpus)),
        Figure("questions", len(asked), len(asked)),
        *quality(corpus, asked, resources_of(law, folder), compared()),
    ]


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
