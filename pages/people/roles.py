"""Roles screen: permissions per role, from the table that every service checks."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act, Role, may
from pages.shell.context import Context
from pages.shell.notices import draw_head
from pages.shell.widgets import draw_table


def render(context: Context) -> None:
    """Draw the screen."""
    say = context.say
    draw_head(context, "roles")
    st.markdown(say("roles.yours", role=f"**{say(f'roles.role.{context.person.role}')}**"))
    columns: dict[str, list[str]] = {"column_act": [say(f"roles.act.{a}") for a in Act]}
    for role in Role:
        columns[f"role.{role}"] = ["✓" if may(role, act) else "" for act in Act]
    draw_table(context, "roles", columns, "roles-table", height="content")
    for role in Role:
        st.caption(f"**{say(f'roles.role.{role}')}**: {say(f'roles.help.{role}')}")
    st.caption(" ".join(say(f"roles.{name}") for name in ("blind", "alone", "operator")))
