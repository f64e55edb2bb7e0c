"""Import forms of the data screen: from a path on this machine, or uploaded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from annotation.people.roles import Act
from corpus.benchmarks.rows import ENDINGS
from corpus.model import CHARACTERS
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded
from pages.shell.notices import progress_bar, redraw_with
from pages.shell.uploads import archive_help
from pages.shell.widgets import choose
from services.law.adopting import adopt
from services.law.importing import import_questions
from services.uploads import (
    UPLOADED_ARCHIVES,
    Staged,
    Upload,
    questions_at,
    staged_questions,
    staged_tree,
)

_WHOLE = "data-questions-whole"


@dataclass(frozen=True, slots=True)
class ImportSource:
    """Submitted import form: a path on this machine or uploads, and the jurisdiction."""

    path: str
    uploads: tuple[Upload, ...]
    jurisdiction: str

    def rewound(self) -> tuple[Upload, ...]:
        """Return the uploads, each rewound to its beginning."""
        for upload in self.uploads:
            upload.content.seek(0)
        return self.uploads


def questions_form(context: Context, notice_key: str) -> None:
    """Draw the form that imports questions; the outcome is remembered under `notice_key`."""
    kinds = ["jsonl", *(ending.removeprefix(".") for ending in UPLOADED_ARCHIVES)]
    asked = source_form(
        context,
        "questions",
        kinds,
        many=False,
        send="run_questions",
        options=lambda: _question_options(context),
    )
    if asked is None:
        return
    if st.session_state.get(_WHOLE):
        _adopt(context, asked, notice_key)
        return
    with guarded(context.language):
        with _one_file(asked) as staged, progress_bar(context, "data.add.reading") as report:
            done = import_questions(
                *context.here, staged.path, report, jurisdiction=asked.jurisdiction, by=context.by
            )
        told = context.say("data.add.questions_new", new=done.new, known=done.unchanged)
        notes = (note.render(context.language) for note in done.notes)
        redraw_with(notice_key, told, *notes, left_out(context, staged))


def _question_options(context: Context) -> None:
    """Draw the options of an import of questions."""
    jurisdiction_field(context, "questions")
    if context.may(Act.IMPORT_LAW):
        say = context.say
        st.checkbox(say("adoption.whole"), help=say("adoption.whole_help"), key=_WHOLE)


def _adopt(context: Context, asked: ImportSource, notice_key: str) -> None:
    """Import a published benchmark with its documents; redraw, the outcome under `notice_key`."""
    with guarded(context.language):
        with ExitStack() as stack:
            path = Path(asked.path).expanduser()
            if not asked.path:
                path = stack.enter_context(staged_tree(asked.uploads, endings=ENDINGS)).path
            report = stack.enter_context(progress_bar(context, "data.add.reading"))
            place = asked.jurisdiction
            done = adopt(*context.here, path, report, jurisdiction=place, by=context.by)
        redraw_with(notice_key, *done.lines(context.language))


def left_out(context: Context, staged: Staged) -> str:
    """Return the note on ignored files of an upload, "" if there are none."""
    return context.say("data.add.ignored", count=staged.ignored) if staged.ignored else ""


def keep_or_drop(
    context: Context, message_key: str, key: str, ready: bool, pending_key: str
) -> bool:
    """Draw the buttons that confirm or cancel a preview; return whether it was confirmed.

    Cancelling deletes the session's value under `pending_key`. Unless `ready`, only cancelling is
    possible.
    """
    with st.container(horizontal=True):
        keep = ready and st.button(
            context.say(message_key),
            key=f"{key}-keep",
            type="primary",
            icon=":material/download_done:",
        )
        drop = st.button(context.say("preview.cancel"), key=f"{key}-cancel")
    if drop:
        del st.session_state[pending_key]
        st.rerun()
    return keep


def source_form(
    context: Context,
    what: str,
    kinds: list[str],
    many: bool,
    send: str,
    options: Callable[[], None] | None = None,
) -> ImportSource | None:
    """Draw an import form and return its source once it is submitted and complete.

    `send` is the catalogue key of its button below ``data.add``; `options` draws more fields.
    """
    st.header(context.say(f"data.add.{what}"), anchor=False)
    st.caption(context.say(f"data.add.{what}_help"))
    here = "folder" if many else "file"
    # The server's files are of no concern to users who sign in from elsewhere.
    origins = [here, "upload"] if context.account is None else ["upload"]
    origin = choose(context, "data.add.from", origins, "data.add", f"data-{what}-from")
    with st.form(f"data-{what}", border=False):
        path, files = "", []
        if origin == "upload":
            files = _uploader(context, what, kinds, many)
        else:
            path = _fields(context, what).text("path").strip()
        if options is not None:
            options()
        sent = st.form_submit_button(context.say(f"data.add.{send}"), icon=":material/upload_file:")
    if not sent:
        return None
    if not (path or files):
        missing = "need_upload" if origin == "upload" else "need_path"
        st.warning(context.say(f"data.add.{missing}"), icon=":material/edit:")
        return None
    said = st.session_state.get(f"data-{what}-jurisdiction", "")
    return ImportSource(path, tuple(files), said.strip())


def jurisdiction_field(context: Context, what: str) -> None:
    """Draw the jurisdiction field, for sources that do not name it."""
    _fields(context, what).text("jurisdiction", max_chars=CHARACTERS)


def _fields(context: Context, what: str) -> Fields:
    """Return the fields of the form that imports `what`."""
    return Fields(context, "data.add", f"data-{what}")


def _one_file(source: ImportSource) -> AbstractContextManager[Staged]:
    """Return the file at the path or the single upload, staged."""
    if source.path:
        return questions_at(Path(source.path).expanduser())
    return staged_questions(source.uploads[0])


def _uploader(context: Context, what: str, kinds: list[str], many: bool) -> list[Upload]:
    """Draw the upload of files; return them."""
    given = _fields(context, what).file(
        f"upload_{what}",
        kinds,
        key="upload",
        help=archive_help(context),
        accept_multiple_files=many,
    )
    files = given if many else [given] if given else []
    return [Upload(file.name, file) for file in files]
