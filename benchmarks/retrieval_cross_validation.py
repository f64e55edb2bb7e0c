"""What the recommended method reaches on questions that did not choose it, and without each part.

The recommended method is a weighted sum, and its weights are what is chosen here, among `SETS` sets
of them drawn at random, the same whatever the law and the questions. The questions are divided into
`FOLDS` folds, `REPEATS` times; those of a fold are answered with the set that has the highest mean
Recall@10 on the other folds (of equals the one drawn first). This is done twice: with weights from
½ to 2 (log-uniform), so that every part counts; and with weights 0, ¼, ½, ¾ or 1, so that which
parts to leave out is chosen too. That much is inside the folds. Outside is the choice of what could
be a part, and of its own parameters (k1, b, tokenisers, which citations are read): it was made with
all the given questions in view.

Figures:

``recall_at_10[best]``              as the method is recommended
``recall_at_10[best_cross_validated]``  with weights from ½ to 2: the mean over repeats, question by
                                    question, with a 95 % percentile bootstrap over questions; n is
                                    their number
``recall_at_10[best_cross_validated_parts]``  the same with weights from 0 to 1
``…_lowest``, ``…_highest``         of either: the means of the repeats lie between these
``cross_validation_folds``, ``_repeats``, ``_weight_sets``   how many there were, of either
``recall_at_10[random_weights]``    the mean over the sets from ½ to 2, without choosing
``random_weights_deviation``        the standard deviation over these sets of their means
``recall_at_10[equal_weights]``     every part with the same weight
``recall_at_10[best_without_<part>]``  the recommended weights, that part left out, and
``gain[<part>]``, ``holm_p[<part>]``   what it adds: the mean paired difference, and p of the paired
                                    randomisation test, Holm-corrected over the parts
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.program import UnmeasurableError
from benchmarks.retrieval_quality import BEST, DEPTH, Asked, Shelf
from evaluation.figure import Figure, mean_figure
from evaluation.ranking.compare import Scores, compare
from retrieval.core.method import Resources, best_positions
from retrieval.core.model import Corpus, Spec
from retrieval.core.presets import RECOMMENDED
from retrieval.core.registry import part_specs
from retrieval.fusion.weighted import Weighted

FOLDS, REPEATS, SETS = 5, 10, 200
STEPS = 4  # weights that may be 0 are 0, 1/4, … 4/4
SEED = 0

Table = NDArray[np.float64]


def cross_validation_figures(
    corpus: Corpus, questions: Sequence[Asked], resources: Resources, spec: Spec = RECOMMENDED
) -> list[Figure]:
    """Return the figures of the weighted sum `spec` on `corpus`.

    Raises UnmeasurableError for fewer than `FOLDS` questions.
    """
    questions = in_folds(questions)
    method = weighted_sum(corpus, resources, spec)
    names = part_names(part_specs(method.spec))
    given = np.array(method.spec["weights"] or [1.0] * len(names))
    tried = [
        weights_around_one(len(names)),
        weights_from_zero(len(names)),
        np.stack([given, np.ones(len(names))]),
        without_each(given),
    ]
    recall = recall_table(method, np.concatenate(tried), questions)
    around, from_zero, fixed, without = np.split(recall, np.cumsum(list(map(len, tried)))[:-1])
    return [
        mean_figure(f"recall_at_10[{BEST}]", fixed[0].tolist()),
        *_chosen("best_cross_validated", around),
        *_chosen("best_cross_validated_parts", from_zero),
        *_how_often(len(questions)),
        mean_figure("recall_at_10[random_weights]", around.mean(axis=0).tolist()),
        Figure("random_weights_deviation", float(around.mean(axis=1).std()), SETS),
        mean_figure("recall_at_10[equal_weights]", fixed[1].tolist()),
        *_parts(names, fixed[0], without),
    ]


def in_folds(questions: Sequence[Asked]) -> list[Asked]:
    """Return the questions in the order of every bootstrap here, if there are enough of them."""
    if len(questions) < FOLDS:
        raise UnmeasurableError(f"{len(questions)} questions cannot be divided into {FOLDS} folds")
    return sorted(questions, key=lambda each: each.query.id)


def weighted_sum(corpus: Corpus, resources: Resources, spec: Spec) -> Weighted:
    """Return the weighted sum of that spec, fitted. Raises TypeError for another method."""
    method = Shelf(resources).ready(spec, corpus)
    if not isinstance(method, Weighted):
        raise TypeError("only a weighted sum is measured here")
    return method


def weights_around_one(parts: int) -> Table:
    """Return `SETS` sets of weights for so many parts, each weight log-uniform from 1/2 to 2."""
    found: Table = 2 ** np.random.default_rng(SEED).uniform(-1, 1, size=(SETS, parts))
    return found


def weights_from_zero(parts: int) -> Table:
    """Return `SETS` sets of weights that are multiples of 1/4 up to 1, none of them all 0."""
    steps = np.random.default_rng(SEED).integers(0, STEPS + 1, size=(4 * SETS, parts))
    found: Table = steps[steps.any(axis=1)][:SETS] / STEPS
    return found


def without_each(weights: Table) -> Table:
    """Return `weights` as often as there are parts, each time with one of them at 0."""
    found: Table = weights * (1 - np.eye(len(weights)))
    return found


def recall_table(method: Weighted, weights: Table, questions: Sequence[Asked]) -> Table:
    """Return Recall@10 for each set of weights (row) and question (column)."""
    found = np.zeros((len(weights), len(questions)))
    for column, each in enumerate(questions):
        shares = method.shares(each.query)
        gold = [method.corpus.positions[unit] for unit in each.gold]
        for row, one in enumerate(weights):
            best = best_positions(method.summed(shares, one.tolist()), DEPTH)
            found[row, column] = np.isin(gold, best).mean()
    return found


def crossed(recall: Table, repeat: int) -> Table:
    """Return each question's recall with the set of weights chosen on the other folds."""
    questions = recall.shape[1]
    fold = np.random.default_rng(repeat).permutation(questions) % FOLDS
    found = np.zeros(questions)
    for each in range(FOLDS):
        held = fold == each
        chosen = recall[:, ~held].mean(axis=1).round(9).argmax()
        found[held] = recall[chosen, held]
    return found


