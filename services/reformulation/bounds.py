"""Bounds of recall on questions derived from options, per run."""

from __future__ import annotations

from dataclasses import dataclass

from annotation.people.roles import Act, reading_as
from errors import UserError, Where
from evaluation.ranking.scoring import RecallBounds, measures_of, recall_bounds, too_deep_notes
from evaluation.tables import Table
from messages import say
from services.runs.rows import scored_runs
from storage.db.workspace import Workspace
from storage.reformulation import parentages

USUAL_K, MOST_K = 10, 1000


@dataclass(frozen=True, slots=True)
class BoundsLine:
    """A run with the bounds of its recall."""

    run_id: int
    label: str
    bounds: RecallBounds
    depth: int | None


def run_bounds(
    ws: Workspace, slug: str, k: int = USUAL_K, by: int | None = None
) -> list[BoundsLine]:
    """Return the bounds of recall at `k` of every run, by falling upper bound.

    Empty where no question of the project was derived from an option. Raises UserError for an
    unknown project, a `k` out of range, and for `by` (None: the operator) who may not see scores.
    """
    if not 1 <= k <= MOST_K:
        raise UserError("reformulation_depth", Where(field="k"), k=k, limit=MOST_K)
    with reading_as(ws, slug, by, Act.SEE_SCORES) as (session, project, _):
        parents = {name: of.parent for name, of in parentages(session, project.id).items()}
    if not parents:
        return []
    found = []
    for line, scored in scored_runs(ws, slug, measures_of(k)).runs:
        sizes = {query: len(units) for query, units in scored.gold.qrels.items()}
        bounds = recall_bounds(scored.evaluation.table, parents, sizes, k)
        found.append(BoundsLine(line.run_id, line.label, bounds, scored.evaluation.depth))
    return sorted(found, key=lambda each: (-(each.bounds.upper.value or 0), each.run_id))


def bounds_table(lines: list[BoundsLine], k: int, language: str = "en") -> Table:
    """Return the bounds as a readable table with an explanation."""
    head = tuple(
        say(f"reformulation.bounds.{name}", language, k=k)
        for name in ("run", "lower", "upper", "questions", "parents")
    )
    rows = tuple(
        (
            each.label,
            each.bounds.lower.text(),
            each.bounds.upper.text(),
            each.bounds.upper.n,
            each.bounds.parents,
        )
        for each in lines
    )
    title = say("reformulation.bounds.title", language, k=k)
    keys = list(map(repr, measures_of(k)))
    blank = too_deep_notes(keys, [each.depth for each in lines], language)
    return Table(head, rows, title, (say("reformulation.bounds.note", language), *blank))
