"""The corrected text of a page: format and validation of its blocks.

A page is a list of blocks in reading order. A block is a dictionary:

* ``kind``: ``paragraph``, ``heading``, ``formula`` or ``table``;
* ``text`` of a paragraph or heading, ``latex`` of a formula; of a table ``rows``, ``columns`` and
  ``cells``, each with ``row``, ``column``, ``row_span``, ``column_span`` (from 0) and ``text``;
* ``box``: ``[x0, y0, x1, y1]`` in pixels of the upright image, or None;
* ``doubt``: ``[start, end]`` characters of the text that the engine was unsure of and that nobody
  has confirmed since; in a table, each cell has its own;
* ``unseen``: True of a block of a verification that its verifier has not looked at; else absent;
* ``from``: the number of the block in the draft that it goes back to, from 0; absent of a block
  that a person added.

The cells of a table cover its grid exactly once, so that a merged cell is one cell with spans.

The provisions that a page's text rests on: the unit that it fills, and those it cites.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from sqlmodel import Session, col, select

from annotation.gold.resting import CitingText, Resting, Rests, Scope, TextKey
from annotation.work.submissions import is_current
from corpus.limits import PAGE_BLOCK
from errors import UserError
from normalization import Spans, composed
from storage.db.rows import rows_with
from storage.overlap import for_gold
from storage.tables.core import Annotation, AnnotationAnswer, Item
from storage.tables.ocr import Page, UnitPage

FIELD = "blocks"
KINDS = ("paragraph", "heading", "formula", "table")
MOST_BLOCKS = 500
LONGEST_TEXT = PAGE_BLOCK
MOST_ROWS = 500
MOST_COLUMNS = 60
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u2028\u2029]")
_TEXT_OF = {"paragraph": "text", "heading": "text", "formula": "latex"}

Block = dict[str, Any]


def checked_blocks(value: object) -> list[Block]:
    """Return the blocks in their stored form: known keys only, line breaks as ``\\n``.

    Raises UserError, which names the block from 1, for anything that is not of the form above.
    """
    if not isinstance(value, list):
        raise UserError("ocr_blocks_form")
    if len(value) > MOST_BLOCKS:
        raise UserError("ocr_blocks_many", count=len(value), limit=MOST_BLOCKS)
    return [_block(each, number) for number, each in enumerate(value, 1)]


def refuse_unfinished(blocks: list[Block]) -> None:
    """Raise UserError for an empty block, which has to be filled or removed."""
    for number, block in enumerate(blocks, 1):
        if not any(text.strip() for text in texts(block)):
            raise UserError("ocr_block_empty", block=number)


def first_doubt(blocks: list[Block]) -> tuple[int, int]:
    """Return the number of words still marked as doubtful, and the block of the first.

    The block is counted from 1; it is 0 if no word is doubtful.
    """
    counts = [sum(len(part.get("doubt", ())) for part in _parts(block)) for block in blocks]
    first = next((number for number, count in enumerate(counts, 1) if count), 0)
    return sum(counts), first


def _parts(block: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the parts with a text and marks of their own: the block, or a table's cells."""
    return block["cells"] if block["kind"] == "table" else [block]


def is_block(value: object) -> bool:
    """Return True if a stored value is a block of a page."""
    return isinstance(value, dict) and value.get("kind") in KINDS and "box" in value


def texts(block: Mapping[str, Any]) -> list[str]:
    """Return the texts of a block: its own, or those of its cells row by row."""
    if block["kind"] != "table":
        return [block[_TEXT_OF[block["kind"]]]]
    ordered = sorted(block["cells"], key=lambda cell: (cell["row"], cell["column"]))
    return [cell["text"] for cell in ordered]


def _block(value: object, number: int) -> Block:
    """Check a block of a page: its kind, box, and text or table."""
    if not isinstance(value, dict) or value.get("kind") not in KINDS:
        raise UserError("ocr_block_form", block=number, field="kind")
    kept: Block = {"kind": value["kind"], "box": _checked_box(value.get("box"), number)}
    if kept["kind"] == "table":
        kept |= _table(value, number)
    else:
        kept |= _text(value, _TEXT_OF[kept["kind"]], number)
    if value.get("unseen") is True:
        kept["unseen"] = True
    if value.get("from") is not None:
        kept["from"] = _checked_integer(value, "from", number, MOST_BLOCKS - 1)
    return kept


def _text(part: Mapping[str, Any], name: str, number: int) -> Block:
    """Check the text of a block or cell, and its doubtful spans.

    Returns the text composed, with normalized line breaks and without control characters.
    """
    value = part.get(name)
    if not isinstance(value, str):
        raise UserError("ocr_block_form", block=number, field=name)
    if len(value) > LONGEST_TEXT:
        raise UserError("ocr_block_long", block=number, length=len(value), limit=LONGEST_TEXT)
    written = value.replace("\r\n", "\n").replace("\r", "\n")
    text = composed(written)
    if _CONTROL.search(text) or any("\ud800" <= each <= "\udfff" for each in text):
        raise UserError("ocr_block_control", block=number)
    return {name: text, "doubt": _doubt(part.get("doubt"), written, number)}


def _checked_box(value: object, number: int) -> list[float] | None:
    """Check a block's box (left, top, right, bottom); None if it has none."""
    if value is None:
        return None
    if (
        not isinstance(value, list)
        or len(value) != 4
        or not all(type(each) in (int, float) and math.isfinite(each) for each in value)
        or value[0] >= value[2]
        or value[1] >= value[3]
    ):
        raise UserError("ocr_block_form", block=number, field="box")
    return list(value)


