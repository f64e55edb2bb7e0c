"""A project whose guideline began with other words than the product comes with now."""

from __future__ import annotations

from annotation.guidelines.documents import packaged
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tables.people import Document
from storage.tasks import Task


def began_otherwise(ws: Workspace, slug: str, task: str = Task.CITATION_MAPPING) -> None:
    """Give the project a version 1 that says something else in Korean."""
    base = packaged("guideline", task)
    assert base is not None
    texts = {**base.texts, "ko": "# 지침\n\n다른 문장입니다.\n"}
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
            for language, text in texts.items()
        )
