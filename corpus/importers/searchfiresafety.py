"""Reader of SearchFireSafety's documents: one object per provision, JSON Lines or a JSON array.

Fields: ``semantic_id`` (``<statute>_<place>``, kept as the unit's id), ``law_name``, ``law_level``
(법률, 시행령 … or 1 to 5), ``chapter`` and ``chapter_description`` (a place and its heading, or a
chapter), ``text`` or ``chapter_body``, ``doc_id``, ``collection_name``, and ``related_doc_ids`` or
``matched_doc_id_merged`` (doc_ids or semantic ids of linked documents). Only the text, and the
semantic id or the name of the law, are required.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from corpus.files.rows import RowReader, read_rows
from corpus.importers.statutes.records import Notes, Reading, Record, assemble
from corpus.importers.statutes.written_places import read_place
from corpus.jurisdiction import FIELD
from corpus.model import split_id
from corpus.progress import Progress
from errors import UserError

_TEXT = ("text", "chapter_body")
_DIVISION = re.compile(r"제?[0-9]{1,3}\s?(?:편|장|절|관)|(?:Part|Chapter)\s", re.IGNORECASE)
_RELATED = ("related_doc_ids", "matched_doc_id_merged")


def read_documents(path: Path, progress: Progress | None = None) -> Reading:
    """Read the statutes of the file at `path`.

    Raises UserError naming file, line and field of the first error.
    """
    notes = Notes()
    ids = _ids(read_rows(path))
    return assemble((_record(row, ids, notes) for row in read_rows(path)), notes, progress)


def is_document(row: RowReader) -> bool:
    """Return whether an object looks like one of these documents."""
    return row.has(*_TEXT) and (row.has("law_name") or row.has("semantic_id"))


def _record(row: RowReader, ids: dict[str, str], notes: Notes) -> Record:
    unit_id = row.code("semantic_id")
    statute_id, place = split_id(unit_id)
    if unit_id and not (statute_id and place):
        raise UserError("semantic_id_form", row.at("semantic_id"), value=unit_id)
    law = row.line_text("law_name") if unit_id else row.required("law_name")
    if not row.has(*_TEXT):
        raise UserError("field_missing", row.at(_TEXT[0]))
    chapter, described = row.line_text("chapter"), row.line_text("chapter_description")
    division = _DIVISION.match(chapter) is not None
    named = bool(chapter) and read_place(chapter) is not None
    return Record(
        where=row.at(),
        statute=law,
        text=row.text(*_TEXT),
        statute_id=statute_id,
        unit_id=unit_id,
        place="" if division or (unit_id and not named) else chapter,
        label="" if division or named else chapter,
        heading="" if division else described.strip("()"),
        standing=row.line_text("law_level"),
        related=_related(row, ids, notes),
        path=(" ".join(filter(None, (chapter, described))),) if division else (),
        jurisdiction=row.line_text(FIELD),
    )


def _ids(rows: Iterable[RowReader]) -> dict[str, str]:
    """Return the semantic ids by doc_id and by semantic id."""
    known: dict[str, str] = {}
    for row in rows:
        if unit_id := row.code("semantic_id"):
            known[unit_id] = unit_id
            if doc_id := row.code("doc_id"):
                known.setdefault(doc_id, unit_id)
    return known


def _related(row: RowReader, ids: dict[str, str], notes: Notes) -> tuple[str, ...]:
    """Return the semantic ids that the row links to, with notes on unknown ones."""
    found = row.texts(*_RELATED)
    for each in found:
        if each not in ids:
            notes.add("link_missing", row.at(), target=each[:80])
    return tuple(dict.fromkeys(ids[each] for each in found if each in ids))
