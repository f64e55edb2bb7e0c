"""Which citations of an answer are false, missing or lead to nothing."""

from __future__ import annotations

from pathlib import Path

from services.attribution.answer_claims import citations_of_answers, claims_of_answer
from tests.annotation.house import SLUG
from tests.conftest import FakeClock
from tests.projects.attribution_project import FILE, FREE, RETRIEVED, labelled, unit


def test_each_answer_is_held_against_gold_and_context(tmp_path: Path, clock: FakeClock) -> None:
    ws = labelled(tmp_path / "ws", clock).ws
    found = {(e.system, e.question): e for e in citations_of_answers(ws, SLUG)}
    assert list(found) == sorted(found)
    one, two = found[FREE, "q1"], found[FREE, "q2"]
    assert one.gold == (unit(1), unit(3))
    assert (one.inside, one.outside, one.missed) == ((unit(2), unit(4)), (), ())
    assert (two.inside, two.outside, two.invalid) == ((), (unit(5),), ("no such id",))
    retrieved = found[RETRIEVED, "q1"]
    assert (retrieved.inside, retrieved.outside) == ((unit(4),), (unit(5),))
    assert retrieved.missed == (unit(1), unit(3))
    file = found[FILE, "q1"]
    assert (file.inside, file.outside, file.unplaced, file.missed) == (None, None, (), (unit(3),))
    assert file.wrong
    assert [e.question for e in citations_of_answers(ws, SLUG, (FREE,))] == ["q1", "q2"]
    view = claims_of_answer(ws, SLUG, "q1", FREE)  # whose claims cite nothing
    assert [each.own for each in view.cites] == [False, False]
    assert view.cites[0].written == tuple(unit(number) for number in (1, 2, 3, 4))
