"""Import of court cases: preview, then all or nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from annotation.people.roles import Act, reading_as, writing_as
from corpus.cases.model import CaseRules, Judgment, complete, rules_of, suggested
from corpus.cases.reading import ENDINGS, Survey, judgment_columns, read_judgments, survey
from corpus.files.given_paths import is_archive, named_as_given
from corpus.files.rows import printable
from corpus.long_work import Progress
from errors import UserError, Where
from normalization.hashing import file_hash
from services.uploads import LOCAL, Upload, staged_file
from storage.cases import keep_cases, last_mapping
from storage.db.workspace import Workspace
from storage.tables.cases import CaseImport

GLANCES = 20
_TOLD_EVERY = 50


@dataclass(frozen=True, slots=True)
class CasePreview:
    """What a file would import; nothing is stored.

    `became` maps every column to the field it is read as, "" for unread ones. `whole` is False
    where only the first judgments were read.
    """

    file: str
    rules: CaseRules
    became: Mapping[str, str]
    survey: Survey
    first: tuple[Judgment, ...]
    whole: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the preview for ``--json`` output."""
        return {
            "file": self.file,
            "mapping": self.rules.as_dict(),
            "columns": dict(self.became),
            "whole": self.whole,
            "survey": asdict(self.survey),
            "first": [glance(each) for each in self.first],
        }


@dataclass(frozen=True, slots=True)
class CaseReport:
    """Summary of a court case import, with counts over all cases read.

    `unread` are the columns without a mapping.
    """

    new: int
    unchanged: int
    survey: Survey
    unread: tuple[str, ...]


def glance(judgment: Judgment) -> dict[str, Any]:
    """Return a judgment without its text, for ``--json`` output."""
    names = ("number", "court", "date", "title", "charges", "provisions", "language")
    return {
        "id": judgment.external_id,
        **{name: getattr(judgment, name) for name in names},
        "characters": len(judgment.text),
        "sections": [[str(part.section), part.start, part.end] for part in judgment.parts],
    }


@contextmanager
def judgments_at(source: Path | Upload) -> Iterator[Path]:
    """Yield the file of judgments of a path or upload; the only one in an archive.

    Raises UserError as `services.uploads` does.
    """
    if isinstance(source, Upload):
        with staged_file(source, *ENDINGS) as path:
            yield path
        return
    with named_as_given(source):
        if is_archive(source.name) and source.is_file():
            with source.open("rb") as content:
                upload = Upload(printable(source.name), content)
                with staged_file(upload, *ENDINGS, limits=LOCAL) as path:
                    yield path
        else:
            yield source


def case_rules(
    ws: Workspace, project_slug: str, path: Path, rules: CaseRules | None, by: int | None = None
) -> CaseRules:
    """Return the rules for reading a file: the given, the last import's if they fit, or suggested.

    Without `rules`: those of the project's last import if the file has all of their columns, else
    suggestions from the column names. Raises UserError for `by` who may not import, and for rules
    that do not fit the file.
    """
    with reading_as(ws, project_slug, by, Act.IMPORT_QUESTIONS) as (session, project, _):
        last = last_mapping(session, project.id)
    present = judgment_columns(path)
    if rules is None and last is not None:
        kept = rules_of(last)
        rules = kept if set(kept.columns.values()) <= set(present) else None
    return complete(rules or CaseRules(suggested(present)), present, printable(path.name))


def preview_court_cases(
    ws: Workspace,
    project_slug: str,
    path: Path,
    rules: CaseRules | None = None,
    limit: int | None = None,
    *,
    by: int | None = None,
) -> CasePreview:
    """Read a file as :func:`import_court_cases` would, or its first `limit` judgments.

    Nothing is stored. `by` is the reader, None for the operator. Raises UserError for whatever
    would make the import fail.
    """
    used = case_rules(ws, project_slug, path, rules, by)
    fields = {column: name for name, column in used.columns.items()}
    reads = list(islice(read_judgments(path, used), None if limit is None else limit + 1))
    whole = limit is None or len(reads) <= limit
    seen = reads if whole else reads[:limit]
    return CasePreview(
        file=printable(path.name),
        rules=used,
        became={column: fields.get(column, "") for column in judgment_columns(path)},
        survey=survey(seen),
        first=tuple(read.judgment for read in seen[:GLANCES]),
        whole=whole,
    )


def import_court_cases(
    ws: Workspace,
    project_slug: str,
    path: Path,
    rules: CaseRules | None = None,
    progress: Progress | None = None,
    *,
    by: int | None = None,
) -> CaseReport:
    """Import the judgments of a file, all of them or none.

    Those that exist with the same content are skipped. `progress` gets (judgments read, 0 until all
    are). `by` is the importer, None for the operator. Raises UserError, with file, line and field,
    for `by` without permission, for any fault of the file, and for an existing id with other
    content.
    """
    used = case_rules(ws, project_slug, path, rules, by)
    reads = []
    for count, read in enumerate(read_judgments(path, used), 1):
        reads.append(read)
        if progress is not None and count % _TOLD_EVERY == 0:
            progress(count, 0)
    if not reads:
        raise UserError("rows_empty", Where(printable(path.name)))
    digest = file_hash(path)
    with writing_as(ws, project_slug, by, Act.IMPORT_QUESTIONS) as (session, project, _):
        record = CaseImport(
            project_id=project.id,
            name=printable(path.name),
            content_hash=digest,
            mapping=used.as_dict(),
            person_id=by,
            at=ws.clock(),
        )
        new = keep_cases(session, record, [(read.judgment, read.where) for read in reads])
    if progress is not None:
        progress(len(reads), len(reads))
    mapped = set(used.columns.values())
    unread = tuple(column for column in judgment_columns(path) if column not in mapped)
    return CaseReport(new, len(reads) - new, survey(reads), unread)
