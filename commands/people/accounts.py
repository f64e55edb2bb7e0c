"""Commands about accounts: who can sign in where people sign in (team mode)."""

from __future__ import annotations

import getpass
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.groups import ACCOUNT
from commands.shell.state import State
from errors import UserError, Where

if TYPE_CHECKING:
    from annotation.people.accounts import AccountView


@ACCOUNT.command("add")
def add(
    state: State,
    login: Annotated[str, typer.Argument(help="What they sign in with, such as an address.")],
    name: Annotated[str, typer.Option(help="Their name, as shown in the app.")] = "",
    steward: Annotated[
        bool, typer.Option("--steward", help="May make projects and tend accounts.")
    ] = False,
    provider: Annotated[
        bool,
        typer.Option(
            "--provider",
            help="No password: the login is an address that the identity provider verifies.",
        ),
    ] = False,
) -> None:
    """Make an account. The password is asked for, or read from standard input."""
    from annotation.people.accounts import add_account

    word = None if provider else _password()
    made = add_account(state.workspace, login, name or login, word, steward)
    state.emit(asdict(made), [f"Added: {_line(made)}."])


@ACCOUNT.command("password")
def password(
    state: State,
    login: Annotated[str, typer.Argument(help="Whose password to replace.")],
) -> None:
    """Replace a password, asked for or read from standard input; it signs them out everywhere."""
    from annotation.people.accounts import set_password

    done = set_password(state.workspace, login, _password())
    state.emit(asdict(done), [f"Password replaced: {_line(done)}."])


@ACCOUNT.command("reset")
def reset(
    state: State,
    login: Annotated[str, typer.Argument(help="Who is to choose a new password.")],
    address: Annotated[
        str, typer.Option(help="Where the app is served.")
    ] = "http://localhost:8501",
) -> None:
    """Print a link with which they choose a new password, once, within two days."""
    from annotation.people.invitations import offer_reset

    link = f"{address.rstrip('/')}/?reset={offer_reset(state.workspace, login)}"
    state.emit({"login": login, "link": link}, ["It is not shown again:", link])


@ACCOUNT.command("deactivate")
def deactivate(
    state: State,
    login: Annotated[str, typer.Argument(help="Who is to sign in no more.")],
) -> None:
    """Close an account in every project, at once; what it did is kept."""
    from annotation.people.accounts import set_active

    done = set_active(state.workspace, login, active=False)
    state.emit(asdict(done), [f"Deactivated: {_line(done)}."])


@ACCOUNT.command("reactivate")
def reactivate(
    state: State,
    login: Annotated[str, typer.Argument(help="Who is to sign in again.")],
) -> None:
    """Open a deactivated account again."""
    from annotation.people.accounts import set_active

    done = set_active(state.workspace, login, active=True)
    state.emit(asdict(done), [f"Reactivated: {_line(done)}."])


@ACCOUNT.command("list")
def listing(state: State) -> None:
    """List every account of the workspace."""
    from annotation.people.accounts import list_accounts

    found = list_accounts(state.workspace)
    lines = [_line(each) for each in found] or ["No account yet."]
    state.emit({"accounts": [asdict(each) for each in found]}, lines)


def _line(account: AccountView) -> str:
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
