"""Accuracy of a model on one sub-factor against people's decisions, and answers by case.

Only readable answers of a model count; a refusal and an unreadable answer are missing, never
wrong. Cases that people answered with the model's suggestion in sight are biased: they
have a figure of their own.

Answers to one sub-factor by case are the input of agreement statistics. An answer is
the frozen set of the options chosen. None is for a person who answered the case but not this
question, since its condition did not hold: a missing answer, not an empty one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from evaluation.agreement.likeness import jaccard
from evaluation.agreement.ratings import Rating, Ratings, Scale
from evaluation.figure import RESAMPLES, Figure, mean_figure, share_figure, share_of
from normalization.grouping import grouped

Answer = frozenset[str]
Said = tuple[Hashable, Hashable, Answer | None]  # case, person, answer


@dataclass(frozen=True, slots=True)
class Question:
    """A sub-factor with the properties that its figures need.

    `options` are in their order; `silent` is the answer "not stated", "" if there
    is none. It has no order among the options.
    """

    key: str
    options: tuple[str, ...]
    exclusive: bool
    ordered: bool = False
    silent: str = ""

    @property
    def choices(self) -> tuple[str, ...]:
        """All possible options, with "not stated"."""
        return (*self.options, self.silent) if self.silent else self.options

    @property
    def scale(self) -> Scale:
        """The scale of the answers: sets if several options can be chosen."""
        return Scale.NOMINAL if self.exclusive else Scale.SETS

    def knows(self, answer: Answer) -> bool:
        """Return whether an answer is valid: known options only, and a single one if exclusive."""
        return answer <= set(self.choices) and (len(answer) == 1 or not self.exclusive)


@dataclass(frozen=True)
class Gathered:
    """The answers to one question. Invalid (e.g. outdated) ones are left out."""

    question: Question
    said: tuple[Said, ...]

    @cached_property
    def known(self) -> list[tuple[Hashable, Hashable, Answer]]:
        """The valid answers."""
        knows = self.question.knows
        return [
            (c, p, answer) for c, p, answer in self.said if answer is not None and knows(answer)
        ]

    @property
    def stale(self) -> int:
        """The number of invalid answers."""
        return sum(answer is not None for *_, answer in self.said) - len(self.known)

    @cached_property
    def by_case(self) -> dict[Hashable, list[Answer]]:
        """The valid answers, by case."""
        return grouped((case, answer) for case, _, answer in self.known)

    @property
    def asked_of_some(self) -> int:
        """The number of cases in which only some people were asked the question."""
        not_asked = {case for case, _, answer in self.said if answer is None}
        return len(not_asked & self.by_case.keys())

    @property
    def differing(self) -> int:
        """The number of cases on which people answered differently."""
        return sum(len(set(answers)) > 1 for answers in self.by_case.values())

    def ratings(self) -> Ratings:
        """Return all valid answers on the question's scale."""
        if self.question.scale is Scale.SETS:
            return Ratings.of(self.known, Scale.SETS)
        return Ratings.of(_single_choices(self.known), Scale.NOMINAL, self.question.choices)

    def ordinal(self) -> Ratings:
        """Return the answers other than "not stated", on an ordinal scale."""
        stated = [each for each in _single_choices(self.known) if each[2] != self.question.silent]
        return Ratings.of(stated, Scale.ORDINAL, self.question.options)


def _single_choices(known: Sequence[tuple[Hashable, Hashable, Answer]]) -> list[Rating]:
    """Return answers of one option as ratings of agreement statistics."""
    return [(case, person, next(iter(answer))) for case, person, answer in known]


_CONFUSIONS = 3  # number of confusions shown in a report


@dataclass(frozen=True, slots=True)
class Compared:
    """A case: people's decision, and the model's answer, None if missing or unreadable.

    `quoted`: its quotation was found in the text, `aided`: people saw the suggestion
    before they answered.
    """

    case: Hashable
    decided: Answer
    said: Answer | None
    quoted: bool = False
    aided: bool = False


@dataclass(frozen=True, slots=True)
class Confusion:
    """People's decision, the model's different answer, and the number of such cases."""

    decided: tuple[str, ...]
    said: tuple[str, ...]
    n: int


