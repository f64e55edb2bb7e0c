"""Versioned form for the datasheet questions that only people can answer."""

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
    SheetField,
    as_yaml,
    open_fields,
    parse,
)
from pages.shell.context import Context
from pages.shell.guard import fragment, guarded, plain
from pages.shell.notices import remember
from pages.shell.plain_text import plain_text
from pages.shell.widgets import draw_table

_HEIGHT = 96  # pixels of a field before it scrolls


@fragment
def draw_datasheet_form(context: Context, notice: str) -> None:
    """Draw the form; saving creates a new version."""
    say = context.say
    versions = DATASHEET_ANSWERS.editions(*context.here, context.by)
    now = versions[0]
    left = open_fields(parse(now.text))
    count = say("datasheet.open", count=len(left), of=len(FIELDS)) if left else ""
    words = count or say("datasheet.all_said")
    label = f"{say('datasheet.title')} · {words}"
    with st.expander(label, icon=":material/description:", key="datasheet-form"):
        st.caption(say("datasheet.help"))
        st.caption(plain(_version_text(context, now)))
        if context.may(Act.EDIT_DATASHEET):
            _edit(context, versions, notice)
        else:
            _draw_answers(context, parse(now.text))
        _versions(context, versions)


def _version_text(context: Context, now: Edition) -> str:
    if now.at is None:
        return context.say("datasheet.none")
    at = f"{now.at:%Y-%m-%d %H:%M}"
    return context.say("datasheet.holds", number=now.number, who=_author(context, now), at=at)


def _author(context: Context, each: Edition) -> str:
    return each.person or context.say("datasheet.operator")


def _draw_answers(context: Context, said: Mapping[str, str]) -> None:
    for field in FIELDS:
        st.markdown(f"**{context.say(f'datasheet.fields.{field.key}')}**")
        answer = said.get(field.key) or context.say("datasheet.open_field")
        plain_text(answer, f"datasheet-read-{field.key}")


def _edit(context: Context, versions: Sequence[Edition], notice: str) -> None:
    """Draw the fields, and the actions on the edited text."""
    say, now = context.say, versions[0]
    kept = _edit_in_progress(context, now)
    base = next(each for each in versions if each.number == kept["base"])
    typed = _fields(context, kept, parse(now.text))
    if typed == _field_texts(base):
        st.caption(say("datasheet.unchanged"))
        return
    if base.number != now.number:
        told = {"who": _author(context, now), "number": now.number, "base": base.number}
        st.warning(plain(say("datasheet.overtaken", **told)), icon=":material/warning:")
        if st.button(say("datasheet.go_on", number=now.number), key="datasheet-go-on"):
            _rebase(kept, _field_texts(base), now)
            st.rerun()
        return
    note, button = st.columns([4, 1], vertical_alignment="bottom")
    why = note.text_input(say("datasheet.note"), max_chars=NOTE_LIMIT, key="datasheet-note")
    words = say("datasheet.save", number=now.number + 1)
    if button.button(words, type="primary", key="datasheet-save", width="stretch"):
        _save(context, typed, why, now, notice)


def _key_prefix(context: Context) -> str:
    return f"datasheet-edit-{context.project}"


def _field_key(context: Context, base: int, key: str) -> str:
    return f"{_key_prefix(context)}-{base}-{key}"


def _field_texts(version: Edition) -> dict[str, str]:
    said = parse(version.text)
    return {key: said.get(key, "") for key in KEYS}


def _edit_in_progress(context: Context, now: Edition) -> dict[str, Any]:
    """Return the edit in progress: base version and typed text; start one if there is none.

    Typed text is kept while the person looks elsewhere, though its widgets are gone. An unchanged
    edit moves to the newest version.
    """
    kept: dict[str, Any] = st.session_state.setdefault(_key_prefix(context), {})
    for key, text in kept.get("typed", {}).items():  # the widget's current text
        box = _field_key(context, kept["base"], key)
        kept["typed"] = kept["typed"] | {key: str(st.session_state.get(box, text) or "")}
    if kept.get("typed", {}) == kept.get("began", {}):
        kept |= {"base": now.number, "began": _field_texts(now), "typed": _field_texts(now)}
    return kept


def _fields(context: Context, kept: dict[str, Any], now: Mapping[str, str]) -> dict[str, str]:
    """Draw every field by section; return their texts."""
    for section in SECTIONS:
        fields = [field for field in FIELDS if field.section == section]
        lacking = sum(not now.get(field.key) for field in fields)
        heading = context.say(f"datasheet.sections.{section}")
        left = f" · {context.say('datasheet.open_here', count=lacking)}" if lacking else ""
        st.markdown(f"**{heading}**{left}")
        for field in fields:
            kept["typed"] = kept["typed"] | {field.key: _field(context, kept, field)}
    return dict(kept["typed"])


def _field(context: Context, kept: Mapping[str, Any], field: SheetField) -> str:
    name = _field_key(context, kept["base"], field.key)
    st.session_state.setdefault(name, kept["typed"][field.key])
    text = st.text_area(
        context.say(f"datasheet.fields.{field.key}"),
        placeholder=context.say(f"datasheet.hints.{field.key}"),
        max_chars=ANSWER_LIMIT,
        height=_HEIGHT,
        key=name,
    )
    return str(text or "")


def _rebase(kept: dict[str, Any], base: Mapping[str, str], now: Edition) -> None:
    """Rebase the edit on the newest version: unchanged fields take its text."""
    typed = {
        key: text if text != base[key] else _field_texts(now)[key]
        for key, text in kept["typed"].items()
    }
    kept |= {"base": now.number, "began": _field_texts(now), "typed": typed}


def _save(context: Context, typed: Mapping[str, str], note: str, now: Edition, notice: str) -> None:
    with guarded(context.language):
        number = DATASHEET_ANSWERS.save(*context.here, as_yaml(typed), note, now.number, context.by)
        for name in [
            each for each in st.session_state if str(each).startswith(_key_prefix(context))
        ]:
            del st.session_state[name]
        remember(notice, context.say("datasheet.saved", number=number))
        st.rerun()


def _versions(context: Context, versions: Sequence[Edition]) -> None:
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
