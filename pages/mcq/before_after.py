"""Choice of two models to compare on the same questions, before and after a change."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import streamlit as st

from evaluation.mcq.safety import ModelPair
from pages.shell.context import Context
from pages.shell.widgets import choose
from services.mcq.report import PAIR_NAME, McqReport, named_pairs

_NEW = ""  # the choice that is no saved pair


def kept_pairs(context: Context, models: set[str]) -> list[ModelPair]:
    """Return the session's saved pairs of these models."""
    kept = st.session_state.get(_key(context), [])
    return [pair for pair in kept if {pair.before, pair.after} <= models]


def _key(context: Context) -> str:
    """Return the session key of the saved pairs."""
    return f"mcq-pairs-{context.project}"


def choose_pair(context: Context, found: McqReport) -> list[ModelPair]:
    """Draw the choice of a pair, if there are two models; return the saved ones and the chosen."""
    say, models = context.say, list(dict.fromkeys(line.model for line in found.models))
    kept = {pair.shown: pair for pair in kept_pairs(context, set(models))}
    if len(models) < 2:
        return []
    with st.expander(say("mcq_report.changes"), icon=":material/compare_arrows:"):
        st.caption(say("mcq_report.changes_help"))
        chosen = _saved_pair(context, list(kept))
        pair = kept.pop(chosen) if chosen else _new_pair(context, models, kept.keys())
    return [*kept.values(), *([pair] if pair and pair.shown not in kept else [])]


def _saved_pair(context: Context, names: list[str]) -> str:
    """Draw the choice between the saved pairs and a new one; return its name, "" for new."""
    if not names:
        return _NEW

    def words(name: str) -> str:
        """Return a pair's name, or the words for a new one."""
        return name or context.say("mcq_report.another_pair")

    key = f"{_key(context)}-chosen"
    if st.session_state.get(key) not in (None, _NEW, *names):
        del st.session_state[key]
    chosen = choose(context, "mcq_report.kept_pairs", [*names, _NEW], words, key)
    if chosen:
        st.button(
            context.say("mcq_report.drop_pair"),
            key="mcq-pair-drop",
            on_click=_delete_pair,
            args=(context, chosen),
        )
    return chosen


def _delete_pair(context: Context, name: str) -> None:
    kept = st.session_state.get(_key(context), [])
    st.session_state[_key(context)] = [pair for pair in kept if pair.shown != name]


def _new_pair(context: Context, models: Sequence[str], taken: Collection[str]) -> ModelPair | None:
    """Draw the fields of a pair; return it once two models are chosen."""
    say = context.say
    columns = st.columns(3)
    before, after = (
        column.selectbox(
            say(f"mcq_report.column.{side}"),
            models,
            index=None,
            placeholder=say("mcq_report.choose"),
            key=f"mcq-{side}",
        )
        for column, side in zip(columns[:2], ("before", "after"), strict=True)
    )
    name = columns[2].text_input(
        say("mcq_report.pair_name"),
        max_chars=PAIR_NAME,
        placeholder=say("mcq_report.pair_name_example"),
        key="mcq-pair-name",
    )
    if before is None or after is None or before == after:
        return None
    [pair] = named_pairs([ModelPair(before, after, name)])
    st.button(
        say("mcq_report.keep_pair"),
        key="mcq-pair-keep",
        help=say("mcq_report.keep_pair_help"),
        disabled=pair.shown in taken,
        on_click=_save_pair,
        args=(context, pair),
    )
    return pair


def _save_pair(context: Context, pair: ModelPair) -> None:
    key = _key(context)
    st.session_state[key] = [*st.session_state.get(key, []), pair]
    st.session_state[f"{key}-chosen"] = pair.shown
