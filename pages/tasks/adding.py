"""Adding a task of the project's own from files, after a look at it as an annotator sees it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import streamlit as st

from annotation.tasks.own import OwnSubject
from annotation.tasks.reading import TEXT_LIMIT, read_spec
from corpus.files.rows import read_text
from errors import UserError
from pages.shell.context import Context
from pages.shell.guard import show
from pages.shell.navigation import own
from pages.shell.notices import remember
from pages.shell.uploads import PLAIN_MB
from pages.task.declared import WORDS
from pages.task.documents import guideline_blocks
from pages.task.viewer_data import ui_words
from pages.tasks.own_task import OWN, form_part, shown_part
from services.tasks.own_tasks import add_task, preview
from services.tasks.rows import Declared, read_task
from services.tasks.templates import templates

_KEY = "own-task-files"
_KINDS = ["csv", "tsv", "jsonl", "json"]


def task_form(context: Context, notice: str) -> None:
    """Draw the files of a task to upload, its first item, and the button that adds it."""
    st.caption(context.say("own_task.add.lead"))
    _draw_templates(context)
    left, right = st.columns(2, gap="medium")
    declaration = left.file_uploader(
        context.say("own_task.add.declaration"),
        type=["yaml", "yml"],
        max_upload_size=PLAIN_MB,
        key=f"{_KEY}-declaration",
    )
    rows = right.file_uploader(
        context.say("own_task.add.rows"), type=_KINDS, max_upload_size=PLAIN_MB, key=f"{_KEY}-rows"
    )
    if declaration is None:
        return
    try:
        made = _read(declaration, rows)
        if made is None:
            st.info(context.say("own_task.add.rows_wanted"), icon=":material/upload_file:")
            return
        _draw_preview(context, preview(*context.here, made, context.by))
        if st.button(context.say("own_task.add.run"), type="primary", key=f"{_KEY}-add"):
            key = add_task(*context.here, made, context.by)
            count = len(made.rows)
            remember(notice, context.say("own_task.add.done", task=key, count=count))
            st.rerun()
    except UserError as error:
        show(error, context.language)


def _draw_templates(context: Context) -> None:
    with st.popover(context.say("own_task.add.templates"), icon=":material/content_copy:"):
        for name, each in templates().items():
            label, file = (
                f"{name}.yaml" + (f" ({each.origin})" if each.origin else ""),
                f"{name}.yaml",
            )
            if each.problem is None:
                st.download_button(label, each.text, file, key=f"{_KEY}-{name}")


def _read(declaration: Any, rows: Any) -> Declared | None:
    """Return the task in these uploads; None if its rows are wanted and not there.

    The file that an uploaded declaration names is one of its author's machine, never of this one.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "task.yaml"
        file.write_bytes(declaration.getvalue())
        if rows is not None:
            beside = Path(folder) / f"rows{Path(rows.name).suffix.lower()}"
            beside.write_bytes(rows.getvalue())
            return read_task(file, beside)
        subject = read_spec(read_text(file, declaration.name, 4 * TEXT_LIMIT)).subject
        return None if subject is not None and subject.file else read_task(file)


def _draw_preview(context: Context, made: Declared) -> None:
    """Draw the first item in the viewer, which saves nothing here."""
    count = len(made.rows)
    st.markdown(
        context.say("own_task.add.preview", task=made.spec.title or made.spec.key, count=count)
    )
    if not made.rows:
        return
    name, row = next(iter(made.rows.items()))
    columns = {each: row.get(each, "") for each in (*made.shown(name), *_later(made))}
    words = ui_words(OWN.name, context.language, *WORDS)
    shown = shown_part(OwnSubject(made.spec, name, columns))
    fixed = {
        "id": 0,
        "externalId": name,
        "preview": True,
        "stage": made.spec.stages[0].key,
        **shown,
    }
    data = {
        "person": context.by,
        "key": f"preview|{context.language}|{hash(made.text)}|{name}",
        "moving": _untouched(count),
        "ack": {"client": "", "seq": 0, "failed": []},
        "fixed": fixed,
        "keys": own(context),
        "words": words,
        "guideline": _guideline(made),
        "form": form_part(made.spec, words, (), context.language),
    }
    OWN.mount(data, on_acts=lambda: None)


def _later(made: Declared) -> list[str]:
    """Return the columns that later stages reveal: here everything is to be seen."""
    return [column for each in made.spec.stages for column in each.shows]


def _untouched(total: int) -> dict[str, Any]:
    """Return the state of an item on which nobody has worked."""
    nothing = ("flag", "skipReason", "asked", "declined", "sentBack", "again", "confidence")
    no = ("canUndo", "canTakeBack", "locked", "outrun")
    return {
        **dict.fromkeys((*nothing, "discussion")),
        **dict.fromkeys(no, False),
        **{"item": 0, "position": 1, "total": total, "done": 0, "status": "todo", "comment": ""},
        **{"begunUnder": ["", ""], "messages": 0, "revision": 0, "answers": {}},
    }


def _guideline(made: Declared) -> dict[str, Any]:
    blocks = guideline_blocks(made.spec.guideline)
    return {"version": "1", "blocks": blocks, "options": [], "meanings": {}, "changes": []}
