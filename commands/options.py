"""Options that several commands take, and what they are read to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from commands.state import State
from errors import UserError, Where

Note = Annotated[str, typer.Option(help="Why it is changed.")]
Expected = Annotated[
    int | None,
    typer.Option(help="Number of the version that was edited; refused if another was saved."),
]
By = Annotated[str, typer.Option("--by", help="Who acts: the name of an adjudicator.")]
Reason = Annotated[str, typer.Option(help="Why, in a sentence or two.")]


def adjudicator_named(state: State, name: str) -> int:
    """Return the id of the person of that name. Raises UserError for an unknown name."""
    return person_named(state, name, "by")


def person_named(state: State, name: str, field: str = "name") -> int:
    """Return the id of the person whom an option names. Raises UserError for an unknown name."""
    from annotation.people.members import list_people

    known = list_people(*state.chosen)
    for each in known:
        if each.name == name:
            return each.id
    names = ", ".join(each.name for each in known) or "–"
    raise UserError("person_unnamed", Where(field=field), name=name, known=names)


def chosen_spec(method: str, file: Path | None, given: Mapping[str, object]) -> dict[str, object]:
    """Return the spec of a file, or that of a preset or method with what is given of it."""
    from retrieval.core.presets import PRESETS
    from retrieval.core.registry import METHODS
    from retrieval.core.spec_file import parse_spec

    if file is None:
        if method not in METHODS and method not in PRESETS:
            known = ", ".join(dict.fromkeys((*PRESETS, *METHODS)))
            raise UserError("unknown_method", name=method, known=known)
        parameters = {name: value for name, value in given.items() if value is not None}
        return {**PRESETS.get(method, {"method": method}), **parameters}
    try:
        return parse_spec(file.read_text(encoding="utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise UserError("spec_unreadable", Where(str(file))) from error
