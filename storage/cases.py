"""Court cases, written and read with and without their text."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from threading import Lock
from typing import Any

from sqlalchemy import insert, or_
from sqlmodel import Session, col, func, select

from corpus.cases.model import Judgment, JudgmentPart, Section
from errors import UserError, Where
from normalization.hashing import text_hash
from storage.db.columns import select_view, usable_id, view_of
from storage.db.rows import add_row, rows_with
from storage.tables.cases import CaseImport, CourtCase

_REMEMBERED: dict[tuple[object, ...], tuple[CaseLine, ...]] = {}
_ALONE = Lock()
_MOST = 4  # projects whose lines are cached
_BATCH = 500  # rows of one INSERT


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A court case without its text: `sections` are [section, start, end] into it."""

    id: int
    external_id: str
    court: str
    date: str
    title: str
    charges: Sequence[str]
    provisions: Sequence[str]
    language: str
    sections: Sequence[tuple[str, int, int]]
    source: Mapping[str, Any]

    @property
    def number(self) -> str:
        """The court's own case number, "" if unknown."""
        return str(self.source.get("number", ""))

    @property
    def characters(self) -> int:
        """The length of the text, which the sections cover."""
        return max((end for _, _, end in self.sections), default=0)


def case_of(session: Session, case_id: int, project_id: int | None = None) -> CourtCase:
    """Return a court case by database id, of that project if one is given.

    Raises UserError if there is no such case.
    """
    row = session.get(CourtCase, usable_id(case_id))
    if row is None or project_id not in (None, row.project_id):
        raise UserError("court_case_unknown", id=case_id)
    return row


def case_named(session: Session, project_id: int, external_id: str) -> CourtCase:
    """Return the project's court case of that external id. Raises UserError if there is none."""
    query = select(CourtCase).where(CourtCase.project_id == project_id)
    row = session.exec(query.where(CourtCase.external_id == external_id)).first()
    if row is None:
        raise UserError("court_case_unknown", id=external_id)
    return row


def judgment_of(row: CourtCase) -> Judgment:
    """Return the judgment of a court case."""
    return view_of(
        Judgment,
        row,
        charges=tuple(row.charges),
        provisions=tuple(row.provisions),
        parts=tuple(JudgmentPart(Section(name), start, end) for name, start, end in row.sections),
    )


def listed(session: Session, project_id: int) -> list[CaseLine]:
    """Return the project's court cases in order of import, without their texts.

    Cached until a case is added: to skip the texts, the database has to walk over them.
    """
    key = (str(session.get_bind().engine.url), project_id, *newest(session, project_id))
    lines = _REMEMBERED.get(key)
    if lines is None:
        query = select_view(CourtCase, CaseLine).where(col(CourtCase.project_id) == project_id)
        rows = session.execute(query.order_by(col(CourtCase.id)))
        lines = tuple(CaseLine(*row) for row in rows)
        with _ALONE:
            while len(_REMEMBERED) >= _MOST:
                del _REMEMBERED[next(iter(_REMEMBERED))]
            _REMEMBERED[key] = lines
    return list(lines)


def texts(session: Session, project_id: int, ids: Iterable[int]) -> dict[int, str]:
    """Return the texts of court cases by id; ids of other projects are left out."""
    query = select(CourtCase.id, CourtCase.text).where(CourtCase.project_id == project_id)
    return dict(rows_with(session, query.order_by(col(CourtCase.id)), CourtCase.id, ids))


def hashes(session: Session, project_id: int) -> list[tuple[int, str]]:
    """Return the id and content hash of each court case of the project, ascending."""
    query = select(CourtCase.id, CourtCase.content_hash).where(CourtCase.project_id == project_id)
    rows = session.exec(query.order_by(col(CourtCase.id)))
    return [(number or 0, digest) for number, digest in rows]


