"""Sign-in screens of team mode: password, invitation, new password."""

from __future__ import annotations

import streamlit as st

from annotation.people.accounts import SHORTEST, AccountView
from annotation.people.invitations import (
    InvitationView,
    Newcomer,
    open_invitation,
    reset,
    reset_login,
    take_as,
    take_as_newcomer,
)
from annotation.people.sign_in import sign_in
from errors import UserError, Where
from messages import say
from pages.shell.entry import auth_session
from pages.shell.entry.welcome import page_middle
from pages.shell.guard import guarded, md_literal, show
from services.sample.people import shown_title
from storage.db.workspace import Workspace

INVITATION, RESET = "invitation", "reset"  # query parameters of links to these screens


def render(workspace: Workspace, account: AccountView | None, language: str) -> None:
    """Draw the screen that the address asks for."""
    with page_middle():
        if INVITATION in st.query_params:
            _invitation(workspace, account, language)
        elif RESET in st.query_params:
            _new_password(workspace, language)
        else:
            _sign_in(workspace, language)


def asked_for() -> bool:
    """Return whether the address asks for an invitation or a password reset."""
    return INVITATION in st.query_params or RESET in st.query_params


def _sign_in(workspace: Workspace, language: str) -> None:
    """Draw the form that signs in."""
    st.title(say("people.sign_in.title", language), anchor=False)
    if auth_session.has_provider():
        _provider(language)
    with st.form("sign-in", border=False):
        login = st.text_input(say("people.sign_in.login", language), autocomplete="username")
        word = st.text_input(
            say("people.sign_in.password", language),
            type="password",
            autocomplete="current-password",
        )
        sent = st.form_submit_button(say("people.sign_in.send", language), type="primary")
    st.caption(say("people.sign_in.help", language))
    if sent:
        with guarded(language):
            found = sign_in(workspace, login, word, auth_session.address())
            _sign_in_as(workspace, found)


def _provider(language: str) -> None:
    """Draw sign-in by the identity provider."""
    if auth_session.provider_subject():
        who = auth_session.provider_email() or str(st.user.get("name") or "?")
        show(UserError("sign_in_no_place", who=who), language)
        st.button(say("people.sign_out", language), on_click=st.logout)
        return
    words = say("people.sign_in.provider", language)
    st.button(words, icon=":material/key:", on_click=st.login, key="sign-in-provider")


def _invitation(workspace: Workspace, account: AccountView | None, language: str) -> None:
    """Draw an invitation: join with the account, or as a newcomer."""
    secret = st.query_params[INVITATION]
    st.title(say("people.invited.title", language), anchor=False)
    with guarded(language):
        found = open_invitation(workspace, secret)
        _describe(found, language)
        if account is not None:
            _join(workspace, secret, account, language)
        else:
            _join_as_newcomer(workspace, secret, language)
        return
    _leave(language)


def _describe(invitation: InvitationView, language: str) -> None:
    """Draw to which project an invitation leads, and in which role."""
    role = say(f"roles.role.{invitation.role}", language)
    project = shown_title(invitation.project, language)
    words = say("people.invited.lead", language, project=project, role=role)
    st.markdown(md_literal(words))
    st.caption(md_literal(say(f"roles.help.{invitation.role}", language)))


def _join(workspace: Workspace, secret: str, account: AccountView, language: str) -> None:
    """Draw the button that joins with the account."""
    words = say("people.invited.join", language, login=account.login)
    if st.button(md_literal(words), type="primary", key="invited-join"):
        take_as(workspace, secret, account.id)
        _clear_link()
        st.rerun()


def _join_as_newcomer(workspace: Workspace, secret: str, language: str) -> None:
    """Draw the form of a new account."""
    subject = auth_session.provider_subject()
    st.caption(say("people.invited.known", language))
    with st.form("invited", border=False):
        name = st.text_input(say("people.name", language), max_chars=80)
        login = st.text_input(
            say("people.sign_in.login", language),
            value=auth_session.provider_email() or "" if subject else "",
            help=say("people.invited.login_help", language),
            autocomplete="username",
        )
        word = None if subject else _password_fields(language)
        sent = st.form_submit_button(say("people.invited.send", language), type="primary")
    if sent:
        who = Newcomer(login, name, None if word is None else _matching_password(*word), subject)
        _sign_in_as(workspace, take_as_newcomer(workspace, secret, who))


def _new_password(workspace: Workspace, language: str) -> None:
    """Draw the form that sets a new password, opened by a reset link."""
    secret = st.query_params[RESET]
    st.title(say("people.reset.title", language), anchor=False)
    with guarded(language):
        login = reset_login(workspace, secret)
        st.markdown(md_literal(say("people.reset.lead", language, login=login)))
        with st.form("reset", border=False):
            word = _password_fields(language)
            sent = st.form_submit_button(say("people.reset.send", language), type="primary")
        if sent:
            _sign_in_as(workspace, reset(workspace, secret, _matching_password(*word)))
        return
    _leave(language)


def _leave(language: str) -> None:
    """Draw the button that removes an invalid link from the address."""
    if st.button(say("people.invited.leave", language)):
        _clear_link()
        st.rerun()


def _password_fields(language: str) -> tuple[str, str]:
    """Draw the two fields of a new password; return both entries."""
    hint = say("people.sign_in.password_help", language, shortest=SHORTEST)
    words = (say("people.sign_in.password", language), say("people.sign_in.again", language))
    first, second = (
        st.text_input(label, type="password", help=hint, autocomplete="new-password")
        for label in words
    )
    return first, second


def _matching_password(first: str, second: str) -> str:
    """Return the password. Raises UserError if the two entries differ."""
    if first != second:
        raise UserError("password_differs", Where(field="password"))
    return first


def _sign_in_as(workspace: Workspace, account: AccountView) -> None:
    """Sign the account in and forget the link."""
    auth_session.enter(workspace, account.id)
    _clear_link()
    st.rerun()


def _clear_link() -> None:
    """Remove invitation and reset secrets from the address."""
    for name in (INVITATION, RESET):
        st.query_params.pop(name, None)
