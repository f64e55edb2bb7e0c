"""Saved views: named settings of a leaderboard, so that its numbers stay reproducible.

A view lists its runs explicitly, so later runs do not alter its tests. A retired run stays in the
views that list it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from pydantic import BaseModel, ConfigDict

from annotation.people.roles import Act, allow, require_by
from annotation.work.submissions import checked_text, says_something
from errors import UserError, Where
from evaluation.ranking.compare import USUAL, Inference
from evaluation.ranking.scoring import ORDERING, SHOWN, parse_measure
from messages import say
from services.gold.gold_set import GoldSets, gold_set
from services.runs.significance import Significance, compare_runs, inference_of
from services.runs.strata import Stratum
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.runs.run_marks import marks_of
from storage.runs.run_store import list_runs
from storage.runs.saved_views import keep_view, stored_views

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
        if order not in keys:
            raise UserError("leaderboard_order", measure=order, known=", ".join(keys))
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
    retired: tuple[int, ...] = ()
    gone: tuple[int, ...] = ()

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
    kept = _with_defaults_resolved(ws, project_slug, view)
    with ws.writing() as session:
        project = find_project(session, project_slug)
        known = {run.id for run in list_runs(session, project.id)}
        if unknown := [run for run in kept.runs if run not in known]:
            raise UserError("run_unknown", run=unknown[0])
        keep_view(session, project.id, called, kept.model_dump(mode="json"), by, ws.clock())
    return find_view(ws, project_slug, called, by)


def _with_defaults_resolved(ws: Workspace, project_slug: str, view: View) -> View:
    """Return the view with all defaults resolved."""
    baseline = () if view.baseline is None else (view.baseline,)
    made = view.inference
    return view.model_copy(
        update={
            "runs": newest_first((*view.runs, *baseline)),
            "measures": tuple(repr(parse_measure(each)) for each in view.measures),
            "order": view.by,
            "gold": gold_set(ws, project_slug, name=view.gold).label,
            "holm_over": made.family.value,
        }
    )


def remove_view(ws: Workspace, project_slug: str, name: str, by: int | None = None) -> None:
    """Remove a view; its history is kept.

    Raises UserError for an unknown name, and for `by` (None: the operator) who may not.
    """
    with ws.writing() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.RUN_RETRIEVAL)
        known = stored_views(session, project.id)
        if name not in known:
            raise _unknown_view_error(name, known)
        keep_view(session, project.id, name, {}, by, ws.clock())


def list_views(ws: Workspace, project_slug: str, by: int | None = None) -> tuple[NamedView, ...]:
    """Return the project's views by name, with the state of their runs.

    Raises UserError for `by` (None: the operator) who may not see scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    with ws.reading() as session:
        project = find_project(session, project_slug).id
        stored = stored_views(session, project)
        known = {run.id for run in list_runs(session, project)}
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
    if name not in views:
        raise _unknown_view_error(name, views)
    if not views[name].view.runs:
        raise UserError("view_empty", name=name)
    return views[name]


def _unknown_view_error(name: str, known: Iterable[str]) -> UserError:
    return UserError("view_unknown", name=name, known=", ".join(known) or "–")
