"""Import preview of a file of judgments: counts, first judgments, their sections."""

from __future__ import annotations

import streamlit as st

from corpus.cases.model import Judgment
from corpus.cases.reading import Survey
from pages.cases.reader import draw_case
from pages.shell.context import Context
from pages.shell.guard import plain
from pages.shell.widgets import draw_table, pick_row
from services.cases.importing import CasePreview
from services.cases.views import ReadPart
from storage.cases.court_cases import CaseLine


def draw_preview(context: Context, seen: CasePreview) -> None:
    """Draw a preview."""
    _summary(context, seen)
    left, right = st.columns(2, gap="medium")
    with left:
        _fields(context, seen.survey)
    with right:
        _sections(context, seen.survey)
    _first(context, seen)


def _summary(context: Context, seen: CasePreview) -> None:
    say, found = context.say, seen.survey
    counted = ", ".join(f"{name} {count:,}" for name, count in found.languages.items())
    words = "court_cases.bring.seen" if seen.whole else "court_cases.bring.seen_first"
    st.markdown(
        say(
            words,
            count=f"{found.judgments:,}",
            languages=counted,
            longest=f"{found.longest:,}",
        )
    )
    unread = [column for column, name in seen.became.items() if not name]
    if unread:
        st.caption(plain(say("court_cases.bring.unread", columns=", ".join(unread))))
    if found.uncut:
        uncut = say("court_cases.bring.uncut", count=f"{found.uncut:,}")
        st.warning(uncut, icon=":material/info:")


def _fields(context: Context, found: Survey) -> None:
    say = context.say
    columns = {
        "field": [say(f"court_cases.field.{field.name}") for field in found.fields],
        "by_column": [field.column for field in found.fields],
        "by_pattern": [field.pattern for field in found.fields],
        "missing": [found.judgments - field.column - field.pattern for field in found.fields],
    }
    draw_table(context, "court_cases.bring", columns, "court-cases-fields", height="content")


def _sections(context: Context, found: Survey) -> None:
    say = context.say
    columns = {
        "section": [say(f"court_cases.section.{section.name}") for section in found.sections],
        "judgments": [section.judgments for section in found.sections],
        "court_cases.list.characters": [section.characters for section in found.sections],
        "blank": [section.empty for section in found.sections],
    }
    draw_table(
        context,
        "court_cases.bring",
        columns,
        "court-cases-sections",
        config={"court_cases.list.characters": st.column_config.NumberColumn(format="localized")},
        height="content",
    )


def _first(context: Context, seen: CasePreview) -> None:
    say, first = context.say, seen.first
    st.markdown(f"**{say('court_cases.bring.first')}**")
    left, right = st.columns([5, 7], gap="medium")
    with left:
        columns = {
            "id": [each.external_id for each in first],
            "charges": [", ".join(each.charges) for each in first],
            "court": [each.court for each in first],
            "date": [each.date for each in first],
        }
        row = pick_row(
            context,
            "court_cases.field",
            columns,
            "court-cases-first",
            selection_mode="single-row-required",
            selection_default={"selection": {"rows": [0]}},
        )
    shown = first[row or 0]
    with right:
        line, parts = as_read(shown)
        draw_case(context, line, parts, "court-cases-preview")


def as_read(judgment: Judgment) -> tuple[CaseLine, tuple[ReadPart, ...]]:
    """Convert a judgment that is not imported yet into the reader's form."""
    text = judgment.text
    line = CaseLine(
        *(0, judgment.external_id, judgment.court, judgment.date, judgment.title),
        charges=judgment.charges,
        provisions=judgment.provisions,
        language=judgment.language,
        sections=tuple((str(part.section), part.start, part.end) for part in judgment.parts),
        source=judgment.source,
    )
    parts = (ReadPart(str(p.section), p.start, text[p.start : p.end]) for p in judgment.parts)
    return line, tuple(parts)
