"""The people screen: who takes part, as what, who is invited, and everything that was changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from annotation.people import members
from annotation.people.members import PersonChange, PersonView
from annotation.people.roles import Act
from errors import UserError
from pages.people.invitations import draw_invitations
from pages.shell.context import Context
from pages.shell.guard import show
from pages.shell.notices import remember, show_remembered

_NOTICE = "people-notice"


def render(context: Context) -> None:
    """Draw the screen, for administrators."""
    st.title(context.say("people.title"), anchor=False)
    if not context.may(Act.MANAGE_PEOPLE):
        st.info(context.say("people.not_yours"), icon=":material/visibility_off:")
        return
    st.markdown(context.say("people.lead"))
    show_remembered(_NOTICE)
    known = members.list_people(context.workspace, context.project)
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
        _history(context, members.history(context.workspace, context.project, context.person.id))


def _table(context: Context, known: Sequence[PersonView]) -> None:
    say = context.say
    st.dataframe(
        {
            say("people.name"): [each.name for each in known],
            say("people.role"): [say(f"roles.role.{each.role}") for each in known],
            say("people.state"): [_state(context, each) for each in known],
        },
        hide_index=True,
        key="people-table",
    )


def _state(context: Context, person: PersonView) -> str:
    return context.say("people.active" if person.active else "people.inactive")


def _change(context: Context, known: Sequence[PersonView]) -> None:
    say = context.say
    st.subheader(say("people.change"), anchor=False)
    by_id = {each.id: each for each in known}
    chosen = by_id[
        st.selectbox(
            say("people.person"),
            list(by_id),
            format_func=lambda each: by_id[each].name,
            key="people-chosen",
        )
    ]
    with st.form(f"people-change-{chosen.id}", border=False):
        name = st.text_input(say("people.name"), chosen.name, max_chars=members.NAME_LIMIT)
        role = _role(context, chosen.role)
        sent = st.form_submit_button(say("people.save"), type="primary")
    workspace, by = context.workspace, context.person.id
    if sent:
        _do(
            context,
            lambda: members.rename(workspace, chosen.id, name, by),
            lambda: members.change_role(workspace, chosen.id, role, by),
        )
    turn = members.deactivate if chosen.active else members.reactivate
    words = say("people.deactivate" if chosen.active else "people.reactivate")
    if st.button(words, key=f"people-turn-{chosen.id}", icon=":material/power_settings_new:"):
        _do(context, lambda: turn(workspace, chosen.id, by))


def _add(context: Context) -> None:
    st.subheader(context.say("people.add"), anchor=False)
    with st.form("people-add", border=False, clear_on_submit=True):
        name = st.text_input(context.say("people.name"), max_chars=members.NAME_LIMIT)
        role = _role(context, members.ROLES[0])
        sent = st.form_submit_button(context.say("people.add_send"), type="primary")
    if sent:
        where = (context.workspace, context.project)
        _do(context, lambda: members.add_person(*where, name, role, by=context.person.id))


def _role(context: Context, now: str) -> str:
    return st.selectbox(
        context.say("people.role"),
        members.ROLES,
        index=members.ROLES.index(now),
        format_func=lambda each: context.say(f"roles.role.{each}"),
    )


def _history(context: Context, changes: Sequence[PersonChange]) -> None:
    say = context.say

    def told(change: PersonChange, value: str) -> str:
        return say(f"roles.role.{value}") if value and change.kind in ("added", "role") else value

    newest = list(reversed(changes))
    st.dataframe(
        {
            say("people.at"): [each.at for each in newest],
            say("people.name"): [each.person for each in newest],
            say("people.what"): [say(f"people.kind.{each.kind}") for each in newest],
            say("people.before"): [told(each, each.before) for each in newest],
            say("people.after"): [told(each, each.after) for each in newest],
            say("people.by"): [each.by or say("people.operator") for each in newest],
        },
        column_config={
            say("people.at"): st.column_config.DatetimeColumn(
                format="YYYY-MM-DD HH:mm", timezone="UTC"
            )
        },
        hide_index=True,
        key="people-history",
    )


def _do(context: Context, *acts: Callable[[], object]) -> None:
    """Do the acts; draw the page anew, or say what was refused."""
    try:
        for act in acts:
            act()
    except UserError as error:
        show(error, context.language)
        return
    remember(_NOTICE, context.say("people.saved"))
    st.rerun()
