"""What the preset `best` reaches, which learns from gold: each question from that of other ones.

It is the recommended method and three parts more, which read what is gold for other questions;
never for the question itself, nor for a near-duplicate of it. Recall@10, n the questions:

``recall_at_10[from_gold]``     as the preset is: each question from all the others
``recall_at_10[from_gold_cross_validated]``   of `FOLDS` folds, near-duplicates in one, each is
                                answered from the gold of the others alone, with the weights of the
                                three parts that are best there among `SETS` sets drawn at random,
                                from ½ to 2 times the preset's; the mean over `REPEATS` divisions
``…_lowest``, ``…_highest``     the means of the divisions lie between these
``gain[…]``                     of either: the mean paired difference to the recommended method
``recall_at_10[from_gold_other_provisions]``, ``[from_gold_other_families]``   learnt only from
                                questions that share no gold article, no family of statutes, with
                                the one that is asked: what is left of it on matters that are new
``ceiling_at_100[best]``, ``[from_gold]``, ``[parts_together]``   the mean share of gold among the
                                first hundred of the recommended method, of this one, and among
                                those of any part of the recommended one: no other order of these
                                would find more
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from benchmarks.retrieval_cross_validation import FOLDS, REPEATS, SEED, in_folds, weighted_sum
from benchmarks.retrieval_quality import BEST as RECOMMENDED_NAME
from benchmarks.retrieval_quality import DEPTH, Asked
from evaluation.figure import Figure, mean_figure
from retrieval.core.method import Resources, best_positions
from retrieval.core.model import Corpus, JudgedQuestion, Query, Spec
from retrieval.core.presets import BEST
from retrieval.fusion.weighted import Prior, Scores, Weighted
from retrieval.learned import FromGold
from retrieval.lexical.bm25_method import families_of

SETS = 50
CEILING = 100
NAME = "from_gold"

Table = NDArray[np.float64]
Others = NDArray[np.intp]


@dataclass(frozen=True)
class Asking:
    """A question with what the parts that do not learn say of the documents that could be found.

    `kept` are documents of the corpus, ascending; `asked` and `prior` what speaks for them.
    """

    query: Query
    gold: tuple[int, ...]
    kept: NDArray[np.intp]
    asked: Scores
    prior: Scores


def gold_figures(
    corpus: Corpus, questions: Sequence[Asked], resources: Resources, spec: Spec = BEST
) -> list[Figure]:
    """Return the figures of `spec`, a weighted sum of which some parts learn from gold.

    Raises UnmeasurableError for fewer questions than folds.
    """
    questions = in_folds(questions)
    judged = [JudgedQuestion(each.query.id, each.query.text, each.gold) for each in questions]
    method = weighted_sum(corpus, replace(resources, gold=lambda: judged), spec)
    asking, ceilings = _asking(method, questions)
    learning = Learning(method, asking)
    weights = learning.weights
    plain = learning.recall(0 * weights)
    rows = {
        NAME: learning.recall(weights),
        f"{NAME}_other_provisions": learning.recall(weights, _sharing(learning, _units)),
        f"{NAME}_other_families": learning.recall(weights, _sharing(learning, _families)),
    }
    divisions = np.stack([learning.crossed(repeat) for repeat in range(REPEATS)])
    rows[f"{NAME}_cross_validated"] = divisions.mean(axis=0)
    means, n = divisions.mean(axis=1), len(questions)
    return [
        mean_figure(f"recall_at_10[{RECOMMENDED_NAME}]", plain.tolist()),
        *(mean_figure(f"recall_at_10[{name}]", row.tolist()) for name, row in rows.items()),
        *(mean_figure(f"gain[{name}]", (row - plain).tolist()) for name, row in rows.items()),
        Figure(f"{NAME}_cross_validated_lowest", float(means.min()), n),
        Figure(f"{NAME}_cross_validated_highest", float(means.max()), n),
        *(mean_figure(f"ceiling_at_100[{name}]", row) for name, row in ceilings.items()),
    ]


def _asking(
    method: Weighted, questions: Sequence[Asked]
) -> tuple[list[Asking], dict[str, list[float]]]:
    """Return the questions with what may be found for them, and the three ceilings of each."""
    families = families_of(method.corpus.documents)
    every = sorted({method.corpus.positions[unit] for each in questions for unit in each.gold})
    weights = method.spec["weights"]
    usual = [at for at, part in enumerate(method.parts) if not isinstance(part, FromGold)]
    priors = [at for at in usual if isinstance(method.parts[at], Prior)]
    ceilings: dict[str, list[float]] = {RECOMMENDED_NAME: [], NAME: [], "parts_together": []}
    found = []
    for each in questions:
        shares = method.shares(each.query)
        gold = tuple(method.corpus.positions[unit] for unit in each.gold)
        prior = _summed(shares, weights, priors)
        spoken = _summed(shares, weights, [at for at in usual if at not in priors])
        total = np.where(spoken > 0, spoken + prior, 0.0)
        firsts = [best_positions(shares[at], CEILING) for at in usual]
        ceilings[RECOMMENDED_NAME].append(_share(gold, best_positions(total, CEILING)))
        whole = method.summed(shares, weights)
        ceilings[NAME].append(_share(gold, best_positions(whole, CEILING)))
        ceilings["parts_together"].append(_share(gold, np.concatenate(firsts)))
        kept = reachable(total, families, every)
        found.append(Asking(each.query, gold, kept, spoken[kept], prior[kept]))
    return found, ceilings


def reachable(total: Scores, families: NDArray[np.int64], gold: Sequence[int]) -> Others:
    """Return what can be among the first ten, whatever is learnt from `gold`, ascending.

    Votes and the prior of a unit fall on gold alone, and the prior of a family lifts all of it
    alike: so what is no gold itself must be among the first ten of its family, or of those
    documents of which no family has gold.
    """
    order = np.argsort(-total, kind="stable")
    lifted = np.where(np.isin(families, families[list(gold)]), families, -1)[order]
    firsts = [order[lifted == each][:DEPTH] for each in np.unique(lifted).tolist()]
    return np.unique(np.concatenate([*firsts, np.array(gold, dtype=np.intp)]))


class Learning:
    """The parts of a weighted sum that learn from gold, over what can be found of a corpus."""

    def __init__(self, method: Weighted, asking: Sequence[Asking]) -> None:
        """Take the fitted sum and its questions in the order of their ids."""
        whole = np.unique(np.concatenate([each.kept for each in asking]))
        documents = method.corpus.documents
        self._corpus = Corpus.of(documents[at] for at in whole.tolist())
        self._asking = asking
        self._kept = [np.searchsorted(whole, each.kept) for each in asking]
        self.gold = [np.searchsorted(whole, each.gold) for each in asking]
        self.families = families_of(self._corpus.documents)
        own = zip(method.parts, method.spec["weights"], strict=True)
        chosen = [(part, weight) for part, weight in own if isinstance(part, FromGold)]
        self._parts = [self._again(part) for part, _ in chosen]
        self.weights: Table = np.array([weight for _, weight in chosen])
        self.groups = self._parts[0].known.groups

    def _again(self, part: FromGold) -> FromGold:
        fresh = type(part)(part.spec, (), part.resources)
        fresh.fit(self._corpus)
        return fresh

    def recall(self, weights: Table, allowed: NDArray[np.bool_] | None = None) -> Table:
        """Return Recall@10 of each question; `allowed` says who may learn from whom, else anyone.

        Nobody learns from himself and from near-duplicates, whatever it says.
        """
        every = range(len(self._asking))
        free = np.ones((len(every), len(every)), dtype=bool) if allowed is None else allowed
        return np.array([self._recalls(at, weights[None], free[at])[0] for at in every])

    def crossed(self, repeat: int) -> Table:
        """Return each question's recall by gold and weights of the other folds of a division."""
        fold = folds(self.groups, repeat)
        found = np.zeros(len(fold))
        sets = self.weights * 2 ** np.random.default_rng(SEED).uniform(
            -1, 1, (SETS, len(self.weights))
        )
        for each in range(FOLDS):
            learnt = fold != each
            inner = [self._recalls(at, sets, learnt) for at in np.flatnonzero(learnt).tolist()]
            best = sets[np.mean(inner, axis=0).round(9).argmax()]
            for at in np.flatnonzero(~learnt).tolist():
                found[at] = self._recalls(at, best[None], learnt)[0]
        return found

    def _recalls(self, at: int, sets: Table, allowed: NDArray[np.bool_]) -> Table:
        """Return the recall of a question with each set of weights, learnt from who is allowed."""
        one, kept = self._asking[at], self._kept[at]
        others = self._parts[0].known.others(at)
        shares = [
            _of_best(part.scores_from(one.query.text, others[allowed[others]])[kept])
            for part in self._parts
        ]
        found = []
        for weights in sets:
            asked, prior = one.asked.copy(), one.prior.copy()
            for part, share, weight in zip(self._parts, shares, weights, strict=True):
                total = prior if isinstance(part, Prior) else asked
                total += weight * share
            best = best_positions(np.where(asked > 0, asked + prior, 0.0), DEPTH)
            found.append(_share(one.gold, one.kept[best]))
        return np.array(found)


def folds(groups: Others, repeat: int) -> Others:
    """Return the fold of each question, those of a group in one, by a division of that number."""
    drawn = np.random.default_rng(repeat).permutation(int(groups.max()) + 1) % FOLDS
    found: Others = drawn[groups]
    return found


def _sharing(learning: Learning, of: Callable[[Learning, int], set[int]]) -> NDArray[np.bool_]:
    """Return who has nothing of that in common with whom."""
    having = [of(learning, at) for at in range(len(learning.gold))]
    return np.array([[not mine & other for other in having] for mine in having])


def _units(learning: Learning, at: int) -> set[int]:
    return set(learning.gold[at].tolist())


def _families(learning: Learning, at: int) -> set[int]:
    return set(learning.families[learning.gold[at]].tolist())


def _summed(shares: Sequence[Scores], weights: Sequence[float], places: Iterable[int]) -> Scores:
    found: Scores = sum((weights[at] * shares[at] for at in places), np.zeros(len(shares[0])))
    return found


def _of_best(scores: Scores) -> Scores:
    high = scores.max(initial=0.0)
    return scores / high if high > 0 else scores


def _share(gold: Sequence[int], ranking: NDArray[np.intp]) -> float:
    return float(np.isin(gold, ranking).mean())
