"""Importing: read a tree or a file, then keep all of it or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from annotation.people.roles import Act, allow
from corpus.gc_pause import in_bulk
from corpus.graph.build import build_graph
from corpus.importers.beir import questions_hash, questions_in
from corpus.importers.registry import AUTO, read_statutes
from corpus.importers.statutes.merge import added
from corpus.importers.statutes.records import Note, Notes
from corpus.importers.table import ReadingRules
from corpus.jurisdiction import in_jurisdiction, jurisdiction_of
from corpus.model import Statute
from corpus.progress import Progress
from services.law.activation import InUseNow, Outcome, bring_into_use, outcome, waits
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
    """What an import of statutes came to, with what it means for decisions (`outcome`).

    `left_out` names the rows of the source that did not come in.
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
    """Import statutes as a snapshot of the project; see `corpus.importers.registry` for formats.

    The snapshot is in use from then on. It takes the place of the one in use or, with `add`, holds
    the statutes of that one too, but for those that came in anew. `path` is a folder, a file or an
    archive of them.

    `rules` say how to read a table or plain text; those saved for the project count where none
    are given, and those given are saved; `jurisdiction` is whose law it is, for statutes of which
    the source does not say it. Content that the project has as a snapshot already makes
    no second one. The citation graph is built and kept with the statutes in one transaction: an
    import that is interrupted, at whatever point, has kept nothing. Where people have begun, the
    snapshot is kept first and comes into use with candidates from it (see
    `services.law.activation`); one that is interrupted between the two leaves the law before in
    use, and doing it again ends it.

    `progress` gets (files or rows read, in all), then (statutes whose references were found, in
    all), then (edges and references kept, in all), and then (questions that got candidates, in
    all). `by` is the person who imports, None for
    the operator. Raises UserError for who may not, for an unknown project or format, for any file
    that is not what it claims, and with `add` where another import came in meanwhile; then the law
    in use is what it was.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)  # before minutes are spent on reading
    known, of = rules or saved_rules(ws, project_slug), jurisdiction_of(jurisdiction)
    with in_bulk():
        with statutes_at(path) as staged:
            _, reading = read_statutes(staged.path, format, known, progress)
            name, statutes = staged.path.resolve().name, in_jurisdiction(reading.statutes, of)
        there = law_in_use(ws, project_slug)
        if there is not None and add:
            report = _add(ws, project_slug, there, statutes, name, progress, by)
        else:
            report = keep_law(ws, project_slug, statutes, name, progress, by=by)
    if rules is not None:
        save_rules(ws, project_slug, rules)
    meeting = there.meets(reading.statutes) if there else None
    left_out = tuple(note for note in reading.notes if note.left_out)
    return replace(report, meeting=meeting, left_out=left_out)


def _add(
    ws: Workspace,
    project_slug: str,
    there: InUse,
    come: Sequence[Statute],
    name: str,
    progress: Progress | None,
    by: int | None,
) -> LawReport:
    """Keep what was read together with the statutes in use."""
    checked_hash(come)  # what it repeats would otherwise replace itself
    with ws.reading() as session:
        law = load_statutes(session, there.id)
    named = there.with_added(name)
    report = keep_law(ws, project_slug, added(law, come), named, progress, upon=there.id, by=by)
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
    """Keep statutes with their graph as a snapshot, and use it; who may is the caller's to know.

    `upon` is the snapshot that they were made from, see `storage.law.imports.keep_statutes`. A
    known snapshot without a graph gets one. `by` is who does it, None for the operator.
    """
    digest = checked_hash(statutes)
    known = snapshot_of(ws, project_slug, digest)
    built = None if known is not None else build_graph(statutes, progress)
    at_once = not waits(ws, project_slug)
    report = keep_statutes(
        *(ws, project_slug, statutes, name, built, digest, upon, progress), use=at_once
    )
    if built is None:
        build_snapshot(ws, report.snapshot_id, statutes, progress)
    now = InUseNow(report.before, 0, ())
    if not at_once:
        at = ws, project_slug, report.snapshot_id
        now = bring_into_use(*at, upon=upon, by=by, progress=progress)
        report = replace(report, before=now.before)
    plain = {field.name: getattr(report, field.name) for field in fields(report)}
    return LawReport(**plain, outcome=outcome(ws, project_slug, report.snapshot_id, now, by))


def import_questions(
    ws: Workspace,
    project_slug: str,
    path: Path,
    progress: Progress | None = None,
    *,
    jurisdiction: str = "",
    by: int | None = None,
) -> QuestionReport:
    """Import questions, from a SearchFireSafety file or a BEIR folder, and make an item of each.

    Either may be in an archive. `jurisdiction` is whose law they ask about, where the source does
    not say it.

    `progress` gets (questions kept, questions in all) once. `by` is the person who imports, None
    for the operator. Raises UserError for who may not, for an unknown project, for any line that
    is not what it claims, and for a question that the project has with other content; then nothing
    of the import is kept. One that brought something is an entry of the history. What the qrels of
    a BEIR folder judge and the folder lacks is noted in the report.
    """
    allow(ws, project_slug, by, Act.IMPORT_QUESTIONS)
    of, notes = jurisdiction_of(jurisdiction), Notes()
    with questions_at(path) as staged:
        questions = questions_in(staged.path, notes)
        hashed = questions_hash(path)
    questions = [
        each if each.jurisdiction else replace(each, jurisdiction=of) for each in questions
    ]
    file = BroughtFile("questions", path.name, hashed, by)
    report = keep_questions(ws, project_slug, questions, path.name, file)
    if progress is not None:
        progress(len(questions), len(questions))
    return replace(report, notes=notes.all())
