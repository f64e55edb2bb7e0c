"""The import forms of the data screen: from a path on this machine, or uploaded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from corpus.jurisdiction import CHARACTERS
from pages.shell.context import Context
from pages.shell.guard import guarded
from pages.shell.notices import progress_bar, remember
from pages.shell.uploads import archive_help
from pages.shell.widgets import choose
from services.law.importing import import_questions
from services.uploads import UPLOADED_ARCHIVES, Staged, Upload, questions_at, staged_questions


@dataclass(frozen=True, slots=True)
class ImportSource:
    """What a form was sent with: a path on this machine, or uploaded files, and whose law it is."""

    path: str
    uploads: tuple[Upload, ...] = ()
    jurisdiction: str = ""

    def rewound(self) -> tuple[Upload, ...]:
        """Return the uploads, each to be read from its beginning."""
        for upload in self.uploads:
            upload.content.seek(0)
        return self.uploads


def questions_form(context: Context, notice: str) -> None:
    """Draw the form that imports questions; what came of it is remembered under `notice`."""
    kinds = ["jsonl", *(ending.removeprefix(".") for ending in UPLOADED_ARCHIVES)]
    asked = source_form(
        context,
        "questions",
        kinds,
        many=False,
        send="run_questions",
        options=lambda: jurisdiction_field(context, "questions"),
    )
    if asked is None:
        return
    with guarded(context.language):
        with _one_file(asked) as staged, progress_bar(context, "data.add.reading") as report:
            done = import_questions(
                *context.here, staged.path, report, jurisdiction=asked.jurisdiction, by=context.by
            )
        told = context.say("data.add.questions_new", new=done.new, known=done.unchanged)
        notes = (note.render(context.language) for note in done.notes)
        remember(notice, told, *notes, left_out(context, staged))
        st.rerun()


def left_out(context: Context, staged: Staged) -> str:
    """Say how many files of an upload were not wanted, "" if all were."""
    return context.say("data.add.ignored", count=staged.ignored) if staged.ignored else ""


def keep_or_drop(context: Context, words: str, key: str, ready: bool, pending: str) -> bool:
    """Draw the buttons that keep what was looked at or drop it; return whether to keep it.

    Dropped is what the session holds under `pending`. Without what is `ready` nothing can be kept.
    """
    with st.container(horizontal=True):
        keep = ready and st.button(
            context.say(words),
            key=f"{key}-keep",
            type="primary",
            icon=":material/download_done:",
        )
        drop = st.button(context.say("preview.cancel"), key=f"{key}-cancel")
    if drop:
        del st.session_state[pending]
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
    """Draw one form and return where to read from once it was sent and is complete.

    `send` names the words of its button below ``data.add``; `options` draws more fields.
    """
    st.header(context.say(f"data.add.{what}"), anchor=False)
    st.caption(context.say(f"data.add.{what}_help"))
    here = "folder" if many else "file"
    # Whoever signs in from elsewhere has no business with files of the machine that serves.
    origins = [here, "upload"] if context.account is None else ["upload"]
    origin = choose(context, "data.add.from", origins, "data.add", f"data-{what}-from")
    with st.form(f"data-{what}", border=False):
        path, files = "", []
        if origin == "upload":
            files = _uploader(context, what, kinds, many)
        else:
            path = st.text_input(context.say("data.add.path"), key=f"data-{what}-path").strip()
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
    """Draw the field that says whose law it is, where the source does not say it."""
    st.text_input(
        context.say("data.add.jurisdiction"),
        max_chars=CHARACTERS,
        help=context.say("data.add.jurisdiction_help"),
        key=f"data-{what}-jurisdiction",
    )


def _one_file(asked: ImportSource) -> AbstractContextManager[Staged]:
    if asked.path:
        return questions_at(Path(asked.path).expanduser())
    return staged_questions(asked.uploads[0])


def _uploader(context: Context, what: str, kinds: list[str], many: bool) -> list[Upload]:
    words, key = context.say(f"data.add.upload_{what}"), f"data-{what}-upload"
    bounds = archive_help(context)
    if many:
        files = st.file_uploader(words, kinds, accept_multiple_files=True, help=bounds, key=key)
    else:
        one = st.file_uploader(words, kinds, help=bounds, key=key)
        files = [] if one is None else [one]
    return [Upload(file.name, file) for file in files]
