"""Inviting people into a project in team mode: making links, listing them, taking them back."""

from __future__ import annotations

from urllib.parse import urlencode, urlsplit

import streamlit as st

from annotation.people.invitations import DAYS, InvitationView, invite, list_invitations, revoke
from annotation.people.members import ROLES
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import show

_MADE = "people-invitation-link"


def draw_invitations(context: Context) -> None:
    """Draw the form, the link just made, and all invitations of the project."""
    st.subheader(context.say("people.invite.title"), anchor=False)
    _form(context)
    link = st.session_state.pop(_MADE, None)  # shown once
    if link is not None:
        st.success(context.say("people.invite.once"), icon=":material/link:")
        st.code(link, language=None, wrap_lines=True)
    known = list_invitations(context.workspace, context.project, context.person.id)
    if not known:
        st.caption(context.say("people.invite.none"))
        return
    _table(context, known)
    _revoke(context, [each for each in known if each.state == "open"])


def _form(context: Context) -> None:
    say = context.say
    with st.form("people-invite", border=False):
        role = st.selectbox(
            say("people.role"), ROLES, format_func=lambda each: say(f"roles.role.{each}")
        )
        note = st.text_input(say("people.invite.note"), max_chars=200)
        days = st.number_input(say("people.invite.days"), min(DAYS), max(DAYS), 7)
        sent = st.form_submit_button(say("people.invite.send"), type="primary")
    if not sent:
        return
    try:
        _, secret = invite(
            context.workspace, context.project, role, note, int(days), by=context.person.id
        )
    except UserError as error:
        show(error, context.language)
        return
    st.session_state[_MADE] = _link(secret, context.language)


def _link(secret: str, language: str) -> str:
    here = urlsplit(st.context.url or "")
    asked = urlencode({"invitation": secret, "lang": language})
    return f"{here.scheme}://{here.netloc}/?{asked}" if here.netloc else f"/?{asked}"


def _table(context: Context, known: list[InvitationView]) -> None:
    say = context.say
    st.dataframe(
        {
            say("people.role"): [say(f"roles.role.{each.role}") for each in known],
            say("people.invite.note"): [each.note for each in known],
            say("people.state"): [say(f"people.invite.state.{each.state}") for each in known],
            say("people.invite.until"): [each.expires_at for each in known],
            say("people.invite.taken_by"): [each.person or "" for each in known],
            say("people.by"): [each.by or say("people.operator") for each in known],
        },
        column_config={
            say("people.invite.until"): st.column_config.DatetimeColumn(
                format="YYYY-MM-DD HH:mm", timezone="UTC"
            )
        },
        hide_index=True,
        key="people-invitations",
    )


def _revoke(context: Context, waiting: list[InvitationView]) -> None:
    if not waiting:
        return
    say = context.say
    chosen = st.selectbox(
        say("people.invite.revoke_which"),
        waiting,
        format_func=lambda each: (
            f"{say(f'roles.role.{each.role}')} · {each.note or each.id} · "
            f"{each.expires_at:%Y-%m-%d}"
        ),
        key="people-revoke-which",
    )
    if chosen is not None and st.button(say("people.invite.revoke"), key="people-revoke"):
        try:
            revoke(context.workspace, chosen.id, context.person.id)
        except UserError as error:
            show(error, context.language)
            return
        st.rerun()
