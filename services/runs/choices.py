"""Default choice of runs for a leaderboard, with each experiment folded into one line.

Lines that an experiment had run are folded behind its baseline, or its first line where that has no
run: never behind its best one, since the best of many lines, tested as if it were one, looks better
than it is. A run that was there before the experiment stands by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from sqlmodel import Session

from annotation.people.roles import Act, allow
from construction.experiments.reading import parse
from messages import say
from services.runs.rows import names_of
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.runs.experiments import (
    ExperimentView,
    experiment_lines,
    list_experiments,
    records_of,
)
from storage.runs.run_marks import RunMarks, marks_of
from storage.runs.run_store import RunView, list_runs


@dataclass(frozen=True, slots=True)
class RunName:
    """A run of the project with its display name and marks."""

    run_id: int
    label: str
    marks: RunMarks


@dataclass(frozen=True, slots=True)
class Folded:
    """An experiment folded into one line: its runs in order, and those it computed (`made`).

    `shown` is the run that stands for it.
    """

    number: int
    name: str
    lines: tuple[int, ...]
    made: frozenset[int]
    shown: int

    def said(self, language: str = "en") -> str:
        """Return the display name, e.g. ``Experiment 2: Fusion``."""
        return say("run_choice.experiment", language, number=self.number, name=self.name)

    def row(self, label: str, language: str = "en") -> str:
        """Return the label of the table row that represents the experiment."""
        told = {"experiment": self.said(language), "count": len(self.lines)}
        return say("run_choice.standing", language, label=label, **told)


@dataclass(frozen=True, slots=True)
class RunChoices:
    """The runs of a project, newest first, and its experiments that have lines to fold."""

    runs: tuple[RunName, ...]
    experiments: tuple[Folded, ...]

    def usual(self, opened: Collection[int] = ()) -> tuple[int, ...]:
        """Return the runs compared by default; experiments in `opened` show all their runs.

        Retired runs are not among them.
        """
        shown = {each.shown for each in self.experiments}
        for each in self.experiments:
            shown |= set(each.lines) if each.number in opened else set()
        hidden = frozenset().union(*(each.made for each in self.experiments)) - shown
        return tuple(
            run.run_id for run in self.runs if not run.marks.retired and run.run_id not in hidden
        )

    def standing(self, run_ids: Collection[int]) -> dict[int, Folded]:
        """Map a run id to its experiment where it is that experiment's only run listed."""
        return {
            each.shown: each
            for each in self.experiments
            if each.shown in run_ids and not (set(each.lines) - {each.shown}) & set(run_ids)
        }

    def notes(self, run_ids: Collection[int], language: str = "en") -> list[str]:
        """Return notes on runs left out of the comparison: folded lines and retired runs."""
        notes = [
            say(
                "run_choice.folded",
                language,
                experiment=each.said(language),
                run=run,
                count=len(each.lines) - 1,
            )
            for run, each in self.standing(run_ids).items()
        ]
        retired = sum(run.marks.retired and run.run_id not in run_ids for run in self.runs)
        hidden = say("significance.note_retired", language, count=retired)
        return [*notes, hidden] if retired else notes


def run_choices(ws: Workspace, project_slug: str, by: int | None = None) -> RunChoices:
    """Return the project's runs and experiments to choose from, without scoring any run.

    Raises UserError for an unknown project, and for `by` (None: the operator) who may not see
    scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    with ws.reading() as session:
        project = find_project(session, project_slug).id
        stored = list_runs(session, project)
        numbers = [run.id for run in stored]
        names, marks = names_of(stored, records_of(session, numbers)), marks_of(session, numbers)
        experiments = _folded(session, list_experiments(session, project), stored, marks)
    named = (RunName(run.id, names[run.id], marks.get(run.id, RunMarks())) for run in stored)
    return RunChoices(tuple(named), experiments)


def _folded(
    session: Session,
    stored: Sequence[ExperimentView],
    runs: Sequence[RunView],
    marks: dict[int, RunMarks],
) -> tuple[Folded, ...]:
    """Return the experiments with at least two own runs, newest first; a run is in one only."""
    made_at = {run.id: run.created_at for run in runs}
    found: list[Folded] = []
    taken: set[int] = set()
    for each in sorted(stored, key=lambda one: one.number):
        lines = experiment_lines(session, each.id)
        runs_of = tuple(
            dict.fromkeys(
                line.run_id
                for line in lines
                if not (line.run_id in marks and marks[line.run_id].retired)
            )
        )
        made = {run for run in runs_of if made_at[run] >= each.at} - taken
        taken |= made
        if len(made) < 2:
            continue
        baseline = parse(each.text).baseline
        shown = [line.run_id for line in lines if line.label == baseline and line.run_id in runs_of]
        found.append(
            Folded(each.number, each.name, runs_of, frozenset(made), [*shown, runs_of[0]][0])
        )
    return tuple(reversed(found))
