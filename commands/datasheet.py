"""Commands about what people say for datasheets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commands.shell.editions import Number, print_versions, save_version
from commands.shell.options import Expected, Note, read_text, write_text
from commands.shell.state import State
from errors import UserError, Where
from messages import say

FormFile = Annotated[Path, typer.Argument(help="YAML file with what people say (UTF-8).")]


def show(
    state: State,
    number: Number = None,
    output: Annotated[
        Path | None, typer.Option(help="Write it to this YAML file, to be filled in.")
    ] = None,
) -> None:
    """Print what people say for the datasheets, field by field, and which fields are open."""
    from annotation.work.versioned_texts import DATASHEET_ANSWERS
    from construction.gold.datasheet_form import FIELDS, open_fields, parse, template

    found = DATASHEET_ANSWERS.edition(*state.chosen, number)
    said = parse(found.text)
    unsaid = [field.key for field in open_fields(said)]
    count = say("datasheet.open", count=len(unsaid), of=len(FIELDS))
    if output is not None:
        write_text(output, template(said))
        lines = [f"Wrote version {found.number} to {output}.", count]
    else:
        lines = [f"Version {found.number}. {count}"]
        for field in FIELDS:
            lines.append(f"{field.key}: {said.get(field.key) or say('datasheet.open_field')}")
    state.emit(found.as_dict() | {"answers": said, "open": unsaid}, lines)


def set_answers(state: State, file: FormFile, note: Note = "", expected: Expected = None) -> None:
    """Save a file as a new version of the form; a field that it leaves out is open.

    `datasheet show --output FILE` writes one with every field.
    """
    from annotation.work.versioned_texts import DATASHEET_ANSWERS
    from construction.gold.datasheet_form import FIELDS, as_yaml, open_fields, parse

    text = read_text(file, "datasheet_file")
    try:
        said = parse(text)
    except UserError as error:
        where = Where(str(file), error.where.line, error.where.field)
        raise UserError(error.code, where, **error.params) from error
    new = save_version(state, DATASHEET_ANSWERS, as_yaml(said), note, expected)
    left = len(open_fields(said))
    count = say("datasheet.open", count=left, of=len(FIELDS))
    state.emit({"number": new, "open": left}, [f"Saved version {new}. {count}"])


def history(state: State) -> None:
    """List the versions of the form, newest first; the first of the list holds."""
    from annotation.work.versioned_texts import DATASHEET_ANSWERS

    print_versions(state, DATASHEET_ANSWERS)
