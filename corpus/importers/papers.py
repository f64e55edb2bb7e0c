"""Readers of the collections of two papers: RegOps-Bench and SearchFireSafety.

The paper describes the corpus (documents of five tiers, divided into articles) and publishes no
schema, so common spellings of each field are accepted. The document: ``doc_title``, ``document``,
``law_name``, ``law``, ``doc_name`` or ``doc``; the place: ``article_no``, ``article_number``,
``article``, ``section`` or ``number``; the heading: ``article_title``, ``heading``, ``title``; the
text: ``text``, ``content``, ``body``, or ``paragraphs`` (a list of texts or of objects with
``text``); ``tier``, ``authority_tier``, ``level`` or ``doc_type``; ``effective_date``;
``article_id``, ``unit_id``, ``node_id`` or ``id``. An id ``<document>_<place>`` is kept.

Reader of SearchFireSafety's documents: one object per provision, JSON Lines or a JSON array.

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
from typing import Any

from corpus.files.rows import RowReader, read_rows
from corpus.importers.statutes.records import Notes, Reading, Record, assemble
from corpus.importers.statutes.written_places import read_place
from corpus.long_work import Progress
from corpus.model import FIELD, parse_place, split_id
from errors import UserError

ARTICLES = "articles.jsonl"
_DOCUMENT = ("doc_title", "document", "law_name", "law", "doc_name", "doc")
_PLACE = ("article_no", "article_number", "article", "section", "number")
_HEADING = ("article_title", "heading", "title")
_TEXT = ("text", "content", "body")
_ID = ("article_id", "unit_id", "node_id", "id")
_STANDING = ("tier", "authority_tier", "level", "doc_type")
_DAY = ("effective_date", "effective")


def read_articles(path: Path, progress: Progress | None = None) -> Reading:
    """Read the statutes of an ``articles.jsonl``, or of the folder that has one.

    Raises UserError naming file, line and field of the first error.
    """
    file = path / ARTICLES if path.is_dir() else path
    notes = Notes()
    return assemble((_record(row) for row in read_rows(file)), notes, progress)


def is_article(row: RowReader) -> bool:
    """Return whether an object looks like an article of an ``articles.jsonl``."""
    return row.has(*_DOCUMENT) and row.has(*_PLACE, *_ID) and row.has(*_TEXT, "paragraphs")


def _record(row: RowReader) -> Record:
    """Return a row as a record."""
    given = row.line_text(*_ID)
    statute_id, place = split_id(given)
    ours = bool(statute_id) and parse_place(place) is not None and " " not in given
    written = row.line_text(*_PLACE)
    return Record(
        where=row.at(),
        statute=row.required(*_DOCUMENT),
        text=_text(row),
        statute_id=statute_id if ours else "",
        unit_id=given if ours else "",
        place=_article(written) if written else given,
        heading=row.line_text(*_HEADING).strip("()"),
        standing=_standing(row),
        effective=row.day(*_DAY),
        jurisdiction=row.line_text(FIELD),
    )


def _article(written: str) -> str:
    """Return a bare number (3, 3-2) as an article (제3조의2), any other place as written."""
    base, _, branch = written.replace("-", "의").partition("의")
    if base.isdecimal() and len(base) < 5 and (not branch or branch.isdecimal()):
        return f"제{base}조" + (f"의{branch}" if branch else "")
    return written


def _standing(row: RowReader) -> str:
    """Return the tier as written; ``T3`` and ``Tier 3`` are the number 3."""
    written = row.line_text(*_STANDING)
    bare = written.lower().removeprefix("tier").removeprefix("t").strip(" _-")
    return bare if bare in {"1", "2", "3", "4", "5"} else written


def _text(row: RowReader) -> str:
    """Return a provision's text, or its paragraphs joined. Raises UserError for neither."""
    if row.has(*_TEXT):
        return row.text(*_TEXT)
    if not row.has("paragraphs"):
        raise UserError("field_missing", row.at(_TEXT[0]))
    value: Any = row.fields["paragraphs"]
    if not isinstance(value, list):
        raise UserError("field_not_texts", row.at("paragraphs"))
    return "\n".join(_paragraph(row, each) for each in value)


def _paragraph(row: RowReader, value: Any) -> str:
    """Return the text of a paragraph."""
    fields = value if isinstance(value, dict) else {"text": value}
    return RowReader(row.file, row.line, fields).text(*_TEXT)


_TEXT_FIELDS = ("text", "chapter_body")
_DIVISION = re.compile(r"제?[0-9]{1,3}\s?(?:편|장|절|관)|(?:Part|Chapter)\s", re.IGNORECASE)
_RELATED = ("related_doc_ids", "matched_doc_id_merged")


def read_documents(path: Path, progress: Progress | None = None) -> Reading:
    """Read the statutes of a file of SearchFireSafety's documents.

    Raises UserError naming file, line and field of the first error.
    """
    notes = Notes()
    ids = _ids(read_rows(path))
    return assemble((_document_record(row, ids, notes) for row in read_rows(path)), notes, progress)


def is_document(row: RowReader) -> bool:
    """Return whether an object looks like one of SearchFireSafety's documents."""
    return row.has(*_TEXT_FIELDS) and (row.has("law_name") or row.has("semantic_id"))


def _document_record(row: RowReader, ids: dict[str, str], notes: Notes) -> Record:
    unit_id = row.code("semantic_id")
    statute_id, place = split_id(unit_id)
    if unit_id and not (statute_id and place):
        raise UserError("semantic_id_form", row.at("semantic_id"), value=unit_id)
    law = row.line_text("law_name") if unit_id else row.required("law_name")
    if not row.has(*_TEXT_FIELDS):
        raise UserError("field_missing", row.at(_TEXT_FIELDS[0]))
    chapter, described = row.line_text("chapter"), row.line_text("chapter_description")
    division = _DIVISION.match(chapter) is not None
    named = bool(chapter) and read_place(chapter) is not None
    return Record(
        where=row.at(),
        statute=law,
        text=row.text(*_TEXT_FIELDS),
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
    """Return the semantic ids of rows by doc_id and by semantic id; the first of a doc_id."""
    known: dict[str, str] = {}
    for row in rows:
        if unit_id := row.code("semantic_id"):
            known[unit_id] = unit_id
            if doc_id := row.code("doc_id"):
                known.setdefault(doc_id, unit_id)
    return known


def _related(row: RowReader, ids: dict[str, str], notes: Notes) -> tuple[str, ...]:
    """Return the semantic ids that the row links to; unknown ones are noted and left out."""
    found = row.texts(*_RELATED)
    for each in found:
        if each not in ids:
            notes.add("link_missing", row.at(), target=each[:80])
    return tuple(dict.fromkeys(ids[each] for each in found if each in ids))
