"""Commands about people: who takes part, and as what."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.groups import PERSON
from commands.shell.options import person_named
from commands.shell.state import State

if TYPE_CHECKING:
    from annotation.people.members import PersonView

ROLE_NAMES = ("annotator", "lawyer", "adjudicator", "researcher", "administrator")
"""The roles of `annotation.people.roles`, written out so that --help need not load the tables."""

Name = Annotated[str, typer.Argument(help="The person's name.")]


@PERSON.command("add")
def add(
    state: State,
    name: Annotated[str, typer.Argument(help="The person's name, as shown in the app.")],
    role: Annotated[str, typer.Option(help=f"One of: {', '.join(ROLE_NAMES)}.")] = "annotator",
) -> None:
    """Add a person to the project."""
    from annotation.people.members import add_person

    _told(state, "Added", add_person(*state.chosen, name, role))


@PERSON.command("role")
def role(
    state: State,
    name: Name,
    to: Annotated[str, typer.Argument(help=f"One of: {', '.join(ROLE_NAMES)}.")],
) -> None:
    """Give a person another role; what they did in the earlier one stays theirs."""
    from annotation.people.members import change_role

    _told(state, "Changed", change_role(state.workspace, person_named(state, name), to))


@PERSON.command("rename")
def rename(
    state: State, name: Name, to: Annotated[str, typer.Argument(help="The new name.")]
) -> None:
    """Give a person another name."""
    from annotation.people.members import rename as rename_person

    _told(state, "Renamed", rename_person(state.workspace, person_named(state, name), to))


@PERSON.command("deactivate")
def deactivate(state: State, name: Name) -> None:
    """Let a person do nothing more in the project; what they did is kept."""
    from annotation.people.members import deactivate as deactivate_person

    _told(state, "Deactivated", deactivate_person(state.workspace, person_named(state, name)))


@PERSON.command("reactivate")
def reactivate(state: State, name: Name) -> None:
    """Let a deactivated person act again, in the role they had."""
    from annotation.people.members import reactivate as reactivate_person

    _told(state, "Reactivated", reactivate_person(state.workspace, person_named(state, name)))


@PERSON.command("list")
def listing(state: State) -> None:
    """List the people of the project."""
    from annotation.people.members import list_people

    found = list_people(*state.chosen)
    lines = [_line_of(each) for each in found] or ["Nobody yet."]
    state.emit({"people": [asdict(each) for each in found]}, lines)


@PERSON.command("invite")
def invite(
    state: State,
    role: Annotated[str, typer.Option(help=f"One of: {', '.join(ROLE_NAMES)}.")] = "annotator",
    note: Annotated[str, typer.Option(help="Whom it is for; the person does not see it.")] = "",
    days: Annotated[int, typer.Option(help="How long it can be taken, 1 to 60 days.")] = 7,
    address: Annotated[
        str, typer.Option(help="Where the app is served.")
    ] = "http://localhost:8501",
) -> None:
    """Print a link with which one person takes a place in the project, once (team mode)."""
    from annotation.people.invitations import invite as make

    made, secret = make(*state.chosen, role, note, days)
    link = f"{address.rstrip('/')}/?invitation={secret}"
    until = f"{made.expires_at:%Y-%m-%d %H:%M} UTC"
    told = {"role": made.role, "link": link, "expires_at": made.expires_at.isoformat()}
    state.emit(told, [f"For one {made.role}, until {until}; it is not shown again:", link])


def _told(state: State, done: str, person: PersonView) -> None:
    state.emit(asdict(person), [f"{done}: {_line_of(person)}."])


def _line_of(person: PersonView) -> str:
    return f"{person.name} ({person.role}{'' if person.active else ', deactivated'})"