def part_names(specs: Sequence[Spec]) -> list[str]:
    """Return what parts are called: the method, with tokeniser or place where several share it."""
    names = [str(each["method"]) for each in specs]
    return [
        f"{name}_{each.get('tokeniser', place)}" if names.count(name) > 1 else name
        for place, (name, each) in enumerate(zip(names, specs, strict=True), start=1)
    ]


def _chosen(name: str, recall: Table) -> list[Figure]:
    repeats = np.stack([crossed(recall, repeat) for repeat in range(REPEATS)])
    means, questions = repeats.mean(axis=1), repeats.shape[1]
    return [
        mean_figure(f"recall_at_10[{name}]", repeats.mean(axis=0).tolist()),
        Figure(f"{name}_lowest", float(means.min()), questions),
        Figure(f"{name}_highest", float(means.max()), questions),
    ]


def _how_often(questions: int) -> list[Figure]:
    return [
        Figure("cross_validation_folds", FOLDS, questions),
        Figure("cross_validation_repeats", REPEATS, questions),
        Figure("cross_validation_weight_sets", SETS, questions),
    ]


def _parts(names: Sequence[str], whole: Table, without: Table) -> list[Figure]:
    recall = [
        mean_figure(f"recall_at_10[{BEST}_without_{name}]", row.tolist())
        for name, row in zip(names, without, strict=True)
    ]
    gains = [
        mean_figure(f"gain[{name}]", (whole - row).tolist())
        for name, row in zip(names, without, strict=True)
    ]
    rows: dict[str, Scores] = {BEST: _by_question(whole)}
    rows |= {name: _by_question(row) for name, row in zip(names, without, strict=True)}
    tests = [
        Figure(f"holm_p[{name}]", each.p_holm, each.n) for name, each in compare(rows, BEST).items()
    ]
    return [*recall, *gains, *tests]


def _by_question(row: Table) -> Scores:
    return {str(at): float(value) for at, value in enumerate(row)}
