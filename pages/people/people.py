"""People screen: members, roles, invitations, and the log of changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from urllib.parse import urlencode, urlsplit

import streamlit as st

from annotation.people import members
from annotation.people.invitations import (
    DAYS,
    InvitationView,
    LineOutcome,
    invite_each,
    list_invitations,
    revoke,
)
from annotation.people.members import ROLES, PersonChange, PersonView
from annotation.people.roles import Act
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, show
from pages.shell.notices import redraw_with, show_remembered
from pages.shell.widgets import TIME, draw_table

_MADE = "people-invitation-link"
_NOTICE = "people-notice"
_CHOSEN = "people-chosen"


def draw_invitations(context: Context) -> None:
    """Draw the form, the new links, and all invitations of the project."""
    st.header(context.say("people.invite.title"), anchor=False)
    _form(context)
    _draw_links(context, st.session_state.pop(_MADE, ()))  # shown once
    known = list_invitations(*context.here, context.by)
    if not known:
        st.caption(context.say("people.invite.none"))
        return
    _invitation_table(context, known)
    _revoke(context, [each for each in known if each.state == "open"])


def _form(context: Context) -> None:
    """Draw the form that invites people."""
    say, fields = context.say, Fields(context, "people.invite", "people-invite")
    with st.form("people-invite", border=False):
        role = _role(context, ROLES[0])
        lines = fields.lines("notes")
        days = fields.number("days", min(DAYS), max(DAYS), 7)
        sent = st.form_submit_button(say("people.invite.send"), type="primary")
    if sent:
        with guarded(context.language):
            made = invite_each(*context.here, role, lines, days, by=context.by)
            st.session_state[_MADE] = made


def _draw_links(context: Context, outcomes: Sequence[LineOutcome]) -> None:
    """Draw the invitation link of each line, and the refused lines."""
    made = [each for each in outcomes if each.error is None]
    if made:
        words = "once_each" if len(made) > 1 else "once"
        st.success(context.say(f"people.invite.{words}"), icon=":material/link:")
    for each in made:
        if each.note:
            st.text(each.note)
        st.code(_link(each.secret, context.language), language=None, wrap_lines=True)
    for each in outcomes:
        if each.error is not None:
            st.text(context.say("people.invite.refused", note=each.note))
            show(each.error, context.language)


def _link(secret: str, language: str) -> str:
    """Return the address of an invitation."""
    here = urlsplit(st.context.url or "")
    asked = urlencode({"invitation": secret, "lang": language})
    return f"{here.scheme}://{here.netloc}/?{asked}" if here.netloc else f"/?{asked}"


def _invitation_table(context: Context, known: list[InvitationView]) -> None:
    say = context.say
    columns = {
        "role": [say(f"roles.role.{each.role}") for each in known],
        "invite.note": [each.note for each in known],
        "state": [say(f"people.invite.state.{each.state}") for each in known],
        "invite.until": [each.expires_at for each in known],
        "invite.taken_by": [each.person or "" for each in known],
        "by": [each.by or say("people.operator") for each in known],
    }
    draw_table(context, "people", columns, "people-invitations", config={"invite.until": TIME})


def _revoke(context: Context, waiting: list[InvitationView]) -> None:
    """Draw the form that revokes an invitation."""
    if not waiting:
        return
    fields = Fields(context, "people.invite", "people")

    def name(each: InvitationView) -> str:
        """Return an invitation's role, note and last day."""
        role = context.say(f"roles.role.{each.role}")
        return f"{role} · {each.note or each.id} · {each.expires_at:%Y-%m-%d}"

    chosen = fields.pick("revoke_which", waiting, name)
    if chosen is not None and fields.press("revoke"):
        with guarded(context.language):
            revoke(context.workspace, chosen.id, context.by)
            st.rerun()


