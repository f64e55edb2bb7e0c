"""Other ways to put the recommended method together, each tested against it on real questions.

A variant has the recommended parts and weights but for what its name says. Figures:

``recall_at_10[best]``       the recommended method
``recall_at_10[<variant>]``  mean share of a question's gold articles among the first ten, with n
                             (questions) and a 95 % percentile bootstrap
``gain[<variant>]``          the mean paired difference to the recommended method, with its interval
``holm_p[<variant>]``        p of the paired randomisation test, Holm-corrected over the variants
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from benchmarks.retrieval_law import Asked
from benchmarks.retrieval_methods import BEST
from benchmarks.retrieval_quality import Shelf, recall_scores, used_again
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.compare import Comparison, Scores, compare
from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Spec
from retrieval.core.presets import RECOMMENDED

_PARTS: Sequence[Spec] = RECOMMENDED["of"]
_BIGRAMS, _CITED_AS, _HEADINGS, _LSA, _FAMILY = (_PARTS[at] for at in (0, 2, 4, 5, 6))


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
    "rocchio_for_lsa": instead(_LSA, {"method": "rocchio", "base": _LSA}),
    "family_by_morphemes": instead(_FAMILY, {**_FAMILY, "tokeniser": "morphemes"}),
}


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
        *(_gain(name, each) for name, each in tested.items()),
        *(Figure(f"holm_p[{name}]", each.p_holm, each.n) for name, each in tested.items()),
    ]


def _gain(name: str, compared: Comparison) -> Figure:
    found = compared.difference
    return Figure(f"gain[{name}]", found.value, found.n, found.low, found.high)
