"""Completing the gold of augmented questions by rule: the closure layer of the cascade."""

from __future__ import annotations

from collections.abc import Collection

from annotation.closure.completion import Completion, completion, keep, questions_called
from annotation.closure.proposals import scope_of
from annotation.people.roles import Act, writing_as
from storage.db.workspace import Workspace

__all__ = ["Completion", "close_references"]


def close_references(
    ws: Workspace,
    slug: str,
    questions: Collection[str],
    by: int | None = None,
    *,
    only: Collection[str] = (),
    store: bool = True,
) -> dict[str, Completion]:
    """Complete the gold of augmented questions by rule; return the results by external id.

    This is the closure layer of the cascade. `only` are the keys of the rules to use, by default
    all; without `store` nothing is stored. Repeating adds nothing. Raises UserError for `by`
    without permission, and for a project without law.
    """
    with writing_as(ws, slug, by, Act.CLOSE_GOLD) as (session, project, _):
        scope = scope_of(session, project)
        found, at = {}, ws.clock()
        for each in questions_called(session, project.id, questions):
            made, rows = completion(scope, each, only)
            found[each.external_id] = made
            if store:
                keep(scope, rows, at, by)
        return found
