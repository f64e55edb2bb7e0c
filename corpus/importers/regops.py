"""Reader of an ``articles.jsonl`` as in RegOps-Bench: one object per article.

The paper describes the corpus (documents of five tiers, divided into articles) and publishes no
schema, so common spellings of each field are accepted. The document: ``doc_title``, ``document``,
``law_name``, ``law``, ``doc_name`` or ``doc``; the place: ``article_no``, ``article_number``,
``article``, ``section`` or ``number``; the heading: ``article_title``, ``heading``, ``title``; the
text: ``text``, ``content``, ``body``, or ``paragraphs`` (a list of texts or of objects with
``text``); ``tier``, ``authority_tier``, ``level`` or ``doc_type``; ``effective_date``;
``article_id``, ``unit_id``, ``node_id`` or ``id``. An id ``<document>_<place>`` is kept.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from corpus.files.rows import RowReader, read_rows
from corpus.importers.statutes.records import Notes, Reading, Record, assemble
from corpus.jurisdiction import FIELD
from corpus.model import parse_place, split_id
from corpus.progress import Progress
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
    """Return whether an object looks like an article of such a file."""
    return row.has(*_DOCUMENT) and row.has(*_PLACE, *_ID) and row.has(*_TEXT, "paragraphs")


def _record(row: RowReader) -> Record:
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
    """Return a bare number as an article."""
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
    fields = value if isinstance(value, dict) else {"text": value}
    return RowReader(row.file, row.line, fields).text(*_TEXT)
