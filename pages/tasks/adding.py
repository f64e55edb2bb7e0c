"""Adding a task of the project's own from files, after a look at it as an annotator sees it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from annotation.tasks.own import OwnSubject
from errors import UserError
from evaluation.tables import csv_text
from pages.shell.context import Context
from pages.shell.guard import md_literal, show
from pages.shell.navigation import own
from pages.shell.notices import remember
from pages.shell.uploads import PLAIN_MB
from pages.shell.widgets import NOTHING, download
from pages.task.declared import WORDS
from pages.task.documents import guideline_blocks
from pages.task.viewer import ui_words
from pages.tasks.own_task import OWN, form_part, row_panes
from services.tasks.own_tasks import add_task, own_tasks, preview, templates
from services.tasks.rows import Declared, example_task, read_task

_KEY = "own-task-files"
_KINDS = ["csv", "tsv", "jsonl", "json"]


def task_form(context: Context, notice: str) -> None:
    """Draw the files of a task to upload, its first item, and the button that adds it."""
    st.caption(context.say("own_task.add.lead"))
    for each in own_tasks(*context.here, context.by):
        words = {"task": md_literal(each.title), "key": each.key, "count": each.items}
        st.caption(f":material/assignment: {context.say('own_task.add.there', **words)}")
    left, right = st.columns(2, gap="medium")
    with left:
        declaration = _draw_declaration(context)
    rows = right.file_uploader(
        context.say("own_task.add.rows"), type=_KINDS, max_upload_size=PLAIN_MB, key=f"{_KEY}-rows"
    )
    if declaration is None:
        return
    try:
        made = _read(declaration, rows)
        if made.is_example:
            _draw_rows_wanted(context, made, right)
            _draw_preview(context, made)
            return
        _draw_preview(context, preview(*context.here, made, context.by))
        if st.button(context.say("own_task.add.run"), type="primary", key=f"{_KEY}-add"):
            key = add_task(*context.here, made, context.by)
            words = {"task": context.task_name(key), "count": len(made.rows)}
            link = f"[{context.say('own_task.add.next')}](./{context.link('assignment', task=key)})"
            remember(notice, context.say("own_task.add.done", **words), link=link)
            st.rerun()
    except UserError as error:
        show(error, context.language)


def _draw_declaration(context: Context) -> bytes | None:
    """Draw the choice of a template, to change here, or of a file; return what it declares."""
    known = {name: each for name, each in templates().items() if each.problem is None}
    titles = {
        name: " · ".join(filter(None, (each.title, each.origin))) or name
        for name, each in known.items()
    }
    name = st.selectbox(
        context.say("own_task.add.from"),
        [NOTHING, *known],
        format_func=lambda each: titles.get(each, context.say("own_task.add.own_file")),
        key=f"{_KEY}-template",
    )
    if name:
        text = st.text_area(
            context.say("own_task.add.change"), known[name].text, height=340, key=f"{_KEY}-{name}"
        )
        download(context.say("own_task.add.keep"), text, f"{name}.yaml", f"{_KEY}-keep")
        return text.encode()
    uploaded = st.file_uploader(
        context.say("own_task.add.declaration"),
        type=["yaml", "yml"],
        max_upload_size=PLAIN_MB,
        key=f"{_KEY}-declaration",
    )
    return None if uploaded is None else uploaded.getvalue()


def _draw_rows_wanted(context: Context, made: Declared, place: DeltaGenerator) -> None:
    """Draw the columns that the file of rows needs, with an empty file to fill in."""
    columns = list(next(iter(made.rows.values())))
    words = context.say("own_task.add.rows_wanted", columns=md_literal(", ".join(columns)))
    place.info(words, icon=":material/upload_file:")
    label = context.say("own_task.add.rows_empty")
    download(label, csv_text([columns]), "rows.csv", f"{_KEY}-empty", place)


def _read(content: bytes, rows: Any) -> Declared:
    """Return the task in these uploads; if its rows are wanted and not there, with an example.

    The file that an uploaded declaration names is one of its author's machine, never of this one.
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "task.yaml"
        file.write_bytes(content)
        if rows is not None:
            beside = Path(folder) / f"rows{Path(rows.name).suffix.lower()}"
            beside.write_bytes(rows.getvalue())
            return read_task(file, beside)
        return example_task(file)


def _draw_preview(context: Context, made: Declared) -> None:
    """Draw the first item in the viewer, which saves nothing here."""
    count = len(made.rows)
    lead = "own_task.add.example" if made.is_example else "own_task.add.preview"
    title = md_literal(made.spec.title or made.spec.key)
    st.markdown(context.say(lead, task=title, count=count))
    if not made.rows:
        return
    name, row = next(iter(made.rows.items()))
    columns = {each: row.get(each, "") for each in (*made.shown_first(name), *_later(made))}
    words = ui_words(OWN.name, context.language, *WORDS)
    shown = row_panes(OwnSubject(made.spec, name, columns), context.language)
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
    """Return the guideline of a task for its preview."""
    blocks = guideline_blocks(made.spec.guideline)
    return {"version": "1", "blocks": blocks, "options": [], "meanings": {}, "changes": []}
