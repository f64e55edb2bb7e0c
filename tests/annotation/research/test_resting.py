"""A researched question whose gold passage was amended is to be checked again."""

from __future__ import annotations

from services.law.watch import unconfirmed
from storage.law.imports import keep_statutes
from storage.tasks import Task
from tests.projects.research_project import CASE, SLUG, build, law, passage, submitted


def test_passages_of_amended_provisions_are_watched_and_no_others(tmp_path, clock) -> None:
    house = build(tmp_path / "w", clock)
    case = {"collection": "cases", "id": "2020도1"}
    for who in (house.ann, house.ben):
        submitted(house, who, house.items[0], passage())
        submitted(house, who, house.items[1], passage(CASE[:9], CASE, **case))
        submitted(house, who, house.items[2])
    waiting = "items resting on provisions amended since, not confirmed"
    assert unconfirmed(house.ws, SLUG, (Task.RESEARCH,))[waiting] == 0
    keep_statutes(house.ws, SLUG, law("① 관계인은 선임하지 아니할 수 있다."), "new")
    assert unconfirmed(house.ws, SLUG, (Task.RESEARCH,))[waiting] == 1
