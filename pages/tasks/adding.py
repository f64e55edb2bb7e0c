"""Adding a task of the project's own from files, after a look at it as an annotator sees it."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import streamlit as st

from annotation.tasks.own import OwnSubject
from evaluation.tables import csv_text
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.guard import guarded, md_literal
from pages.shell.navigation import own
from pages.shell.notices import redraw_with
from pages.shell.uploads import PLAIN_MB
from pages.shell.widgets import download
from pages.task.declared import WORDS
from pages.task.documents import guideline_blocks
from pages.task.viewer import ui_words
from pages.tasks.own_task import OWN, form_part, row_panes
from services.tasks.own_tasks import add_task, own_tasks, preview, templates
from services.tasks.rows import Declared, example_task, read_task

_KINDS = ["csv", "tsv", "jsonl", "json"]


def task_form(context: Context, notice_key: str) -> None:
    """Draw the files of a task to upload, its first item, and the button that adds it.

    `notice_key` is the key of the message shown after an act.
    """
    say, fields = context.say, Fields(context, "own_task.add", "own-task-files")
    st.caption(say("own_task.add.lead"))
    for each in own_tasks(*context.here, context.by):
        words = {"task": md_literal(each.title), "key": each.key, "count": each.items}
        st.caption(f":material/assignment: {say('own_task.add.there', **words)}")
    left, right = fields.row(2, gap="medium")
    with left.place:
        declaration = _draw_declaration(fields)
    rows = right.file("rows", _KINDS, max_upload_size=PLAIN_MB)
    if declaration is None:
        return
    with guarded(context.language):
        made = _read(declaration, rows)
        if made.is_example:
            _draw_rows_wanted(right, made)
            _draw_preview(context, made)
            return
        _draw_preview(context, preview(*context.here, made, context.by))
        if fields.press("run", type="primary", key="add"):
            key = add_task(*context.here, made, context.by)
            words = {"task": context.task_name(key), "count": len(made.rows)}
            link = f"[{say('own_task.add.next')}](./{context.link('assignment', task=key)})"
            redraw_with(notice_key, say("own_task.add.done", **words), link=link)


def _draw_declaration(fields: Fields) -> bytes | None:
    """Draw the choice of a template, to change here, or of a file; return what it declares."""
    known = {name: each for name, each in templates().items() if each.problem is None}

    def title(name: str) -> str:
        """Return the title of a template, with where it is from."""
        return " · ".join(filter(None, (known[name].title, known[name].origin))) or name

    name = fields.pick("from", known, title, none="own_task.add.own_file", key="template")
    if name:
        text = fields.lines("change", known[name].text, height=340, key=name)
        label = fields.context.say("own_task.add.keep")
        download(label, text, f"{name}.yaml", f"{fields.key}-keep")
        return text.encode()
    uploaded = fields.file("declaration", ["yaml", "yml"], max_upload_size=PLAIN_MB)
    return None if uploaded is None else uploaded.getvalue()


def _draw_rows_wanted(fields: Fields, made: Declared) -> None:
    """Draw the columns that the file of rows needs, with an empty file to fill in."""
    say, columns = fields.context.say, list(next(iter(made.rows.values())))
    words = say("own_task.add.rows_wanted", columns=md_literal(", ".join(columns)))
    fields.place.info(words, icon=":material/upload_file:")
    key = f"{fields.key}-empty"
    download(say("own_task.add.rows_empty"), csv_text([columns]), "rows.csv", key, fields.place)


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
    count, language = len(made.rows), context.language
    lead = "own_task.add.example" if made.is_example else "own_task.add.preview"
    title = md_literal(made.spec.title or made.spec.key)
    st.markdown(context.say(lead, task=title, count=count))
    if not made.rows:
        return
    name, row = next(iter(made.rows.items()))
    later = [column for each in made.spec.stages for column in each.shows]  # all is seen here
    columns = {each: row.get(each, "") for each in (*made.shown_first(name), *later)}
    words = ui_words(OWN.name, language, *WORDS)
    guideline: dict[str, Any] = {"version": "1", "blocks": guideline_blocks(made.spec.guideline)}
    guideline |= {"meanings": {}, "options": [], "changes": []}
    fixed = {
        **{"id": 0, "externalId": name, "preview": True, "stage": made.spec.stages[0].key},
        **row_panes(OwnSubject(made.spec, name, columns), language),
    }
    data = {
        "person": context.by,
        "key": f"preview|{language}|{hash(made.text)}|{name}",
        "moving": _untouched(count),
        "ack": {"client": "", "seq": 0, "failed": []},
        "fixed": fixed,
        "keys": own(context),
        "words": words,
        "guideline": guideline,
        "form": form_part(made.spec, words, (), language),
    }
    OWN.mount(data, on_acts=lambda: None)


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
