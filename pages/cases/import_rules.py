"""The form that says how a file of judgments is read: its columns, language and patterns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from corpus.cases.mapping import PLAIN, SECTIONS, TEXT, CaseRules, amended
from corpus.cases.patterns import languages, packaged_text
from pages.shell.context import Context

_FIELDS_IN_A_ROW = 4


def draw_rules(
    context: Context, columns: Sequence[str], rules: CaseRules, turn: int
) -> CaseRules | None:
    """Draw the form, filled with `rules`; return other rules once somebody changed them."""
    say = context.say
    st.caption(say("court_cases.bring.columns_help"))
    said: dict[str, str] = {}
    said |= _fields(context, PLAIN, columns, rules.columns, turn)
    left, right = st.columns([1, 3], gap="medium")
    with left:
        st.markdown(f"**{say('court_cases.bring.either')}**")
        said |= _fields(context, (TEXT,), columns, rules.columns, turn, 1)
    with right:
        st.markdown(f"**{say('court_cases.bring.or')}**")
        said |= _fields(context, SECTIONS, columns, rules.columns, turn)
    language, patterns = _patterns(context, rules, turn)
    changed = {name: column for name, column in said.items() if column != _held(rules, name)}
    if not changed and (language, patterns) == (rules.language, rules.patterns):
        return None
    return CaseRules(amended(rules.columns, changed), language, patterns)


def _fields(
    context: Context,
    names: Sequence[str],
    columns: Sequence[str],
    held: Mapping[str, str],
    turn: int,
    wide: int = _FIELDS_IN_A_ROW,
) -> dict[str, str]:
    """Draw a choice of column for each field; return field → column, "" for none."""
    none = context.say("preview.no_column")
    places = st.columns(wide)
    chosen = {}
    for at, name in enumerate(names):
        column = held.get(name, "")
        chosen[name] = places[at % wide].selectbox(
            context.say(f"court_cases.field.{name}"),
            ["", *columns],
            index=columns.index(column) + 1 if column in columns else 0,
            format_func=lambda each: each or none,
            key=f"court-cases-column-{name}-{turn}",
        )
    return chosen


def _held(rules: CaseRules, name: str) -> str:
    return rules.columns.get(name, "")


def _patterns(context: Context, rules: CaseRules, turn: int) -> tuple[str, str]:
    say = context.say
    with st.expander(say("court_cases.bring.patterns"), icon=":material/regular_expression:"):
        language = st.text_input(
            say("court_cases.bring.language"),
            rules.language,
            max_chars=10,
            placeholder=say("court_cases.bring.language_hint"),
            key=f"court-cases-language-{turn}",
        )
        st.caption(say("court_cases.bring.patterns_help"))
        with st.container(horizontal=True):
            for name in languages():
                st.download_button(
                    say("court_cases.bring.packaged", language=name),
                    packaged_text(name),
                    f"{name}.toml",
                    "text/plain",
                    icon=":material/download:",
                    key=f"court-cases-packaged-{name}",
                )
        patterns = st.text_area(
            say("court_cases.bring.own"),
            rules.patterns,
            height=160,
            placeholder="[ko.sections]\nfacts = ['^인정되는 사실$']",
            key=f"court-cases-patterns-{turn}",
        )
    return language.strip(), patterns if patterns.strip() else ""
