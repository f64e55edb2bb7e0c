"""Saved views of a leaderboard, and the runs that it shows by default.

A view lists its runs explicitly, so later runs do not alter its tests. A retired run stays in the
views that list it.

Default choice of runs for a leaderboard, with each experiment folded into one line.

Lines that an experiment had run are folded behind its baseline, or its first line where that has no
run: never behind its best one, since the best of many lines, tested as if it were one, looks better
than it is. A run that was there before the experiment stands by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import BaseModel, ConfigDict
from sqlmodel import Session

from annotation.people.roles import Act, allow, reading_as, writing_as
from annotation.work.submissions import checked_text, says_something
from construction.experiments.reading import parse
from errors import UserError, Where, require_known
from evaluation.ranking.compare import USUAL, Inference
from evaluation.ranking.scoring import ORDERING, SHOWN, parse_measure
from messages import say
from services.gold.gold_set import GoldSets, gold_set
from services.runs.rows import RunName, named_runs
from services.runs.significance import Significance, compare_runs, inference_of
from services.runs.strata import Stratum
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.runs.experiments import ExperimentView, experiment_lines, list_experiments
from storage.runs.run_store import keep_view, list_runs, marks_of, stored_views

NAME_CHARACTERS = 60


class View(BaseModel):
    """Settings of a leaderboard: runs, measures, order, baseline, gold.

    `baseline` None compares with the best run of each measure, `gold` "" is the widest gold set,
    `order` "" is the usual measure to order by.
    """

    model_config = ConfigDict(frozen=True)

    runs: tuple[int, ...] = ()
    measures: tuple[str, ...] = tuple(map(repr, SHOWN))
    order: str = ""
    baseline: int | None = None
    stratum: Stratum | None = None
    gold: str = ""
    resamples: int = USUAL.resamples
    holm_over: str = USUAL.family.value
    unlike: bool = False

    @property
    def inference(self) -> Inference:
        """Settings of intervals and correction. Raises UserError as `inference_of` does."""
        return inference_of(self.resamples, self.holm_over)

    @property
    def by(self) -> str:
        """The measure it is ordered by. Raises UserError if it is not among its measures."""
        keys = [repr(parse_measure(each)) for each in self.measures]
        usual = repr(ORDERING) if repr(ORDERING) in keys else keys[0]
        order = repr(parse_measure(self.order)) if self.order else usual
        require_known("leaderboard_order", keys, measure=order)
        return order


@dataclass(frozen=True, slots=True)
class NamedView:
    """A saved view; `by` is "" for the operator.

    Of its runs some may be `retired` now; those that are `gone` are no longer in the project nor in
    `view`.
    """

    name: str
    view: View
    by: str
    at: datetime
    retired: tuple[int, ...]
    gone: tuple[int, ...]

    def notes(self, language: str = "en") -> list[str]:
        """Return notes on its retired and missing runs."""
        found = {"retired": self.retired, "gone": self.gone}
        return [
            say(f"run_views.{name}", language, runs=", ".join(map(str, runs)), count=len(runs))
            for name, runs in found.items()
            if runs
        ]


def newest_first(runs: Iterable[int]) -> tuple[int, ...]:
    """Return the distinct run ids, newest first."""
    return tuple(sorted(set(runs), reverse=True))


def compare_view(
    ws: Workspace,
    project_slug: str,
    view: View,
    by: int | None = None,
    *,
    with_retired: bool = False,
    golds: GoldSets | None = None,
) -> Significance:
    """Compare the runs of a view, best first by its order; without runs all of the project.

    `golds` are the gold sets of the view's name, where they are known. Raises UserError as
    `compare_runs` does.
    """
    order = view.by
    found = compare_runs(
        ws,
        project_slug,
        newest_first(view.runs) or None,
        [parse_measure(each) for each in view.measures],
        baseline=view.baseline,
        stratum=view.stratum,
        inference=view.inference,
        by=by,
        with_retired=with_retired,
        unlike=view.unlike,
        gold=golds or view.gold,
    )
    return replace(found, runs=found.by_value(order))


def save_view(
    ws: Workspace, project_slug: str, name: str, view: View, by: int | None = None
) -> NamedView:
    """Save a view under a name, replacing one of that name.

    Defaults are resolved now: the gold set is fixed, and the baseline is added to its runs. Raises
    UserError for a name that is blank or too long, for invalid settings, for a run of another
    project, and for `by` (None: the operator) who may not.
    """
    allow(ws, project_slug, by, Act.RUN_RETRIEVAL)
    called = " ".join(checked_text(name, "name", NAME_CHARACTERS).split())
    if not says_something(called):
        raise UserError("view_unnamed", Where(field="name"))
    baseline = () if view.baseline is None else (view.baseline,)
    kept = view.model_copy(
        update={
            "runs": newest_first((*view.runs, *baseline)),
            "measures": tuple(repr(parse_measure(each)) for each in view.measures),
            "order": view.by,
            "gold": gold_set(ws, project_slug, name=view.gold).label,
            "holm_over": view.inference.family.value,
        }
    )
    with ws.writing() as session:
        project = find_project(session, project_slug)
        known = {run.id for run in list_runs(session, project.id)}
        if unknown := [run for run in kept.runs if run not in known]:
            raise UserError("run_unknown", run=unknown[0])
        keep_view(session, project.id, called, kept.model_dump(mode="json"), by, ws.clock())
    return find_view(ws, project_slug, called, by)


def remove_view(ws: Workspace, project_slug: str, name: str, by: int | None = None) -> None:
    """Remove a view; its history is kept.

    Raises UserError for an unknown name, and for `by` (None: the operator) who may not.
    """
    with writing_as(ws, project_slug, by, Act.RUN_RETRIEVAL) as (session, project, _):
        require_known("view_unknown", stored_views(session, project.id), name=name)
        keep_view(session, project.id, name, {}, by, ws.clock())


def list_views(ws: Workspace, project_slug: str, by: int | None = None) -> tuple[NamedView, ...]:
    """Return the project's views by name, with the state of their runs.

    Raises UserError for `by` (None: the operator) who may not see scores.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        stored = stored_views(session, project.id)
        known = {run.id for run in list_runs(session, project.id)}
        marks = marks_of(session, known)
    found = []
    for each in stored.values():
        view = View.model_validate(each.view)
        there = tuple(run for run in view.runs if run in known)
        baseline = view.baseline if view.baseline in known else None
        found.append(
            NamedView(
                name=each.name,
                view=view.model_copy(update={"runs": there, "baseline": baseline}),
                by=each.by,
                at=each.at,
                retired=tuple(run for run in there if run in marks and marks[run].retired),
                gone=tuple(run for run in view.runs if run not in known),
            )
        )
    return tuple(found)


