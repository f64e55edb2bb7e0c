"""Choice of the gold set for scores, if a project has several."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.shell.context import Context
from services.gold.gold_set import (
    SEARCHABLE,
    GoldName,
    ProjectGold,
    read_gold,
    sources_of_labels,
)

_KEY, _SEARCHABLE = "gold-set", "gold-searchable-only"


def draw_gold_choice(context: Context, read: ProjectGold | None = None) -> str:
    """Draw the choice of the gold set, widest first; return its name, "" without a choice.

    For people who may see scores. The name also says whether only searchable gold counts. `read` is
    what the sets are made of, if known.
    """
    read = read or read_gold(*context.here, context.by)
    counts = read.sizes()
    if not counts:
        return ""
    picked = _name(context, counts)
    if GoldName.SOURCE in counts and picked != GoldName.PEOPLE:
        draw_label_sources(context)
    words, help_ = context.say("gold_sets.searchable"), context.say("gold_sets.searchable_help")
    if not st.toggle(words, key=_SEARCHABLE, help=help_):
        return picked
    return f"{picked}:{SEARCHABLE}" if picked else SEARCHABLE


def draw_label_sources(context: Context) -> None:
    """Draw where the labels of the data come from: each source with its release and hash."""
    for each in sources_of_labels(*context.here, context.by):
        told = {"name": each.name, "sha256": each.sha256[:12], "count": f"{each.questions:,}"}
        st.caption(context.say("gold_sets.label_source", **told))


def _name(context: Context, counts: Mapping[GoldName, int]) -> str:
    """Draw the choice of a gold set, if there are several; return its name, else ""."""
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
    """Preselect a gold set before the choice is drawn, the widest if that has no questions."""
    counts = read_gold(*context.here, context.by).sizes()
    plain = name.partition(":")[0]
    st.session_state[_KEY] = next(
        (each for each in counts if each == plain), next(iter(counts), None)
    )
    st.session_state[_SEARCHABLE] = name.endswith(SEARCHABLE)
