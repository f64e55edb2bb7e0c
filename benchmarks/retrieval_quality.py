"""How often methods find the gold articles of real questions, with intervals and paired tests.

The corpus follows the product's rule: articles, sections and annexes that are not deleted, read
from files, no database between. `MEASURED` are all methods that run without a download; `VARIANTS`
are other ways to put the recommended method together, each tested against it: they have its parts
and weights but for what their names say. Figures:

``recall_at_10[<method>]``  mean share of a question's gold articles among the first ten, with n
                            (questions) and a 95 % percentile bootstrap; ``best`` is the
                            recommended method
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
``gain[<variant>]``, ``holm_p[<variant>]``
                            the mean paired difference of a variant to the recommended method, with
                            its interval, and p of the paired randomisation test, Holm-corrected
                            over the variants

Gold is what the source's labels name, articles alone; questions without a gold article in the
corpus are left out. Nothing of an answer is read.
"""

from __future__ import annotations

import json
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from benchmarks.corpus import unpacked
from benchmarks.program import SHARED, UnmeasurableError
from corpus.importers.legalize_kr import read_tree
from corpus.model import RETRIEVED_LEVELS, Level, Statute
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.compare import Comparison, Scores, best_of, compare, worst_of
from evaluation.ranking.scoring import Measure, evaluate
from evaluation.significance import holm
from library.law import Law, load_questions
from retrieval.core.method import Method, Resources
from retrieval.core.model import Corpus, Query, Run, Spec, specs_within
from retrieval.core.presets import RECOMMENDED
from retrieval.core.registry import complete, is_simple, method_class, part_specs

RECALL = Measure("Recall", 10)
DEPTH = 10


_BIGRAM: dict[str, Any] = {"method": "bm25"}
_MORPHEMES: dict[str, Any] = {"method": "bm25", "tokeniser": "morphemes"}
_LSA: dict[str, Any] = {"method": "lsa", "tokeniser": "morphemes"}
_BOTH = [_MORPHEMES, _LSA]

DENSE_BASE, OVER_DENSE = "lsa", "sar"
BEST = "best"

MEASURED: Mapping[str, dict[str, Any]] = {
    "bm25_whitespace": {"method": "bm25", "tokeniser": "whitespace"},
    "bm25_bigram": _BIGRAM,
    "bm25_char3": {"method": "bm25", "tokeniser": "char3"},
    "bm25_jamo3": {"method": "bm25", "tokeniser": "jamo3"},
    "bm25_morphemes": _MORPHEMES,
    "bm25_fields": {"method": "bm25", "fields": "bm25f", "path_weight": 1.0, "b": 0.4},
    "tfidf": {"method": "tfidf"},
    "keller": {"method": "keller"},
    "cited_as": {"method": "cited_as"},
    "headings": {"method": "headings"},
    "lsa_bigram": {"method": "lsa"},
    DENSE_BASE: _LSA,
    "rocchio": {"method": "rocchio", "base": _LSA},
    OVER_DENSE: {
        "method": "sar",
        "base": _LSA,
        "K": 100,
        "beta": 0.2,
        "pool": 200,
        "scale": "minmax",
    },
    "rrf": {"method": "rrf", "of": _BOTH},
    "wrrf": {"method": "wrrf", "of": _BOTH},
    "rrm": {"method": "rrm", "of": _BOTH},
    "minmax": {"method": "minmax", "of": _BOTH},
    BEST: RECOMMENDED,
}


_PARTS: Sequence[Spec] = RECOMMENDED["of"]
_BIGRAMS, _CITED_AS, _HEADINGS, _OWN_LSA, _FAMILY = (_PARTS[at] for at in (0, 2, 4, 5, 6))


def instead(old: Spec, new: Spec) -> Spec:
    """Return the recommended method with `new` in the place of its part `old`."""
    return {**RECOMMENDED, "of": [new if part is old else part for part in _PARTS]}


