"""A server of the whole app in either mode, with accounts that can be signed in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from annotation.people import accounts, sign_in
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.e2e.harness import running_app

PHRASE = "four plain words here"
BUDGETS = {"TOUCHSTONE_SESSION_UPLOAD_MIB": "2", "TOUCHSTONE_SERVER_UPLOAD_MIB": "3"}


@dataclass(frozen=True)
class Served:
    """A running server, its workspace, and the cookies of two who are signed in."""

    address: str
    ws: Workspace
    ara: str = ""
    ben: str = ""


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a workspace to a team: 2 MiB of uploads each, 3 MiB in all."""
    ws = Workspace(tmp_path_factory.mktemp("team") / "workspace")
    migrate(ws)
    create_project(ws, "sample", "Sample")
    tokens = []
    for login in ("ara", "ben", "cho"):
        made = accounts.add_account(ws, login, login.title(), PHRASE)
        tokens.append(sign_in.token_for(ws, made.id))
    accounts.set_active(ws, "cho", False)
    with running_app(ws.folder, {"TOUCHSTONE_MODE": "team"} | BUDGETS, "server.py") as address:
        yield Served(address, ws, *tokens[:2])


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a workspace to one person, who has no account."""
    ws = Workspace(tmp_path_factory.mktemp("alone") / "workspace")
    migrate(ws)
    create_project(ws, "sample", "Sample")
    brief = {"STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "4"}  # seconds that a browser may be gone
    with running_app(ws.folder, BUDGETS | brief, "server.py") as address:
        yield Served(address, ws)
