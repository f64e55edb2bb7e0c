"""A court case to be read: what is known of it, and its text section by section."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.plain_text import plain_text, split_by_marks
from services.cases.views import ReadPart
from storage.cases.court_cases import CaseLine

_HEIGHT = 640
_HITS = 2_000  # marked at most: a single letter would be every word
_COLOURS: dict[str, Literal["blue", "green", "orange", "violet", "red", "gray"]] = {
    "head": "gray",
    "facts": "blue",
    "claims": "orange",
    "reasoning": "green",
    "sentencing": "violet",
    "conclusion": "red",
    "rest": "gray",
}


def draw_case(
    context: Context, line: CaseLine, parts: Sequence[ReadPart], key: str, words: str = ""
) -> None:
    """Draw a case with `words` marked; `key` is the case's own among the page's parts."""
    with st.container(border=True):
        _head(context, line, key)
        named = list(dict.fromkeys(part.section for part in parts))
        chosen = st.pills(
            context.say("court_cases.read.sections"),
            named,
            format_func=lambda each: context.say(f"court_cases.section.{each}"),
            label_visibility="collapsed",
            key=f"{key}-section",
        )
        shown = [part for part in parts if chosen in (None, part.section)]
        hits = {part.start: places(part.text, words) for part in shown}
        if words:
            count = sum(map(len, hits.values()))
            st.caption(context.say("court_cases.read.hits", count=f"{count:,}", words=plain(words)))
        with st.container(height=_HEIGHT, border=False):
            for part in shown:
                _part(context, part, hits[part.start], line.language, f"{key}-{part.start}")


def places(text: str, words: str) -> list[tuple[int, int]]:
    """Return where the words stand in the text, in either case; of very many the first 2,000."""
    if not words:
        return []
    found = re.finditer(re.escape(words), text, re.IGNORECASE)
    return [match.span() for match, _ in zip(found, range(_HITS), strict=False)]


def _head(context: Context, line: CaseLine, key: str) -> None:
    plain_text(line.title or line.external_id, f"{key}-title", "lead", line.language)
    named = line.external_id if line.title else ""  # else it is the heading
    length = f"{line.characters:,} {_characters(context)}"
    about = [named, line.court, line.number, line.date, length]
    lines = [plain(" · ".join(each for each in about if each))]
    for name in ("charges", "provisions"):
        values = getattr(line, name)
        told = plain(", ".join(values)) if values else context.say("court_cases.read.unknown")
        lines.append(f"**{context.say(f'court_cases.field.{name}')}** {told}")
    st.caption("  \n".join(lines))


def _characters(context: Context) -> str:
    return context.say("court_cases.read.characters")


def _part(
    context: Context, part: ReadPart, hits: list[tuple[int, int]], language: str, key: str
) -> None:
    st.badge(context.say(f"court_cases.section.{part.section}"), color=_COLOURS[part.section])
    plain_text(split_by_marks(part.text.rstrip(), {"match": hits}), key, "body", language)
