"""Withdrawing decisions: what stands afterwards, wherever decisions are read."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from annotation.adjudication.disputes import decide, open_case, queue
from annotation.adjudication.undoing import undo
from annotation.check.project import check
from annotation.forms.adjudication import settle
from annotation.gold.derivation import derive
from annotation.history.entry import Filter
from annotation.history.reading import read
from annotation.mcq.disputes import DISPUTES
from annotation.people.members import add_person
from annotation.tagging.disputes import decide as decide_tags
from annotation.tagging.disputes import queue as tag_queue
from annotation.work.item_session import DecidedMeanwhileError
from annotation.work.visibility import is_settled
from errors import UserError
from tests.annotation.adjudication.test_disputes import _differ
from tests.annotation.house import SLUG, House
from tests.conftest import FakeClock
from tests.projects import mcq_project, tagged_project


def code(act: Callable[..., Any], *args: Any, **named: Any) -> str:
    with pytest.raises(UserError) as caught:
        act(*args, **named)
    return caught.value.code


def test_a_case_is_open_again_wherever_it_is_read(house: House) -> None:
    ws, item = house.ws, house.items[0]
    _differ(house, item)
    made = decide(ws, house.judge, item, [house.units[1]], False, "as Article 1 says", 1.0)
    assert derive(ws, SLUG)[0].outcome == "adjudicated"
    assert undo(ws, house.judge, item, " a slip ", before=made) == 1
    [entry] = queue(ws, house.judge)
    assert (entry.state, entry.decision, entry.causes) == ("open", None, ("differ",))
    assert open_case(ws, house.judge, item).decision is None
    assert (derive(ws, SLUG)[0].outcome, derive(ws, SLUG)[0].pending) == ("pending", ("differ",))
    assert check(ws, SLUG) == []
    with ws.reading() as session:
        assert not is_settled(session, item)
    last = read(ws, SLUG, Filter(kinds=("undone",)), limit=9).entries[0]
    assert (last.kind, last.person) == ("undone.decision", "Judge")
    assert last.details == {"undoes": f"adjudication-{made}", "reason": "a slip"}
    again = decide(ws, house.judge, item, [house.units[2]], False, "no: Article 2", 1.0)
    assert derive(ws, SLUG)[0].lineage[-1].id == again
    assert check(ws, SLUG) == []


def test_only_what_stands_on_the_screen_and_is_ones_own_is_withdrawn(house: House) -> None:
    ws, item = house.ws, house.items[0]
    _differ(house, item)
    other = add_person(ws, SLUG, "Gil", "adjudicator").id
    assert code(undo, ws, house.judge, item) == "decision_none"
    first = decide(ws, house.judge, item, [house.units[1]], False, "so", 1.0)
    assert code(undo, ws, other, item) == "decision_of_other"
    assert code(undo, ws, house.ann, item) == "not_allowed"
    second = decide(ws, other, item, [house.units[2]], False, "no", 1.0, before=first)
    with pytest.raises(DecidedMeanwhileError):
        undo(ws, house.judge, item, before=first)
    undo(ws, other, item, before=second)
    entry = queue(ws, house.judge)[0].decision
    assert entry is not None
    assert (entry.number, entry.person) == (first, "Judge")  # the one before stands again
    with pytest.raises(DecidedMeanwhileError):  # as seen by a window in which the second stands
        decide(ws, house.judge, item, [house.units[2]], False, "no", 1.0, before=second)
    assert check(ws, SLUG) == []


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_any_sequence_of_decisions_and_withdrawals(house: House, seed: int) -> None:
    """Decisions of two adjudicators and withdrawals, against a stack of what was decided."""
    draw, ws = random.Random(seed), house.ws
    judges = (house.judge, add_person(ws, SLUG, "Gil", "adjudicator").id)
    stacks: dict[int, list[tuple[int, int]]] = {item: [] for item in house.items[:2]}
    for item in stacks:
        _differ(house, item)
    for _ in range(25):
        item, judge = draw.choice(list(stacks)), draw.choice(judges)
        stack = stacks[item]
        before = stack[-1][0] if stack else None
        if draw.random() < 0.5:
            unit = house.units[draw.randint(1, 3)]
            stack.append((decide(ws, judge, item, [unit], False, "so", 1, before=before), judge))
        elif not stack:
            assert code(undo, ws, judge, item) == "decision_none"
        elif stack[-1][1] != judge:
            assert code(undo, ws, judge, item, before=before) == "decision_of_other"
        else:
            undo(ws, judge, item, before=before)
            stack.pop()
        made = {each.item_id: each.decision for each in queue(ws, house.judge)}
        for each, held in stacks.items():
            found = made[each]
            assert (None if found is None else found.number) == (held[-1][0] if held else None)
    assert check(ws, SLUG) == []


def test_of_tags_the_last_choices_alone_are_withdrawn(tmp_path: Path, clock: FakeClock) -> None:
    made = tagged_project.build(tmp_path / "ws", clock, number=1)
    tagged_project.tag(made, made.ann, 0, {"weapon": [("knife", "with a knife")]})
    tagged_project.tag(made, made.ben, 0, weapon="gun", motives="fear")
    item = made.items[0]
    decide_tags(made.ws, made.judge, item, {"weapon": ["gun"]}, "So.")
    clock.now += timedelta(minutes=1)
    decide_tags(made.ws, made.judge, item, {"motives": ["fear"]}, "So.")
    assert tag_queue(made.ws, made.judge)[0].state == "decided"
    undo(made.ws, made.judge, item)
    [entry] = tag_queue(made.ws, made.judge)
    assert (entry.state, entry.open, entry.decided) == ("open", ("motives",), ("weapon",))
    undo(made.ws, made.judge, item)
    assert tag_queue(made.ws, made.judge)[0].open == ("weapon", "motives")
    assert code(undo, made.ws, made.judge, item) == "decision_none"
    assert check(made.ws, tagged_project.SLUG) == []


def test_a_question_is_open_again(tmp_path: Path, clock: FakeClock) -> None:
    made = mcq_project.build(tmp_path / "ws", clock)
    item = made.items[0]
    mcq_project.submitted(made, made.ann, item)
    mcq_project.submitted(made, made.ben, item, "drop", cause="unclear", reason="Why?")
    number = settle(made.ws, made.judge, item, {"verdict": "keep"}, "So.")
    undo(made.ws, made.judge, item, before=number)
    [entry] = DISPUTES.queue(made.ws, made.judge)
    assert (entry.state, entry.decision) == ("open", None)
    assert settle(made.ws, made.judge, item, {"verdict": "keep"}, "So.", before=None) > number
    assert check(made.ws, mcq_project.SLUG) == []