VARIANTS: Mapping[str, Spec] = {
    "rrf": {"method": "rrf", "of": _PARTS},
    "minmax": {"method": "minmax", "of": _PARTS},
    "sar_on_top": {"method": "sar", "base": RECOMMENDED},
    "bm25f_for_bigrams": instead(_BIGRAMS, {**_BIGRAMS, "fields": "bm25f", "path_weight": 1.0}),
    "sentences_for_bigrams": instead(_BIGRAMS, {"method": "keller"}),
    "cited_as_by_morphemes": instead(_CITED_AS, {**_CITED_AS, "tokeniser": "morphemes"}),
    "cited_as_80_characters": instead(_CITED_AS, {**_CITED_AS, "after": 80}),
    "headings_by_morphemes": instead(_HEADINGS, {**_HEADINGS, "tokeniser": "morphemes"}),
    "rocchio_for_lsa": instead(_OWN_LSA, {"method": "rocchio", "base": _OWN_LSA}),
    "family_by_morphemes": instead(_FAMILY, {**_FAMILY, "tokeniser": "morphemes"}),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question with the units that answer it, ascending."""

    query: Query
    gold: tuple[str, ...]


Quality = Callable[[Corpus, Sequence[Asked], Resources], list[Figure]]


def corpus_of(statutes: Sequence[Statute], levels: Collection[Level] = RETRIEVED_LEVELS) -> Corpus:
    """Return what is searched of the statutes: their units of these levels."""
    return Law(statutes, levels).corpus


def resources_of(statutes: Sequence[Statute], folder: Path | None = None) -> Resources:
    """Return what methods may use beyond the texts: the graph, built when first asked for."""
    return Law(statutes, cache=folder).resources


def asked_of(questions: Path, statutes: Sequence[Statute], corpus: Corpus) -> list[Asked]:
    """Return the questions of a file that have at least one gold unit in the corpus, in its order.

    Raises UserError for a file that cannot be read.
    """
    read = load_questions(questions)
    labelled = Law(statutes).gold(read)
    found = []
    for question in read:
        units = labelled[question.external_id]
        gold = tuple(sorted(unit for unit in units if unit in corpus.positions))
        if gold:
            found.append(Asked(Query(question.external_id, question.text), gold))
    return found


def read_law(
    statutes: Path, questions: Path, folder: Path
) -> tuple[Corpus, list[Asked], Resources]:
    """Return the articles below `statutes`, the questions with gold there, and what methods use.

    `folder` takes and gives words and indexes. Raises UserError for files that cannot be read,
    UnmeasurableError where no question has gold.
    """
    law = read_tree(statutes)
    corpus = corpus_of(law, [Level.ARTICLE])
    asked = asked_of(questions, law, corpus)
    if not asked:
        raise UnmeasurableError(f"{questions}: no question has a gold article below {statutes}")
    return corpus, asked, resources_of(law, folder)


def recall_of(statutes: Path, questions: Path, folder: Path, quality: Quality) -> list[Figure]:
    """Measure `quality` on the law below `statutes`, which `read_law` reads."""
    corpus, asked, resources = read_law(statutes, questions, folder)
    return [
        Figure("articles", len(corpus), len(corpus)),
        Figure("questions", len(asked), len(asked)),
        *quality(corpus, asked, resources),
    ]


def whole_law(options: Namespace) -> AbstractContextManager[Path]:
    """Return the law that times are measured on: ``--whole``, all of Korea, or ``--statutes``."""
    archive = SHARED / "korean-law-all.tar.xz"
    return unpacked(options.whole or (archive if archive.exists() else options.statutes))


def query_ms(method: Method, questions: Sequence[Asked]) -> float:
    """Return the mean milliseconds of a question, each asked alone."""
    began = time.perf_counter()
    for each in questions:
        method.search([each.query], DEPTH)
    return 1_000 * (time.perf_counter() - began) / max(len(questions), 1)


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
    found = Counter(_named(each) for spec in specs for each in specs_within(complete(spec)))
    return {name for name, times in found.items() if times > 1}


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
    fitting = sum(shelf.seconds[each.content] for each in (method, *method.parts))
    return [
        Figure("best_fit_seconds", fitting, len(method.corpus)),
        Figure("best_query_ms", query_ms(method, questions), len(questions)),
    ]


def variant_figures(
    corpus: Corpus,
    questions: Sequence[Asked],
    resources: Resources,
    variants: Mapping[str, Spec] = VARIANTS,
    best: Spec = RECOMMENDED,
) -> list[Figure]:
    """Return the figures of `variants`, and of `best` that they are tested against."""
    specs = {BEST: best, **variants}
    shelf = Shelf(resources, used_again(specs.values()))
    scores: dict[str, Scores] = {
        name: recall_scores(shelf.ready(spec, corpus), questions) for name, spec in specs.items()
    }
    tested = compare(scores, BEST)
    return [
        *(mean_figure(f"recall_at_10[{name}]", list(row.values())) for name, row in scores.items()),
        *(replace(each.difference, name=f"gain[{name}]") for name, each in tested.items()),
        *(Figure(f"holm_p[{name}]", each.p_holm, each.n) for name, each in tested.items()),
    ]
