"""Commands about machine readings of units: show, count, compute in advance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import argument, option
from commands.shell.groups import READINGS
from commands.shell.state import State
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from retrieval.readings.model import Kind, Reading
    from services.readings import KeptReading, KindCount, ReaderName

OfKind = Annotated[str, option("Only of: graph, phrases, triples or atoms.", "--kind")]


@READINGS.command("show")
def show(
    state: State,
    unit: Annotated[str, argument("A unit's id, such as 건축법_64조.")],
    kind: OfKind = "",
) -> None:
    """Print what was read out of one unit, by each model and by the stand-in. Nothing is asked."""
    from services.readings import unit_readings

    wanted = _parsed_kind(kind) if kind else None
    found = unit_readings(*state.chosen, unit)
    lines = [found.title]
    for each, kept in found.readings.items():
        if wanted in (None, each):
            lines += [line for one in kept for line in _reading_lines(one)]
    result = found.as_dict()
    if wanted is not None:
        result["readings"] = [each for each in result["readings"] if each["kind"] == wanted]
    state.emit(result, lines)


@READINGS.command("counts")
def counts(
    state: State,
    stand_in: Annotated[
        bool, option("Also read every unit by the stand-in's rules.", "--stand-in")
    ] = False,
) -> None:
    """Count what was read of the law in use, by reader and kind, and list what was not read."""
    from services.readings import reading_report

    with state.progress("Counting readings") as report:
        found = reading_report(*state.chosen, stand_in=stand_in, progress=report)
    lines = [_count_line(each) for each in found.counts]
    lines = lines or [say("readings.count.none")]
    lines += [
        f"{each.reading.unit_id}  {each.reading.kind}  {each.by.name}: {_state_text(each.reading)}"
        for each in found.unread
    ]
    state.emit(found.as_dict(), lines)


@READINGS.command("ask")
def ask(
    state: State,
    kind: Annotated[str, argument("graph, phrases, triples or atoms.")],
    statute: Annotated[str, option("Only units of this statute, by its id.")] = "",
    most: Annotated[
        int | None, option("Read at most so many units, by id.", "--most", min=1)
    ] = None,
) -> None:
    """Have the model of the role generate read units ahead of the methods that need them.

    What was read is kept, and never asked for again: an interrupted reading goes on where it was.
    """
    from services.readings import read_units

    with state.progress("Reading units") as report:
        done = read_units(
            *state.chosen, _parsed_kind(kind), statute=statute, most=most, progress=report
        )
    states = ", ".join(f"{count:,} {name}" for name, count in sorted(done.states.items()))
    cost = done.cost
    state.emit(
        done.as_dict(),
        [
            f"{done.units:,} units: {states}.",
            f"{cost.calls:,} calls, {cost.tokens_in:,} tokens in, {cost.tokens_out:,} out, "
            f"{cost.seconds:.1f} s.",
        ],
    )


def _parsed_kind(name: str) -> Kind:
    from retrieval.readings.model import Kind

    if name not in set(Kind):
        known = ", ".join(Kind)
        raise UserError("readings_kind_unknown", Where(field="kind"), kind=name, known=known)
    return Kind(name)


def _reading_lines(stored: KeptReading) -> Iterator[str]:
    reading = stored.reading
    yield f"{reading.kind} by {_reader_name(stored.by)}: {_state_text(reading)}"
    for entity in reading.entities:
        yield "  " + " · ".join(filter(None, (entity.name, entity.type, entity.description)))
    for relation in reading.relations:
        about = " · ".join(filter(None, (relation.keywords, relation.description)))
        yield f"  {relation.source} -- {relation.target} ({relation.weight:g}) {about}".rstrip()
    for triple in reading.triples:
        yield f"  {triple.subject} · {triple.predicate} · {triple.object}"
    for atom in reading.atoms:
        yield f"  {atom}"


def _state_text(reading: Reading) -> str:
    return f"{reading.state} ({reading.problem})" if reading.problem else str(reading.state)


def _reader_name(by: ReaderName) -> str:
    return "the stand-in" if by.stands_in else by.name


def _count_line(count: KindCount) -> str:
    states = ", ".join(f"{number:,} {state}" for state, number in sorted(count.states.items()))
    items = ", ".join(f"{number:,} {name}" for name, number in count.items.items() if number)
    said = f"{count.kind} by {_reader_name(count.by)}: {count.asked:,} of {count.units:,} units"
    calls = f"; {count.cost.calls:,} calls" if count.cost.calls else ""
    return f"{said} ({states}){f'; {items}' if items else ''}{calls}"