def render(context: Context) -> None:
    """Draw the screen, for administrators."""
    st.title(context.say("people.title"), anchor=False)
    if not context.may(Act.MANAGE_PEOPLE):
        st.info(context.say("people.not_yours"), icon=":material/visibility_off:")
        return
    st.markdown(context.say("people.lead"))
    show_remembered(_NOTICE)
    known = members.list_people(*context.here)
    _table(context, known)
    left, right = st.columns(2, gap="medium")
    with left, st.container(border=True, height="stretch"):
        _change(context, known)
    with right, st.container(border=True, height="stretch"):
        if context.account is None:
            _add(context)
        else:
            draw_invitations(context)
    with st.expander(context.say("people.history"), icon=":material/history:"):
        _history(context, members.history(*context.here, context.by))


def _table(context: Context, known: Sequence[PersonView]) -> None:
    """Draw the people as a table."""
    say, states = context.say, {True: "people.active", False: "people.inactive"}
    columns = {
        "name": [each.name for each in known],
        "role": [say(f"roles.role.{each.role}") for each in known],
        "state": [say(states[each.active]) for each in known],
    }
    draw_table(context, "people", columns, "people-table")


def _change(context: Context, known: Sequence[PersonView]) -> None:
    """Draw the form that changes a person."""
    say = context.say
    st.header(say("people.change"), anchor=False)
    by_id = {each.id: each for each in known}
    who = st.query_params.get("who", "")
    if _CHOSEN not in st.session_state and who in map(str, by_id):
        st.session_state[_CHOSEN] = int(who)
    names = {number: each.name for number, each in by_id.items()}
    fields = Fields(context, "people", "people")
    chosen = by_id[fields.pick("person", by_id, names.__getitem__, key="chosen")]
    with st.form(f"people-change-{chosen.id}", border=False):
        name = st.text_input(say("people.name"), chosen.name, max_chars=members.NAME_LIMIT)
        role = _role(context, chosen.role)
        sent = st.form_submit_button(say("people.save"), type="primary")
    workspace, by = context.workspace, context.by
    if sent:
        _carry_out(
            context,
            lambda: members.rename(workspace, chosen.id, name, by),
            lambda: members.change_role(workspace, chosen.id, role, by),
        )
    turn = members.deactivate if chosen.active else members.reactivate
    words = "deactivate" if chosen.active else "reactivate"
    if fields.press(words, key=f"turn-{chosen.id}", icon=":material/power_settings_new:"):
        _carry_out(context, lambda: turn(workspace, chosen.id, by))


def _add(context: Context) -> None:
    """Draw the form that adds a person."""
    st.header(context.say("people.add"), anchor=False)
    with st.form("people-add", border=False, clear_on_submit=True):
        name = st.text_input(context.say("people.name"), max_chars=members.NAME_LIMIT)
        role = _role(context, members.ROLES[0])
        sent = st.form_submit_button(context.say("people.add_send"), type="primary")
    if sent:
        _carry_out(context, lambda: members.add_person(*context.here, name, role, by=context.by))


def _role(context: Context, now: str) -> str:
    """Draw the choice of a role; return it."""
    return st.selectbox(
        context.say("people.role"),
        members.ROLES,
        index=members.ROLES.index(now),
        format_func=lambda each: context.say(f"roles.role.{each}"),
    )


def _history(context: Context, changes: Sequence[PersonChange]) -> None:
    """Draw the changes of people, newest first."""
    say = context.say

    def change_words(change: PersonChange, value: str) -> str:
        """Return a changed value in words."""
        return say(f"roles.role.{value}") if value and change.kind in ("added", "role") else value

    newest = list(reversed(changes))
    columns = {
        "at": [each.at for each in newest],
        "name": [each.person for each in newest],
        "what": [say(f"people.kind.{each.kind}") for each in newest],
        "before": [change_words(each, each.before) for each in newest],
        "after": [change_words(each, each.after) for each in newest],
        "by": [each.by or say("people.operator") for each in newest],
    }
    draw_table(context, "people", columns, "people-history", config={"at": TIME})


def _carry_out(context: Context, *acts: Callable[[], object]) -> None:
    """Carry out the acts and redraw the page, or draw the error."""
    with guarded(context.language):
        for act in acts:
            act()
        redraw_with(_NOTICE, context.say("people.saved"))
