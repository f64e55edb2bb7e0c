"""Import of court cases: name a file, map its columns, preview, keep.

Import preview of a file of judgments: counts, first judgments, their sections.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st

from corpus.cases.model import PLAIN, SECTIONS, TEXT, CaseRules, suggested, with_choices
from corpus.cases.patterns import languages, packaged_text
from corpus.cases.reading import ENDINGS, Survey, judgment_columns
from errors import UserError
from pages.cases.reader import draw_case
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal, show
from pages.shell.import_source import ImportSource, keep_or_drop, source_form
from pages.shell.notices import progress_bar, redraw_with
from pages.shell.widgets import download, draw_table, pick_row
from services.cases.importing import (
    CasePreview,
    import_court_cases,
    judgments_at,
    preview_court_cases,
)
from services.uploads import UPLOADED_ARCHIVES


def draw_preview(context: Context, seen: CasePreview) -> None:
    """Draw the import preview of judgments: counts, fields, sections, the first judgments."""
    _summary(context, seen)
    left, right = st.columns(2, gap="medium")
    with left:
        _field_table(context, seen.survey)
    with right:
        _sections(context, seen.survey)
    _first(context, seen)


def _summary(context: Context, preview: CasePreview) -> None:
    """Draw what the file holds: judgments, languages, dates."""
    say, found = context.say, preview.survey
    counted = ", ".join(f"{name} {count:,}" for name, count in found.languages.items())
    words = "court_cases.bring.seen" if preview.whole else "court_cases.bring.seen_first"
    told = {"count": f"{found.judgments:,}", "longest": f"{found.longest:,}"}
    st.markdown(say(words, languages=counted, **told))
    unread = [column for column, name in preview.became.items() if not name]
    if unread:
        st.caption(md_literal(say("court_cases.bring.unread", columns=", ".join(unread))))
    if found.uncut:
        uncut = say("court_cases.bring.uncut", count=f"{found.uncut:,}")
        st.warning(uncut, icon=":material/info:")


def _field_table(context: Context, found: Survey) -> None:
    """Draw how many judgments have each field from a column, by a pattern, or not."""
    say = context.say
    columns = {
        "field": [say(f"court_cases.field.{field.name}") for field in found.fields],
        "by_column": [field.column for field in found.fields],
        "by_pattern": [field.pattern for field in found.fields],
        "missing": [found.judgments - field.column - field.pattern for field in found.fields],
    }
    draw_table(context, "court_cases.bring", columns, "court-cases-fields", height="content")


def _sections(context: Context, found: Survey) -> None:
    """Draw how many judgments have each section."""
    say = context.say
    columns = {
        "section": [say(f"court_cases.section.{section.name}") for section in found.sections],
        "judgments": [section.judgments for section in found.sections],
        "court_cases.list.characters": [section.characters for section in found.sections],
        "blank": [section.empty for section in found.sections],
    }
    config = {"court_cases.list.characters": st.column_config.NumberColumn(format="localized")}
    key = "court-cases-sections"
    draw_table(context, "court_cases.bring", columns, key, config=config, height="content")


def _first(context: Context, seen: CasePreview) -> None:
    """Draw the first judgments as they would be read."""
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
    with right:
        draw_case(context, first[row or 0], "court-cases-preview")


_FIELDS_IN_A_ROW = 4
_PENDING = "court-cases-pending"
LOOKED_AT = 300


def draw_rules(
    context: Context, columns: Sequence[str], rules: CaseRules, turn: int
) -> CaseRules | None:
    """Draw the form filled with `rules`; return the changed rules, None if nothing changed.

    `columns` are those of the file. Another `turn` makes the fields new widgets.
    """
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
    changed = {
        name: column for name, column in said.items() if column != rules.columns.get(name, "")
    }
    if not changed and (language, patterns) == (rules.language, rules.patterns):
        return None
    return CaseRules(with_choices(rules.columns, changed), language, patterns)


def _fields(
    context: Context,
    names: Sequence[str],
    columns: Sequence[str],
    held: Mapping[str, str],
    turn: int,
    wide: int = _FIELDS_IN_A_ROW,
) -> dict[str, str]:
    """Draw a choice of column for each field; return field → column, "" for none."""
    places = Fields(context, "court_cases.field", "court-cases-column").row(wide)
    none = "preview.no_column"
    return {
        name: places[at % wide].pick(
            name, columns, first=held.get(name), none=none, key=f"{name}-{turn}"
        )
        for at, name in enumerate(names)
    }


def _patterns(context: Context, rules: CaseRules, turn: int) -> tuple[str, str]:
    """Draw the fields for language and patterns; return them."""
    say, fields = context.say, Fields(context, "court_cases.bring", "court-cases")
    with st.expander(say("court_cases.bring.patterns"), icon=":material/regular_expression:"):
        hint, key = say("court_cases.bring.language_hint"), f"language-{turn}"
        language = fields.text("language", rules.language, max_chars=10, placeholder=hint, key=key)
        st.caption(say("court_cases.bring.patterns_help"))
        with st.container(horizontal=True):
            for name in languages():
                download(
                    say("court_cases.bring.packaged", language=name),
                    packaged_text(name),
                    f"{name}.toml",
                    f"court-cases-packaged-{name}",
                )
        hint, key = "[ko.sections]\nfacts = ['^인정되는 사실$']", f"patterns-{turn}"
        patterns = fields.lines("own", rules.patterns, height=160, placeholder=hint, key=key)
    return language.strip(), patterns if patterns.strip() else ""


@dataclass(frozen=True, slots=True)
class Pending:
    """A previewed file that is not imported yet.

    `seen` is None if the file cannot be read by `rules`; `error` then says why. `turn` counts the
    previews, so that form fields are new widgets with the current values.
    """

    project: str
    asked: ImportSource
    columns: tuple[str, ...]
    rules: CaseRules
    seen: CasePreview | None
    error: UserError | None
    turn: int = 0


def draw_bring(context: Context, notice_key: str) -> None:
    """Draw the form that names a file, then the preview with its reading rules.

    `notice_key` is the key of the message shown after an act.
    """
    kinds = [ending.removeprefix(".") for ending in (*ENDINGS, *UPLOADED_ARCHIVES)]
    with st.container(border=True):
        asked = source_form(context, "court_cases", kinds, many=False, send="preview_statutes")
    if asked is not None:
        _first_preview(context, asked)
    pending = st.session_state.get(_PENDING)
    if pending is None or pending.project != context.project:
        return
    with st.container(border=True):
        _draw_pending(context, pending, notice_key)


def _draw_pending(context: Context, pending: Pending, notice_key: str) -> None:
    """Draw a file before its import: column mapping, preview, buttons to import or cancel."""
    st.header(context.say("court_cases.bring.title"), anchor=False)
    if pending.error is not None:
        show(pending.error, context.language)
    changed = draw_rules(context, pending.columns, pending.rules, pending.turn)
    if changed is not None:
        again = replace(pending, rules=changed, turn=pending.turn + 1)
        st.session_state[_PENDING] = _previewed(context, again, changed)
        st.rerun()
    if pending.seen is not None:
        draw_preview(context, pending.seen)
    words, ready = "court_cases.bring.keep", pending.seen is not None
    if keep_or_drop(context, words, "court-cases", ready, _PENDING):
        _import(context, pending, notice_key)


def _staged_judgments(source: ImportSource) -> AbstractContextManager[Path]:
    """Return a context with the judgments' path: on this machine, or of the upload."""
    return judgments_at(Path(source.path).expanduser() if source.path else source.rewound()[0])


