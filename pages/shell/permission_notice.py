"""Saying that something on a screen is for other roles, before somebody presses it in vain."""

from __future__ import annotations

import streamlit as st

from annotation.people.roles import Act, who_may
from pages.shell.context import Context


def allowed(context: Context, act: Act) -> bool:
    """Return whether the person may do this; say who may where they may not."""
    if context.may(act):
        return True
    roles = ", ".join(context.say(f"roles.role.{role}") for role in who_may(act))
    words = context.say("roles.only", act=context.say(f"roles.act.{act}"), roles=roles)
    st.caption(f":material/lock: {words}")
    return False
