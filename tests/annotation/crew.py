"""Batches for the tests of this folder: the house, someone who leads it, and short hands."""

from __future__ import annotations

from typing import Any

from annotation.agreement.calibration import Known, set_known_answers
from annotation.batches.commands import BatchPlan, make_batch
from annotation.batches.sampling import Choice
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from storage.tables.core import Person
from tests.annotation.house import SLUG, House

RIGHT = Known("q3", ("lake-act_article-1",), explanation="Article 1 is about lamps.")


def leader(house: House, role: str = "administrator") -> int:
    """Add somebody of that role to the project; return their id."""
    with house.ws.writing() as session:
        row = Person(project_id=1, name=role.title(), role=role, created_at=house.ws.clock())
        session.add(row)
        session.flush()
        return int(row.id or 0)


def batch(house: House, *people: int, ids: tuple[str, ...] | None = None, **more: Any) -> int:
    """Make a batch of everything that is free, for these people or for all three."""
    everyone = people or (house.ann, house.ben, house.cho)
    name = more.pop("name", "First")
    plan = BatchPlan(name=name, people=everyone, choice=Choice(external_ids=ids), **more)
    return make_batch(house.ws, SLUG, plan)


def know(house: House, *answers: Known) -> None:
    """Set known answers, by default that q3 is answered by Article 1."""
    set_known_answers(house.ws, SLUG, answers or (RIGHT,))


def submit(
    house: House,
    person: int,
    item: int,
    *articles: int,
    comment: str = "",
    confidence: int | None = None,
) -> None:
    """Open, accept these articles (or "no provision") and submit."""
    queue_service.open_item(house.ws, person, item)
    for number in articles:
        mapping_commands.add_unit(house.ws, person, item, house.units[number])
    if not articles:
        mapping_commands.set_no_provision(house.ws, person, item, True)
    commands.set_comment(house.ws, person, item, comment)
    commands.submit(house.ws, person, item, confidence)


def queue_of(house: House, person: int) -> list[int]:
    """Return which items (0, 1, 2) are in the person's queue, in order."""
    return [house.items.index(entry.item_id) for entry in queue_service.queue(house.ws, person)]
