"""Overlap of gold passages, by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from evaluation.research import Overlap, Passage, overlap, overlap_figures

TEXT = "The rule applies to all. It has one exception."
passages = st.lists(
    st.builds(
        lambda at, long, name: Passage(name, at, TEXT[at : at + long]),
        st.integers(0, 40),
        st.integers(1, 46),
        st.sampled_from("ab"),
    ),
    max_size=3,
)


def at(start: int, end: int, name: str = "a") -> Passage:
    return Passage(name, start, TEXT[start:end])


def test_words_are_counted_by_place() -> None:
    assert overlap([at(0, 24)], [at(0, 24)]) == Overlap(1.0, 1.0, 1.0)
    assert overlap([at(0, 24)], [at(0, 23)]) == Overlap(1.0, 1.0, 1.0)  # the full stop
    assert overlap([at(0, 24)], [at(0, 8)]) == Overlap(4 / 7, 0.0, 1.0)
    assert overlap([at(0, 24)], [at(25, 46)]) == Overlap(0.0, 0.0, 1.0)
    assert overlap([at(0, 24)], [at(0, 24, "b")]) == Overlap(0.0, 0.0, 0.0)
    assert overlap([at(0, 24)], [at(0, 8), at(9, 24)]) == Overlap(1.0, 1.0, 1.0)


def test_nothing_marked_is_missing_and_one_side_alone_is_unlike() -> None:
    assert overlap([], []) is None
    assert overlap([at(0, 8)], []) == Overlap(0.0, 0.0, 0.0)


@given(passages, passages)
def test_it_is_symmetric_and_within_bounds(one: list[Passage], other: list[Passage]) -> None:
    found = overlap(one, other)
    assert found == overlap(other, one)
    if found is not None:
        assert 0 <= found.token_f1 <= 1 and (not found.exact or found.authority)


def test_figures_are_means_over_pairs() -> None:
    f1, exact, authority = overlap_figures([Overlap(1.0, 1.0, 1.0), Overlap(0.5, 0.0, 1.0)])
    assert (f1.value, exact.value, authority.value) == (0.75, 0.5, 1.0)
    assert (f1.name, f1.n, exact.n) == ("token_f1", 2, 2)
    assert overlap_figures([])[0].value is None
