"""Every question is in just one state, whatever holds of it: the counts always add up."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.batches.slots import ItemSlots
from annotation.gold.counts import count_gold
from annotation.gold.derivation import GoldItem, Pending
from annotation.gold.outcomes import Outcome
from messages import catalogue
from services.overview.questions import FINAL, STATES, QuestionState, by_state, state_of

REASONS: tuple[Pending, ...] = (
    *("differ", "unsure", "flagged", "recalled", "amended", "no_candidates", "recurated"),
    *("not_begun", "waiting", "sent_back", "given_back", "adjudication", "unseen"),
)
OUTCOMES = st.sampled_from([each for each in get_args(Outcome) if each != "pending"])


def item(number: int, *pending: Pending, outcome: Outcome = "agreed", none: bool = False):
    said: Outcome = "pending" if pending else outcome
    units = () if none or pending else ("act_1",)
    name = f"q{number}"
    return GoldItem(number, name, name, said, none and not pending, units, pending, 1, ())


def slots(number: int, batch: int | None = None, closed: bool = False, apart: bool = False):
    return ItemSlots(number, "citation_mapping", batch, closed, apart, 2, 0)


@st.composite
def projects(draw: st.DrawFn):
    items, places = [], []
    for number in range(draw(st.integers(0, 12))):
        why = draw(st.lists(st.sampled_from(REASONS), max_size=3, unique=True))
        items.append(item(number, *why, outcome=draw(OUTCOMES), none=draw(st.booleans())))
        batch = draw(st.sampled_from([None, 1, 2]))
        closed, apart = (draw(st.booleans()) and batch is not None for _ in range(2))
        if draw(st.integers(0, 9)):  # an item may have come between two queries
            places.append(slots(number, batch, closed, apart))
    return items, places, draw(st.sets(st.integers(0, 12)))


@given(projects())
def test_the_states_always_add_up_to_the_questions(project):
    items, places, prepared = project
    found = by_state(items, places, prepared)
    assert found.total == len(items) == found.final + found.pending
    told = found.as_dict()
    assert sum(each["count"] for each in told["states"].values()) == told["total"]
    named = [name for each in told["states"].values() for name in each["questions"]]
    assert sorted(named) == sorted(each.external_id for each in items)
    gold = count_gold(items)
    assert (gold.final, gold.pending) == (found.final, found.pending)
    assert found.count("no_provision") == gold.no_provision


@pytest.mark.parametrize(
    ("pending", "place", "prepared", "state"),
    [
        ((), slots(1), True, "gold"),
        (("differ",), slots(1), True, "dispute"),
        (("differ", "flagged"), slots(1), True, "dispute"),
        (("flagged",), slots(1), True, "flagged"),
        (("unsure",), slots(1, 1, apart=True), True, "dispute"),
        (("recalled",), slots(1, 1, closed=True), True, "dispute"),
        (("sent_back",), slots(1), True, "sent_back"),
        (("given_back",), slots(1), True, "sent_back"),
        (("amended",), slots(1, 1), True, "in_doubt"),
        (("no_candidates",), slots(1), False, "in_doubt"),
        (("recurated",), slots(1), False, "recurated"),
        (("waiting",), slots(1), False, "waiting"),
        (("waiting",), slots(1, 1, closed=True), True, "closed"),
        (("waiting",), slots(1, 1, apart=True), True, "apart"),
        (("not_begun",), slots(1, 1, closed=True, apart=True), True, "apart"),
        (("not_begun",), slots(1, 1, closed=True), False, "closed"),
        (("not_begun",), slots(1, 1), True, "not_begun"),
        (("not_begun",), slots(1, 1), False, "no_candidates"),
        (("not_begun",), slots(1), True, "not_assigned"),
        (("not_begun",), None, True, "not_begun"),
    ],
)
def test_what_is_to_be_done_first_is_the_state(
    pending: tuple[Pending, ...],
    place: ItemSlots | None,
    prepared: bool,
    state: QuestionState,
):
    assert state_of(item(1, *pending), place, prepared) == state


def test_every_state_has_its_words():
    assert set(STATES) == set(get_args(QuestionState)) > set(FINAL)
    assert {f"overview.state.{state}" for state in STATES} <= set(catalogue())
    assert state_of(item(1, none=True), None, True) == "no_provision"
