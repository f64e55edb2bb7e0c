"""Gold export: written to the workspace's exports folder, with a download.

Versioned form for the datasheet questions that only people can answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from annotation.people.roles import Act
from annotation.work.editions import NOTE_LIMIT, Edition
from annotation.work.versioned_texts import DATASHEET_ANSWERS
from construction.gold.datasheet_form import (
    ANSWER_LIMIT,
    FIELDS,
    KEYS,
    SECTIONS,
    as_yaml,
    open_fields,
    parse,
)
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import fragment, guarded, md_literal
from pages.shell.notices import redraw_with
from pages.shell.plain_text import plain_text
from pages.shell.widgets import download, draw_table
from services.bundle import exports_folder, listing, zipped
from services.gold.datasheet import Sheet
from services.gold.export import ExportReport, Pairs, datasheet, export_gold
from services.gold.search_coverage import levels_in_words

_LICENCE_LIMIT = 500  # characters
_SHEET_HEIGHT = 420  # pixels
_EXPORTED = "gold-exported"


@fragment
def draw_export(context: Context, ready: bool) -> None:
    """Draw the export button, then the exported files with sizes and hashes.

    `ready` says whether there is final gold to export.
    """
    with st.container(border=True):
        words, button = st.columns([4, 1], vertical_alignment="center")
        words.header(context.say("gold.export.title"), anchor=False)
        words.caption(context.say("gold.export.help"))
        asked = button.button(
            context.say("gold.export.run"),
            key="gold-export",
            type="primary",
            icon=":material/save:",
            width="stretch",
            disabled=not ready,
        )
        sheet, pairs = _sheet(context, ready), _judgement_choice(context)
        if asked:
            st.session_state.pop(_EXPORTED, None)
            with guarded(context.language):
                where = *context.here, exports_folder(*context.here)
                report = export_gold(*where, by=context.by, sheet=sheet, pairs=pairs)
                st.session_state[_EXPORTED] = context.project, report
        project, report = st.session_state.get(_EXPORTED, (None, None))
        if project == context.project:
            _files(context, report)


def _sheet(context: Context, ready: bool) -> Sheet:
    """Draw the exporter's fields of the datasheet, and the datasheet on request."""
    say = context.say
    fields = Fields(context, "gold_sheet", "gold")
    licence, naming, shown = fields.row([2, 2, 1.3], vertical_alignment="bottom")
    example = say("gold_sheet.licence_example")
    stated = licence.text("licence", placeholder=example, max_chars=_LICENCE_LIMIT)
    sheet = Sheet(stated, naming.tick("names"))
    if shown.switch("show", key="datasheet", disabled=not ready):
        sections = datasheet(*context.here, sheet, by=context.by)
        with st.container(border=True, height=_SHEET_HEIGHT):
            st.caption(say("gold_sheet.about"))
            for number, (heading, text) in enumerate(sections):
                st.markdown(f"**{heading}**")
                plain_text(text, f"gold-datasheet-{number}", language="en", reached=not number)
    return sheet


def _judgement_choice(context: Context) -> Pairs:
    """Draw the choice of exported judgements."""
    positives, searchable = st.columns(2)
    of_export = Fields(context, "gold.export", "gold", place=positives)
    of_sets = Fields(context, "gold_sets", "gold", place=searchable)
    only_positive = of_export.tick("positives_only", key="positives")
    return Pairs(only_positive, of_sets.tick("searchable"))


def _files(context: Context, report: ExportReport) -> None:
    """Draw the exported files with downloads."""
    folder = exports_folder(*context.here)
    lines = listing(folder)
    # Relative to the workspace: whoever started the app knows where that is.
    place = folder.relative_to(context.workspace.folder.parent)
    st.success(
        md_literal(context.say("gold.export.done", folder=place)), icon=":material/check_circle:"
    )
    told = {
        "questions": f"{report.questions:,}",
        "units": f"{report.corpus:,}",
        "snapshot": report.snapshot,
        "amended": f"{len(report.amended):,}",
        "waiting": f"{len(report.waiting):,}",
    }
    st.caption(md_literal(context.say("gold.export.report", **told)))
    levels = levels_in_words(report.levels, context.language)
    count = report.not_searched["pairs"]
    st.caption(context.say("gold.export.searched", levels=levels, count=count))
    if report.without_text["pairs"]:
        st.caption(context.say("levels.no_text_note", **report.without_text))
    if report.left_out:
        st.caption(context.say("levels.left_out_here"))
    judged = {"pairs": f"{report.pairs:,}", "rejected": f"{report.rejected:,}"}
    st.caption(context.say("gold.judged", **judged))
    if report.split is not None:
        st.caption(context.say("split.exported", number=report.split))
    columns = {
        "file": [line.name for line in lines],
        "size": [line.size for line in lines],
        "sha256": [line.sha256 for line in lines],
    }
    size = st.column_config.NumberColumn(format="localized")
    draw_table(context, "gold.export", columns, config={"size": size})
    name = f"{context.project}-gold.zip"
    download(context.say("gold.export.download"), zipped(folder), name, "gold-download")


_HEIGHT = 96  # pixels of a field before it scrolls


