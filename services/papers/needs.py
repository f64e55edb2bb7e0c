"""What a paper's commands need of a project, a machine and its models, and whether it is there."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from typing import Any

from sqlmodel import Session, select

from annotation.work.submissions import is_current
from errors import UserError
from llm.local.stand_in import ADDRESS
from llm.roles import Role
from messages import say
from services.gold.gold_set import gold_set
from services.models.workspace_models import load_settings, trouble
from storage.augmentation.provisions import statute_languages
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, load_questions
from storage.projects import find_project
from storage.tables.answers import AnswerRun, JudgeCase
from storage.tables.augmentation import AugmentationMaking
from storage.tables.cases import CourtCase
from storage.tables.core import Annotation, Item, Project, QuestionRow, SnapshotUse
from storage.tables.mcq import Mcq
from storage.tables.ocr import Page
from storage.tasks import Task, of_task

_ROWS: Mapping[str, Any] = {
    "law": SnapshotUse,
    "questions": QuestionRow,
    "mcqs": Mcq,
    "cases": CourtCase,
    "answers": AnswerRun,
    "ratings": JudgeCase,
    "augmented": AugmentationMaking,
    "pages": Page,
}
"""Data of a project, by the table that has a row of it."""


class Needs:
    """What is there of a project's needs; each is looked at once.

    `lacked` were not there when stand-ins took their places, whatever is there now. With `stand_in`
    a stand-in counts as a model.
    """

    def __init__(
        self, ws: Workspace, slug: str, lacked: Iterable[str] = (), stand_in: bool = False
    ) -> None:
        self._ws, self._slug, self._stand_in = ws, slug, stand_in
        self._known = dict.fromkeys(lacked, False)

    def lacking(self, needs: Iterable[str]) -> str:
        """Return the first need that is not met, "" if all are."""
        return next((each for each in needs if not self.met(each)), "")

    def met(self, need: str) -> bool:
        """Return whether a need is met.

        It is ``law``, ``gold`` or another kind of data, ``column NAME`` of the
        questions' file, ``statute NAME`` (a part of its id), ``people TASK`` (submissions),
        ``project NAME`` (another data set), ``model ROLE``, ``embedding NAME``, ``trained FOLDER``
        or ``gpu``: a recipe with any other is refused when it is read.
        """
        if need not in self._known:
            self._known[need] = self._is_met(*need.split(maxsplit=1))
        return self._known[need]

    def _is_met(self, kind: str, of: str = "") -> bool:
        """Return True if a need is met: GPU, model, gold, data."""
        if kind == "gpu":
            return shutil.which("nvidia-smi") is not None
        if kind in ("embedding", "trained"):
            return _embeds(of)
        if kind == "model":
            return self._has_model(Role(of))
        if kind == "gold":
            return bool(gold_set(self._ws, self._slug, name="").items)
        with self._ws.reading() as session:
            if kind == "project":
                return (
                    session.exec(select(Project.id).where(Project.slug == of)).first() is not None
                )
            project = find_project(session, self._slug).id
            if kind == "column":
                return any(
                    of in dict(each.columns) for each in load_questions(session, project).values()
                )
            if kind == "people":
                return _people_worked(session, project, Task(of))
            if kind == "statute":
                return _has_statute(session, project, of)
            query = select(_ROWS[kind].id).where(_ROWS[kind].project_id == project)
            return session.exec(query.limit(1)).first() is not None

    def _has_model(self, role: Role) -> bool:
        """Return True if a role has a working model, or the stand-in may replace it."""
        endpoint = load_settings(self._ws).endpoints.get(role)
        if endpoint is None or endpoint.base_url == ADDRESS:
            return self._stand_in
        return trouble(endpoint) is None


def need_in_words(need: str, language: str) -> str:
    """Return what is missing where a need is not met."""
    kind, _, of = need.partition(" ")
    return say(f"papers.need.{kind}", language, of=of)


def _has_statute(session: Session, project_id: int, part: str) -> bool:
    """Return whether the law in use has a statute with this part in its id."""
    snapshot = id_in_use(session, project_id)
    known = () if snapshot is None else statute_languages(session, snapshot)
    return any(part in statute for statute in known)


def _people_worked(session: Session, project_id: int, task: Task) -> bool:
    """Return True if people have submitted items of a task."""
    query = select(Annotation.id).join(Item).where(of_task(project_id, task), is_current())
    return session.exec(query.limit(1)).first() is not None


def _embeds(name: str) -> bool:
    """Return whether the files of an embedding model are on this machine."""
    from retrieval.dense.model_files import folder_of

    try:
        folder_of(name)
    except UserError:
        return False
    return True
