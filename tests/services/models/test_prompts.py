"""A workspace's models and a project's own wordings of prompts."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from annotation.people.members import add_person
from errors import UserError
from llm.prompts.prompt_files import packaged_ids, prompt
from llm.request import Message, Request
from llm.roles import PREFIX, Role
from llm.settings import Settings
from services.models.prompts import list_prompts, packaged_body, project_prompts, save_prompt
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
from storage.projects import create_project
from tests.conftest import FakeClock
from tests.llm.server import Server
from tests.support.refusals import code_of, refused

SLUG = "lake"
NAME = "judge_binary"


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    made = Workspace(tmp_path / "workspace", clock)
    migrate(made)
    for slug in (SLUG, "other"):
        create_project(made, slug, slug)
    return made


def reworded(language: str = "en") -> str:
    return packaged_body(NAME, language).replace("=== user ===", "=== user ===\nBe strict.\n")


def test_a_wording_of_the_project_counts_there_and_nowhere_else(ws: Workspace) -> None:
    bora = add_person(ws, SLUG, "Han Bora", "researcher").id
    before = prompt(NAME, "en")
    version = save_prompt(ws, SLUG, NAME, "en", reworded(), "too kind", before.number, bora)
    mine = prompt(NAME, "en", project_prompts(ws, SLUG))
    assert mine.version == version != before.version
    assert mine.number == before.number + 1
    assert "Be strict." in mine.parts[-1][1]
    assert (mine.places, mine.role, mine.schema) == (before.places, before.role, before.schema)
    assert prompt(NAME, "en", project_prompts(ws, "other")) == before
    assert prompt(NAME, "ko", project_prompts(ws, SLUG)) == prompt(NAME, "ko")
    (view,) = [each for each in list_prompts(ws, SLUG, bora) if each.own]
    assert (view.id, view.person, view.note, view.number) == (NAME, "Han Bora", "too kind", 2)
    save_prompt(ws, SLUG, NAME, "en", packaged_body(NAME, "en"), "back", 2)
    mine = prompt(NAME, "en", project_prompts(ws, SLUG))
    assert (mine.parts, mine.number) == (before.parts, 3)


def test_every_packaged_prompt_is_listed_with_what_it_says(ws: Workspace) -> None:
    found = list_prompts(ws, SLUG)
    assert [(each.id, each.language) for each in found] == [
        (name, language) for name in packaged_ids() for language in ("en", "ko")
    ]
    for each in found:
        assert each.body.startswith("===")
        assert each.body == packaged_body(each.id, each.language)


@pytest.mark.parametrize(
    ("name", "body", "expected", "code"),
    [
        ("no_such", "=== user ===\nx", 1, "prompt_unknown"),
        (NAME, "", 1, "prompt_unreadable"),
        (NAME, "=== user ===\n{{surplus}}", 1, "prompt_places"),
        (NAME, "=== user ===\n" + "x" * 20_001, 1, "text_too_long"),
        (NAME, packaged_body(NAME, "en"), 1, "prompt_same"),
        (NAME, reworded(), 2, "prompt_stale"),
    ],
)
def test_what_cannot_stand_is_refused_and_changes_nothing(
    ws: Workspace, name: str, body: str, expected: int, code: str
) -> None:
    assert code_of(save_prompt, ws, SLUG, name, "en", body, "", expected) == code
    assert not any(each.own for each in list_prompts(ws, SLUG))


NOTHING: dict[str, str] = {}


def point_at(ws: Workspace, server: Server, more: str = "") -> None:
    text = f'[judge]\nbase_url = "{server.base_url}"\nmodel = "m"\nmax_tokens = 8\n{more}'
    settings_file(ws, NOTHING).write_text(text, "utf-8")


def test_no_file_is_no_model(ws: Workspace) -> None:
    assert load_settings(ws, NOTHING) == Settings()
    assert [each.endpoint for each in roles(ws, NOTHING)] == [None] * len(Role)
    assert try_roles(ws, environ=NOTHING) == []
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
    for environ in (None, {PREFIX: "of-the-secrets"}, NOTHING):
        try_roles(ws, environ=environ)
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
