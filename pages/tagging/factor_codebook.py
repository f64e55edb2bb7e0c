"""Codebook screen of factor tagging: read, edit, upload and compare versions.

Form editor for a factor or sub-factor of the codebook, without YAML.

Versions of the factor codebook: save, download, upload, compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from annotation.guidelines.codebook_tree import FACTORS_LIMIT
from annotation.guidelines.editing import NOTE_LIMIT
from annotation.guidelines.versions import list_versions
from annotation.people.roles import Act
from construction.tagging.codebook import Codebook, Labels
from construction.tagging.editing import put_sub_factor, with_factor, without
from errors import UserError, Where
from normalization.hashing import text_hash
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal, show
from pages.shell.notices import remember, show_remembered
from pages.shell.uploads import megabytes
from pages.shell.version_editor import pick_version
from pages.shell.widgets import choose, download
from pages.tagging.codebook_fields import (
    TURN,
    draw_factor,
    draw_place,
    draw_sub_factor,
    empty_factor,
    empty_sub_factor,
    fields_of,
)
from pages.tagging.codebook_tree import CHOSEN, change_words, draw_tree, touched_answers_words
from services.tagging.codebook import Held, Outlook, find_codebook, outlook, save_codebook, written
from storage.tasks import Task

_SHOWN = 40  # changes shown before the rest is folded


def draw_changes(context: Context, labels: Labels, outlook: Outlook) -> None:
    """Draw the changes, the answers they invalidate, and scopes that the typology lacks."""
    say = context.say
    if not outlook.changes:
        st.info(say("factor_book.no_changes", number=outlook.against))
        return
    st.markdown(
        f"**{say('factor_book.changes', count=len(outlook.changes), number=outlook.against)}**"
    )
    lines = [
        f"- {md_literal(change_words(context, labels, outlook, change))}"
        for change in outlook.changes
    ]
    st.markdown("\n".join(lines[:_SHOWN]))
    if lines[_SHOWN:]:
        with st.expander(say("factor_book.more_changes", count=len(lines) - _SHOWN)):
            st.markdown("\n".join(lines[_SHOWN:]))
    touched = touched_answers_words(context, outlook)
    if touched:
        st.warning(
            "\n".join(f"- {md_literal(each)}" for each in touched), icon=":material/warning:"
        )
    for factor, part in outlook.unknown:
        st.warning(md_literal(say("factor_book.unknown_scope", factor=factor, part=part)))


def draw_saving(
    context: Context, text: str, base: int, notice_key: str, label: str, key: str
) -> bool:
    """Draw the note and the button `label`; return whether a version was saved just now.

    `base` is the number of the edited version. Errors are drawn; success is remembered under
    `notice_key`.
    """
    say, fields = context.say, Fields(context, "guidelines", key)
    note = fields.text("note", max_chars=NOTE_LIMIT, placeholder=say("guidelines.note_hint"))
    if not st.button(label, type="primary", key=f"{key}-save"):
        return False
    try:
        version = save_codebook(*context.here, text, note, base, context.by)
    except UserError as error:
        show(error, context.language)
        return False
    remember(notice_key, say("guidelines.saved", number=version.partition("-")[0]))
    return True


def draw_files(context: Context, held: Held, notice_key: str) -> None:
    """Draw the download of the codebook and, for editors, the upload of another version."""
    say = context.say
    download(
        say("factor_book.download"),
        held.text.text,
        f"factors-{held.text.version}.yaml",
        "factor-book-download",
    )
    if context.may(Act.EDIT_GUIDELINES):
        _upload(context, held, notice_key)


def _upload(context: Context, held: Held, notice_key: str) -> None:
    """Draw the upload of a codebook with its changes."""
    say = context.say
    most = megabytes(FACTORS_LIMIT, characters=True)
    fields = Fields(context, "factor_book", "factor-book")
    file = fields.file("upload", ("yaml", "yml"), max_upload_size=most)
    if file is None:
        st.caption(say("factor_book.upload_hint"))
        return
    with guarded(context.language):
        try:
            text = file.getvalue().decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise UserError("guideline_file", Where(file=file.name)) from error
        seen = outlook(*context.here, text, by=context.by)
        draw_changes(context, held.labels, seen)
        if seen.changes:
            _save(context, held, text, notice_key)


def _save(context: Context, held: Held, text: str, notice_key: str) -> None:
    """Draw the saving of an uploaded codebook, based on the version current when it came."""
    say = context.say
    mark = text_hash(text)[:12]
    base = st.session_state.setdefault(f"factor-book-base-{mark}", held.current)
    label = say("factor_book.save_file")
    if draw_saving(context, text, base, notice_key, label, "factor-book-file"):
        del st.session_state[f"factor-book-base-{mark}"]
        st.rerun()


def draw_versions(context: Context, held: Held) -> None:
    """Draw the list of versions, and the chosen one's changes from the previous."""
    every = list_versions(*context.here, "codebook", Task.FACTOR_TAGGING, context.by)
    views = [version for version in every if version.known]
    row = pick_version(context, views, "factor-book-versions", ("submissions",))
    number = views[row].number
    earlier = [view.number for view in views if view.number < number]
    if not earlier:
        st.caption(context.say("factor_book.first_version"))
        return
    current = number == held.current
    text = held.text if current else find_codebook(*context.here, number, context.by).text
    seen = outlook(*context.here, text.text, max(earlier), context.by)
    draw_changes(context, held.labels, seen)


