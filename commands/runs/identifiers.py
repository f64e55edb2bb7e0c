"""What generative retrieval wrote for a question, on the command line."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from commands.shell.groups import RUN
from commands.shell.state import State

if TYPE_CHECKING:
    from services.runs.identifiers import IdentifiedHit, StandingIdentifier

_MOST = 200  # hits: each has its text cut into tokens


@RUN.command("identifiers")
def identifiers(
    state: State,
    run: Annotated[int, typer.Argument(help="Number of the stored run.")],
    question: Annotated[str, typer.Argument(help="Id of a question that the run was asked.")],
    first: Annotated[
        int, typer.Option(min=1, max=_MOST, help="How many hits, from the first one on.")
    ] = 10,
) -> None:
    """Print what the model of a run wrote for a question, and where it stands in each hit."""
    from services.runs.identifiers import identifiers_found

    hits = identifiers_found(state.workspace, run, question, first)
    told = [asdict(hit) for hit in hits]
    state.emit({"run": run, "question": question, "hits": told}, _lines(hits))


def _lines(hits: tuple[IdentifiedHit, ...]) -> list[str]:
    if not hits:
        return ["The run found nothing for this question."]
    lines = []
    for hit in hits:
        place = " ".join(filter(None, (hit.statute, hit.label, hit.heading)))
        lines.append(f"{hit.rank}. {place}  {hit.score:.3f}")
        lines += [_line(each) for each in hit.identifiers]
    return lines


def _line(each: StandingIdentifier) -> str:
    found = each.identifier
    where = "title" if found.in_title else "text"
    if found.start is not None:
        where += f" {found.start + 1}-{found.end}"
    words = " ".join(found.text.split())
    return f"   +{found.added:.3f}  {words}  [{where}; {found.times} in the law]"
