"""Importing: read a tree or a file, then keep all of it or nothing."""

from __future__ import annotations

from pathlib import Path

from corpus.graph.build import build_graph
from corpus.importers.beir import read_beir_questions
from corpus.importers.mapping import ReadingRules
from corpus.importers.questions import read_questions
from corpus.importers.reading import Progress, Reading
from corpus.importers.registry import AUTO, read_statutes
from jobs.graph import build_snapshot
from jobs.reading_rules import save_rules, saved_rules
from storage.imports import (
    ImportReport,
    QuestionReport,
    checked_hash,
    keep_questions,
    keep_statutes,
    snapshot_of,
)
from storage.projects import project_by_slug
from storage.workspace import Workspace


def import_statutes(
    ws: Workspace,
    project_slug: str,
    path: Path,
    progress: Progress | None = None,
    *,
    format: str = AUTO,  # noqa: A002  (the word that the command line uses)
    rules: ReadingRules | None = None,
) -> ImportReport:
    """Import statutes as a snapshot of the project; see `corpus.importers.registry` for formats.

    `rules` say how to read a table or plain text; those saved for the project count where none
    are given, and those given are saved. Content that the project has as a snapshot already makes
    no second one. The citation graph is built and kept with the statutes in one transaction: an
    import that is interrupted, at whatever point, has kept nothing.

    `progress` gets (files or rows read, in all), and then (statutes whose references were found,
    in all). Raises UserError for an unknown project or format and for any file that is not what
    it claims; then nothing is kept.
    """
    project_by_slug(ws, project_slug)  # before minutes are spent on reading
    known = rules or saved_rules(ws, project_slug)
    _, reading = read_statutes(path, format, known, progress)
    report = _keep(ws, project_slug, reading, path.resolve().name, progress)
    if rules is not None:
        save_rules(ws, project_slug, rules)
    return report


def _keep(
    ws: Workspace, project_slug: str, reading: Reading, name: str, progress: Progress | None
) -> ImportReport:
    """Keep what was read with its graph; a snapshot from before there were graphs gets one."""
    digest = checked_hash(reading.statutes)
    known = snapshot_of(ws, project_slug, digest)
    built = None if known is not None else build_graph(reading.statutes, progress)
    report = keep_statutes(ws, project_slug, reading.statutes, name, built, digest)
    if built is None:
        build_snapshot(ws, report.snapshot_id, reading.statutes, progress)
    return report


def import_questions(
    ws: Workspace,
    project_slug: str,
    path: Path,
    progress: Progress | None = None,
) -> QuestionReport:
    """Import questions, from a SearchFireSafety file or a BEIR folder, and make an item of each.

    `progress` gets (questions kept, questions in all) once. Raises UserError for an unknown
    project, for any line that is not what it claims, and for a question that the project has with
    other content; then nothing of the import is kept.
    """
    project_by_slug(ws, project_slug)
    questions = read_beir_questions(path) if path.is_dir() else read_questions(path)
    report = keep_questions(ws, project_slug, questions, path.name)
    if progress is not None:
        progress(len(questions), len(questions))
    return report
