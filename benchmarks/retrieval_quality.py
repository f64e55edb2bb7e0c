"""How often methods find the gold articles of real questions, with intervals and paired tests.

Figures:

``recall_at_10[<method>]``  mean share of a question's gold articles among the first ten, with n
                            (questions) and a 95 % percentile bootstrap; `retrieval_methods` has
                            the methods, ``best`` is the recommended one
``holm_p[<method> over <simple>]``
                            p of the paired randomisation test against the strongest and against
                            the weakest simple baseline measured (`retrieval.core.registry.SIMPLE`),
                            all Holm-corrected together; n is the number of pairs
``gain[<method> over <simple>]``
                            the mean paired difference from the strongest one
``holm_p[sar over lsa]``    the same of citation reranking against its own dense base, corrected
                            together with those
``best_fit_seconds``, ``best_query_ms``   fitting the recommended method, all its parts, and
                            answering a question with it

Gold is what the source's labels name, articles alone; questions without a gold article in the
corpus are left out. Nothing of an answer is read.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from benchmarks.retrieval_law import Asked
from benchmarks.retrieval_methods import BEST, DENSE_BASE, MEASURED, OVER_DENSE
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.compare import Comparison, Scores, best_of, compare, worst_of
from evaluation.ranking.scoring import Measure, evaluate
from evaluation.significance import holm
from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Run, Spec
from retrieval.core.registry import complete, is_simple, method_class, part_specs

RECALL = Measure("Recall", 10)
DEPTH = 10


@dataclass
class Shelf:
    """Fitted methods by content, so that a part that several methods have is fitted once.

    `kept` names those that stay in memory (all where it is None), as `used_again` does.
    """

    resources: Resources
    kept: Collection[str] | None = None
    fitted: dict[str, Method] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)

    def ready(self, spec: Spec, corpus: Corpus) -> Method:
        """Return the method that `spec` describes, fitted to `corpus`."""
        full = complete(spec)
        kind = method_class(full["method"])
        within = kind.part_corpus(full, corpus)
        parts = [self.ready(each, within) for each in part_specs(full)]
        method = kind(full, parts, self.resources)
        content = method.content_for(corpus)
        if content in self.fitted:
            return self.fitted[content]
        began = time.perf_counter()
        method.fit(corpus)
        self.seconds[content] = time.perf_counter() - began
        if self.kept is None or _named(full) in self.kept:
            self.fitted[content] = method
        return method


def used_again(specs: Iterable[Spec]) -> set[str]:
    """Return the names of the methods that stand more than once in `specs` and their parts."""
    found = Counter(name for spec in specs for name in _all_named(complete(spec)))
    return {name for name, times in found.items() if times > 1}


def _all_named(full: Spec) -> Iterator[str]:
    yield _named(full)
    for part in part_specs(full):
        yield from _all_named(part)


def _named(full: Spec) -> str:
    return json.dumps(full, sort_keys=True)


def quality_figures(
    corpus: Corpus,
    questions: Sequence[Asked],
    resources: Resources,
    methods: Mapping[str, Spec] = MEASURED,
) -> list[Figure]:
    """Return the figures of `methods` on `corpus`."""
    shelf = Shelf(resources, used_again(methods.values()))
    scores: dict[str, Scores] = {}
    times: list[Figure] = []
    for name, spec in methods.items():
        method = shelf.ready(spec, corpus)
        scores[name] = recall_scores(method, questions)
        if name == BEST:
            times = _times(method, shelf, questions)
    found = [
        mean_figure(f"recall_at_10[{name}]", list(values.values()))
        for name, values in scores.items()
    ]
    return [*found, *_tests(scores, methods), *times]


def recall_scores(method: Method, questions: Sequence[Asked]) -> Scores:
    """Return Recall@10 of each question."""
    run: Run = method.search([each.query for each in questions], DEPTH)
    ranked = {query: [hit.unit_id for hit in hits] for query, hits in run.items()}
    qrels = {each.query.id: dict.fromkeys(each.gold, 1) for each in questions}
    table = evaluate(ranked, qrels, [RECALL]).table
    return {query: row[repr(RECALL)] for query, row in table.items()}


def _tests(scores: Mapping[str, Scores], methods: Mapping[str, Spec]) -> list[Figure]:
    """Return the corrected p of every method against both simple baselines, and of SAR's base."""
    simple = {name: each for name, each in scores.items() if is_simple(methods[name])}
    strongest, weakest = best_of(simple), worst_of(simple)
    tested: dict[str, Comparison] = {}
    for base in dict.fromkeys(name for name in (strongest, weakest) if name is not None):
        # Of the two baselines one pair is tested, the strongest over the weakest.
        others = {
            name: each for name, each in scores.items() if (name, base) != (weakest, strongest)
        }
        tested |= {f"{name} over {base}": each for name, each in compare(others, base).items()}
    gains = [
        replace(each.difference, name=f"gain[{name}]")
        for name, each in tested.items()
        if name.endswith(f" over {strongest}")
    ]
    if {DENSE_BASE, OVER_DENSE} <= set(scores):
        pair = {name: scores[name] for name in (DENSE_BASE, OVER_DENSE)}
        tested[f"{OVER_DENSE} over {DENSE_BASE}"] = compare(pair, DENSE_BASE)[OVER_DENSE]
    corrected = holm([each.p for each in tested.values()])
    tests = [
        Figure(f"holm_p[{name}]", p, each.n)
        for (name, each), p in zip(tested.items(), corrected, strict=True)
    ]
    return [*tests, *gains]


def _times(method: Method, shelf: Shelf, questions: Sequence[Asked]) -> list[Figure]:
    began = time.perf_counter()
    for each in questions:
        method.search([each.query], DEPTH)
    milliseconds = 1_000 * (time.perf_counter() - began) / max(len(questions), 1)
    fitting = sum(shelf.seconds[each.content] for each in (method, *method.parts))
    return [
        Figure("best_fit_seconds", fitting, len(method.corpus)),
        Figure("best_query_ms", milliseconds, len(questions)),
    ]
