"""Commands about what people say for datasheets."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from commands.shell.editions import print_versions
from commands.shell.files import read_text, write_text
from commands.shell.groups import DATASHEET
from commands.shell.options import Expected, Note, OfVersion
from commands.shell.state import State
from errors import UserError, Where
from messages import say

FormFile = Annotated[Path, typer.Argument(help="YAML file with what people say (UTF-8).")]


@DATASHEET.command("show")
def show(
    state: State,
    number: OfVersion = None,
    output: Annotated[
        Path | None, typer.Option(help="Write it to this YAML file, to be filled in.")
    ] = None,
) -> None:
    """Print what people say for the datasheets, field by field, and which fields are open."""
    from annotation.gold.datasheet_answers import edition
    from construction.gold.datasheet_form import FIELDS, open_fields, parse, template

    found = edition(*state.chosen, number)
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


@DATASHEET.command("set")
def set_answers(state: State, file: FormFile, note: Note = "", expected: Expected = None) -> None:
    """Save a file as a new version of the form; a field that it leaves out is open.

    `datasheet show --output FILE` writes one with every field.
    """
    from annotation.gold.datasheet_answers import edition, save
    from construction.gold.datasheet_form import FIELDS, open_fields, parse

    ws, slug = state.chosen
    text = read_text(file, "datasheet_file")
    try:
        said = parse(text)
    except UserError as error:
        where = Where(str(file), error.where.line, error.where.field)
        raise UserError(error.code, where, **error.params) from error
    number = edition(ws, slug).number if expected is None else expected
    new, left = save(ws, slug, said, note, number), len(open_fields(said))
    count = say("datasheet.open", count=left, of=len(FIELDS))
    state.emit({"number": new, "open": left}, [f"Saved version {new}. {count}"])


@DATASHEET.command("history")
def history(state: State) -> None:
    """List the versions of the form, newest first; the first of the list holds."""
    from annotation.gold.datasheet_answers import editions

    print_versions(state, editions(*state.chosen))
