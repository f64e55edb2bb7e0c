from __future__ import annotations

from pathlib import Path

from annotation.curation.state import own_view
from annotation.work import commands
from annotation.work.queue_service import open_item
from storage.closure.completed import completed_gold, with_added
from storage.tables.augmentation import AugmentedQuestion, ClosureDecision
from tests.conftest import FakeClock
from tests.projects.curation_project import (
    CRANE,
    GOLD,
    LAMP,
    RAIL,
    CurationHouse,
    answer,
    build,
    steps,
)
from tests.support.refusals import refused


def decide(house: CurationHouse, unit: str, kind: str) -> None:
    with house.ws.writing() as session:
        session.add(
            ClosureDecision(
                project_id=1,
                augmented_question_id=house.questions[0],
                snapshot_id=1,
                rules_number=1,
                unit=unit,
                rule="r4_sanction",
                fired=[],
                kind=kind,
                at=house.ws.clock(),
            )
        )


def units(house: CurationHouse) -> list[tuple[str, str]]:
    with house.ws.reading() as session:
        row = session.get_one(AugmentedQuestion, house.questions[0])
        gold = completed_gold(session, [row])[house.questions[0]]
    return [(each["unit"], each["role"]) for each in gold]


def test_what_is_there_is_not_added_again() -> None:
    gold = [{"unit": "b", "pinpoint": "1항", "role": "governing"}]
    assert with_added(gold, {"b": "r1", "c": "r2", "a": "r3"}) == [
        *gold,
        {"unit": "a", "pinpoint": "", "role": "r3"},
        {"unit": "c", "pinpoint": "", "role": "r2"},
    ]


def test_the_newest_decision_on_a_provision_counts(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "workspace", clock, number=2)
    before = [(RAIL, "governing"), (LAMP, "exception")]
    assert units(house) == before
    decide(house, CRANE, "added")
    assert units(house) == [*before, (CRANE, "r4_sanction")]
    decide(house, CRANE, "reopened")
    assert units(house) == before


def test_who_curates_is_asked_about_what_closure_added(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "workspace", clock)
    decide(house, CRANE, "added")
    answer(house, house.ann, house.items[0], steps(gold=GOLD))
    with refused("curation_gold_open") as caught:
        commands.submit(house.ws, house.ann, house.items[0])
    assert CRANE in str(caught.value)
    answer(house, house.ann, house.items[0], [("gold", GOLD | {CRANE: "no"})])
    assert commands.submit(house.ws, house.ann, house.items[0])


def test_what_closure_added_is_told_with_the_layers(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "workspace", clock)
    decide(house, CRANE, "added")
    item = house.items[0]

    def told() -> list[str]:
        seen = own_view(house.ws, house.ann, open_item(house.ws, house.ann, item))
        return [each.unit for each in seen.provisions]

    assert told() == [RAIL, LAMP]
    answer(house, house.ann, item, steps()[:6])  # up to the reveal
    assert told() == [RAIL, LAMP, CRANE]
