"""Editor of a versioned text: view, edit or upload, preview, save.

Unsaved text is kept while the person looks elsewhere, and when another version is saved meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from annotation.guidelines.versions import VersionView
from annotation.people.roles import Act
from annotation.work.editions import NOTE_LIMIT, Edition, VersionedText
from errors import UserError, Where
from pages.shell.context import Context
from pages.shell.guard import guarded, md_literal, show
from pages.shell.notices import redraw_with
from pages.shell.uploads import megabytes
from pages.shell.widgets import download, pick_row

_DAY = "%Y-%m-%d %H:%M"
_HEIGHT = 460  # pixels of the text before it scrolls


@dataclass(frozen=True)
class VersionEditor:
    """Versions of one kind of text, with an editor for those who may edit.

    `words` is its catalogue prefix; `place` prefixes its widget keys and file names; `saved` is the
    message after saving, `no_text` the error for a file that is not text. `preview` draws the
    effects of a changed text and raises UserError for an invalid one.
    """

    words: str
    place: str
    saved: str
    no_text: str
    limit: int
    source: VersionedText[Any]
    preview: Callable[[Context, str], None]

    def draw(self, context: Context, notice_key: str) -> None:
        """Draw the versions, and for editors the editor; `notice_key` keeps the next message."""
        versions = self.source.editions(*context.here, context.by)
        st.markdown(self._text(context, "holds", number=versions[0].number))
        chosen = self._versions(context, versions)
        download(
            self._text(context, "download", number=chosen.number),
            chosen.text,
            f"{context.project}-{self.place}-{chosen.number}.yaml",
            f"{self.place}-download",
        )
        if not context.may(Act.EDIT_GUIDELINES):
            st.code(chosen.text, language="yaml", height=_HEIGHT)
            return
        self._edit(context, versions, chosen, notice_key)

    def _text(self, context: Context, name: str, **values: Any) -> str:
        """Return a message of the editor."""
        return context.say(f"{self.words}.{name}", **values)

    def _versions(self, context: Context, versions: Sequence[Edition]) -> Edition:
        """Draw the versions as a table; return the picked one, by default the newest."""
        if len(versions) == 1:
            return versions[0]
        columns = {
            "number": [each.number for each in versions],
            "person": [author_of(context, each) for each in versions],
            "at": ["" if each.at is None else f"{each.at:{_DAY}}" for each in versions],
            "note": [each.note for each in versions],
        }
        row = pick_row(context, self.words, columns, f"{self.place}-versions", wide="note")
        return versions[row or 0]

    def _edit(
        self, context: Context, versions: Sequence[Edition], chosen: Edition, notice_key: str
    ) -> None:
        """Draw the text to edit, with preview and save."""
        now = versions[0]
        base = self._base(context, versions)
        name = self._name(context, base)
        self._draw_loading(context, name, chosen)
        text = st.text_area(
            self._text(context, "text"), height=_HEIGHT, max_chars=self.limit, key=name
        )
        self._unsaved_edit(context)["text"] = text
        if text == now.text:
            st.caption(self._text(context, "unchanged"))
            return
        with guarded(context.language):
            self.preview(context, text)
            if base.number == now.number:
                self._draw_saving(context, text, now, name, notice_key)
            else:
                self._draw_overtaken(context, base, now, text)

    def _unsaved_edit(self, context: Context) -> dict[str, Any]:
        """Return the session's unsaved edit: its text, and the version it began with."""
        place = f"{self.place}-edit-{context.project}"
        kept: dict[str, Any] = st.session_state.setdefault(place, {})
        return kept

    def _name(self, context: Context, base: Edition) -> str:
        """Return the session key of an edit."""
        return f"{self.place}-edit-{context.project}-{base.number}"

    def _base(self, context: Context, versions: Sequence[Edition]) -> Edition:
        """Return the version that the edit began with, with the text in the editor.

        Unsaved text stays when another version is saved meanwhile; an unchanged editor switches to
        the newer one.
        """
        kept, now = self._unsaved_edit(context), versions[0]
        number = kept.get("base", now.number)
        base = next((each for each in versions if each.number == number), now)
        text = st.session_state.get(self._name(context, base), kept.get("text", base.text))
        if text in (base.text, now.text):
            base, text = now, now.text
        kept["base"] = base.number
        st.session_state.setdefault(self._name(context, base), text)
        return base

    def _draw_overtaken(self, context: Context, base: Edition, now: Edition, text: str) -> None:
        """Warn that another version was saved meanwhile; saving then needs a confirmation."""
        words = self._text(
            context, "overtaken", number=now.number, who=author_of(context, now), base=base.number
        )
        st.warning(md_literal(words), icon=":material/warning:")
        go_on = self._text(context, "go_on", number=now.number)
        if st.button(go_on, key=f"{self.place}-go-on"):
            self._unsaved_edit(context)["base"] = now.number
            st.session_state[self._name(context, now)] = text
            st.rerun()

    def _draw_loading(self, context: Context, name: str, chosen: Edition) -> None:
        """Draw an upload and a button that load a file or the chosen version into the editor."""
        left, right = st.columns([3, 2], vertical_alignment="bottom")
        file = left.file_uploader(
            self._text(context, "upload"),
            ["yaml", "yml"],
            max_upload_size=megabytes(self.limit, characters=True),
            key=f"{name}-up",
        )
        if file is not None and st.session_state.get(f"{name}-taken") != file.file_id:
            st.session_state[f"{name}-taken"] = file.file_id
            try:
                st.session_state[name] = file.getvalue().decode("utf-8-sig")
            except UnicodeDecodeError:
                show(UserError(self.no_text, Where(file=file.name)), context.language)
        words = self._text(context, "load", number=chosen.number)
        same = st.session_state[name] == chosen.text
        if right.button(words, key=f"{self.place}-load", disabled=same):
            st.session_state[name] = chosen.text

    def _draw_saving(
        self, context: Context, text: str, now: Edition, name: str, notice_key: str
    ) -> None:
        """Draw the note and the button that saves."""
        say = context.say
        left, right = st.columns([4, 1], vertical_alignment="bottom")
        note = left.text_input(
            say("guidelines.note"), max_chars=NOTE_LIMIT, placeholder=say("guidelines.note_hint")
        )
        words = self._text(context, "save", number=now.number + 1)
        if not right.button(words, type="primary", key=f"{self.place}-save", width="stretch"):
            return
        with guarded(context.language):
            number = self.source.save(*context.here, text, note, now.number, context.by)
            for each in (name, f"{self.place}-edit-{context.project}"):
                del st.session_state[each]
            redraw_with(notice_key, say(self.saved, number=number))


def pick_version(
    context: Context, views: Sequence[VersionView], key: str, counts: Sequence[str]
) -> int:
    """Draw versions of a document as a table; return the index of the picked row, else the first.

    `counts` are the fields of a version that count what was decided under it.
    """
    columns = {
        "number": [view.number for view in views],
        "who": [author_of(context, view) for view in views],
        "when": ["" if view.at is None or view.packaged else f"{view.at:{_DAY}}" for view in views],
        "note": [view.note for view in views],
        **{name: [getattr(view, name) for view in views] for name in counts},
    }
    return pick_row(context, "guidelines", columns, key, wide="note") or 0


def author_of(context: Context, each: Edition | VersionView) -> str:
    """Return the author of a version: a person, the operator, or that it is built in.

    A dash for one that only imported decisions name.
    """
    if each.packaged:
        return context.say("guidelines.packaged")
    known = isinstance(each, Edition) or each.known
    return each.person or (context.say("guidelines.operator") if known else "–")
