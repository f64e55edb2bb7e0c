"""A project as it is that was made before the packaged guidelines were changed."""

from __future__ import annotations

from annotation.guidelines.builtin_documents import packaged_before
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.people import Document
from storage.tasks import Task


def as_before(ws: Workspace, slug: str, task: str = Task.CITATION_MAPPING) -> None:
    """Give the project the guideline of then as its version 1, as migration 0026 does."""
    before = packaged_before("guideline", task)
    assert before is not None
    with ws.writing() as session:
        number = find_project(session, slug).id
        session.add_all(
            Document(
                project_id=number,
                kind="guideline",
                task=task,
                number=1,
                language=language,
                text=text,
                note="",
                at=ws.clock(),
            )
            for language, text in before.texts.items()
        )
