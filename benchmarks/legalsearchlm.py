"""How well a model that `legalsearchlm train` made retrieves, beside BM25, on the real questions.

    python -m benchmarks.legalsearchlm MODEL [--statutes DIR] [--questions FILE] [--json]

MODEL is its folder, DIR a tree of legalize-kr. What is searched are the articles that are not
deleted; gold is what the source's labels say, cut down to articles. Figures:

``questions``             questions with a gold article in the corpus
``recall_at_10[<method>]``, ``recall_at_100[<method>]``, ``p_at_5[<method>]``
                          means with a 95 % percentile bootstrap: the model, BM25, and ``hits at
                          random``, which ranks by a hash of question and article
``gain[legalsearchlm over <method>]``, ``p[legalsearchlm over <method>]``
                          the mean paired difference of Recall@10, and the p of the paired
                          randomisation test, Holm-corrected over both
``notes[<note>]``         what decoding came to, as the method counts it
``query_ms``              answering a question
``parameters``, ``training_steps``, ``training_minutes``, ``training_pairs``
                          what ``training.json`` of the model says
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import SHARED, program

PARSER = program(
    __doc__,
    "questions recall_at_10[*] recall_at_100[*] p_at_5[*] gain[*] p[*] notes[*] query_ms "
    "parameters training_steps training_minutes training_pairs",
)
PARSER.add_argument("model", type=Path, help="folder of a model")
PARSER.add_argument("--statutes", type=Path, default=SHARED / "korean-law/fire-safety/kr")
PARSER.add_argument("--questions", type=Path, default=SHARED / "searchfiresafety/qna.jsonl")
PARSER.add_argument("--beam", type=int, default=15, help="beams of decoding")
PARSER.add_argument("--length", type=int, default=10, help="tokens of an identifier")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below

import time
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from hashlib import sha256

from benchmarks.program import run
from benchmarks.retrieval_quality import Asked, asked_of, corpus_of, resources_of
from corpus.importers.legalize_kr import read_tree
from corpus.model import Level
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.compare import Scores, compare
from evaluation.ranking.scoring import Measure, evaluate
from evaluation.significance import holm
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Spec
from retrieval.core.registry import make
from retrieval.dense.model_files import trained_about
from services.generative.evaluation import METHOD, spec_of

DEPTH = 100
RANDOM, BM25 = "random", "bm25"
MEASURES = {
    "recall_at_10": Measure("Recall", 10),
    "recall_at_100": Measure("Recall", 100),
    "p_at_5": Measure("P", 5),
}


def figures(
    corpus: Corpus, questions: Sequence[Asked], runs: Mapping[str, Mapping[str, Sequence[str]]]
) -> Iterator[Figure]:
    """Yield what each run scores, and how far the model's is from the others."""
    qrels = {each.query.id: dict.fromkeys(each.gold, 1) for each in questions}
    first: dict[str, Scores] = {}
    for name, ranked in runs.items():
        table = evaluate(ranked, qrels, list(MEASURES.values())).table
        for said, measure in MEASURES.items():
            values = {query: row[repr(measure)] for query, row in table.items()}
            first.setdefault(name, values)
            yield mean_figure(f"{said}[{name}]", list(values.values()))
    pairs = {
        f"{METHOD} over {other}": compare({METHOD: first[METHOD], other: first[other]}, other)[
            METHOD
        ]
        for other in runs
        if other != METHOD
    }
    for name, each in pairs.items():
        yield replace(each.difference, name=f"gain[{name}]")
    corrected = holm([each.p for each in pairs.values()])
    for (name, each), p in zip(pairs.items(), corrected, strict=True):
        yield Figure(f"p[{name}]", p, each.n)


def at_random(corpus: Corpus, query: str) -> list[str]:
    """Return DEPTH articles in an order that nothing but a hash decides."""

    def place(unit: str) -> bytes:
        return sha256(f"{query}\0{unit}".encode()).digest()

    return sorted(corpus.ids, key=place)[:DEPTH]


def figures_of(options: Namespace, folder: Path) -> Iterator[Figure]:
    """Return the figures of the model, of BM25 and of chance."""
    statutes = read_tree(options.statutes)
    corpus = corpus_of(statutes, (Level.ARTICLE,))
    asked = asked_of(options.questions, statutes, corpus)
    return _measured(options, corpus, asked, resources_of(statutes, folder))


def _measured(
    options: Namespace, corpus: Corpus, questions: Sequence[Asked], using: Resources
) -> Iterator[Figure]:
    yield Figure("questions", len(questions), len(questions))
    specs: dict[str, Spec] = {
        METHOD: spec_of(options.model, beam=options.beam, length=options.length),
        BM25: {"method": BM25},
    }
    runs: dict[str, dict[str, list[str]]] = {}
    for name, spec in specs.items():
        method = make(spec, using)
        method.fit(corpus)
        began = time.perf_counter()
        found = method.search([each.query for each in questions], DEPTH)
        if name == METHOD:
            yield Figure(
                "query_ms", 1_000 * (time.perf_counter() - began) / len(questions), len(questions)
            )
            for note, count in sorted(method.notes.items()):
                yield Figure(f"notes[{note}]", count, len(questions))
        runs[name] = {query: [hit.unit_id for hit in hits] for query, hits in found.items()}
    runs[RANDOM] = {each.query.id: at_random(corpus, each.query.id) for each in questions}
    yield from figures(corpus, questions, runs)
    yield from _training(trained_about(options.model))


def _training(about: Mapping[str, object]) -> Iterator[Figure]:
    if not about:
        return
    steps, options = int(str(about["steps"])), about["options"]
    yield Figure("parameters", int(str(about["parameters"])), 1)
    yield Figure("training_steps", steps, 1)
    yield Figure("training_minutes", float(str(about["seconds"])) / 60, 1)
    batch = options["batch"] if isinstance(options, dict) else 0
    yield Figure("training_pairs", steps * batch, 1)


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
