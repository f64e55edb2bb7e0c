"""The models screen as each kind of person finds it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit import config
from streamlit.runtime.secrets import Secrets

import app
from llm.prompts.prompt_files import packaged_ids, prompt
from llm.roles import Role
from messages import say
from services.models.prompts import project_prompts
from services.models.workspace_models import roles
from storage.db.workspace import Workspace
from tests.pages.screens import opened
from tests.pages.small_project import SLUG, Small, leader, shown, small_project
from tests.services.models.test_prompts import NAME, reworded


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return small_project(workspace)


def test_a_server_is_named_and_its_key_is_not(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    lead = leader(small.workspace)
    at = opened("models", small, lead)
    assert say("llm.adds.judge") in shown(at), "without one, what it would add"
    assert shown(at).count(say("models.not_set")) == len(Role)
    assert not [each for each in at.button if each.key == "models-test"]
    file = small.workspace.folder / "models.toml"
    file.write_text('base_url = "http://localhost:9/v1"\nmodel = "tiny"\n', "utf-8")
    monkeypatch.setenv("TOUCHSTONE_MODELS_KEY_JUDGE", "sk-0123456789")
    told = shown(opened("models", small, lead))
    assert told.count("tiny") == len(Role)
    assert (told.count("with a key"), told.count("without a key")) == (1, len(Role) - 1)
    assert "0123456789" not in told


def test_a_prompt_is_edited_and_put_back(small: Small) -> None:
    at = opened("models", small, leader(small.workspace))
    at.button_group(key="models-view").set_value("prompts").run()
    assert tuple(at.selectbox(key="models-prompt").options) == packaged_ids()
    at.selectbox(key="models-prompt").set_value(NAME).run()
    at.text_area[0].set_value("=== user ===\nnothing").run()
    at.button(key="models-save").click().run()
    assert "places" in at.error[0].value
    at.text_area[0].set_value(reworded()).run()
    at.button(key="models-save").click().run()
    assert "version 2" in at.success[0].value
    assert prompt(NAME, "en", project_prompts(small.workspace, SLUG)).number == 2
    at.button(key="models-restore").click().run()
    assert prompt(NAME, "en", project_prompts(small.workspace, SLUG)).number == 3


def test_a_key_in_streamlits_secrets_is_found(
    small: Small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (small.workspace.folder / "models.toml").write_text(
        'base_url = "http://localhost:9/v1"\nmodel = "tiny"\n', "utf-8"
    )
    secrets = tmp_path / "secrets.toml"
    secrets.write_text('TOUCHSTONE_MODELS_KEY_SOLVE = "sk-9876543210"\n', "utf-8")
    monkeypatch.setenv("TOUCHSTONE_MODELS_KEY_SOLVE", "")  # put back afterwards
    monkeypatch.delenv("TOUCHSTONE_MODELS_KEY_SOLVE")
    monkeypatch.setattr(st, "secrets", Secrets())
    monkeypatch.setattr(config, "get_option", _with_secrets(str(secrets)))
    app.open_workspace.clear()
    app.open_workspace(small.workspace.folder)
    with_key = [each.role for each in roles(small.workspace) if each.has_key]
    assert with_key == ["solve"]


def _with_secrets(file: str) -> Callable[[str], Any]:
    usual = config.get_option
    return lambda name: [file] if name == "secrets.files" else usual(name)
