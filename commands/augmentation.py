"""Commands about questions written by axes: the axes, the matrix, planning, making, reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.shell.editions import add_version_commands
from commands.shell.groups import AUGMENT, AXES
from commands.shell.options import ended_early, number_of
from commands.shell.state import State
from commands.shell.tables import read_text
from errors import UserError, Where
from messages import say

if TYPE_CHECKING:
    from annotation.work.editions import VersionedText
    from evaluation.figure import Figure
    from services.augmentation.planning import CellPlan, WritingOptions, WritingPlan
    from services.augmentation.report import Matrix, QuestionShown

AxesFile = Annotated[Path, typer.Argument(help="YAML file with all axes (UTF-8).")]
Cells = Annotated[
    list[str],
    typer.Option(
        "--cell",
        help="Type:level or type:level:facet with its target, such as single_clause:L1=5; "
        "may be repeated.",
    ),
]
Demands = Annotated[
    list[str] | None,
    typer.Option(
        "--demand",
        help="What the provisions must have besides: cross_document, delegation, exception, "
        "sanction or parallel; may be repeated.",
    ),
]
InDomain = Annotated[str, typer.Option("--domain", help="Only provisions of this domain.")]
Seed = Annotated[int, typer.Option(help="Draws the provisions and the values of facets.")]
Styled = Annotated[
    bool, typer.Option("--styled", help="With a question of the project each, for its tone.")
]

Seeds = Annotated[
    list[str] | None,
    typer.Option(
        "--from",
        help="Vary this question of the project, on its gold and what that leads to; by its id, "
        "or all; may be repeated. Else provisions are drawn from the graph alone.",
    ),
]


def _versions() -> VersionedText[Any]:
    from annotation.work import versioned_texts

    return versioned_texts.AXES


add_version_commands(
    AXES,
    _versions,
    AxesFile,
    "the axes",
    saving="Save axes as a new version; the versions before it stay, and so do the questions.",
)


@AXES.command("preview")
def axes_preview(state: State, file: AxesFile) -> None:
    """Say what changed axes would change, and which questions lose a value; nothing is changed."""
    from dataclasses import asdict

    from services.augmentation.axes import changes

    found = changes(*state.chosen, read_text(file))
    lines = [
        say(f"augment.axes.{name}", keys=", ".join(keys))
        for name in ("new", "changed", "gone", "unknown")
        if (keys := getattr(found, name))
    ]
    lines += [f"{each.external_id} loses {each.place}" for each in found.lost]
    lines += [
        f"{each.external_id} is {each.after or '–'} then, {each.before or '–'} now"
        for each in found.relevelled
    ]
    state.emit(asdict(found), [*lines, found.diff])


@AUGMENT.command("matrix")
def matrix(state: State) -> None:
    """Show the cells: planned, made, through the cascade, admitted, missing; with shares."""
    from services.augmentation.report import matrix as count

    found = count(*state.chosen)
    rows = [
        [row.cell.type, row.cell.difficulty, row.cell.facet or "any"]
        + [f"{n:,}" for n in (row.planned, row.made, row.through, row.admitted, row.missing)]
        + [f"{name} {n}" for name, n in row.failed.items()]
        for row in found.rows
    ]
    if not rows:
        state.emit(found.as_dict(), [say("augment.none")])
        return
    head = ["type", "level", "facet", "planned", "made", "through", "admitted", "missing"]
    totals = found.totals()
    rows.append(["all", "", "", *(f"{totals[name]:,}" for name in head[3:])])
    lines = list(_aligned([head, *rows]))
    lines += ["", say("augment.levels_found"), *_aligned(_levels(found)), found.told()]
    for name in ("made", "admitted"):
        lines += ["", f"Levels of {name} questions:"]
        lines += [f"  {_share(figure)}" for figure in getattr(found, f"{name}_levels")]
    state.emit(found.as_dict(), lines)


@AUGMENT.command("plan")
def plan(
    state: State,
    cell: Cells,
    demand: Demands = None,
    domain: InDomain = "",
    seed: Seed = 0,
    styled: Styled = False,
    seeds: Seeds = None,
) -> None:
    """Say what would be asked for, how much law there is for it, and what it can cost at most."""
    from services.augmentation.planning import plan as draw

    ready = draw(*state.chosen, _options(cell, demand, domain, seed, styled, seeds))
    state.emit(ready.as_dict(), [*map(_cell_line, ready.cells), _estimate_line(ready)])


@AUGMENT.command("make")
def make(
    state: State,
    cell: Cells,
    demand: Demands = None,
    domain: InDomain = "",
    seed: Seed = 0,
    styled: Styled = False,
    seeds: Seeds = None,
) -> None:
    """Have a model write the questions that the cells lack; every attempt is kept.

    What was stopped or killed is taken up by running it again: nothing is asked twice.
    """
    from services.augmentation.planning import plan as draw
    from services.augmentation.writing import as_json, write

    ready = draw(*state.chosen, _options(cell, demand, domain, seed, styled, seeds))
    typer.echo(_estimate_line(ready), err=True)
    done = state.run("Writing questions", partial(write, state.workspace, ready))
    lines = [
        f"Asked for {number_of(done.asked, 'question')}; {done.lacking:,} more would need more law."
    ]
    lines += [f"  {name:<10} {n:>7,}" for name, n in done.outcomes.items()]
    lines += [f"  no answer  {done.unanswered:>7,}"] if done.unanswered else []
    state.emit(as_json(done), [*lines, *ended_early(done)], failed=done.end != "done")


@AUGMENT.command("list")
def listing(
    state: State,
    outcome: Annotated[
        str, typer.Option(help="Only these: written, refused, invalid or duplicate.")
    ] = "",
    cell: Annotated[str, typer.Option(help="Only of this cell: type:level[:facet].")] = "",
) -> None:
    """List the attempts, newest first: what each came to and why, and its question."""
    from construction.augmentation.cells import Cell
    from services.augmentation.report import listing as attempts

    named = Cell.read(cell).id if cell else ""
    found = attempts(*state.chosen, outcome=outcome, cell=named)
    lines = [
        "  ".join(
            part
            for part in (
                line.attempt.name,
                line.attempt.outcome,
                line.attempt.question or line.attempt.detail,
                "" if line.fate is None else str(line.fate),
                ", ".join(str(each["unit"]) for each in line.attempt.gold),
            )
            if part
        )
        for line in found
    ]
    state.emit(
        {"attempts": [line.as_dict() for line in found]},
        [*lines, f"{number_of(len(found), 'attempt')}."],
    )


@AUGMENT.command("show")
def show(
    state: State, question: Annotated[str, typer.Argument(help="Its id, such as aug-0001.")]
) -> None:
    """Show a question with its axes, its answer and its governing provisions."""
    from services.augmentation.report import shown

    found = shown(*state.chosen, question)
    state.emit(found.as_dict(), list(_question_lines(found)))


def _options(
    cells: Sequence[str],
    demands: Sequence[str] | None,
    domain: str,
    seed: int,
    styled: bool,
    seeds: Sequence[str] | None,
) -> WritingOptions:
    from construction.augmentation.axes import Demand
    from construction.augmentation.cells import Cell, Wanted
    from services.augmentation.planning import WritingOptions

    for name in demands or ():
        if name not in list(Demand):
            known = ", ".join(Demand)
            raise UserError("axes_demand", Where(field="--demand"), demand=name, known=known)
    besides = tuple(dict.fromkeys(Demand(name) for name in demands or ()))
    wanted = []
    for text in cells:
        named, _, target = text.partition("=")
        if not (target.isascii() and target.isdigit() and len(target) < 7):
            raise UserError("axes_cell", Where(field="--cell"), cell=text[:100])
        wanted.append(Wanted(Cell.read(named), int(target), besides, domain))
    return WritingOptions(tuple(wanted), seed, styled, tuple(seeds or ()))


def _cell_line(cell: CellPlan) -> str:
    why = ""
    if not cell.possible:
        why = f"  {say('augment.plan.impossible')}"
    elif cell.lacking:
        values = {"found": cell.found, "tried": cell.tried, "lacking": cell.lacking}
        why = f"  {say('augment.plan.lacking', **values)}"
    wanted = cell.wanted
    return (
        f"{wanted.cell.id:<40} target {wanted.target:,}, there {cell.there:,}, "
        f"to ask {cell.asked:,}{why}"
    )


def _estimate_line(ready: WritingPlan) -> str:
    estimate = ready.estimate
    key = "augment.plan.estimate" if estimate.money is not None else "augment.plan.unpriced"
    money = "" if estimate.money is None else f"{estimate.money:,.4g}"
    return say(key, calls=estimate.calls, tokens=estimate.tokens, money=money)


def _levels(found: Matrix) -> list[list[str]]:
    from construction.augmentation.rubric import LEVELS

    head = ["", *LEVELS, say("augment.level_none")]
    rows = ([f"{found.levels.get((asked, e), 0):,}" for e in (*LEVELS, "")] for asked in LEVELS)
    return [head, *([asked, *row] for asked, row in zip(LEVELS, rows, strict=True))]


def _share(figure: Figure) -> str:
    if figure.value is None:
        return f"{figure.name}  –"
    between = "" if figure.low is None else f"  {figure.interval()}"
    return f"{figure.name}  {figure.value:.3f}{between}  of {figure.n:,}"


def _question_lines(found: QuestionShown) -> Iterator[str]:
    question, axes = found.question, found.question.axes
    facets = ", ".join(f"{facet} = {value}" for facet, value in axes["facets"].items()) or "–"
    yield f"{question.external_id}  {axes['type']} {axes['difficulty']}  {found.fate}"
    yield f"  facets: {facets}; domain: {axes['domain'] or '–'}; group: {axes['group'] or '–'}"
    yield f"  the rubric says {found.level or '–'} of its provisions"
    lineage = "a variant of" if "seed" in axes else "modelled on"
    yield f"  {lineage} {question.parent or '–'}; axes version {question.axes_number}; " + (
        f"seed {question.seed}; prompt {question.prompt_version}"
    )
    yield from ("", question.text, "", question.answer)
    for gold, provision in found.provisions:
        yield ""
        yield f"[{gold['role']}] {gold['unit']} {gold['pinpoint']}".rstrip()
        if provision is not None:
            yield provision.shown


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows with their columns as wide as the widest cell; what is beyond the head as it
    is."""
    columns = len(rows[0])
    widths = [max(len(row[n]) for row in rows) for n in range(columns)]
    for row in rows:
        cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
        yield "  ".join([*cells, *row[columns:]]).rstrip()
