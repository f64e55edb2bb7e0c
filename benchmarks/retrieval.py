"""Retrieval on real law and real questions: how well, how fast, beside peers in the same run.

    python benchmarks/retrieval.py [--statutes DIR] [--questions FILE] [--json]
                                   [--quality-only | --speed-only]

DIR is a tree of legalize-kr, of any size: the fire-safety statutes, or the whole of Korean law.
What is searched are its articles that are not deleted. `retrieval_quality`, `retrieval_bm25`,
`retrieval_fusion` and `retrieval_metrics` say what each figure is.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.figures import print_figures  # noqa: E402
from benchmarks.retrieval_bm25 import bm25_figures  # noqa: E402
from benchmarks.retrieval_fusion import fusion_figures  # noqa: E402
from benchmarks.retrieval_law import Asked, asked_of, corpus_of, resources_of  # noqa: E402
from benchmarks.retrieval_metrics import metrics_time_ratio  # noqa: E402
from benchmarks.retrieval_quality import Shelf, quality_figures  # noqa: E402
from corpus.importers.legalize_kr import read_tree  # noqa: E402
from corpus.model import Level  # noqa: E402
from evaluation.figure import Figure  # noqa: E402
from retrieval.method import Dense, Resources  # noqa: E402
from retrieval.model import Corpus  # noqa: E402


def figures_of(
    statutes: Path, questions: Path, folder: Path, quality: bool = True, speed: bool = True
) -> list[Figure]:
    """Measure on the law below `statutes`; `folder` is empty and takes words and indexes.

    Raises UserError for files that cannot be read.
    """
    law = read_tree(statutes)
    corpus = corpus_of(law, [Level.ARTICLE])
    asked = asked_of(questions, law, corpus)
    resources = resources_of(law, folder)
    found = [Figure("articles", len(corpus), len(law)), Figure("questions", len(asked), len(asked))]
    if speed:
        found += _speed(corpus, asked, resources, folder)
    if quality:
        found += quality_figures(corpus, asked, resources)
    return found


def _speed(
    corpus: Corpus, asked: Sequence[Asked], resources: Resources, folder: Path
) -> list[Figure]:
    queries = [each.query for each in asked]
    shelf = Shelf(resources)
    found = bm25_figures(corpus, queries, folder)
    lexical, dense = (shelf.ready({"method": name}, corpus) for name in ("bm25", "lsa"))
    if not isinstance(dense, Dense):
        raise TypeError("latent semantic analysis is dense")
    return [
        *found,
        *fusion_figures(dense, lexical, resources, queries),
        metrics_time_ratio(),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the benchmark and print its figures."""
    shared = Path(os.environ.get("TOUCHSTONE_SHARED", ROOT.parent / "shared")) / "data"
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--statutes", type=Path, default=shared / "korean-law/fire-safety/kr")
    parser.add_argument("--questions", type=Path, default=shared / "searchfiresafety/qna.jsonl")
    parser.add_argument("--json", action="store_true", help="print one JSON object only")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--quality-only", action="store_true", help="leave the times out")
    only.add_argument("--speed-only", action="store_true", help="leave recall and tests out")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        found = figures_of(
            options.statutes,
            options.questions,
            Path(place),
            quality=not options.speed_only,
            speed=not options.quality_only,
        )
    print_figures(found, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