@fragment
def draw_datasheet_form(context: Context, notice_key: str) -> None:
    """Draw the form of the datasheet's answers; saving creates a new version."""
    say = context.say
    versions = DATASHEET_ANSWERS.editions(*context.here, context.by)
    now = versions[0]
    left = open_fields(parse(now.text))
    count = say("datasheet.open", count=len(left), of=len(FIELDS)) if left else ""
    words = count or say("datasheet.all_said")
    label = f"{say('datasheet.title')} · {words}"
    with st.expander(label, icon=":material/description:", key="datasheet-form"):
        st.caption(say("datasheet.help"))
        held = say("datasheet.none")
        if now.at is not None:
            about = {"who": _author(context, now), "at": f"{now.at:%Y-%m-%d %H:%M}"}
            held = say("datasheet.holds", number=now.number, **about)
        st.caption(md_literal(held))
        if context.may(Act.EDIT_DATASHEET):
            _edit(context, versions, notice_key)
        else:
            answers = parse(now.text)
            for field in FIELDS:
                st.markdown(f"**{say(f'datasheet.fields.{field.key}')}**")
                answer = answers.get(field.key) or say("datasheet.open_field")
                plain_text(answer, f"datasheet-read-{field.key}")
        _versions(context, versions)


def _author(context: Context, each: Edition) -> str:
    """Return the author of a version."""
    return each.person or context.say("datasheet.operator")


def _edit(context: Context, versions: Sequence[Edition], notice_key: str) -> None:
    """Draw the fields, and the actions on the edited text."""
    say, now = context.say, versions[0]
    kept = _edit_in_progress(context, now)
    base = next(each for each in versions if each.number == kept["base"])
    typed, began = _fields(context, kept, parse(now.text)), _field_texts(base)
    if typed == began:
        st.caption(say("datasheet.unchanged"))
        return
    if base.number != now.number:
        told = {"who": _author(context, now), "number": now.number, "base": base.number}
        st.warning(md_literal(say("datasheet.overtaken", **told)), icon=":material/warning:")
        if st.button(say("datasheet.go_on", number=now.number), key="datasheet-go-on"):
            newest = _field_texts(now)  # which fields that were left unchanged take
            own = {key: text for key, text in typed.items() if text != began[key]}
            kept |= {"base": now.number, "began": newest, "typed": newest | own}
            st.rerun()
        return
    row = Fields(context, "datasheet", "datasheet").row([4, 1], vertical_alignment="bottom")
    why = row[0].text("note", max_chars=NOTE_LIMIT)
    words = say("datasheet.save", number=now.number + 1)
    if row[1].press("save", label=words, type="primary", width="stretch"):
        _save(context, typed, why, now, notice_key)


def _key_of(context: Context, *field: object) -> str:
    """Return the session key of the edit, or of a field of it by base version and name."""
    return "-".join(map(str, ("datasheet-edit", context.project, *field)))


def _field_texts(version: Edition) -> dict[str, str]:
    said = parse(version.text)
    return {key: said.get(key, "") for key in KEYS}


def _edit_in_progress(context: Context, now: Edition) -> dict[str, Any]:
    """Return the edit in progress: base version and typed text; start one if there is none.

    Typed text is kept while the person looks elsewhere, though its widgets are gone. An unchanged
    edit moves to the newest version.
    """
    kept: dict[str, Any] = st.session_state.setdefault(_key_of(context), {})
    for key, text in kept.get("typed", {}).items():  # the widget's current text
        box = _key_of(context, kept["base"], key)
        kept["typed"] = kept["typed"] | {key: str(st.session_state.get(box, text) or "")}
    if kept.get("typed", {}) == kept.get("began", {}):
        kept |= {"base": now.number, "began": _field_texts(now), "typed": _field_texts(now)}
    return kept


def _fields(context: Context, kept: dict[str, Any], now: Mapping[str, str]) -> dict[str, str]:
    """Draw every field by section; return their texts. `now` are the answers saved last."""
    say = context.say
    for section in SECTIONS:
        fields = [field for field in FIELDS if field.section == section]
        lacking = sum(not now.get(field.key) for field in fields)
        left = f" · {say('datasheet.open_here', count=lacking)}" if lacking else ""
        st.markdown(f"**{say(f'datasheet.sections.{section}')}**{left}")
        for field in fields:
            name = _key_of(context, kept["base"], field.key)
            st.session_state.setdefault(name, kept["typed"][field.key])
            text = st.text_area(
                say(f"datasheet.fields.{field.key}"),
                placeholder=say(f"datasheet.hints.{field.key}"),
                max_chars=ANSWER_LIMIT,
                height=_HEIGHT,
                key=name,
            )
            kept["typed"] = kept["typed"] | {field.key: str(text or "")}
    return dict(kept["typed"])


def _save(
    context: Context, typed: Mapping[str, str], note: str, now: Edition, notice_key: str
) -> None:
    """Save a version of the typed answers, drop the edit, redraw; `now` is the version before."""
    with guarded(context.language):
        number = DATASHEET_ANSWERS.save(*context.here, as_yaml(typed), note, now.number, context.by)
        begins = _key_of(context)
        for name in [each for each in st.session_state if str(each).startswith(begins)]:
            del st.session_state[name]
        redraw_with(notice_key, context.say("datasheet.saved", number=number))


def _versions(context: Context, versions: Sequence[Edition]) -> None:
    """Draw the versions of the answers."""
    saved = [each for each in versions if each.at is not None]
    if not saved:
        return
    st.markdown(f"**{context.say('datasheet.versions')}**")
    columns = {
        "version": [each.number for each in saved],
        "person": [_author(context, each) for each in saved],
        "at": [f"{each.at:%Y-%m-%d %H:%M}" for each in saved],
        "filled": [f"{len(parse(each.text))}/{len(FIELDS)}" for each in saved],
        "said": [each.note for each in saved],
    }
    draw_table(context, "datasheet", columns)
