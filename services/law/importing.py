"""Import of statutes and questions from a folder or file, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from annotation.people.roles import Act, allow
from corpus.graph.build import build_graph
from corpus.importers.beir import questions_hash, questions_in
from corpus.importers.registry import AUTO, read_statutes
from corpus.importers.statutes.merge import added
from corpus.importers.statutes.records import Note, Notes
from corpus.importers.table import ReadingRules
from corpus.long_work import Progress, in_bulk
from corpus.model import Statute, in_jurisdiction, jurisdiction_of
from services.law.activation import Outcome, bring_into_use, outcome, waits_for_candidates
from services.law.graph.citation_graph import build_snapshot
from services.law.preview import InUse, law_in_use, save_rules, saved_rules
from services.uploads import questions_at, statutes_at
from storage.db.workspace import Workspace
from storage.imported_files import BroughtFile
from storage.law.corpus import load_statutes
from storage.law.imports import (
    ImportReport,
    QuestionReport,
    checked_hash,
    keep_questions,
    keep_statutes,
    snapshot_of,
)


@dataclass(frozen=True, slots=True)
class LawReport(ImportReport):
    """Result of an import of statutes, with its consequences for decisions (`outcome`).

    `left_out` are notes on rows of the source that were not imported.
    """

    outcome: Outcome | None = None
    left_out: tuple[Note, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Return the report for ``--json`` output."""
        told = ImportReport.as_dict(replace(self, outcome=None, left_out=()))
        del told["outcome"], told["left_out"]
        if self.left_out:
            told["left_out"] = [note.render() for note in self.left_out]
        return told | ({} if self.outcome is None else self.outcome.as_dict())


def import_statutes(
    ws: Workspace,
    project_slug: str,
    path: Path,
    progress: Progress | None = None,
    *,
    format: str = AUTO,  # noqa: A002  (the word that the command line uses)
    rules: ReadingRules | None = None,
    add: bool = False,
    jurisdiction: str = "",
    by: int | None = None,
) -> LawReport:
    """Import statutes as the project's law in use, in place of the present or added to it.

    See `corpus.importers.registry` for formats. With `add` the new snapshot also holds the
    statutes of the one in use, except those imported anew. `path` is a folder, a file or an archive
    of them. `rules` say how to read a table or plain text; by default those saved for the project,
    and those given are saved; `jurisdiction` is that of statutes whose source does not state it.
    Content equal to an existing snapshot makes no second one. The citation graph is built and
    stored with the statutes in one transaction: an interrupted import has stored nothing. Where
    people have begun, the snapshot is stored first and activated with candidates from it (see
    `services.law.activation`); an interruption between the two leaves the old law in use, and
    repeating the import completes it.

    `progress` gets (files or rows read, in all), then (statutes whose references were found, in
    all), then (edges and references stored, in all), and then (questions that got candidates, in
    all). `by` is the importer, None for the operator. Raises UserError for `by` without permission,
    for an unknown project or format, for any file that is not what it claims, and with `add` where
    another import finished meanwhile; then the law in use is unchanged.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)  # before minutes are spent on reading
    known, of = rules or saved_rules(ws, project_slug), jurisdiction_of(jurisdiction)
    with in_bulk():
        with statutes_at(path) as staged:
            _, reading = read_statutes(staged.path, format, known, progress)
            name, statutes = staged.path.resolve().name, in_jurisdiction(reading.statutes, of)
        there = law_in_use(ws, project_slug)
        if there is not None and add:
            report = add_law(ws, project_slug, there, statutes, name, progress, by)
        else:
            report = keep_law(ws, project_slug, statutes, name, progress, by=by)
    if rules is not None:
        save_rules(ws, project_slug, rules)
    meeting = there.meets(reading.statutes) if there else None
    left_out = tuple(note for note in reading.notes if note.left_out)
    return replace(report, meeting=meeting, left_out=left_out)


def add_law(
    ws: Workspace,
    project_slug: str,
    in_use: InUse,
    new: Sequence[Statute],
    name: str,
    progress: Progress | None,
    by: int | None,
) -> LawReport:
    """Store and activate the law in use with `new` added or replacing; without permission check."""
    checked_hash(new)  # what it repeats would otherwise replace itself
    with ws.reading() as session:
        law = load_statutes(session, in_use.id)
    named = in_use.with_added(name)
    report = keep_law(ws, project_slug, added(law, new), named, progress, upon=in_use.id, by=by)
    return replace(report, added=True)


def keep_law(
    ws: Workspace,
    project_slug: str,
    statutes: Sequence[Statute],
    name: str,
    progress: Progress | None,
    upon: int | None = None,
    *,
    by: int | None = None,
) -> LawReport:
    """Store statutes and graph as a snapshot, if new, and activate it; without permission check.

    `upon` is the snapshot that they were made from, see `storage.law.imports.keep_statutes`. A
    known snapshot without a graph gets one. `by` is the importer, None for the operator.
    """
    digest = checked_hash(statutes)
    known = snapshot_of(ws, project_slug, digest)
    built = None if known is not None else build_graph(statutes, progress)
    at_once = not waits_for_candidates(ws, project_slug)
    report = keep_statutes(
        *(ws, project_slug, statutes, name, built, digest, upon, progress), use=at_once
    )
    if built is None:
        build_snapshot(ws, report.snapshot_id, statutes, progress)
    at = ws, project_slug, report.snapshot_id
    if at_once:
        told = outcome(*at, by, report.before)
    else:
        told = bring_into_use(*at, upon=upon, by=by, progress=progress)
        report = replace(report, before=told.before)
    plain = {field.name: getattr(report, field.name) for field in fields(report)}
    return LawReport(**plain, outcome=told)


def import_questions(
    ws: Workspace,
    project_slug: str,
    path: Path,
    progress: Progress | None = None,
    *,
    jurisdiction: str = "",
    by: int | None = None,
) -> QuestionReport:
    """Import questions from a SearchFireSafety file or a BEIR folder, with an item for each.

    Either may be in an archive. `jurisdiction` is that of questions whose source does not state it.
    `progress` gets (questions stored, questions in all) once. `by` is the importer, None for the
    operator. Raises UserError for `by` without permission, for an unknown project, for any line
    that is not what it claims, and for a question that the project has with other content; then
    nothing is imported. An import that added something is an entry of the history. Judgements in
    the qrels of a BEIR folder for things that the folder lacks are noted in the report.
    """
    allow(ws, project_slug, by, Act.IMPORT_QUESTIONS)
    of, notes = jurisdiction_of(jurisdiction), Notes()
    with questions_at(path) as staged:
        questions = in_jurisdiction(questions_in(staged.path, notes), of)
        hashed = questions_hash(path)
    file = BroughtFile("questions", path.name, hashed, by)
    report = keep_questions(ws, project_slug, questions, path.name, file)
    if progress is not None:
        progress(len(questions), len(questions))
    return replace(report, notes=notes.all())
