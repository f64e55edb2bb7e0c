"""What layers said, kept and read back: of the newest run that saw each question."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from construction.cascade.layers import parse
from storage.cascade.results import (
    RESTORE,
    WITHDRAW,
    Overruled,
    Result,
    State,
    newest_results,
    question_called,
    questions,
    restorations,
    runs,
    standing_restorations,
    state_of_results,
)
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.projects import create_project
from storage.tables.augmentation import Restoration
from tests.conftest import FakeClock
from tests.projects.cascade_project import add_questions, augmented, project, run_of, without
from tests.support.refusals import code_of

REASONS = [{"code": "x", "values": {"text": "한글"}}]


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace, _ = project(tmp_path / "workspace", clock)
    add_questions(workspace, "first", "second", "third")
    return workspace


def test_the_newest_run_that_saw_a_question_counts(ws: Workspace) -> None:
    with ws.writing() as session:
        said = (1, "gate", "passed"), (2, "gate", "rejected")
        first, _ = run_of(session, ws, *said, reasons=REASONS)
        second, _ = run_of(session, ws, (1, "judge", "passed"), (1, "gate", "passed"))
    with ws.reading() as session:
        found = newest_results(session, 1)
        assert list(runs(session, 1)) == [first, second]
        assert newest_results(session, 2) == {} == runs(session, 2)
    assert {n: [(each.run, each.layer) for each in said] for n, said in found.items()} == {
        1: [(second, "judge"), (second, "gate")],
        2: [(first, "gate")],
    }
    assert found[2][0].reasons == REASONS


def test_questions_are_those_of_the_project_by_name(ws: Workspace) -> None:
    create_project(ws, "other", "Other")
    with ws.writing() as session:
        session.add(augmented(2, ws, "elsewhere", name="aug-0009"))
    with ws.reading() as session:
        assert [each.text for each in questions(session, 1)] == ["first", "second", "third"]
        assert question_called(session, 2, "aug-0009") == 4
        assert code_of(question_called, session, 1, "aug-0009") == "augmented_question_unknown"


def test_acts_on_layers_stand_in_their_order_with_the_person(ws: Workspace) -> None:
    with ws.writing() as session:
        run_of(session, ws, (1, "gate", "rejected"))
        for kind, person in ((RESTORE, 1), (WITHDRAW, None)):
            add_row(
                session,
                Restoration(
                    augmented_question_id=1,
                    layer_result_id=1,
                    kind=kind,
                    reason="why",
                    person_id=person,
                    at=ws.clock(),
                ),
            )
    with ws.reading() as session:
        found = restorations(session, 1)
        assert restorations(session, 2) == []
    assert [(e.question, e.layer, e.result, e.kind, e.person) for e in found] == [
        (1, "gate", 1, "restore", "Han Bora"),
        (1, "gate", 1, "withdraw", None),
    ]


AT = datetime(2026, 1, 5, tzinfo=UTC)
THREE = parse(without("heuristics", "difficulty"))  # gate, judge, closure
P, R, U = "passed", "rejected", "unjudged"


def results(*outcomes: str) -> list[Result]:
    return [
        Result(place, 1, 1, layer, place, outcome, [], AT)
        for place, (layer, outcome) in enumerate(
            zip(("gate", "judge", "closure"), outcomes, strict=False), 1
        )
    ]


@pytest.mark.parametrize(
    ("said", "overruled", "expected"),
    [
        ((), (), (State.WAITING, "")),
        ((R,), (), (State.REJECTED, "gate")),
        ((P, R), (), (State.REJECTED, "judge")),
        ((P, U), (), (State.UNJUDGED, "judge")),
        ((P, P, P), (), (State.THROUGH, "")),
        ((P, P, P), ("gate",), (State.THROUGH, "")),
        ((R,), ("gate",), (State.WAITING, "")),
        ((R,), ("judge",), (State.REJECTED, "gate")),
        ((R, P, P), ("gate",), (State.RESTORED, "")),
        ((R, P, P), (), (State.REJECTED, "gate")),
        ((R, R), ("gate",), (State.REJECTED, "judge")),
        ((R, R), ("gate", "judge"), (State.WAITING, "")),
        ((P, U), ("judge",), (State.WAITING, "")),
        ((P, U, P), ("judge",), (State.RESTORED, "")),
        ((P, P, R), ("closure",), (State.RESTORED, "")),
    ],
)
def test_what_has_become_of_it(
    said: tuple[str, ...], overruled: tuple[str, ...], expected: tuple[State, str]
) -> None:
    assert state_of_results(results(*said), overruled, THREE) == expected


def act(kind: str, layer: str = "gate", question: int = 1) -> Overruled:
    return Overruled(question, layer, 1, kind, "why", None, AT)


def test_the_newest_act_on_a_question_and_a_layer_holds() -> None:
    rows = [act("restore"), act("restore", "judge"), act("withdraw"), act("restore", question=2)]
    found = standing_restorations(rows)
    assert {number: list(layers) for number, layers in found.items()} == {1: ["judge"], 2: ["gate"]}
    assert set(standing_restorations([*rows, act("restore")])[1]) == {"gate", "judge"}
    assert standing_restorations([act("withdraw")]) == {}
