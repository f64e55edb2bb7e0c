from __future__ import annotations

from pathlib import Path

import pytest
from sqlmodel import select

from annotation.curation.passages import passages
from services.curation.items import give_to_curation, question_lines
from storage.db.workspace import Workspace
from storage.law.imports import keep_statutes
from storage.projects import find_project
from storage.tables.cascade import LayerResult, Restoration
from tests.conftest import FakeClock
from tests.projects.curation_project import SLUG, CurationHouse, build, statute, written


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> CurationHouse:
    return build(tmp_path / "workspace", clock, number=1)


def stages(ws: Workspace) -> dict[str, str]:
    return {each.external_id: each.stage for each in question_lines(ws, SLUG)}


def test_those_that_have_come_through_are_given_once(house: CurationHouse) -> None:
    written(house.ws, "aug-0002")
    done = give_to_curation(house.ws, SLUG)
    assert (done.items, done.before, done.unchecked, done.renewed) == (1, 1, 0, 0)
    assert give_to_curation(house.ws, SLUG).items == 0
    assert stages(house.ws) == {"aug-0001": "waiting", "aug-0002": "waiting"}


@pytest.mark.parametrize("outcomes", [("rejected",), ("passed", "rejected"), ("unjudged",)])
def test_what_a_layer_holds_is_not_given(house: CurationHouse, outcomes: tuple[str, ...]) -> None:
    written(house.ws, "aug-0002", outcomes)
    done = give_to_curation(house.ws, SLUG, unchecked=True)
    assert (done.items, done.held) == (0, 1)
    assert stages(house.ws)["aug-0002"] == "held"


def test_what_no_layer_looked_at_is_given_only_when_asked(house: CurationHouse) -> None:
    written(house.ws, "aug-0002", ())
    done = give_to_curation(house.ws, SLUG)
    assert (done.items, done.unseen) == (0, 1)
    assert stages(house.ws)["aug-0002"] == "unseen"
    done = give_to_curation(house.ws, SLUG, unchecked=True)
    assert (done.items, done.unchecked, done.unseen) == (1, 1, 0)


def test_what_somebody_restored_is_given_until_that_is_withdrawn(house: CurationHouse) -> None:
    number = written(house.ws, "aug-0002", ("rejected",))
    assert not through(house.ws, number)
    restore(house.ws, number, "restore")
    assert through(house.ws, number)
    assert stages(house.ws)["aug-0002"] == "through"
    restore(house.ws, number, "withdraw")
    assert not through(house.ws, number)


def through(ws: Workspace, number: int) -> bool:
    with ws.reading() as session:
        return passages(session, find_project(session, SLUG).id)[number].through


def restore(ws: Workspace, number: int, kind: str) -> None:
    with ws.writing() as session:
        query = select(LayerResult.id).where(LayerResult.augmented_question_id == number)
        session.add(
            Restoration(
                augmented_question_id=number,
                layer_result_id=session.exec(query).first() or 0,
                kind=kind,
                reason="good all the same",
                at=ws.clock(),
            )
        )


def test_other_law_in_use_is_shown_from_then_on(house: CurationHouse) -> None:
    keep_statutes(house.ws, SLUG, [statute(" (개정)")], "second")
    assert give_to_curation(house.ws, SLUG).renewed == 1
    assert give_to_curation(house.ws, SLUG).renewed == 0
