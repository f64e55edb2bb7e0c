"""Two who change the same thing at the same moment, and roles that change under a session."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from annotation.mapping import commands as mapping_commands
from annotation.people import accounts
from annotation.people.invitations import Newcomer, invite, take_as, take_as_newcomer
from annotation.people.members import add_person, change_role, deactivate, list_people
from errors import UserError
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.annotation.house import SLUG, House
from tests.support.refusals import code_of

PHRASE = "four plain words here"


def at_once(house: House, *acts: Callable[[Workspace], object]) -> Counter[str]:
    """Do each act in a thread of its own with a workspace of its own; count what came of them."""
    ready = Barrier(len(acts))

    def do(act: Callable[[Workspace], object]) -> str:
        workspace = Workspace(house.ws.folder, house.ws.clock)
        ready.wait(100)
        try:
            act(workspace)
        except UserError as error:
            return error.code
        return "done"

    with ThreadPoolExecutor(len(acts)) as pool:
        return Counter(pool.map(do, acts))


def administrators(house: House) -> list[str]:
    return [p.name for p in list_people(house.ws, SLUG) if p.active and p.role == "administrator"]


def test_of_the_last_two_administrators_who_leave_at_once_one_stays(house: House) -> None:
    for turn in range(3):
        one, two = (
            add_person(house.ws, SLUG, f"{name} {turn}", "administrator").id for name in "ab"
        )
        said = at_once(
            house,
            lambda ws, one=one: change_role(ws, one, "annotator", by=one),  # type: ignore[misc]
            lambda ws, two=two: deactivate(ws, two, by=two),  # type: ignore[misc]
        )
        assert said == {"done": 1, "last_administrator": 1}
        (left,) = [p for p in list_people(house.ws, SLUG) if p.active and p.role == "administrator"]
        change_role(house.ws, left.id, "annotator")


def test_one_invitation_taken_by_two_at_once_lets_one_in(house: House) -> None:
    ids = [accounts.add_account(house.ws, f"old{n}", f"Old {n}", PHRASE).id for n in range(2)]
    _, secret = invite(house.ws, SLUG, "lawyer")
    before = len(list_people(house.ws, SLUG))
    said = at_once(
        house,
        lambda ws: take_as(ws, secret, ids[0]),
        lambda ws: take_as(ws, secret, ids[1]),
        lambda ws: take_as_newcomer(ws, secret, Newcomer("new", "New", PHRASE)),
    )
    assert said == {"done": 1, "invitation_unusable": 2}
    assert len(list_people(house.ws, SLUG)) == before + 1


def test_a_steward_cannot_close_the_account_of_a_projects_last_administrator(house: House) -> None:
    head = accounts.add_account(house.ws, "head", "Head", PHRASE, steward=True).id
    lead = accounts.add_account(house.ws, "lead", "Lead", PHRASE).id
    create_project(house.ws, "other", "Other")
    for slug in (SLUG, "other"):
        take_as(house.ws, invite(house.ws, slug, "administrator")[1], lead)
    add_person(house.ws, SLUG, "Second", "administrator")
    assert code_of(accounts.set_active, house.ws, "lead", False, by=head) == "last_administrator"
    assert accounts.find_account(house.ws, lead) is not None
    add_person(house.ws, "other", "Third", "administrator")
    assert not accounts.set_active(house.ws, "lead", False, by=head).active
    assert administrators(house) == ["Lead", "Second"]


def test_another_role_counts_at_the_next_act(house: House) -> None:
    act = (house.ann, house.items[0], house.units[1], "accept")
    mapping_commands.label(house.ws, *act)
    change_role(house.ws, house.ann, "researcher")
    assert code_of(mapping_commands.label, house.ws, *act) == "not_allowed"
    change_role(house.ws, house.ann, "lawyer")
    mapping_commands.label(house.ws, *act)