_BASE = "factor-book-base"  # number of the version that the edit began with
_NEW = ("new", "")
_NEW_FACTOR = ("new_factor", "")
_STARTS = (_NEW, _NEW_FACTOR)


def draw_editor(context: Context, notice_key: str) -> None:
    """Draw the choice of what to edit, its fields, the changes, and saving.

    `notice_key` is the key of the message shown after an act.
    """
    now = find_codebook(*context.here, by=context.by)
    base = st.session_state.setdefault(f"{_BASE}-{context.project}", now.current)
    begun = now
    if base != now.current:
        begun = find_codebook(*context.here, base, context.by)
    left, right = st.columns([8, 5], gap="large")
    try:
        with left:
            edited = _edited(context, begun, _chosen(context, begun))
        if edited is None:
            return
        text = written(edited)
        seen = outlook(*context.here, text, base, context.by)
    except UserError as error:
        with right:
            _draw_overtaken(context, base, now.current)
            show(error, context.language)
        return
    if base != now.current and not seen.changes:  # an unchanged edit moves to the newest version
        _start_again(context)
    with right:
        _draw_overtaken(context, base, now.current)
        draw_changes(context, begun.labels, seen)
        if seen.changes and base == now.current:
            label = context.say("factor_book.save")
            if draw_saving(context, text, base, notice_key, label, "factor-book"):
                _start_again(context)
            st.caption(context.say("factor_book.unsaved"))


def _draw_overtaken(context: Context, base: int, current: int) -> None:
    """Draw which version is edited, with a warning if a newer one was saved meanwhile."""
    say = context.say
    if base == current:
        st.caption(say("factor_book.editing", number=base, next=base + 1))
        return
    words = say("factor_book.overtaken", number=current, base=base)
    st.warning(words, icon=":material/warning:")
    if st.button(say("factor_book.again", number=current), key="factor-book-again"):
        _start_again(context)


def _start_again(context: Context) -> None:
    """Drop the edit: the next one starts from the current version, with empty fields."""
    for name in [name for name in st.session_state if str(name).startswith("factor-book-field")]:
        del st.session_state[name]
    for name in (f"{_BASE}-{context.project}", "factor-book-note"):
        st.session_state.pop(name, None)
    st.session_state[TURN] = st.session_state.get(TURN, 0) + 1
    st.rerun()


