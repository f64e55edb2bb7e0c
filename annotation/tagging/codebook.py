"""The codebook of factors that holds in a project."""

from __future__ import annotations

from sqlmodel import Session

from annotation.guidelines.builtin_documents import EVERY
from annotation.guidelines.documents import current
from construction.tagging.codebook import Codebook
from construction.tagging.reading import parse
from messages import say
from storage.db.workspace import Workspace
from storage.projects import find_project
from storage.tasks import Task


def book_of(session: Session, project_id: int) -> tuple[Codebook, str]:
    """Return the codebook that holds now, and its version, ``<number>-<hash>``."""
    edition = current(session, project_id, "codebook", Task.FACTOR_TAGGING)
    return parse(edition.texts[EVERY]), edition.version


def labels_of(ws: Workspace, project_slug: str, language: str) -> dict[str, str]:
    """Return what sub-factors are called, by key, and options, by ``<sub-factor>.<option>``."""
    with ws.reading() as session:
        book, _ = book_of(session, find_project(session, project_slug).id)
    found = {"not_stated": say("tagging.ui.not_stated", language)}
    for sub in (sub for factor in book.factors for sub in factor.sub_factors):
        found[sub.key] = sub.label[language]
        found |= {f"{sub.key}.{each.key}": each.label[language] for each in sub.options}
    return found