@dataclass(frozen=True, slots=True)
class ModelAccuracy:
    """Accuracy of a model on one sub-factor.

    `right` is the share of unaided cases on which it gives exactly people's decision, `baseline`
    that of always giving the most frequent decision; `likeness` the mean Jaccard of the sets.
    `aided` is as `right`, of cases that were answered with the suggestion in sight. `quoted` is the
    share of its answers supported by a quotation found in the text. `missing` cases have
    no readable answer.
    """

    right: Figure
    baseline: Figure
    likeness: Figure
    aided: Figure
    quoted: Figure
    missing: int
    confusions: tuple[Confusion, ...]


def accuracy(
    compared: Sequence[Compared], silent: str = "", resamples: int = RESAMPLES, seed: int = 0
) -> ModelAccuracy:
    """Compute a model's accuracy against people's decisions.

    `silent` is the answer that nothing is stated, for which there is nothing to quote.
    """
    said = [(each, each.said) for each in compared if each.said is not None]
    unaided = [(each, answer) for each, answer in said if not each.aided]
    aided = [(each, answer) for each, answer in said if each.aided]
    likeness = [jaccard(each.decided, answer) for each, answer in unaided]
    decided = Counter(each.decided for each, _ in unaided)
    frequent = sum(count for _, count in decided.most_common(1))
    stating = [each for each, answer in said if answer != {silent}]
    return ModelAccuracy(
        right=_right("model_right", unaided),
        baseline=share_figure("model_baseline", frequent, len(unaided)),
        likeness=mean_figure("model_likeness", likeness, resamples, seed),
        aided=_right("model_right_aided", aided),
        quoted=share_figure("model_quoted", sum(each.quoted for each in stating), len(stating)),
        missing=len(compared) - len(said),
        confusions=_confusions(unaided),
    )


def _right(name: str, pairs: Sequence[tuple[Compared, Answer]]) -> Figure:
    """Return the share of right answers."""
    return share_figure(name, sum(each.decided == said for each, said in pairs), len(pairs))


def _confusions(pairs: Sequence[tuple[Compared, Answer]]) -> tuple[Confusion, ...]:
    """Return the most frequent confusions, ties by name."""
    counts = Counter(
        (tuple(sorted(each.decided)), tuple(sorted(said)))
        for each, said in pairs
        if each.decided != said
    )
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(Confusion(*pair, n) for pair, n in ordered[:_CONFUSIONS])


Spans = tuple[tuple[int, int], ...]  # start and end, end exclusive, in characters of the text
Marked = tuple[Hashable, Hashable, Spans]  # case, person, passages


@dataclass(frozen=True, slots=True)
class Overlap:
    """Overlap of passages, over the cases of which two or more people marked any.

    `likeness` is the mean Jaccard of marked characters, `meeting` the share of pairs whose passages
    overlap at all. On `one_sided` cases some
    marked passages and others none.
    """

    likeness: Figure
    meeting: Figure
    one_sided: int


def overlap(marked: Sequence[Marked], resamples: int = RESAMPLES, seed: int = 0) -> Overlap:
    """Return the overlap of the passages that people marked in the same cases."""
    by_case = grouped((case, joined(spans)) for case, _, spans in marked)
    shares = [
        [likeness(a, b) for a, b in combinations(filter(None, spans), 2)]
        for spans in by_case.values()
    ]
    alike = [sum(pairs) / len(pairs) for pairs in shares if pairs]
    meeting = [sum(share > 0 for share in pairs) / len(pairs) for pairs in shares if pairs]
    return Overlap(
        likeness=mean_figure("evidence_likeness", alike, resamples, seed),
        meeting=share_of("evidence_meeting", meeting),
        one_sided=sum(any(spans) and not all(spans) for spans in by_case.values()),
    )


def likeness(first: Spans, second: Spans) -> float:
    """Return shared ÷ all characters of two non-empty lists of passages."""
    a, b = joined(first), joined(second)
    both = _size(a) + _size(b) - _size(joined((*a, *b)))
    return both / _size(joined((*a, *b)))


def joined(spans: Spans) -> Spans:
    """Merge overlapping or adjacent passages, sorted, without empty ones."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(span for span in spans if span[0] < span[1]):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return tuple(found)


def _size(spans: Spans) -> int:
    """Return the number of characters."""
    return sum(end - start for start, end in spans)
