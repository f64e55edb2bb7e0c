"""What another codebook would change, before it is saved."""

from __future__ import annotations

import streamlit as st

from construction.tagging.scoping import Labels
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.tagging.codebook_labels import change_said, touched_said
from services.tagging.codebook import Outlook

_SHOWN = 40  # changes in sight before the rest is folded away


def draw_changes(context: Context, labels: Labels, seen: Outlook) -> None:
    """Draw the changes, the answers they outdate, and scopes that the typology lacks."""
    say = context.say
    if not seen.changes:
        st.info(say("factor_book.no_changes", number=seen.against))
        return
    st.markdown(f"**{say('factor_book.changes', count=len(seen.changes), number=seen.against)}**")
    lines = [f"- {plain(change_said(context, labels, seen, each))}" for each in seen.changes]
    st.markdown("\n".join(lines[:_SHOWN]))
    if lines[_SHOWN:]:
        with st.expander(say("factor_book.more_changes", count=len(lines) - _SHOWN)):
            st.markdown("\n".join(lines[_SHOWN:]))
    touched = touched_said(context, seen)
    if touched:
        st.warning("\n".join(f"- {plain(each)}" for each in touched), icon=":material/warning:")
    for factor, part in seen.unknown:
        st.warning(plain(say("factor_book.unknown_scope", factor=factor, part=part)))
