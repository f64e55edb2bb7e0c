"""Going back to a snapshot that a project has: nothing is removed, another one is in use."""

from __future__ import annotations

from annotation.roles import Act
from annotation.standing import require_by
from storage.corpus import project_snapshot
from storage.projects import find_project
from storage.snapshot_use import put_in_use
from storage.workspace import Workspace


def use_snapshot(
    ws: Workspace, project_slug: str, snapshot_id: int, by: int | None = None
) -> int | None:
    """Use this snapshot from now on; return the id of the one used until now, None if the same.

    Drafts and decisions keep the snapshot that they were made on; candidates for it are built anew
    where items lack them. Raises UserError for an unknown project, a snapshot that is not its, and
    for `by` (None: the operator) who may not import law.
    """
    with ws.writing() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.IMPORT_LAW)
        chosen = project_snapshot(session, project, snapshot_id)
        return put_in_use(session, project.id, chosen.id, ws.clock())
