"""Retrieval on real law and real questions: how well, how fast, beside peers in the same run.

    python -m benchmarks.retrieval [--statutes DIR] [--questions FILE] [--whole PATH] [--json]
                                   [--quality-only | --speed-only | --cross-validate | --variants]

DIR is a tree of legalize-kr, of any size: the fire-safety statutes, or the whole of Korean law.
Recall is measured on it. Times are measured on the whole law: PATH, a tree or an archive of it;
where there is none, on DIR (``speed_articles`` says how many articles that were). What is searched
are the articles that are not deleted. With ``--cross-validate`` only what the recommended method
reaches on questions that did not choose its weights, without each of its parts, and with what it
learns from the gold of other questions, beside the ceilings of both; with
``--variants`` only other ways to put it together. `retrieval_quality`,
`retrieval_cross_validation`, `retrieval_gold` and `retrieval_speed` say what each figure is.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "articles questions recall_at_10[*] holm_p[*] gain[*] best_fit_seconds best_query_ms "
    "ceiling_at_100[*] random_weights_deviation *_lowest *_highest cross_validation_* "
    "speed_articles bm25_* sar_ms* rocchio_ms* fusion_ms* metrics_time_ratio",
)
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law/fire-safety/kr")
PARSER.add_argument("--questions", type=Path, default=SHARED / "searchfiresafety/qna.jsonl")
PARSER.add_argument("--whole", type=Path, help="tree or archive on which times are measured")
only = PARSER.add_mutually_exclusive_group()
only.add_argument("--quality-only", action="store_true", help="leave the times out")
only.add_argument("--speed-only", action="store_true", help="leave recall and tests out")
only.add_argument("--cross-validate", action="store_true", help="the recommended method alone")
only.add_argument("--variants", action="store_true", help="other ways to build it alone")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import argparse
from collections.abc import Sequence

from benchmarks.corpus import unpacked
from benchmarks.program import need, run
from benchmarks.retrieval_cross_validation import cross_validation_figures
from benchmarks.retrieval_gold import gold_figures
from benchmarks.retrieval_quality import (
    Asked,
    Quality,
    Shelf,
    quality_figures,
    read_law,
    recall_of,
    variant_figures,
    whole_law,
)
from benchmarks.retrieval_speed import bm25_figures, fusion_figures, metrics_time_ratio
from evaluation.figure import Figure
from retrieval.core.method import Dense, Resources
from retrieval.core.model import Corpus


def times_of(statutes: Path, questions: Path, folder: Path) -> list[Figure]:
    """Measure times on the law below `statutes`; `folder` is empty."""
    corpus, asked, resources = read_law(statutes, questions, folder)
    queries = [each.query for each in asked]
    shelf = Shelf(resources)
    found = bm25_figures(corpus, queries, folder)
    lexical, dense = (shelf.ready({"method": name}, corpus) for name in ("bm25", "lsa"))
    if not isinstance(dense, Dense):
        raise TypeError("latent semantic analysis is dense")
    return [
        Figure("speed_articles", len(corpus), len(corpus)),
        *found,
        *fusion_figures(dense, lexical, resources, queries),
        metrics_time_ratio(),
    ]


def figures_of(options: argparse.Namespace, folder: Path) -> list[Figure]:
    """Return times, then how often gold is found."""
    need(options, "statutes", "questions", "whole")
    found: list[Figure] = []  # times come first: cutting is timed before any word is known
    if not (options.quality_only or options.cross_validate or options.variants):
        with whole_law(options) as law:
            found += times_of(law, options.questions, folder)
    if not options.speed_only:
        with unpacked(options.statutes) as law:
            found += recall_of(law, options.questions, folder, _quality(options))
    return found


def _cross_validated(
    corpus: Corpus, questions: Sequence[Asked], resources: Resources
) -> list[Figure]:
    _, *learnt = gold_figures(corpus, questions, resources)  # the first is the recommended one's
    return [*cross_validation_figures(corpus, questions, resources), *learnt]


def _quality(options: argparse.Namespace) -> Quality:
    if options.cross_validate:
        return _cross_validated
    return variant_figures if options.variants else quality_figures


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