def find_view(ws: Workspace, project_slug: str, name: str, by: int | None = None) -> NamedView:
    """Return a view by name. Raises UserError as `list_views`, and for an unknown one.

    A view whose runs are all gone raises too.
    """
    views = {view.name: view for view in list_views(ws, project_slug, by)}
    require_known("view_unknown", views, name=name)
    if not views[name].view.runs:
        raise UserError("view_empty", name=name)
    return views[name]


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

    def display_name(self, language: str = "en") -> str:
        """Return the display name, e.g. ``Experiment 2: Fusion``."""
        return say("run_choice.experiment", language, number=self.number, name=self.name)

    def row(self, label: str, language: str = "en") -> str:
        """Return the label of the table row that represents the experiment."""
        told = {"experiment": self.display_name(language), "count": len(self.lines)}
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
        """Map the run shown for an experiment to it, where no other of its runs is in `run_ids`."""
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
                experiment=each.display_name(language),
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
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        named = named_runs(session, project.id)
        return RunChoices(named, _folded(session, list_experiments(session, project.id), named))


def _folded(
    session: Session, stored: Sequence[ExperimentView], runs: Sequence[RunName]
) -> tuple[Folded, ...]:
    """Return the experiments with at least two own runs, newest first; a run is in one only."""
    made_at = {run.run_id: run.created_at for run in runs if not run.marks.retired}
    found: list[Folded] = []
    taken: set[int] = set()
    for each in sorted(stored, key=lambda one: one.number):
        lines = experiment_lines(session, each.id)
        runs_of = tuple(dict.fromkeys(line.run_id for line in lines if line.run_id in made_at))
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
