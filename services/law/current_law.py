"""The law in use before an import, and what an import makes of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotation.people.authorization import require_by
from annotation.people.roles import Act
from corpus.importers.statutes.merge import Meeting, known_ids, meeting
from corpus.model import Statute
from storage.db.workspace import Workspace
from storage.law.corpus import snapshot_in_use, statute_titles
from storage.projects import find_project

_NAME = 120  # characters of a snapshot's name that tells what was added


@dataclass(frozen=True, slots=True)
class InUse:
    """The snapshot in use: its number, its name and the semantic ids of its statutes."""

    id: int
    name: str
    statute_ids: frozenset[str]

    def meets(self, come: Iterable[Statute]) -> Meeting:
        """Return how statutes that come meet those in use."""
        known = known_ids(self.statute_ids, come)
        return meeting(self.statute_ids, [each.semantic_id for each in known])

    def with_added(self, name: str) -> str:
        """Return a name for this law with what came from `name`."""
        whole = f"{self.name} + {name}"
        return whole if len(whole) <= _NAME else f"{self.name.split(' + ')[0][:_NAME]} + … + {name}"


def law_in_use(ws: Workspace, project_slug: str, by: int | None = None) -> InUse | None:
    """Return the law in use, None before the first import.

    Raises UserError for an unknown project, and for `by` (None: the operator) of another one.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.READ_LAW)
        found = snapshot_in_use(session, project.id)
        if found is None:
            return None
        return InUse(found.id, found.name, frozenset(statute_titles(session, found.id)))