def _first_preview(context: Context, source: ImportSource) -> None:
    """Preview a file by the last import's rules, else by rules suggested from column names."""
    st.session_state.pop(_PENDING, None)
    with guarded(context.language):
        with _staged_judgments(source) as path:
            columns = tuple(judgment_columns(path))
        rules = CaseRules(suggested(columns))
        pending = Pending(context.project, source, columns, rules, None, None)
        st.session_state[_PENDING] = _previewed(context, pending, None)


def _previewed(context: Context, pending: Pending, rules: CaseRules | None) -> Pending:
    """Return the file with a preview by `rules` (None: the last import's), or its error."""
    try:
        with (
            _staged_judgments(pending.asked) as path,
            st.spinner(context.say("court_cases.bring.looking")),
        ):
            seen = preview_court_cases(*context.here, path, rules, LOOKED_AT, by=context.by)
    except UserError as error:
        return replace(pending, seen=None, error=error)
    return replace(pending, rules=seen.rules, seen=seen, error=None)


def _import(context: Context, pending: Pending, notice_key: str) -> None:
    """Import the previewed file of judgments and redraw; an error is drawn instead."""
    with guarded(context.language):
        with (
            _staged_judgments(pending.asked) as path,
            progress_bar(context, "court_cases.bring.reading") as report,
        ):
            done = import_court_cases(*(*context.here, path, pending.rules, report), by=context.by)
        del st.session_state[_PENDING]
        counts = {"new": f"{done.new:,}", "unchanged": f"{done.unchanged:,}"}
        redraw_with(notice_key, context.say("court_cases.bring.done", **counts))
