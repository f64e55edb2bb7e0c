"""Commands about a project's own tasks: add, list, export."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import TASK
from commands.shell.options import number_of
from commands.shell.state import State
from errors import UserError, Where

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.tasks.spec import FieldSpec
    from services.tasks.own_tasks import Template
    from services.tasks.rows import Declared


@TASK.command("add")
def add(
    state: State,
    file: Annotated[Path, argument("Declaration of the task, such as task.yaml.")],
    rows: Annotated[
        Path | None,
        option("CSV or JSON Lines file of what is asked about; else the one it names."),
    ] = None,
    preview: Annotated[
        bool, option("Only print the first item; add nothing.", "--preview")
    ] = False,
) -> None:
    """Add a task of one's own to the project, with an item for each row of its file."""
    from services.tasks.own_tasks import add_task
    from services.tasks.own_tasks import preview as previewed
    from services.tasks.rows import read_task

    made = read_task(file, rows)
    if preview:
        made = previewed(*state.chosen, made)
        state.emit({"items": len(made.rows), "fields": list(made.spec.fields)}, _preview(made))
        return
    key = add_task(*state.chosen, made)
    items = number_of(len(made.rows), "item")
    state.emit({"task": key, "items": len(made.rows)}, [f"Added {key} with {items}."])


@TASK.command("draft")
def draft(
    state: State,
    config: Annotated[
        Path,
        argument("XML of Label Studio, YAML of Potato, exportedproject.json of INCEpTION."),
    ],
    tool: Annotated[str, option("label-studio, potato or inception.", "--from")],
) -> None:
    """Print a first draft of a task from another tool's configuration, with what it lacks."""
    from annotation.tasks.foreign_configs import CONFIG_BYTES, draft_task
    from corpus.files.rows import printable, read_text

    name = printable(config.name)
    made = draft_task(read_text(config, name, CONFIG_BYTES), tool, name)
    left_out = [{"part": part, "line": line} for part, line in made.left_out]
    state.emit({"text": made.text, "left_out": left_out}, made.text.splitlines())


@TASK.command("list")
def listing(state: State) -> None:
    """List the project's own tasks."""
    from services.tasks.own_tasks import own_tasks

    found = own_tasks(*state.chosen)
    lines = [f"{each.key:<24} {number_of(each.items, 'item'):<12} {each.title}" for each in found]
    state.emit({"tasks": [asdict(each) for each in found]}, lines or ["No task of its own."])


@TASK.command("template")
def templates(
    state: State,
    name: Annotated[
        str | None, argument("Print this one, to change it; without, list them.")
    ] = None,
) -> None:
    """List declarations of common tasks to begin from, or print one."""
    from services.tasks.own_tasks import template
    from services.tasks.own_tasks import templates as known

    if name is not None:
        text = template(name)
        state.emit({"name": name, "text": text}, text.splitlines())
        return
    found = known()
    lines = [f"{each:<24} {_template_line(about)}" for each, about in found.items()]
    state.emit({"templates": {each: about.title for each, about in found.items()}}, lines)


@TASK.command("export")
def export(
    state: State,
    task: Annotated[str, argument("Key of the task, such as own:relevance.")],
    file: Annotated[Path, argument("File to write: .csv, else JSON Lines.")],
) -> None:
    """Write the labels of an own task: submissions, decisions and what was agreed."""
    from services.tasks.own_tasks import export_labels

    count = export_labels(*state.chosen, task, file)
    told = {"items": count, "file": str(file)}
    state.emit(told, [f"Wrote {number_of(count, 'item')} to {file}."])


def _template_line(about: Template) -> str:
    title = f"broken: {about.problem}" if about.problem else about.title
    return f"{title} ({about.origin})" if about.origin else title


def _preview(made: Declared) -> list[str]:
    """Return the first item as an annotator sees it: columns, then fields with their options."""
    lines = [f"{number_of(len(made.rows), 'item')}. The first:"]
    for name in list(made.rows)[:1]:
        lines += [f"  {column}: {text}" for column, text in made.shown_first(name).items()]
    for stage in made.spec.stages:
        lines.append(f"{stage.key}:")
        for each in stage.fields:
            options = f" ({', '.join(str(value) for value in each.values)})" if each.values else ""
            lines.append(f"  {each.label or each.key}{options}")
    return lines


def own_task_case(case: FormDisputeView) -> tuple[dict[str, Any], list[str]]:
    """Return a dispute of an own task as JSON and as lines: the row, then each side."""
    row = dict(case.question.row)
    sides = [{"person": side.person, "answers": dict(side.answers)} for side in case.sides]
    lines = [f"{column}: {text}" for column, text in row.items()]
    told = {"item": case.external_id, "row": row, "causes": list(case.disputes), "sides": sides}
    return told, [*lines, *side_lines(case)]


def side_lines(case: FormDisputeView) -> list[str]:
    """Return each side of a dispute over a form as a line."""
    return [
        f"{side.person}: {', '.join(f'{name} {value}' for name, value in side.answers.items())}"
        for side in case.sides
    ]


def own_task_decision(case: FormDisputeView, said: Mapping[str, str]) -> dict[str, Any]:
    """Return a decision's values by field; numbers, lists and objects are parsed from JSON.

    Raises UserError for a number or a JSON value that is none.
    """
    fields = case.question.spec.reaching(said).fields
    return {name: _value(fields.get(name), text) for name, text in said.items()}


def _value(field: FieldSpec | None, text: str) -> Any:
    """Parse an answer, as JSON for the kinds of field that need it. UserError for invalid JSON."""
    from annotation.tasks.spec import SEVERAL, Kind

    written = (Kind.SCALE, Kind.NUMBER, *SEVERAL, Kind.TEXTS, Kind.EDIT)
    if field is None or field.kind not in written:
        return text
    try:
        return json.loads(text)
    except ValueError:
        raise UserError("own_value", Where(field=field.key), value=text[:60]) from None
