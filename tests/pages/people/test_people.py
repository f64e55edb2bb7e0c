from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.accounts import AccountView
from annotation.people.invitations import list_invitations, look_at
from annotation.people.members import PersonView, add_person, deactivate, history, list_people
from messages import say
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import HOSTILE, SLUG, empty_project, page, shown

STEWARD = AccountView(1, "head", "Head", True, True, True, False)


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "ws", clock)


@pytest.fixture
def head(workspace: Workspace) -> PersonView:
    empty_project(workspace)
    return add_person(workspace, SLUG, "Head", "administrator")


def choose(at: AppTest, name: str) -> AppTest:
    box = at.selectbox(key="people-chosen")
    return box.select_index(box.options.index(name)).run()


def press(at: AppTest, label: str) -> AppTest:
    return next(each for each in at.button if each.label == label).click().run()


def states(workspace: Workspace) -> dict[str, tuple[str, bool]]:
    return {each.name: (each.role, each.active) for each in list_people(workspace, SLUG)}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_everybody_is_listed_with_role_and_state(
    workspace: Workspace, head: PersonView, language: str
) -> None:
    deactivate(workspace, 1)
    at = page("people", workspace, head, language).run()
    assert not at.exception
    rows = at.dataframe[0].value.to_numpy().tolist()
    assert rows[0] == [
        "Kim Ara",
        say("roles.role.annotator", language),
        say("people.inactive", language),
    ]
    assert len(rows) == 3


def test_it_is_for_administrators(workspace: Workspace, head: PersonView) -> None:
    at = page("people", workspace, list_people(workspace, SLUG)[1]).run()
    assert say("people.not_yours") in at.info[0].value
    assert not at.button


def test_somebody_is_renamed_given_another_role_and_deactivated(
    workspace: Workspace, head: PersonView
) -> None:
    at = page("people", workspace, head).run()
    at.text_input[0].set_value("Kim Ara-ra")
    at.selectbox[1].set_value("lawyer")
    at = press(at, "Save")
    assert not at.exception
    assert "Saved\\." in shown(at)
    assert "Saved\\\\\\." not in shown(at)
    assert states(workspace)["Kim Ara-ra"] == ("lawyer", True)
    at = press(at, "Deactivate")
    assert states(workspace)["Kim Ara-ra"] == ("lawyer", False)
    at = press(at, "Reactivate")
    assert states(workspace)["Kim Ara-ra"] == ("lawyer", True)
    kinds = [(each.kind, each.by) for each in history(workspace, SLUG)[3:]]
    assert kinds == [
        ("renamed", "Head"),
        ("role", "Head"),
        ("deactivated", "Head"),
        ("reactivated", "Head"),
    ]


def test_the_only_administrator_stays(workspace: Workspace, head: PersonView) -> None:
    at = choose(page("people", workspace, head).run(), "Head")
    at = press(at, "Deactivate")
    assert "only administrator" in shown(at)
    assert states(workspace)["Head"] == ("administrator", True)


def test_somebody_is_added_and_names_stay_text(workspace: Workspace, head: PersonView) -> None:
    at = page("people", workspace, head).run()
    at.text_input[1].set_value(HOSTILE)
    at = press(at, "Add")
    assert not at.exception
    assert states(workspace)[HOSTILE] == ("annotator", True)
    assert HOSTILE not in shown(at)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_several_are_invited_by_one_form(
    workspace: Workspace, head: PersonView, language: str
) -> None:
    at = page("people", workspace, head, language, account=STEWARD).run()
    at.text_area[0].set_value(f"Dora\n{HOSTILE}\nDora")
    at = press(at, say("people.invite.send", language))
    assert not at.exception
    secrets = [parse_qs(urlsplit(each.value).query)["invitation"][0] for each in at.code]
    assert [look_at(workspace, secret).note for secret in secrets] == ["Dora", HOSTILE]
    told = [each.value for each in at.text]
    assert told == ["Dora", HOSTILE, say("people.invite.refused", language, note="Dora")]
    assert say("error.invitation_twice.what", language)[:-1] in at.error[0].value


def test_an_invitation_link_is_shown_once_and_can_be_revoked(
    workspace: Workspace, head: PersonView
) -> None:
    at = page("people", workspace, head, account=STEWARD).run()
    at.selectbox[2].set_value("lawyer")
    at.text_area[0].set_value("for Dora")
    at = press(at, "Make invitation links")
    assert not at.exception
    (secret,) = parse_qs(urlsplit(at.code[0].value).query)["invitation"]
    assert look_at(workspace, secret).role == "lawyer"
    at = at.run()
    assert not at.code
    at = press(at, "Revoke")
    assert not at.exception
    assert [each.state for each in list_invitations(workspace, SLUG)] == ["revoked"]
