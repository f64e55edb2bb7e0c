"""Display of court cases: group names, selectable table, reader."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

import streamlit as st

from construction.cases.group_mapping import Mapped
from construction.cases.typology import group_name
from corpus.cases.model import Judgment
from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import plain_text, split_by_marks
from pages.shell.widgets import pick_row
from services.cases.standard_groups import CaseGroups
from services.cases.views import read_court_case
from storage.cases import CaseLine

_HEIGHT = 640
_HITS = 2_000  # maximum of marked matches: a single letter would match everywhere
_COLOURS: dict[str, Literal["blue", "green", "orange", "violet", "red", "gray"]] = {
    "head": "gray",
    "facts": "blue",
    "claims": "orange",
    "reasoning": "green",
    "sentencing": "violet",
    "conclusion": "red",
    "rest": "gray",
}


def group_names(case_groups: CaseGroups, language: str) -> dict[str, str]:
    """Return the name of every standard group of the typology, by key."""
    return {
        group.key: group_name(charge, group)[language]
        for _, charge, group in case_groups.typology.groups()
    }


def charges_or_title(case: CaseLine) -> str:
    """Return the charges of a case as written, else its title."""
    return ", ".join(case.charges) or case.title


def why_words(context: Context, mapped: Mapped, group: str) -> str:
    """Return why a case is in the group of that key: titles with rule and provisions."""
    said = []
    for each in (why for why in mapped.why if why.group == group):
        provisions = f": {', '.join(each.provisions)}" if each.provisions else ""
        rule = context.say(f"case_groups.rule.{each.rule}")
        said.append(f"{each.title} ({rule}{provisions})")
    return "; ".join(said)


def draw_case(context: Context, case: Judgment, key: str, search_text: str = "") -> None:
    """Draw a case with `search_text` marked; `key` prefixes its widget keys."""
    with st.container(border=True):
        _head(context, case, key)
        named = list(dict.fromkeys(str(part.section) for part in case.parts))
        chosen = st.pills(
            context.say("court_cases.read.sections"),
            named,
            format_func=lambda each: context.say(f"court_cases.section.{each}"),
            label_visibility="collapsed",
            key=f"{key}-section",
        )
        shown = [part for part in case.parts if chosen in (None, part.section)]
        texts = {part.start: case.text[part.start : part.end] for part in shown}
        hits = {start: places(text, search_text) for start, text in texts.items()}
        if search_text:
            told = {"count": f"{sum(map(len, hits.values())):,}", "words": md_literal(search_text)}
            st.caption(context.say("court_cases.read.hits", **told))
        with st.container(height=_HEIGHT, border=False):
            for place, part in enumerate(shown):
                words = context.say(f"court_cases.section.{part.section}")
                st.badge(words, color=_COLOURS[part.section])
                spans = split_by_marks(texts[part.start].rstrip(), {"match": hits[part.start]})
                where = f"{key}-{part.start}", "body", case.language
                plain_text(spans, *where, reached=not place)


def places(text: str, search_text: str) -> list[tuple[int, int]]:
    """Return the (start, end) offsets of `search_text`, case-insensitive; at most 2,000."""
    if not search_text:
        return []
    found = re.finditer(re.escape(search_text), text, re.IGNORECASE)
    return [match.span() for match, _ in zip(found, range(_HITS), strict=False)]


def _head(context: Context, case: Judgment, key: str) -> None:
    """Draw title, court and date of a case."""
    plain_text(case.title or case.external_id, f"{key}-title", "lead", case.language)
    named = case.external_id if case.title else ""  # else it is the heading
    length = f"{len(case.text):,} {context.say('court_cases.read.characters')}"
    about = [named, case.court, case.number, case.date, length]
    lines = [md_literal(" · ".join(each for each in about if each))]
    for name in ("charges", "provisions"):
        values = getattr(case, name)
        told = md_literal(", ".join(values)) if values else context.say("court_cases.read.unknown")
        lines.append(f"**{context.say(f'court_cases.field.{name}')}** {told}")
    st.caption("  \n".join(lines))


def draw_cases(
    context: Context,
    cases: Sequence[CaseLine],
    columns: Mapping[str, Sequence[str]],
    key: str,
    wide: str,
) -> None:
    """Draw a table of court cases with `columns` by name, and the selected case below it.

    `wide` is the name of the widest column.
    """
    table = {"case": [case.external_id for case in cases], **columns}
    row = pick_row(context, "case_groups", table, key, "case_groups.pick_case", wide=wide)
    if row is not None:
        number = cases[row].id
        found = read_court_case(*context.here, number, context.by)
        draw_case(context, found, f"{key}-{number}")
