"""Importing: read a tree or a file, then keep all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from corpus.importers.legalize_kr import read_tree
from corpus.importers.questions import read_questions
from storage.imports import ImportReport, QuestionReport, keep_questions, keep_statutes
from storage.projects import project_by_slug
from storage.workspace import Workspace


def import_statutes(
    ws: Workspace,
    project_slug: str,
    path: Path,
    progress: Callable[[int, int], None] | None = None,
) -> ImportReport:
    """Import a legalize-kr Markdown tree, or one file of it, as a snapshot of the project.

    Content that the project has as a snapshot already makes no second one. `progress` gets
    (files read, files in all). Raises UserError for an unknown project and for any file that is
    not what it claims; then nothing of the import is kept.
    """
    project_by_slug(ws, project_slug)  # before minutes are spent on reading
    statutes = read_tree(path, progress)
    return keep_statutes(ws, project_slug, statutes, path.resolve().name)


def import_questions(
    ws: Workspace,
    project_slug: str,
    path: Path,
    progress: Callable[[int, int], None] | None = None,
) -> QuestionReport:
    """Import a SearchFireSafety question file, and make an item of each new question.

    `progress` gets (questions kept, questions in all) once. Raises UserError for an unknown
    project, for any line that is not what it claims, and for a question that the project has with
    other content; then nothing of the import is kept.
    """
    project_by_slug(ws, project_slug)
    questions = read_questions(path)
    report = keep_questions(ws, project_slug, questions, path.name)
    if progress is not None:
        progress(len(questions), len(questions))
    return report
