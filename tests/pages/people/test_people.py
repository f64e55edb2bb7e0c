from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from annotation.people.accounts import AccountView
from annotation.people.invitations import list_invitations, open_invitation
from annotation.people.members import PersonView, add_person, deactivate, history, list_people
from annotation.people.roles import MAY, Act, Role
from messages import say
from storage.db.workspace import Workspace
from tests.pages.screens import opened, press, table
from tests.pages.small_project import HOSTILE, SLUG, empty_project, page, shown

STEWARD = AccountView(1, "head", "Head", True, True, True, False)


@pytest.fixture
def head(workspace: Workspace) -> PersonView:
    empty_project(workspace)
    return add_person(workspace, SLUG, "Head", "administrator")


def choose(at: AppTest, name: str) -> AppTest:
    box = at.selectbox(key="people-chosen")
    return box.select_index(box.options.index(name)).run()


def states(workspace: Workspace) -> dict[str, tuple[str, bool]]:
    return {each.name: (each.role, each.active) for each in list_people(workspace, SLUG)}


def test_everybody_is_listed_with_role_and_state(workspace: Workspace, head: PersonView) -> None:
    deactivate(workspace, 1)
    at = opened("people", workspace, head)
    rows = table(at, "Name", "Role", "State").to_numpy().tolist()
    assert rows[0] == ["Kim Ara", say("roles.role.annotator"), say("people.inactive")]
    assert len(rows) == 3
    at = opened("people", workspace, list_people(workspace, SLUG)[1])
    assert say("people.not_yours") in at.info[0].value
    assert not at.button


def test_somebody_is_renamed_given_another_role_and_deactivated(
    workspace: Workspace, head: PersonView
) -> None:
    at = opened("people", workspace, head)
    at.text_input[0].set_value("Kim Ara-ra")
    at.selectbox[1].set_value("lawyer")
    at = press(at, "Save")
    assert "Saved\\." in shown(at)
    assert "Saved\\\\\\." not in shown(at)
    assert states(workspace)["Kim Ara-ra"] == ("lawyer", True)
    at = press(at, "Deactivate")
    assert states(workspace)["Kim Ara-ra"] == ("lawyer", False)
    at = press(at, "Reactivate")
    assert states(workspace)["Kim Ara-ra"] == ("lawyer", True)
    kinds = [(each.kind, each.by) for each in history(workspace, SLUG)[3:]]
    assert kinds == [(kind, "Head") for kind in ("renamed", "role", "deactivated", "reactivated")]
    at = choose(at, "Head")
    at = press(at, "Deactivate")
    assert "only administrator" in shown(at)
    assert states(workspace)["Head"] == ("administrator", True), "the only one stays"


def test_somebody_is_added_and_names_stay_text(workspace: Workspace, head: PersonView) -> None:
    at = opened("people", workspace, head)
    at.text_input[1].set_value(HOSTILE)
    at = press(at, "Add")
    assert states(workspace)[HOSTILE] == ("annotator", True)
    assert HOSTILE not in shown(at)


def test_several_are_invited_by_one_form_their_links_shown_once_and_one_revoked(
    workspace: Workspace, head: PersonView
) -> None:
    at = page("people", workspace, head, account=STEWARD).run()
    at.selectbox[2].set_value("lawyer")
    at.text_area[0].set_value(f"Dora\n{HOSTILE}\nDora")
    at = press(at, say("people.invite.send"))
    secrets = [parse_qs(urlsplit(each.value).query)["invitation"][0] for each in at.code]
    made = [open_invitation(workspace, secret) for secret in secrets]
    assert [(each.note, each.role) for each in made] == [("Dora", "lawyer"), (HOSTILE, "lawyer")]
    told = [each.value for each in at.text]
    assert told == ["Dora", HOSTILE, say("people.invite.refused", note="Dora")]
    assert say("error.invitation_twice.what")[:-1] in at.error[0].value
    at = at.run()
    assert not at.code
    at = press(at, "Revoke")
    assert [each.state for each in list_invitations(workspace, SLUG)] == ["revoked", "open"]


def test_the_screen_shows_the_table_itself(workspace: Workspace) -> None:
    at = opened("roles", workspace, empty_project(workspace)[0])
    rows = table(at, "May").set_index("May")
    for act in Act:
        for role in Role:
            ticked = rows[say(f"roles.role.{role}")][say(f"roles.act.{act}")] == "✓"
            assert ticked == (role in MAY[act])
    assert say("roles.role.annotator") in shown(at)
