"""The codebook of factors that holds in a project."""

from __future__ import annotations

from sqlmodel import Session

from annotation.guidelines.builtin_documents import EVERY
from annotation.guidelines.documents import current
from construction.tagging.codebook import Codebook
from construction.tagging.reading import parse
from storage.tasks import Task


def book_of(session: Session, project_id: int) -> tuple[Codebook, str]:
    """Return the codebook that holds now, and its version, ``<number>-<hash>``."""
    edition = current(session, project_id, "codebook", Task.FACTOR_TAGGING)
    return parse(edition.texts[EVERY]), edition.version
