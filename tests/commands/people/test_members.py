from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import touchstone
from annotation.people import accounts, members
from annotation.people.invitations import open_invitation, reset_login
from annotation.people.sign_in import sign_in
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.commands.called import told

PHRASE = "four plain words here"


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    workspace = Workspace(tmp_path / "ws")
    migrate(workspace)
    create_project(workspace, "lake", "Lake law")
    return workspace


def test_people_are_added_changed_and_listed(ws: Workspace) -> None:
    for words in (
        ("add", "Ara", "--role", "lawyer"),
        ("role", "Ara", "adjudicator"),
        ("rename", "Ara", "Kim Ara"),
        ("deactivate", "Kim Ara"),
    ):
        assert told(ws.folder, "person", *words)[0] == 0
    code, said = told(ws.folder, "person", "list")
    assert code == 0
    (ara,) = said["people"]
    assert (ara["name"], ara["role"], ara["active"]) == ("Kim Ara", "adjudicator", False)
    assert told(ws.folder, "person", "reactivate", "Kim Ara")[1]["active"]
    kinds = [each.kind for each in members.history(ws, "lake")]
    assert kinds == ["added", "role", "renamed", "deactivated", "reactivated"]
    code, said = told(ws.folder, "person", "role", "Nobody", "lawyer")
    assert (code, said["error"]) == (3, "person_unnamed")
    code, said = told(ws.folder, "person", "role", "Kim Ara", "king")
    assert (code, said["error"]) == (3, "role_unknown")


def test_accounts_take_their_password_from_standard_input(ws: Workspace) -> None:
    add = ("account", "add", "ara@example.org", "--name", "Kim Ara", "--steward")
    code, said = told(ws.folder, *add, typed=f"{PHRASE}\n")
    assert (code, said["login"], said["steward"]) == (0, "ara@example.org", True)
    assert PHRASE not in json.dumps(said)
    code, said = told(ws.folder, *add, typed="")
    assert (code, said["error"]) == (3, "password_missing")
    replace = ("account", "password", "ara@example.org")
    assert told(ws.folder, *replace, typed=f"{PHRASE} two\r\n")[0] == 0
    assert sign_in(ws, "ara@example.org", f"{PHRASE} two", "here").name == "Kim Ara"
    assert told(ws.folder, "account", "deactivate", "ara@example.org")[0] == 0
    (listed,) = told(ws.folder, "account", "list")[1]["accounts"]
    assert not listed["active"]
    assert told(ws.folder, "account", "reactivate", "ara@example.org")[1]["active"]


def test_a_project_gets_an_administrator_who_signs_in(ws: Workspace) -> None:
    made = ("project", "pond", "--administrator", "ara")
    code, said = told(ws.folder, *made)
    assert (code, said["error"]) == (3, "account_unknown")
    assert "pond" not in str(told(ws.folder, "project", "list")[1])
    accounts.add_account(ws, "ara", "Kim Ara", PHRASE)
    assert told(ws.folder, *made)[1]["administrator"] == "ara"
    there = ("project", "lake", "--administrator", "ara")  # made before
    assert told(ws.folder, *there) == (
        0,
        {"project": "lake", "administrator": "ara"},
    )
    signed_in = sign_in(ws, "ara", PHRASE, "here")
    slugs = [each.slug for each in accounts.places(ws, signed_in.id)]
    assert sorted(slugs) == ["lake", "pond"]


def test_an_account_of_the_provider_has_no_password(ws: Workspace) -> None:
    assert told(ws.folder, "account", "add", "jun@example.org", "--provider")[0] == 0
    (account,) = accounts.list_accounts(ws)
    assert not account.has_password


def test_no_command_takes_a_password_as_an_argument() -> None:
    import typer.main

    def names(command: Any) -> list[str]:
        own = [option for each in command.params for option in each.opts]
        return own + [n for c in getattr(command, "commands", {}).values() for n in names(c)]

    assert not [
        name for name in names(typer.main.get_command(touchstone.app)) if "password" in name
    ]


def test_links_are_printed_once_and_work(ws: Workspace) -> None:
    invite = ("person", "invite", "--role", "lawyer", "--address", "https://t.example.org/")
    _, said = told(ws.folder, *invite)
    address, _, secret = said["link"].partition("/?invitation=")
    assert address == "https://t.example.org"
    assert open_invitation(ws, secret).role == "lawyer"
    accounts.add_account(ws, "ara", "Ara", PHRASE)
    _, said = told(ws.folder, "account", "reset", "ara")
    assert reset_login(ws, said["link"].partition("/?reset=")[2]) == "ara"


@pytest.mark.parametrize("team", [False, True])
def test_both_modes_are_served_behind_the_gates_under_the_names_given(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, team: bool
) -> None:
    accounts.add_account(ws, "ara", "Ara", PHRASE)
    served: list[tuple[list[str], dict[str, str]]] = []

    def serve(command: list[str], environment: dict[str, str], _folder: object) -> int:
        served.append((command, environment))
        return 0

    monkeypatch.setattr("commands.shell.workspace._port_taken", lambda _port: False)
    monkeypatch.setattr("commands.shell.workspace.run_until_stopped", serve)
    monkeypatch.setenv("TOUCHSTONE_HOSTS", "a.example, b.example")
    words = ["--workspace", str(ws.folder), "serve", "--host-name", "c.example"]
    monkeypatch.setattr("sys.argv", ["touchstone.py", *words, *(["--team"] if team else [])])
    assert touchstone.main() == 0
    ((command, environment),) = served
    assert command[4].endswith("server.py")
    assert environment["TOUCHSTONE_MODE"] == ("team" if team else "single")
    names = [each.strip() for each in environment["TOUCHSTONE_HOSTS"].split(",")]
    assert names == ["a.example", "b.example", "c.example"]


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (("serve", "--address", "0.0.0.0"), "serve_open"),  # noqa: S104
        (("serve", "--team", "--port", "1"), "serve_nobody"),
        (("serve", "--host-name", "*"), "host_name_bad"),
        (("serve", "--host-name", "a.example", "--host-name", "http://b"), "host_name_bad"),
    ],
)
def test_nothing_is_served_openly_or_to_nobody(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], error: str
) -> None:
    monkeypatch.setattr("commands.shell.workspace._port_taken", lambda _port: False)
    monkeypatch.setattr("subprocess.run", lambda *_, **__: pytest.fail("served"))
    code, said = told(ws.folder, *words)
    assert (code, said["error"]) == (3, error)
