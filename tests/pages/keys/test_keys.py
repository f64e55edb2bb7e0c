"""The screen of keys: one's own in place of the standard ones, from a field or from a file."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from annotation.keys import keep_own_keys, own_keys
from annotation.people.members import PersonView
from messages import say
from pages.shell.guard import md_literal
from pages.shell.navigation import cap, key_map, shortcut, standard, written
from storage.db.workspace import Workspace
from tests.pages.screens import opened, table
from tests.pages.small_project import empty_project, shown


@pytest.fixture
def ara(workspace: Workspace) -> tuple[Workspace, PersonView]:
    person, _ = empty_project(workspace)
    return workspace, person


def change(at: AppTest, action: str, key: str) -> AppTest:
    at.selectbox[0].set_value(action)
    at.text_input[0].set_value(key)
    return at.button[0].click().run()


def test_a_key_is_changed_refused_and_taken_back(ara: tuple[Workspace, PersonView]) -> None:
    workspace, person = ara
    at = opened("keys", workspace, person)
    assert len(table(at, "Key")) == len(key_map())
    assert say("keys.none_own") in shown(at)
    change(at, "accept", "r")
    reject = say("keys.action.reject")
    assert md_literal(reject) in at.error[0].value
    assert own_keys(workspace, person.id, standard()) == {}
    change(at, "accept", "Y")
    assert not at.error
    assert own_keys(workspace, person.id, standard()) == {"accept": "Y"}
    assert say("keys.own", count=1) in shown(at)
    first = table(at, "Key").iloc[0]
    assert (first["Key"], first["Standard"]) == ("⇧ y", "a")
    at.button(key="keys-reset").click().run()
    assert own_keys(workspace, person.id, standard()) == {}


def test_a_file_of_keys_is_taken_or_told_what_is_wrong(ara: tuple[Workspace, PersonView]) -> None:
    workspace, person = ara
    keep_own_keys(workspace, person.id, {"accept": "Y"}, standard())
    at = opened("keys", workspace, person)
    at.file_uploader[0].upload("keys.yaml", b'accept: "r"\nreject: "r"\n', "text/yaml").run()
    at.button(key="keys-take").click().run()
    assert md_literal("keys.yaml, line 2") in at.error[0].value
    at.file_uploader[0].upload("keys.yaml", b'accept: "r"\nreject: "a"\n', "text/yaml").run()
    at.button(key="keys-take").click().run()
    assert not at.error
    assert own_keys(workspace, person.id, standard()) == {"accept": "r", "reject": "a"}


def test_keys_are_written_as_on_the_caps() -> None:
    assert (written("Z"), written("Control+Enter"), written("Alt+n")) == ("⇧ z", "Ctrl ↵", "Alt n")
    assert (written("+"), written(" "), written("ArrowDown")) == ("+", "Space", "↓")
    assert (cap("take_back", {}), cap("take_back", {"take_back": "!"})) == ("⇧ z", "!")
    assert shortcut("send_back") == "Ctrl+b"
