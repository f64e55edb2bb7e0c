from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from errors import UserError
from llm.request import Message, Request
from llm.roles import PREFIX, Role
from llm.settings import Settings
from services.models.workspace_models import (
    calls,
    load_settings,
    model,
    roles,
    settings_file,
    try_roles,
)
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.llm.server import Server
from tests.support.refusals import code_of, refused

NOTHING: dict[str, str] = {}


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "w", clock)
    migrate(workspace)
    return workspace


def point_at(ws: Workspace, server: Server, more: str = "") -> None:
    text = f'[judge]\nbase_url = "{server.base_url}"\nmodel = "m"\nmax_tokens = 8\n{more}'
    settings_file(ws, NOTHING).write_text(text, "utf-8")


def test_no_file_is_no_model(ws: Workspace) -> None:
    assert load_settings(ws, NOTHING) == Settings()
    assert [each.endpoint for each in roles(ws, NOTHING)] == [None] * len(Role)
    assert try_roles(ws, source=NOTHING) == []
    assert calls(ws) == []


@pytest.mark.parametrize("make", [Path.mkdir, lambda file: file.write_bytes(b"\xff\xfe\x00")])
def test_a_file_that_cannot_be_read_is_named(ws: Workspace, make) -> None:
    file = settings_file(ws, NOTHING)
    make(file)
    with pytest.raises(UserError) as caught:
        load_settings(ws, NOTHING)
    assert (caught.value.code, caught.value.where.file) == ("models_unreadable", str(file))


def test_keys_come_from_whoever_calls(ws: Workspace, server: Server, monkeypatch) -> None:
    monkeypatch.setenv(PREFIX, "of-the-environment")
    point_at(ws, server)
    [judge] = [each for each in roles(ws, {PREFIX: "of-the-secrets"}) if each.endpoint]
    assert (judge.role, judge.has_key) == (Role.JUDGE, True)
    for source in (None, {PREFIX: "of-the-secrets"}, NOTHING):
        try_roles(ws, source=source)
    sent = [seen.headers["authorization"] for seen in server.seen]
    assert sent == ["Bearer of-the-environment", "Bearer of-the-secrets", "Bearer none"]


def test_a_model_keeps_its_calls_in_the_workspace_and_within_its_budget(
    ws: Workspace, server: Server
) -> None:
    point_at(ws, server, "[budget]\ncalls = 1\n")

    async def ask(text: str) -> str:
        async with model(ws, Role.JUDGE, NOTHING) as client:
            reply = await client.ask(Request(client.endpoint, (Message("user", text),), "p@1"))
        return reply.text

    assert asyncio.run(ask("first")) == asyncio.run(ask("first")) == "ok"
    assert len(server.seen) == 1
    [spent] = calls(ws)
    assert (spent.role, spent.calls, spent.answered, spent.tokens_in) == ("judge", 1, 1, 10)
    assert spent.first.year == 2026  # the workspace's clock
    with refused("models_budget_reached"):
        asyncio.run(ask("second"))
    assert code_of(model, ws, Role.SOLVE, NOTHING) == "models_role_unset"
