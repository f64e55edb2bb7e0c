"""What has become of a question: every combination of what layers said and who overruled them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from construction.cascade.layers import parse
from storage.cascade.results import Overruled, Result
from storage.cascade.state import State, fate, standing_restorations
from tests.projects.cascade_project import without

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
    assert fate(results(*said), overruled, THREE) == expected


def act(kind: str, layer: str = "gate", question: int = 1) -> Overruled:
    return Overruled(question, layer, 1, kind, "why", None, AT)


def test_the_newest_act_on_a_question_and_a_layer_holds() -> None:
    rows = [act("restore"), act("restore", "judge"), act("withdraw"), act("restore", question=2)]
    found = standing_restorations(rows)
    assert {number: list(layers) for number, layers in found.items()} == {1: ["judge"], 2: ["gate"]}
    assert set(standing_restorations([*rows, act("restore")])[1]) == {"gate", "judge"}
    assert standing_restorations([act("withdraw")]) == {}
