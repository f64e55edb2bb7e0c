"""Read a BEIR folder: ``corpus.jsonl``, and ``queries.jsonl`` with ``qrels/*.tsv`` where present.

A document has ``_id``, ``title``, ``text`` and may have ``metadata``; the metadata that our own
export writes are read back. An id of the form ``<statute>_<place>`` is kept as the unit's id; any
other stands below a statute of the folder's name, so that it stays the last half of the unit's id.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from corpus.files.rows import RowReader, read_lines, read_rows
from corpus.files.textfile import check_file, printable
from corpus.importers.questions import question_columns
from corpus.importers.statutes.reading_result import Notes, Progress, Reading
from corpus.importers.statutes.records import Record, assemble
from corpus.language import language_of
from corpus.limits import QUESTION
from corpus.model import Question
from corpus.place import parse_place, slug, split_id
from errors import UserError, Where

CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels"
QRELS_BYTES = 256 * 1024 * 1024
_LINE_BYTES = 64 * 1024
_OWN = ("_id", "language", "metadata", "no_provision", "text")
_OURS = re.compile(r"부칙|별표|별지|본문|전문|addendum|annex|form|preamble|text")


def read_beir(path: Path, progress: Progress | None = None) -> Reading:
    """Return the statutes that the corpus of a BEIR folder (or a ``corpus.jsonl``) makes up.

    Raises UserError naming file, line and field of the first thing that is wrong.
    """
    file = path / CORPUS if path.is_dir() else path
    name = slug(path.name if path.is_dir() else path.resolve().parent.name) or "corpus"
    notes = Notes()
    rows = list(read_rows(file))
    reading = assemble((_record(row, name) for row in rows), notes)
    if progress is not None:
        progress(len(rows), len(rows))
    return reading


def is_beir(row: RowReader) -> bool:
    """Whether an object looks like a document of a BEIR corpus."""
    return row.has("_id") and row.has("text")


def read_beir_questions(path: Path) -> list[Question]:
    """Return the queries of a BEIR folder, with the ids its qrels judge relevant as gold.

    BEIR has no official answers: `answer` is empty. Short fields of a query and of its metadata are
    its columns. Ids of a corpus without statutes of its own
    get the folder's name in front, as :func:`read_beir` gives it.
    """
    gold = _gold(path, slug(path.name) or "corpus")
    questions: dict[str, Question] = {}
    for row in read_rows(path / QUERIES, QUERIES):
        key, text = _id(row), row.required("text", limit=QUESTION)
        if key in questions:
            raise UserError("record_repeated", row.at("_id"), id=key, first=QUERIES)
        questions[key] = Question(
            key,
            text,
            "",
            language_of(text),
            gold_ids=tuple(gold.get(key, ())),
            columns=question_columns(row.fields | _metadata(row).fields, _OWN),
        )
    return list(questions.values())


def _record(row: RowReader, name: str) -> Record:
    given = _id(row)
    more = _metadata(row)
    statute_id, place = split_id(given)
    ours = bool(statute_id) and (parse_place(place) is not None or bool(_OURS.match(place)))
    title = row.line_text("title")
    if not row.has("text"):
        raise UserError("field_missing", row.at("text"))
    return Record(
        where=row.at(),
        statute=more.line_text("statute") if ours else name,
        text=row.text("text"),
        statute_id=statute_id if ours else name,
        unit_id=given if ours else f"{name}_{given}",
        level=more.text("level"),
        label=more.line_text("label") or ("" if ours else given),
        heading=more.line_text("heading") if more.has("statute") else title,
        standing=more.line_text("kind") or more.text("tier"),
        path=more.texts("path"),
        effective=more.day("effective"),
    )


def _id(row: RowReader) -> str:
    row.required("_id")
    return row.code("_id")


def _metadata(row: RowReader) -> RowReader:
    value: Any = row.fields.get("metadata")
    return RowReader(row.file, row.line, value if isinstance(value, dict) else {})


def _gold(folder: Path, name: str) -> dict[str, list[str]]:
    """Return query id → ids judged relevant, in the order of the files."""
    gold: dict[str, list[str]] = {}
    files = sorted((folder / QRELS).glob("*.tsv")) if (folder / QRELS).is_dir() else []
    for file in files:
        shown = f"{QRELS}/{printable(file.name)}"
        for query, unit in _judgements(file, shown):
            statute, place = split_id(unit)
            ours = statute and (parse_place(place) is not None or _OURS.match(place))
            known = gold.setdefault(query, [])
            whole = unit if ours else f"{name}_{unit}"
            if whole not in known:
                known.append(whole)
    return gold


def _judgements(file: Path, shown: str) -> Iterator[tuple[str, str]]:
    check_file(file, shown, QRELS_BYTES)
    for line, text in read_lines(file, shown, _LINE_BYTES):
        cells = text.rstrip("\r\n").split("\t")
        if line == 1 and cells[-1:] == ["score"]:
            continue
        if len(cells) != 3 or not re.fullmatch(r"-?[0-9]{1,6}", cells[2].strip()):
            raise UserError("qrels_form", Where(shown, line))
        if int(cells[2]) > 0:
            yield cells[0].strip(), cells[1].strip()
