"""Pairs of categories and of sets, counted by hand."""

from __future__ import annotations

from collections.abc import Mapping

from evaluation.agreement.differences import contained, meetings
from evaluation.agreement.ratings import Ratings, Scale

GIVEN = {"i": ("yes", "no", "yes"), "j": ("no", "no", None), "k": (None, "yes", None)}


def of(given: Mapping[str, tuple[object, ...]], scale: Scale) -> Ratings:
    triples = [(i, f"r{at}", v) for i, values in given.items() for at, v in enumerate(values)]
    return Ratings.of(triples, scale)


def test_every_pair_of_ratings_is_in_one_cell() -> None:
    found = meetings(of(GIVEN, Scale.NOMINAL))
    assert [(m.first, m.second, m.share.value, m.share.n, m.rows) for m in found] == [
        ("no", "no", 0.25, 4, (1,)),
        ("no", "yes", 0.5, 4, (0,)),
        ("yes", "yes", 0.25, 4, (0,)),
    ]
    assert meetings(of({"i": ("yes", None)}, Scale.NOMINAL)) == []


def test_a_set_within_another_is_somebody_finding_more() -> None:
    a, b, both, none = (frozenset(each) for each in ("a", "b", "ab", ""))
    given = {"i": (a, both), "j": (a, b), "k": (a, a), "l": (none, a), "m": (a, None)}
    assert contained(of(given, Scale.SETS)) == (3, 2)
    assert contained(of({}, Scale.SETS)) == (0, 0)
