"""Going back to a snapshot that a project has: nothing is removed, another one is in use."""

from __future__ import annotations

from annotation.people.authorization import allow
from annotation.people.roles import Act
from services.law.activation import Outcome, bring_into_use, outcome
from services.mapping.candidate_methods import Progress
from storage.db.workspace import Workspace


def use_snapshot(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    by: int | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Use this snapshot from now on; return what that means for decisions.

    Drafts and decisions keep the snapshot that they were made on; candidates from this one are
    made with it for what people have begun (see `services.law.activation`). For the snapshot in
    use, what is lacking is made. `progress` is told of that: (questions done, in all). Raises
    UserError for an unknown project, a snapshot that is not its, and for `by` (None: the operator)
    who may not import law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    now = bring_into_use(ws, project_slug, snapshot_id, by=by, progress=progress)
    return outcome(ws, project_slug, snapshot_id, now, by)
