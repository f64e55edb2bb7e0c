"""Which gold set figures are read on, where a project has several."""

from __future__ import annotations

import streamlit as st

from pages.shell.context import Context
from services.gold.gold_set import gold_names

_KEY = "gold-set"


def draw_gold_choice(context: Context) -> str:
    """Draw the choice, the widest set first; return its name, "" where there is nothing to choose.

    Whoever sees it may see scores.
    """
    counts = gold_names(*context.here, context.by)
    if len(counts) < 2:
        return ""
    picked = st.selectbox(
        context.say("gold_sets.choose"),
        list(counts),
        format_func=lambda name: f"{context.say(f'gold_sets.name.{name}')} ({counts[name]:,})",
        help=context.say("gold_sets.help"),
        key=_KEY,
    )
    return picked or ""


def choose_gold(context: Context, name: str) -> None:
    """Choose a gold set before the choice is drawn; one that has no question leaves it as it is."""
    counts = gold_names(*context.here, context.by)
    st.session_state[_KEY] = next(
        (each for each in counts if each == name), next(iter(counts), None)
    )
