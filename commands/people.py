"""Commands about people and accounts: members, roles, sign-in."""

from __future__ import annotations

import getpass
import sys
from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import argument, option
from commands.shell.groups import ACCOUNT, PERSON
from commands.shell.options import id_of_person
from commands.shell.state import State
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from annotation.people.accounts import AccountView
    from annotation.people.members import PersonView

ROLE_NAMES = ("annotator", "lawyer", "adjudicator", "researcher", "administrator")
"""The roles of `annotation.people.roles`, written out so that --help need not load the tables."""

Name = Annotated[str, argument("The person's name.")]

Address = Annotated[str, option("Where the app is served.")]


@PERSON.command("add")
def add_member(
    state: State,
    name: Annotated[str, argument("The person's name, as shown in the app.")],
    role: Annotated[str, option(f"One of: {', '.join(ROLE_NAMES)}.")] = "annotator",
) -> None:
    """Add a person to the project."""
    from annotation.people.members import add_person

    _print_member(state, "Added", add_person(*state.chosen, name, role))


@PERSON.command("role")
def role(
    state: State,
    name: Name,
    to: Annotated[str, argument(f"One of: {', '.join(ROLE_NAMES)}.")],
) -> None:
    """Give a person another role; what they did in the earlier one stays theirs."""
    from annotation.people.members import change_role

    _change(state, "Changed", name, change_role, to)


@PERSON.command("rename")
def rename(state: State, name: Name, to: Annotated[str, argument("The new name.")]) -> None:
    """Give a person another name."""
    from annotation.people.members import rename as rename_person

    _change(state, "Renamed", name, rename_person, to)


@PERSON.command("deactivate")
def deactivate_member(state: State, name: Name) -> None:
    """Let a person do nothing more in the project; what they did is kept."""
    from annotation.people.members import deactivate as deactivate_person

    _change(state, "Deactivated", name, deactivate_person)


@PERSON.command("reactivate")
def reactivate_member(state: State, name: Name) -> None:
    """Let a deactivated person act again, in the role they had."""
    from annotation.people.members import reactivate as reactivate_person

    _change(state, "Reactivated", name, reactivate_person)


@PERSON.command("naming")
def naming(
    state: State,
    name: Name,
    agrees: Annotated[
        bool, option("As the person said; else as it is now.", "--agree/--refuse")
    ] = False,
) -> None:
    """Keep whether a person agrees to be named in published data; before, nobody does."""
    from annotation.people.members import set_naming

    set_naming(state.workspace, id_of_person(state, name), agrees)
    told = say("release.agreed" if agrees else "release.refused")
    state.emit({"person": name, "agrees": agrees}, [f"{name}: {told}"])


@PERSON.command("list")
def members(state: State) -> None:
    """List the people of the project."""
    from annotation.people.members import list_people

    found = list_people(*state.chosen)
    lines = [_member_line(each) for each in found] or ["Nobody yet."]
    state.emit({"people": [asdict(each) for each in found]}, lines)


@PERSON.command("invite")
def invite(
    state: State,
    role: Annotated[str, option(f"One of: {', '.join(ROLE_NAMES)}.")] = "annotator",
    note: Annotated[str, option("Whom it is for; the person does not see it.")] = "",
    days: Annotated[int, option("How long it can be taken, 1 to 60 days.")] = 7,
    address: Address = "http://localhost:8501",
) -> None:
    """Print a link with which one person takes a place in the project, once (team mode)."""
    from annotation.people.invitations import invite as make

    made, secret = make(*state.chosen, role, note, days)
    link = f"{address.rstrip('/')}/?invitation={secret}"
    until = f"{made.expires_at:%Y-%m-%d %H:%M} UTC"
    told = {"role": made.role, "link": link, "expires_at": made.expires_at.isoformat()}
    state.emit(told, [f"For one {made.role}, until {until}; it is not shown again:", link])


def _change(state: State, done: str, name: str, act: Callable[..., PersonView], *to: str) -> None:
    """Carry out `act` on the person of that name; print `done` and who they are now."""
    _print_member(state, done, act(state.workspace, id_of_person(state, name), *to))


def _print_member(state: State, done: str, person: PersonView) -> None:
    state.emit(asdict(person), [f"{done}: {_member_line(person)}."])


def _member_line(person: PersonView) -> str:
    return f"{person.name} ({person.role}{'' if person.active else ', deactivated'})"


@ACCOUNT.command("add")
def add(
    state: State,
    login: Annotated[str, argument("What they sign in with, such as an address.")],
    name: Annotated[str, option("Their name, as shown in the app.")] = "",
    steward: Annotated[bool, option("May make projects and tend accounts.", "--steward")] = False,
    provider: Annotated[
        bool,
        option(
            "No password: the login is an address that the identity provider verifies.",
            "--provider",
        ),
    ] = False,
) -> None:
    """Make an account. The password is asked for, or read from standard input."""
    from annotation.people.accounts import add_account

    word = None if provider else _password()
    made = add_account(state.workspace, login, name or login, word, steward)
    state.emit(asdict(made), [f"Added: {_account_line(made)}."])


@ACCOUNT.command("password")
def password(
    state: State,
    login: Annotated[str, argument("Whose password to replace.")],
) -> None:
    """Replace a password, asked for or read from standard input; it signs them out everywhere."""
    from annotation.people.accounts import set_password

    done = set_password(state.workspace, login, _password())
    state.emit(asdict(done), [f"Password replaced: {_account_line(done)}."])


@ACCOUNT.command("reset")
def reset(
    state: State,
    login: Annotated[str, argument("Who is to choose a new password.")],
    address: Address = "http://localhost:8501",
) -> None:
    """Print a link with which they choose a new password, once, within two days."""
    from annotation.people.invitations import offer_reset

    link = f"{address.rstrip('/')}/?reset={offer_reset(state.workspace, login)}"
    state.emit({"login": login, "link": link}, ["It is not shown again:", link])


@ACCOUNT.command("deactivate")
def deactivate(
    state: State,
    login: Annotated[str, argument("Who is to sign in no more.")],
) -> None:
    """Close an account in every project, at once; what it did is kept."""
    from annotation.people.accounts import set_active

    done = set_active(state.workspace, login, active=False)
    state.emit(asdict(done), [f"Deactivated: {_account_line(done)}."])


@ACCOUNT.command("reactivate")
def reactivate(
    state: State,
    login: Annotated[str, argument("Who is to sign in again.")],
) -> None:
    """Open a deactivated account again."""
    from annotation.people.accounts import set_active

    done = set_active(state.workspace, login, active=True)
    state.emit(asdict(done), [f"Reactivated: {_account_line(done)}."])


@ACCOUNT.command("list")
def accounts(state: State) -> None:
    """List every account of the workspace."""
    from annotation.people.accounts import list_accounts

    found = list_accounts(state.workspace)
    lines = [_account_line(each) for each in found] or ["No account yet."]
    state.emit({"accounts": [asdict(each) for each in found]}, lines)


def _account_line(account: AccountView) -> str:
    marks = [account.name]
    marks += ["steward"] if account.steward else []
    marks += [] if account.has_password else ["no password"]
    marks += [] if account.active else ["deactivated"]
    return f"{account.login} ({', '.join(marks)})"


def _password() -> str:
    """Return the password typed twice on the terminal, or one line of standard input."""
    if not sys.stdin.isatty():
        word = sys.stdin.readline().rstrip("\r\n")
        if not word:
            raise UserError("password_missing", Where(field="password"))
        return word
    word = getpass.getpass("Password: ")
    if getpass.getpass("Password again: ") != word:
        raise UserError("password_differs", Where(field="password"))
    return word
