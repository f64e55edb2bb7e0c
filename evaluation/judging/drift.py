"""Whether a judge errs more on some answers than on others: by kind of question, by length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.judging.judged import Judged, both_said
from evaluation.judging.matrix import Matrix, Shares, shares

BANDS = 4


@dataclass(frozen=True, slots=True)
class Group:
    """Answers that have something in common, and how the judge does on them.

    `name` is the kind of question; for a band of lengths it is empty, and `shortest` and `longest`
    are what there is in the band, in characters.
    """

    name: str
    matrix: Matrix
    shares: Shares
    shortest: int = 0
    longest: int = 0


def by_kind(judged: Sequence[Judged]) -> list[Group]:
    """Return the kinds of questions in the order of their names; answers without one come last."""
    said = both_said(judged)
    kinds = sorted({each.kind for each in said}, key=lambda kind: (not kind, kind))
    return [_group([each for each in said if each.kind == kind], kind) for kind in kinds]


def by_length(judged: Sequence[Judged], bands: int = BANDS) -> list[Group]:
    """Return up to so many bands of about as many answers each, shortest first.

    Answers of one length are never parted, so there may be fewer bands, and uneven ones.
    """
    said = sorted(both_said(judged), key=lambda each: each.length)
    members: dict[int, list[Judged]] = {}
    first: dict[int, int] = {}
    for place, each in enumerate(said):
        band = first.setdefault(each.length, place * bands // len(said))
        members.setdefault(band, []).append(each)
    return [_group(band, "") for band in members.values()]


def _group(members: list[Judged], name: str) -> Group:
    lengths = [each.length for each in members]
    found = shares(members)
    return Group(name, Matrix.of(members), found, min(lengths), max(lengths))
