"""The typology as text: edited or brought in, what a change would move before it is saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from annotation.cases.typologies import NOTE_LIMIT, Edition, editions, save
from annotation.people.roles import Act
from construction.cases.typology import TEXT_LIMIT
from errors import UserError, Where
from pages.shell.context import Context
from pages.shell.guard import guarded, plain, show
from pages.shell.notices import remember
from pages.shell.uploads import megabytes
from pages.shell.widgets import download, draw_table, pick_row
from services.cases.standard_groups import Moves, moves

_HEIGHT = 460  # pixels of the text before it scrolls
_PLACE = "typology-edit"


def draw_typology(context: Context, notice: str) -> None:
    """Draw the versions, and the editor for whoever may edit."""
    say = context.say
    versions = editions(*context.here, context.by)
    st.markdown(say("case_groups.typology.holds", number=versions[0].number))
    chosen = _versions(context, versions)
    _downloads(context, chosen)
    if not context.may(Act.EDIT_GUIDELINES):
        st.code(chosen.text, language="yaml", height=_HEIGHT)
        return
    _editor(context, versions, chosen, notice)


def _versions(context: Context, versions: Sequence[Edition]) -> Edition:
    if len(versions) == 1:
        return versions[0]
    columns = {
        "number": [each.number for each in versions],
        "person": [_who(context, each) for each in versions],
        "at": ["" if each.at is None else f"{each.at:%Y-%m-%d %H:%M}" for each in versions],
        "note": [each.note for each in versions],
    }
    row = pick_row(context, "case_groups.typology", columns, "typology-versions", wide="note")
    return versions[row or 0]


def _who(context: Context, each: Edition) -> str:
    if each.packaged:
        return context.say("guidelines.packaged")
    return each.person or context.say("guidelines.operator")


def _downloads(context: Context, chosen: Edition) -> None:
    download(
        context.say("case_groups.typology.download", number=chosen.number),
        chosen.text,
        f"{context.project}-typology-{chosen.number}.yaml",
        "typology-download",
    )


def _editor(context: Context, versions: Sequence[Edition], chosen: Edition, notice: str) -> None:
    say, now = context.say, versions[0]
    base = _base(context, versions)
    name = _name(context, base)
    _begin(context, name, chosen)
    text = st.text_area(
        say("case_groups.typology.text"), height=_HEIGHT, max_chars=TEXT_LIMIT, key=name
    )
    _kept(context)["text"] = text
    if text == now.text:
        st.caption(say("case_groups.typology.unchanged"))
        return
    with guarded(context.language):
        found = moves(*context.here, text, context.by)
        draw_moves(context, found)
        if base.number == now.number:
            _saving(context, text, now, name, notice)
        else:
            _overtaken(context, base, now, text)


def _kept(context: Context) -> dict[str, Any]:
    """Return what is kept of an edit while its box is not drawn: text, and where it began."""
    kept: dict[str, Any] = st.session_state.setdefault(f"{_PLACE}-{context.project}", {})
    return kept


def _name(context: Context, base: Edition) -> str:
    return f"{_PLACE}-{context.project}-{base.number}"


def _base(context: Context, versions: Sequence[Edition]) -> Edition:
    """Return the version that the edit began with, its text in the editor.

    What somebody wrote stays when another version is saved meanwhile; who has written nothing goes
    on with the newer one.
    """
    kept, now = _kept(context), versions[0]
    number = kept.get("base", now.number)
    base = next((each for each in versions if each.number == number), now)
    text = st.session_state.get(_name(context, base), kept.get("text", base.text))
    if text in (base.text, now.text):
        base, text = now, now.text
    kept["base"] = base.number
    st.session_state.setdefault(_name(context, base), text)
    return base


def _overtaken(context: Context, base: Edition, now: Edition, text: str) -> None:
    """Say that another version was saved meanwhile; what was written is saved only if told so."""
    say = context.say
    words = say(
        "case_groups.typology.overtaken",
        number=now.number,
        who=_who(context, now),
        base=base.number,
    )
    st.warning(plain(words), icon=":material/warning:")
    if st.button(say("case_groups.typology.go_on", number=now.number), key="typology-go-on"):
        _kept(context)["base"] = now.number
        st.session_state[_name(context, now)] = text
        st.rerun()


def _begin(context: Context, name: str, chosen: Edition) -> None:
    """Put a file or a version into the editor when asked."""
    say = context.say
    left, right = st.columns([3, 2], vertical_alignment="bottom")
    file = left.file_uploader(
        say("case_groups.typology.upload"),
        ["yaml", "yml"],
        max_upload_size=megabytes(TEXT_LIMIT, characters=True),
        key=f"{name}-up",
    )
    if file is not None and st.session_state.get(f"{name}-taken") != file.file_id:
        st.session_state[f"{name}-taken"] = file.file_id
        try:
            st.session_state[name] = file.getvalue().decode("utf-8-sig")
        except UnicodeDecodeError:
            show(UserError("typology_file", Where(file=file.name)), context.language)
    words = say("case_groups.typology.load", number=chosen.number)
    if right.button(words, key="typology-load", disabled=st.session_state[name] == chosen.text):
        st.session_state[name] = chosen.text


def draw_moves(context: Context, found: Moves) -> None:
    """Draw what a changed typology would move: counts, groups gone and new, the cases."""
    say = context.say
    st.markdown(
        say(
            "case_groups.typology.moves",
            moved=len(found.moved),
            cases=found.before.cases,
            before=found.before.mapped,
            after=found.after.mapped,
        )
    )
    for name, keys in (("gone", found.gone), ("new", found.new)):
        if keys:
            st.caption(say(f"case_groups.typology.{name}", keys=", ".join(keys)))
    if not found.moved:
        return
    columns = {
        "case_groups.case": [each.case.external_id for each in found.moved],
        "before": [list(each.before) for each in found.moved],
        "after": [list(each.after) for each in found.moved],
    }
    draw_table(context, "case_groups.typology", columns, "typology-moves")


def _saving(context: Context, text: str, now: Edition, name: str, notice: str) -> None:
    say = context.say
    left, right = st.columns([4, 1], vertical_alignment="bottom")
    note = left.text_input(
        say("guidelines.note"), max_chars=NOTE_LIMIT, placeholder=say("guidelines.note_hint")
    )
    words = say("case_groups.typology.save", number=now.number + 1)
    if not right.button(words, type="primary", key="typology-save", width="stretch"):
        return
    with guarded(context.language):
        number = save(*context.here, text, note, now.number, context.by)
        for each in (name, f"{_PLACE}-{context.project}"):
            del st.session_state[each]
        remember(notice, say("case_groups.saved", number=number))
        st.rerun()
