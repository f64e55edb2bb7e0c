"""The likeliest option, by tokens worked by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.replies.likelihood import (
    LikelihoodState,
    choice_by_likelihood,
    likeliest,
)
from llm.reply import Alternatives
from tests.support.examples import scaled

LETTERS = ("A", "B", "C", "D")
OPTIONS = ("1", "2", "3", "4", "5")


@dataclass(frozen=True)
class Said:
    """A reply that tells these places."""

    logprobs: tuple[Alternatives, ...] | None


def place(**chances: float) -> Alternatives:
    return tuple((token, math.log(chance)) for token, chance in chances.items())


def tokens(*pairs: tuple[str, float]) -> Alternatives:
    return tuple((token, math.log(chance)) for token, chance in pairs)


def test_the_likeliest_letter_is_chosen() -> None:
    found = choice_by_likelihood(Said((place(A=0.2, B=0.5, C=0.2, D=0.1),)), LETTERS)
    assert (found.state, found.label, found.missing) == (LikelihoodState.CHOSEN, "B", ())
    assert found.logprobs["C"] == pytest.approx(math.log(0.2))
    assert list(found.logprobs) == list(LETTERS)


def test_tokens_that_say_the_same_letter_add_up() -> None:
    """Alone A is the likeliest token; the three that say B are more together."""
    told = tokens(("A", 0.3), ("B", 0.15), (" B", 0.15), ("\nb", 0.1), ("C", 0.1), ("D", 0.1))
    found = choice_by_likelihood(Said((told,)), LETTERS)
    assert found.label == "B"
    assert found.logprobs["B"] == pytest.approx(math.log(0.4))


def test_a_letter_that_is_not_told_is_missing_and_never_zero() -> None:
    found = choice_by_likelihood(Said((place(A=0.2, C=0.3),)), LETTERS)
    assert (found.state, found.label) == (LikelihoodState.CHOSEN_OF_SOME, "C")
    assert found.missing == ("B", "D")
    assert set(found.logprobs) == {"A", "C"}


def test_equally_likely_letters_are_a_tie_and_nothing_is_chosen() -> None:
    found = choice_by_likelihood(Said((place(A=0.3, B=0.3, C=0.2, D=0.1),)), LETTERS)
    assert (found.state, found.label) == (LikelihoodState.TIE, None)
    unlikely = choice_by_likelihood(Said((place(A=0.3, B=0.2, C=0.2, D=0.1),)), LETTERS)
    assert unlikely.label == "A"


@pytest.mark.parametrize("places", [None, ()])
def test_without_log_probabilities_nothing_is_read(places: Any) -> None:
    found = choice_by_likelihood(Said(places), LETTERS)
    assert (found.state, found.label) == (LikelihoodState.NO_LOGPROBS, None)
    assert found.missing == LETTERS


def test_where_no_letter_is_told_that_is_said() -> None:
    found = choice_by_likelihood(Said((tokens(("Because", 0.9), ("It", 0.1)),)), LETTERS)
    assert (found.state, found.label, found.place) == (LikelihoodState.NONE_TOLD, None, 0)
    impossible = Said(((("A", -math.inf), ("B", -math.inf)),))
    assert choice_by_likelihood(impossible, LETTERS).state is LikelihoodState.NONE_TOLD


@pytest.mark.parametrize("opens", [(), (("<think>", 1.0),)])
def test_a_thought_is_passed_over(opens: tuple[tuple[str, float], ...]) -> None:
    thought = [
        tokens(each) for each in (*opens, ("A", 0.9), ("</", 1.0), ("think", 1.0), (">", 1.0))
    ]
    found = choice_by_likelihood(Said((*thought, place(B=0.9, A=0.1))), LETTERS)
    assert (found.label, found.place) == ("B", len(thought))
    unended = choice_by_likelihood(Said((tokens(("<think>", 1.0)), place(A=0.9))), LETTERS)
    assert (unended.state, unended.place) == (LikelihoodState.NONE_TOLD, None)


def test_the_beginning_is_read_where_it_tells_every_letter() -> None:
    begins = tokens(("The", 0.6), ("A", 0.1), ("B", 0.05), ("C", 0.04), ("D", 0.03))
    later = place(D=0.9, A=0.05, B=0.03, C=0.02)
    found = choice_by_likelihood(Said((begins, later)), LETTERS)
    assert (found.label, found.place) == ("A", 0)


def test_else_the_place_where_a_letter_stands() -> None:
    begins = tokens(("Answer", 0.9), ("A", 0.01))
    found = choice_by_likelihood(
        Said((begins, tokens((":", 1.0)), tokens((" D", 0.9), (" A", 0.1)))), LETTERS
    )
    assert (found.label, found.place) == ("D", 2)
    nowhere = choice_by_likelihood(Said((begins, tokens((":", 1.0)))), LETTERS)
    assert (nowhere.label, nowhere.place) == ("A", 0)


@pytest.mark.parametrize("blank", ["\n", " ", "(", "**", '"'])
def test_white_space_and_brackets_before_the_answer_are_passed_over(blank: str) -> None:
    begins = tokens((blank, 0.9), ("A", 0.04), ("B", 0.03), ("C", 0.02), ("D", 0.01))
    found = choice_by_likelihood(Said((begins, place(C=0.9, A=0.05, B=0.03, D=0.02))), LETTERS)
    assert (found.label, found.place) == ("C", 1)


def test_very_unlikely_letters_are_still_told_apart() -> None:
    told = tuple((label, -900.0 - at) for at, label in enumerate(LETTERS))
    found = choice_by_likelihood(Said((told,)), LETTERS)
    assert found.label == "A"


@pytest.mark.parametrize("labels", [(), ("A", "A")])
def test_labels_are_needed_each_once(labels: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match="labels"):
        choice_by_likelihood(Said(None), labels)


def test_kept_log_probabilities_are_read_alike() -> None:
    found = likeliest({"2": -0.1, "5": -3.0}, OPTIONS)
    assert (found.label, found.missing) == ("2", ("1", "3", "4"))
    assert likeliest({}, OPTIONS).state is LikelihoodState.NONE_TOLD


_TOKENS = st.tuples(st.one_of(st.sampled_from(OPTIONS), st.text()), st.floats(-50, 0))
_PLACES = st.lists(st.lists(_TOKENS, min_size=1).map(tuple), min_size=1, max_size=4).map(tuple)


@settings(max_examples=scaled(60), deadline=None)
@given(_PLACES, st.permutations(OPTIONS))
def test_only_options_whatever_their_order_and_never_more_than_certain(
    places: Any, other: list[str]
) -> None:
    found = choice_by_likelihood(Said(places), OPTIONS)
    assert set(found.logprobs) | set(found.missing) == set(OPTIONS)
    assert not set(found.logprobs) & set(found.missing)
    assert all(value <= 0 for value in found.logprobs.values())
    assert found.label is None or found.logprobs[found.label] == max(found.logprobs.values())
    again = choice_by_likelihood(Said(places), other)
    assert (again.state, again.label) == (found.state, found.label)