def holding(session: Session, project_id: int, search_text: str) -> set[int]:
    """Return the ids of cases whose text, id, title or court contains this text, ignoring case."""
    columns = (CourtCase.text, CourtCase.title, CourtCase.external_id, CourtCase.court)
    hit = or_(*(col(column).icontains(search_text, autoescape=True) for column in columns))
    query = select(CourtCase.id).where(CourtCase.project_id == project_id).where(hit)
    return {number or 0 for number in session.exec(query)}


def count_cases(session: Session, project_id: int) -> int:
    """Count the project's court cases."""
    query = select(func.count()).select_from(CourtCase)
    return session.exec(query.where(CourtCase.project_id == project_id)).one()


def newest(session: Session, project_id: int) -> tuple[int, int, datetime | None]:
    """Return the project's number of court cases, the last one's id, and when it was added.

    Usable as a cache key: cases are never changed or removed.
    """
    query = select(CourtCase.id, CourtCase.at).where(CourtCase.project_id == project_id)
    last = session.exec(query.order_by(col(CourtCase.id).desc()).limit(1)).first()
    number, at = (0, None) if last is None else (last[0] or 0, last[1])
    return count_cases(session, project_id), number, at


def last_mapping(session: Session, project_id: int) -> Mapping[str, Any] | None:
    """Return the column mapping of the project's last case import, None if there was none."""
    query = select(CaseImport.mapping).where(CaseImport.project_id == project_id)
    return session.exec(query.order_by(col(CaseImport.id).desc())).first()


def keep_cases(
    session: Session, record: CaseImport, judgments: Sequence[tuple[Judgment, Where]]
) -> int:
    """Store judgments under the import `record`, each with its place in the source; count new ones.

    Cases that the project has with the same content are skipped; if all are, the record is not
    stored either. Raises UserError, with the place, for a case whose stored content differs.
    """
    query = select(CourtCase.external_id, CourtCase.content_hash)
    known = dict(session.exec(query.where(CourtCase.project_id == record.project_id)).all())
    fresh = []
    for judgment, where in judgments:
        digest = content_hash(judgment)
        there = known.get(judgment.external_id)
        if there is None:
            fresh.append((judgment, digest))
        elif there != digest:
            raise _changed_case_error(session, record.project_id, judgment, where)
    if fresh:
        add_row(session, record)
        rows = [_row(record, judgment, digest) for judgment, digest in fresh]
        for at in range(0, len(rows), _BATCH):
            session.execute(insert(CourtCase), rows[at : at + _BATCH])
    return len(fresh)


def content_hash(judgment: Judgment) -> str:
    """Return the hash of a judgment's visible content, without its source."""
    said = json.dumps(_content(judgment), ensure_ascii=False, sort_keys=True)
    return text_hash(said)


def _content(judgment: Judgment) -> dict[str, Any]:
    """Return the content of a judgment."""
    return {
        "court": judgment.court,
        "date": judgment.date,
        "title": judgment.title,
        "charges": list(judgment.charges),
        "provisions": list(judgment.provisions),
        "language": judgment.language,
        "text": judgment.text,
        "sections": [[str(part.section), part.start, part.end] for part in judgment.parts],
    }


def _row(record: CaseImport, judgment: Judgment, digest: str) -> dict[str, Any]:
    """Return the row of an imported judgment."""
    return _content(judgment) | {
        "project_id": record.project_id,
        "case_import_id": record.id,
        "external_id": judgment.external_id,
        "source": dict(judgment.source),
        "content_hash": digest,
        "at": record.at,
    }


def _changed_case_error(
    session: Session, project_id: int, judgment: Judgment, where: Where
) -> UserError:
    """Return the error that names the fields in which an import differs from the stored case."""
    there, comes = case_named(session, project_id, judgment.external_id), _content(judgment)
    differ = [name for name, value in comes.items() if getattr(there, name) != value]
    return UserError("court_case_changed", where, id=judgment.external_id, fields=", ".join(differ))
