"""The app in team mode: nobody gets in but through the door, as nobody but themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.pages_manager import PagesManager
from streamlit.testing.v1 import AppTest

from annotation.people import accounts, sign_in
from annotation.people import sign_in as people_sign_in
from annotation.people.invitations import invite, offer_reset
from annotation.people.members import add_person, change_role, deactivate, list_people
from messages import say
from pages.shell.entry import auth_session
from serving.identity import COOKIE
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.pages.small_project import SLUG, Small, shown, small_project

APP = str(Path(__file__).resolve().parents[4] / "app.py")
PHRASE = "four plain words here"


@pytest.fixture(autouse=True)
def team(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_MODE", "team")
    monkeypatch.setattr(sign_in, "REFUSAL_SECONDS", 0.0)

    class Later(PagesManager):  # as in tests/test_app.py
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            PagesManager.uses_pages_directory = False

    monkeypatch.setattr("streamlit.testing.v1.app_test.PagesManager", Later)


@pytest.fixture
def small(tmp_path: Path) -> Small:
    return small_project(Workspace(tmp_path / "workspace"))


def opened(**address: str) -> AppTest:
    at = AppTest.from_file(APP, default_timeout=100)
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    return at


def member(small: Small, role: str = "annotator", name: str = "Dora") -> int:
    """Make an account with a place in the project; return the id of the account."""
    from annotation.people.invitations import Newcomer, take_as_newcomer

    _, secret = invite(small.workspace, SLUG, role)
    newcomer = Newcomer(name.lower(), name, PHRASE)
    return take_as_newcomer(small.workspace, secret, newcomer).id


def signs_in(at: AppTest, login: str = "dora", word: str = PHRASE) -> AppTest:
    at.text_input[0].set_value(login)
    at.text_input[1].set_value(word)
    at.button[0].click().run()
    return at


def is_inside(at: AppTest) -> bool:
    return bool(at.sidebar.get("page_link"))


def test_the_right_password_opens_the_door_whoever_the_address_names(small: Small) -> None:
    member(small)
    for forged in ("999", "-1", "' OR 1=1 --", "1"):
        at = opened(person=forged, project=SLUG)
        assert at.title[0].value == say("people.sign_in.title")
        assert not is_inside(at)
    assert not is_inside(signs_in(at, word="not the password"))
    assert at.error
    at = signs_in(at)
    assert is_inside(at)
    assert "Dora" in at.sidebar.markdown[-1].value
    assert not at.sidebar.selectbox  # nobody else to be
    assert "person" not in at.query_params
    assert not at.text_input


@pytest.mark.parametrize("forged", ["other", "../small"])
def test_a_project_that_is_not_theirs_is_refused(small: Small, forged: str) -> None:
    create_project(small.workspace, "other", "Other people's project")
    member(small)
    at = signs_in(opened(project=forged))
    assert not is_inside(at)
    assert "There is no project" in shown(at)
    assert "Other people's project" not in shown(at)
    at.sidebar.selectbox[0].set_value(SLUG).run()
    assert is_inside(at)


def test_a_forged_session_or_cookie_is_nobody(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    member(small)
    cookies = {COOKIE: ""}
    monkeypatch.setattr(
        "streamlit.runtime.context.ContextProxy.cookies", property(lambda _self: cookies)
    )
    for token in ("1.99999999999.0.0", "x" * 5000, ".", "1"):
        at = AppTest.from_file(APP, default_timeout=100)
        at.session_state["session-token"] = token
        at.session_state["chosen_person"] = "1"
        cookies[COOKIE] = ""
        assert not is_inside(at.run())
        cookies[COOKIE] = token
        assert not is_inside(opened())


def test_the_cookie_keeps_somebody_signed_in_until_they_sign_out(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = people_sign_in.token_for(small.workspace, member(small))
    cookies = property(lambda _self: {COOKIE: token})
    monkeypatch.setattr("streamlit.runtime.context.ContextProxy.cookies", cookies)
    at = opened()
    assert is_inside(at)
    at.sidebar.button(key="sign-out").click().run()
    assert not is_inside(at)
    assert not is_inside(opened())


def test_another_role_counts_at_once_and_whoever_is_deactivated_is_out(small: Small) -> None:
    member(small)
    at = signs_in(opened())
    assert is_inside(at)
    assert say("app.pages.people") not in links(at)
    change_role(small.workspace, list_people(small.workspace, SLUG)[-1].id, "administrator")
    at.run()
    assert say("app.pages.people") in links(at)
    deactivate(small.workspace, list_people(small.workspace, SLUG)[-1].id)
    at.run()
    assert at.title[0].value == say("people.no_place")
    accounts.set_active(small.workspace, "dora", False)
    at.run()
    assert at.title[0].value == say("people.sign_in.title")


def test_a_steward_alone_takes_charge_of_a_project_that_nobody_manages(small: Small) -> None:
    accounts.add_account(small.workspace, "eve", "Eve", PHRASE)
    at = signs_in(opened(), "eve")
    assert at.title[0].value == say("people.no_place")
    assert SLUG not in shown(at) and not [each for each in at.button if "untended" in str(each.key)]
    accounts.add_account(small.workspace, "dora", "Dora", PHRASE, True)
    at = signs_in(opened())
    assert at.title[0].value == say("people.no_place")
    assert say("people.untended") in shown(at) and SLUG in shown(at)
    at.button(key="untended-1").click().run()
    assert is_inside(at)
    assert say("app.pages.people") in links(at)
    assert list_people(small.workspace, SLUG)[-1].role == "administrator"


def links(at: AppTest) -> list[str]:
    return [each.proto.label for each in at.sidebar.get("page_link")]


def test_an_invitation_is_taken_on_its_page(small: Small) -> None:
    _, secret = invite(small.workspace, SLUG, "lawyer", "for <b>Dora</b>")
    at = opened(invitation=secret)
    assert at.title[0].value == say("people.invited.title")
    assert not at.text  # the note is for those who invite
    for field, value in zip(at.text_input, ["Dora", "dora", PHRASE, PHRASE + "?"], strict=True):
        field.set_value(value)
    at.button[0].click().run()
    assert say("error.password_differs.what")[:8] in shown(at).replace("\\", "")
    at.text_input[3].set_value(PHRASE)
    at.button[0].click().run()
    assert is_inside(at)
    assert "invitation" not in at.query_params
    assert list_people(small.workspace, SLUG)[-1].role == "lawyer"
    again = opened(invitation=secret)
    assert "invitation has been used" in shown(again)
    again.button[0].click().run()
    assert again.title[0].value == say("people.sign_in.title")


def test_somebody_signed_in_joins_another_project(small: Small) -> None:
    member(small)
    create_project(small.workspace, "other", "Other")
    _, secret = invite(small.workspace, "other", "researcher")
    at = AppTest.from_file(APP, default_timeout=100)
    at.session_state["session-token"] = people_sign_in.token_for(small.workspace, 1)
    at.query_params["invitation"] = secret
    at.run()
    at.button(key="invited-join").click().run()
    assert [place.slug for place in accounts.places(small.workspace, 1)] == [SLUG, "other"]


def test_a_password_is_renewed_on_its_page(small: Small) -> None:
    member(small)
    at = opened(reset=offer_reset(small.workspace, "dora"))
    for field in at.text_input:
        field.set_value("another four words")
    at.button[0].click().run()
    assert is_inside(at)
    assert is_inside(signs_in(opened(), word="another four words"))
    assert not is_inside(signs_in(opened()))


def test_a_steward_without_a_place_makes_a_project(small: Small) -> None:
    accounts.add_account(small.workspace, "head", "Head", PHRASE, steward=True)
    at = signs_in(opened(), "head")
    assert at.title[0].value == say("people.no_place")
    at.text_input(key="data-project-slug").set_value("new")
    at.text_input(key="data-project-title").set_value("New")
    next(each for each in at.button if each.label == say("data.project.create")).click().run()
    assert is_inside(at)
    assert [p.role for p in list_people(small.workspace, "new")] == ["administrator"]


def test_who_the_provider_vouches_for_is_the_account_of_that_subject(
    small: Small, monkeypatch: pytest.MonkeyPatch
) -> None:
    accounts.add_account(small.workspace, "ara@example.org", "Ara", None)
    said: dict[str, Any] = {
        "is_logged_in": True,
        "iss": "https://id.example.org",
        "sub": "7",
        "name": "Ara",
    }
    monkeypatch.setattr(auth_session, "has_provider", lambda: True)
    monkeypatch.setattr(
        "streamlit.user_info.UserInfoProxy.to_dict", lambda _self: dict(said), raising=True
    )
    assert "no such account here" in shown(opened()).replace("\\", "")
    said["email"] = "ara@example.org"
    assert "no such account here" in shown(opened()).replace("\\", "")  # not verified
    said["email_verified"] = True
    assert opened().title[0].value == say("people.no_place")
    (account,) = accounts.list_accounts(small.workspace)
    assert account.has_provider
    del said["email"], said["email_verified"]
    assert opened().title[0].value == say("people.no_place")
    said["iss"] = "https://other.example.org"
    assert "no such account here" in shown(opened()).replace("\\", "")


def test_a_slip_in_the_mode_opens_no_door(small: Small, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOUCHSTONE_MODE", "teem")
    add_person(small.workspace, SLUG, "Eve", "administrator")
    at = opened(person="1")
    assert not is_inside(at)
    assert "is not a mode" in shown(at)