def _doubt(value: object, text: str, number: int) -> list[list[int]]:
    """Return the doubtful spans of the composed text in order, dropping those outside."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise UserError("ocr_block_form", block=number, field="doubt")
    found = set()
    spans = Spans(text) if text != composed(text) else None
    for each in value:
        pair = isinstance(each, list) and len(each) == 2 and all(type(n) is int for n in each)
        if not pair:
            raise UserError("ocr_block_form", block=number, field="doubt")
        start, end = spans.in_composed(*each) if spans else each
        start, end = max(start, 0), min(end, len(spans.text if spans else text))
        if start < end:
            found.add((start, end))
    return [list(each) for each in sorted(found)]


def _checked_integer(
    value: Mapping[str, Any], name: str, number: int, most: int, least: int = 0
) -> int:
    """Return an integer of a block. Raises UserError if it is none or out of range."""
    found = value.get(name)
    if type(found) is not int or not least <= found <= most:
        raise UserError("ocr_block_form", block=number, field=name)
    return found


def _table(value: Mapping[str, Any], number: int) -> Block:
    """Check a table block: its size and cells."""
    rows = _checked_integer(value, "rows", number, MOST_ROWS, 1)
    columns = _checked_integer(value, "columns", number, MOST_COLUMNS, 1)
    cells = value.get("cells")
    if not isinstance(cells, list) or len(cells) > rows * columns:
        raise UserError("ocr_block_form", block=number, field="cells")
    kept = [_checked_cell(each, rows, columns, number) for each in cells]
    _require_cover(kept, rows, columns, number)
    kept.sort(key=lambda cell: (cell["row"], cell["column"]))
    return {"rows": rows, "columns": columns, "cells": kept}


def _checked_cell(value: object, rows: int, columns: int, number: int) -> Block:
    """Check a cell: inside the table, with text."""
    if not isinstance(value, dict):
        raise UserError("ocr_block_form", block=number, field="cells")
    row = _checked_integer(value, "row", number, rows - 1)
    column = _checked_integer(value, "column", number, columns - 1)
    return {
        "row": row,
        "column": column,
        "row_span": _checked_integer(value, "row_span", number, rows - row, 1),
        "column_span": _checked_integer(value, "column_span", number, columns - column, 1),
        **_text(value, "text", number),
    }


def _require_cover(cells: list[Block], rows: int, columns: int, number: int) -> None:
    """Raise UserError for a place of the grid that no cell covers, or more than one."""
    taken = [0] * (rows * columns)
    for cell in cells:
        for row in range(cell["row"], cell["row"] + cell["row_span"]):
            for column in range(cell["column"], cell["column"] + cell["column_span"]):
                taken[row * columns + column] += 1
    wrong = next((place for place, count in enumerate(taken) if count != 1), None)
    if wrong is not None:
        row, column = divmod(wrong, columns)
        raise UserError("ocr_table_cover", block=number, row=row + 1, column=column + 1)


_SUBMISSION = "submission"


class PageResting(Resting):
    """The reader of `annotation.gold.resting` for corrected and verified pages."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> Iterator[Rests]:
        """Yield the unit of each page, and its text as submitted.

        A page whose text is in the corpus rests on the unit as imported, else on the unit that it
        was added for, as of then. Tables are part of the text.
        """
        laws, said = scope.decided_on(items), _submitted(scope)
        query = select(Page.id, Page.unit, Page.at).where(Page.project_id == scope.project_id)
        pages = {number or 0: (unit, at) for number, unit, at in scope.session.exec(query)}
        came = _units_of_pages(scope)
        for each in items:
            number, page = each.id or 0, each.subject_id or 0
            if page in pages:
                (unit, at), filled = pages[page], came.get(page)
                text = ((_SUBMISSION, said[number]),) if number in said else ()
                yield Rests(
                    number,
                    units=() if filled is None else ((filled, "source"),),
                    places=((unit, scope.law_at(at), "source"),) if unit and not filled else (),
                    texts=tuple(CitingText(key, laws.get(number, 0)) for key in text),
                )

    def texts(self, session: Session, keys: Collection[TextKey]) -> Mapping[TextKey, Sequence[str]]:
        """Return the texts of each submission's blocks; for a table, its cells."""
        query = select(AnnotationAnswer.annotation_id, AnnotationAnswer.value)
        query = query.where(AnnotationAnswer.field == FIELD)
        wanted = {number for _, number in keys}
        return {
            (_SUBMISSION, number): tuple(text for block in blocks for text in texts(block))
            for number, blocks in rows_with(session, query, AnnotationAnswer.annotation_id, wanted)
        }


def _submitted(scope: Scope) -> dict[int, int]:
    """Return the id of the newest current submission by item; for annotators, of their own."""
    query = (
        select(Annotation.item_id, Annotation.id)
        .join(Item)
        .where(Item.project_id == scope.project_id, is_current(), for_gold())
        .order_by(col(Annotation.id))
    )
    if scope.who is not None and scope.blind:
        query = query.where(Annotation.person_id == scope.who.person_id)
    return {item: number or 0 for item, number in scope.session.exec(query)}


def _units_of_pages(scope: Scope) -> dict[int, int]:
    """Return the unit (database id) that each page's text was last imported into."""
    query = (
        select(UnitPage.page_id, UnitPage.unit_id)
        .join(Page)
        .where(Page.project_id == scope.project_id)
        .order_by(col(UnitPage.id))
    )
    return dict(scope.session.exec(query).all())


RESTS = PageResting()
