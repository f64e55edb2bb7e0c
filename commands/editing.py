"""Options of commands that save the next version of a document."""

from __future__ import annotations

from typing import Annotated

import typer

Note = Annotated[str, typer.Option(help="Why it is changed.")]
Expected = Annotated[
    int | None,
    typer.Option(help="Number of the version that was edited; refused if another was saved."),
]