def _chosen(context: Context, begun: Held) -> tuple[str, str]:
    """Draw the choice of what to edit; return (kind, key), kind "factor", "sub_factor" or new."""
    say, language = context.say, context.language
    names: dict[tuple[str, str], str] = {
        _NEW: say("factor_book.new"),
        _NEW_FACTOR: say("factor_book.new_factor"),
    }
    for factor in begun.book.factors:
        names["factor", factor.key] = f"▾ {factor.label[language]}"
        for each in factor.sub_factors:
            names["sub_factor", each.key] = f"\u2003{each.label[language]} ({each.key})"
    last = ("sub_factor", st.session_state.get(CHOSEN, begun.book.order[0]))
    first = last if last in names else list(names)[len(_STARTS)]
    fields = Fields(context, "factor_book", "factor-book")
    return fields.pick("edit_what", names, names.__getitem__, first)


def _edited(context: Context, begun: Held, chosen: tuple[str, str]) -> Codebook | None:
    """Draw the fields of the chosen entry; return the edited codebook, None without a new key."""
    kind, key = chosen
    book = begun.book
    if kind == "factor":
        factor = next(each for each in book.factors if each.key == key)
        return with_factor(book, draw_factor(context, factor, begun.labels))
    if kind == "new":
        return _with_new_sub_factor(context, book)
    if kind == "new_factor":
        return _with_new_factor(context, begun)
    factor, each = book.places[key]
    if fields_of(context, key).switch("take_out", key="out"):
        return without(book, key)
    place = book.order.index(key) + 1
    home, place = draw_place(context, book, factor, place, key)
    return put_sub_factor(book, home, draw_sub_factor(context, book, each), place)


def _with_new_sub_factor(context: Context, book: Codebook) -> Codebook | None:
    """Draw the form of a new sub-factor; return the codebook with it, None without a key."""
    key = _new_key(context, "new_key", "sub", book.order)
    if key is None:
        return None
    home, place = draw_place(context, book, book.factors[0], len(book.order) + 1, "")
    return put_sub_factor(book, home, draw_sub_factor(context, book, empty_sub_factor(key)), place)


def _with_new_factor(context: Context, begun: Held) -> Codebook | None:
    """Draw the forms of a new factor and its first sub-factor; return the codebook with both.

    None while a key is missing.
    """
    book = begun.book
    key = _new_key(context, "new_factor_key", "factor", [e.key for e in book.factors])
    if key is None:
        return None
    factor = draw_factor(context, empty_factor(key), begun.labels)
    st.divider()
    first = _new_key(context, "new_key", "first", book.order)
    if first is None:
        return None
    each = draw_sub_factor(context, book, empty_sub_factor(first))
    return with_factor(book, replace(factor, sub_factors=(each,)))


def _new_key(context: Context, title: str, what: str, known: Sequence[str]) -> str | None:
    """Draw the field of a key; return it, None if empty. Raises UserError if it is taken."""
    key = fields_of(context, "new").text(title, key=what, max_chars=64).strip()
    if not key:
        st.caption(context.say("factor_book.new_key_hint"))
    elif key in known:
        raise UserError("factors_known", key=key)
    return key or None


NOTICE = "factor-book-notice"


def render(context: Context) -> None:
    """Draw the page."""
    say = context.say
    st.title(say("app.pages.factor_codebook"), anchor=False)
    found = find_codebook(*context.here, by=context.by)
    counted = [each for _, each in found.book.places.values()]
    st.markdown(
        say(
            "factor_book.lead",
            number=found.text.number,
            factors=len(found.book.factors),
            sub_factors=len(counted),
            claims=sum(each.claim for each in counted),
        )
    )
    show_remembered(NOTICE)
    draw = {
        "read": partial(draw_tree, context, found),
        "edit": partial(draw_editor, context, NOTICE),
        "files": partial(draw_files, context, found, NOTICE),
        "versions": partial(draw_versions, context, found),
    }
    views = [each for each in draw if each != "edit" or context.may(Act.EDIT_GUIDELINES)]
    view = choose(context, "factor_book.view", views, "factor_book.views", "factor-book-view")
    draw[view]()
