"""What has become of a question: every combination of what layers said and who overruled them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from annotation.cascade.layers import edition, editions, layers_by_number, save
from annotation.cascade.state import State, fate, standing_restorations
from construction.cascade.layers import parse, starter
from errors import UserError
from storage.cascade.results import Overruled, Result
from tests.conftest import FakeClock
from tests.projects.cascade_project import SLUG, project, without

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


def test_versions_of_the_layers_stay(tmp_path: Path, clock: FakeClock) -> None:
    ws, lead = project(tmp_path / "workspace", clock)
    assert [each.number for each in editions(ws, SLUG)] == [1]
    assert save(ws, SLUG, without("judge"), "too dear", 1, lead) == 2
    assert [(e.number, e.note, e.person) for e in editions(ws, SLUG)] == [
        (2, "too dear", "Han Bora"),
        (1, "", None),
    ]
    assert edition(ws, SLUG, 1).text == starter()
    with ws.reading() as session:
        found = layers_by_number(session, 1, [1, 2])
    assert [len(found[number].asked) for number in (1, 2)] == [5, 4]
    for text, expected, code in (
        (without("judge"), 2, "document_same"),
        (without("gate"), 1, "document_stale"),
        ("layers: []", 2, "cascade_empty"),
    ):
        with pytest.raises(UserError) as refused:
            save(ws, SLUG, text, "", expected, lead)
        assert refused.value.code == code
