"""A project is checked as it is at one moment, whatever others write meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from annotation.adjudication.disputes import decide
from annotation.check import project as checked
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House


def meanwhile(write: Callable[[], object]) -> None:
    """Let somebody else write, in a thread of their own."""
    writer = Thread(target=write)
    writer.start()
    writer.join(30)
    assert not writer.is_alive(), "who writes waits for the check"


@pytest.mark.parametrize("step", ["problems_in", "read_evidence", "differing_gold"])
def test_who_decides_during_a_check_is_no_problem_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    first = house.items[0]
    submit(house, house.ann, first, (1, 5))
    submit(house, house.ben, first, (2,))
    before, told = getattr(checked, step), list[Any]()

    def slow(*args: Any, **more: Any) -> Any:
        told.append(step)
        meanwhile(lambda: decide(house.ws, house.judge, first, [house.units[1]], False, "r", 1))
        return before(*args, **more)

    monkeypatch.setattr(checked, step, slow)
    assert checked.check(house.ws, SLUG) == []
    assert told == [step]
    monkeypatch.undo()
    assert checked.check(house.ws, SLUG) == []
