"""Subject of a declared form for an adjudicator: the viewer's panes, drawn without the viewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from pages.shell.context import Context
from pages.shell.guard import md_literal
from pages.shell.plain_text import Span, plain_text

_LAW_HEIGHT = 240  # pixels of a long provision before it folds
_LONG = 550  # characters of a long provision
_NOT_THERE = "declared.ui.not_there"
_PINPOINT = 2  # bit of a piece that matters

Part = Mapping[str, Any]


def draw_subject(context: Context, shown: Part, key: str, parts: Sequence[int]) -> None:
    """Draw the panes: the law at the left, if any, and the texts to judge at the right.

    Of a subject in parts, these `parts` stand first, each with its law.
    """
    law = shown.get("law")
    apart = law and not parts
    left, right = st.columns(2, gap="medium") if apart else (None, st.container())
    if law and left is not None:
        with left:
            _draw_law(context, law, shown["language"], key)
    later = [each for panes in shown.get("shows", {}).values() for each in panes]
    with right:
        for kind, data in (*shown["panes"], *later, *shown.get("below", ())):
            _DRAWN[kind](data, key, shown["language"])
        if parts:
            _draw_parts(context, shown, key, parts)
        for kind, data in (law or {}).get("below", ()):
            _DRAWN[kind](data, key, shown["language"])


def _draw_parts(context: Context, shown: Part, key: str, parts: Sequence[int]) -> None:
    """Draw the parts in question; the others folded."""
    for at in parts:
        _draw_part(context, shown, key, at)
    rest = [at for at in range(1, len(shown["parts"]) + 1) if at not in parts]
    if rest:
        with st.expander(context.say("declared_settle.other_parts", count=len(rest))):
            for at in rest:
                _draw_part(context, shown, key, at)


def _draw_part(context: Context, shown: Part, key: str, at: int) -> None:
    """Draw a part with its note and provisions."""
    part = shown["parts"][at - 1]
    with st.container(border=True, gap="xsmall"):
        st.caption(str(at))
        plain_text(part["text"], f"{key}-part-{at}", language=shown["language"])
        if part.get("note"):
            st.caption(part["note"])
        _draw_law(context, {"units": part.get("units", ())}, shown["language"], f"{key}-part-{at}")


def _draw_law(context: Context, law: Part, language: str, key: str) -> None:
    """Draw the provisions, pinpoints marked."""
    if law.get("title"):
        st.caption(law["title"])
    for each in law["units"]:
        if each.get("title"):
            st.caption(each["title"])
        text = "".join(piece for piece, _ in each["pieces"])
        spans = [
            Span(piece, ("pinpoint",) if bits & _PINPOINT else ()) for piece, bits in each["pieces"]
        ]
        with st.container(border=True):
            if each.get("added"):
                st.badge(context.say("declared_settle.added"), color="blue")
            if each.get("missing"):
                missing = each["missing"]
                st.caption(missing if isinstance(missing, str) else context.say(_NOT_THERE))
            plain_text(
                [Span(f"{each['head']}\n", ("title",)), *spans],
                f"{key}-law-{each['unit']}",
                language=each.get("language", language),
                height=_LAW_HEIGHT if len(text) > _LONG else None,
            )


def _draw_texts(texts: Sequence[Part], key: str, language: str) -> None:
    """Draw texts with their titles."""
    for each in texts:
        st.caption(md_literal(each["title"]))
        tone = "body" if each.get("quiet") else "lead"
        plain_text(each["text"], f"{key}-{each['name']}", tone, language)


def _draw_answers(sides: Sequence[Part], key: str, language: str) -> None:
    """Draw answers beside each other."""
    texts = [{**each, "text": "".join(text for text, _ in each["pieces"])} for each in sides]
    _draw_texts([{**each, "quiet": True} for each in texts], key, language)


def _draw_options(data: Part, key: str, language: str) -> None:
    """Draw options with their numbers."""
    for at, words in enumerate(data["options"]):
        row = st.container(horizontal=True, vertical_alignment="center")
        row.markdown(f"**{at + 1}**", width="content")
        with row:
            plain_text(words, f"{key}-option-{at}", language=language)
        if at == data["stored"]:
            row.badge(data["storedWords"], color="green")


def _draw_chips(data: Part, _key: str, _language: str) -> None:
    """Draw a row of names with values."""
    told = " · ".join(f"{name} {value}" for name, value in data["chips"])
    if told:
        st.caption(f"{data['title']}: {md_literal(told)}")


def _draw_note(data: Part, key: str, language: str) -> None:
    """Draw a folded note."""
    with st.expander(data["title"]):
        plain_text(data["text"], f"{key}-{data['name']}", "quiet", language)


def _draw_findings(data: Part, _key: str, _language: str) -> None:
    """Draw the findings of the layers, folded."""
    with st.expander(data["title"]):
        if not data["rows"]:
            st.caption(data["none"])
        for row in data["rows"]:
            why = "; ".join(row["reasons"])
            st.markdown(md_literal(f"{row['name']}: {row['outcome']}{f' ({why})' if why else ''}"))


def _draw_table(data: Part, _key: str, _language: str) -> None:
    """Draw a table of marks, unless it is empty."""
    names = [data["corner"], *data["columns"]]
    rows = [
        [head, *(", ".join(mark["text"] for mark in cell) for cell in cells)]
        for head, *cells in data["rows"]
    ]
    if rows:
        with st.expander(data["title"]):
            found = [dict(zip(names, row, strict=True)) for row in rows]
            st.dataframe(found, hide_index=True)


_DRAWN: dict[str, Callable[[Any, str, str], None]] = {
    "texts": _draw_texts,
    "marked": _draw_texts,
    "answers": _draw_answers,
    "options": _draw_options,
    "chips": _draw_chips,
    "note": _draw_note,
    "folded": _draw_note,
    "findings": _draw_findings,
    "table": _draw_table,
}
