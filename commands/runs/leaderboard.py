"""Commands about the leaderboard, its saved views, and import of runs."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import COMMANDS, RUN, VIEW
from commands.shell.options import Gold, HolmOver, Resamples, Stratum, parse_stratum, searched_json
from commands.shell.reports import Language, Output, check_output, write_report
from commands.shell.state import State
from commands.shell.tables import WIDEST
from errors import UserError
from messages import say

if TYPE_CHECKING:
    from services.runs.significance import Significance

_NO_RUN = "There is no run yet. Make one with: touchstone.py retrieve"


@COMMANDS.command("leaderboard")
def leaderboard(
    state: State,
    measure: Annotated[
        list[str] | None, option("Measure to show, e.g. Recall@10; may be repeated.")
    ] = None,
    run: Annotated[list[int] | None, option("Number of a run; may be repeated. Else all.")] = None,
    baseline: Annotated[
        int | None, option("Run to compare with; else each measure's best.")
    ] = None,
    stratum: Stratum = "",
    order: Annotated[
        str, option("Measure by which the best run comes first; else Recall@10.")
    ] = "",
    gold: Gold = "",
    resamples: Resamples = 1000,
    holm_over: HolmOver = "measure",
    retired: Annotated[bool, option("Retired runs too.", "--retired")] = False,
    unlike: Annotated[
        bool,
        option(
            "Test runs that lack questions, and of other snapshots, too: on those all rank.",
            "--unlike",
        ),
    ] = False,
    fold: Annotated[
        bool, option("Of lines made for an experiment only its baseline.", "--fold")
    ] = False,
    view: Annotated[str, option("A saved view: its runs and all other choices.")] = "",
    save: Annotated[str, option("Name to save these choices under, as a view.")] = "",
    table: Annotated[str, option("text, csv, markdown or latex.")] = "text",
    file: Annotated[Path | None, option("File to write to; else it is printed.")] = None,
    output: Output = None,
    language: Language = "en",
) -> None:
    """Print the runs with intervals, and how each differs from a baseline."""
    from services.runs import views
    from services.runs.board_report import board_report
    from services.runs.score_table import exported, untested_text
    from storage.db.atomic_files import published_file

    asked = views.View(
        runs=tuple(run or ()),
        measures=tuple(measure or views.View().measures),
        order=order,
        baseline=baseline,
        stratum=parse_stratum(stratum),
        gold=gold,
        resamples=resamples,
        holm_over=holm_over,
        unlike=unlike,
    )
    check_output(output)
    notes: list[str] = []
    if view:
        if asked != views.View() or fold or retired:
            raise UserError("view_alone")
        named = views.find_view(*state.chosen, view)
        asked, notes = named.view, named.notes()
    if fold and not asked.runs:
        choices = views.run_choices(*state.chosen)
        asked = asked.model_copy(update={"runs": choices.usual()})
        notes = choices.notes(asked.runs)
    with state.progress("Scoring"):
        found = views.compare_view(*state.chosen, asked, with_retired=retired)
    if save:
        those = tuple(each.run_id for each in found.runs)
        kept = views.save_view(*state.chosen, save, asked.model_copy(update={"runs": those}))
        notes.append(say("run_views.saved", name=kept.name))
    if output is not None:
        write_report(board_report(found, asked.by, language), output)
        notes.append(f"Wrote {output}.")
    text = _terminal_table(found) if table == "text" else exported(found, table, "en")
    if file is not None:
        with published_file(file) as part:
            part.write_text(text, encoding="utf-8")
    lines = [*([f"Wrote {file}."] if file else text.splitlines()), *notes]
    if found.untested:  # on the terminal only: the file format is fixed
        lines.append(untested_text(found))
    told = _as_json(found) | {"resamples": asked.resamples, "holm_over": asked.holm_over}
    if view:
        told |= {"view": view, "retired_in_view": named.retired, "gone": named.gone}
    state.emit(told, lines)


def _as_json(found: Significance) -> dict[str, Any]:
    """Return compared runs as JSON values: figures, tests against simple baselines, coverage."""
    from services.runs.simple_baselines import WHICH, against

    runs: dict[int, dict[str, Any]] = {run.run_id: {} for run in found.runs}
    simple: dict[str, dict[str, Any]] = {}
    for place, column in enumerate(found.columns):
        tests: dict[int, dict[str, Any]] = {}
        for run in found.runs:
            runs[run.run_id][column.measure] = run.cells[place].figure.as_json()
            tests[run.run_id] = {
                which: {"difference": each.difference.as_json(), "p": each.p, "p_holm": each.p_holm}
                for which in WHICH
                if (each := against(run.cells[place], which)) is not None
            }
        simple[column.measure] = {which: getattr(column, which) for which in WHICH}
        simple[column.measure]["tests"] = tests
    return {
        "runs": runs,
        "searched": {
            run.run_id: searched_json(run.line.searched, run.not_searched)
            | {"compared": run.compared}
            for run in found.runs
        },
        "simple_baselines": simple,
        "retired": found.retired,
        "left_out": found.left_out,
        "ground": found.ground,
        "gold": found.gold.label,
        "gold_questions": len(found.gold.items),
        "coverage": {
            run.run_id: run.line.coverage.as_dict() | {"left_out": list(run.line.left_out)}
            for run in found.runs
        },
    }


def _terminal_table(significance: Significance) -> str:
    """Return the runs as terminal lines, names left-aligned and figures right-aligned.

    A line begins with the run's number, which --run, --baseline and other commands take.
    """
    from annotation.work.submissions import beginning
    from evaluation.tables import Table, table_lines
    from services.runs.score_table import against_simple, left_out_notes, readable_table

    if not significance.runs:
        return "\n".join([_NO_RUN, *(left_out_notes(significance) if significance.retired else ())])
    table = readable_table(significance)
    if not table.head:
        return table.title
    width = max(len(str(run.run_id)) for run in significance.runs)
    rows = [
        (beginning(f"{run.run_id:>{width}}  {name}", WIDEST), *cells)
        for run, (name, *cells) in zip(significance.runs, table.rows, strict=True)
    ]
    head = (" " * (width + 2) + table.head[0], *table.head[1:])
    _, *lines = table_lines(Table(head, tuple(rows)))
    lines += ["", "* The best of a column.", *table.notes]
    for each in against_simple(significance):
        rows = [(beginning(str(name), WIDEST), *cells) for name, *cells in each.rows]
        lines += ["", *table_lines(replace(each, rows=tuple(rows))), *each.notes]
    return "\n".join(lines)


@RUN.command("import")
def import_file(
    state: State,
    file: Annotated[Path, argument("TREC run file: query Q0 unit rank score tag.")],
    name: Annotated[str, option("What the run is called; else the file's tag.")] = "",
    unknown: Annotated[
        str,
        option(
            "Units and questions that are not known: refuse them, or pass over the questions "
            "and skip the units (ranks close) or keep them (not relevant)."
        ),
    ] = "refuse",
    snapshot: Annotated[
        int | None, option("Number of the snapshot searched; else the one in use.")
    ] = None,
) -> None:
    """Keep a TREC run file as a run, to stand on the leaderboard beside the others."""
    from services.runs.importing import import_run

    done = import_run(*state.chosen, file, name, unknown=unknown, snapshot_id=snapshot)
    told = {"run": done.run_id, "label": done.label, "was_there": done.was_there}
    state.emit(told | asdict(done.counts), done.lines())


@VIEW.command("list")
def views(state: State) -> None:
    """List the saved views of the leaderboard, with their runs: which are retired or gone."""
    from services.runs.views import list_views

    found = list_views(*state.chosen)
    lines = []
    for each in found:
        runs = ", ".join(map(str, each.view.runs))
        lines.append(f"{each.name}: {runs} ({each.by or say('run_marks.operator')})")
        lines += [f"  {note}" for note in each.notes()]
    told = [
        each.view.model_dump(mode="json")
        | {"name": each.name, "by": each.by or None, "at": each.at.isoformat()}
        | {"retired": list(each.retired), "gone": list(each.gone)}
        for each in found
    ]
    state.emit({"views": told}, lines or [say("run_views.none")])


@VIEW.command("remove")
def remove(
    state: State, name: Annotated[str, argument("Name of the view, as list prints it.")]
) -> None:
    """Remove a saved view; its runs stay."""
    from services.runs.views import remove_view

    remove_view(*state.chosen, name)
    state.emit({"removed": name}, [say("run_views.removed", name=name)])
