"""Reader of a BEIR folder: ``corpus.jsonl``, and ``queries.jsonl`` with ``qrels/*.tsv`` if present.

A document has ``_id``, ``title``, ``text`` and may have ``metadata``; the metadata that our own
export writes are read back. An id of the form ``<statute>_<place>`` is kept as the unit's id; any
other is put below a collection of the folder's name, so that it stays the last half of the unit's
id. Both are keys alone (`corpus.model.COLLECTION`): the words are `title` and `text`. Judgments
(qrels) are BEIR's three columns or TREC's four, with whatever grades they have.

Also reads questions with official answers in the layout of SearchFireSafety: JSON Lines. Each line
is one object with ``question_id``, ``question`` and ``answer``; ``law_references`` (citation
strings), ``semantic_ids`` (gold) and ``language`` are optional. Other short fields are kept as
columns, by which figures can be split: a category, a number, yes or no, or a list of short texts.
Longer fields are content and left out, as are fields that have a place of their own. Blank lines
are skipped. ``jurisdiction`` is the jurisdiction that the question is about, ``choices`` its
options (see `corpus.importers.beir`).

Reader of a multiple-choice question's options: ``choices``, and which are correct.

``choices`` is a list of texts, a list of objects (``text``, and optionally ``label`` and
``correct``), or one object of labels and texts (``{"A": …, "B": …}``). Options without a label are
called A, B, C …. ``correct_choices`` lists the labels of the correct ones (or is one label);
without it, and without ``correct``, the correct options are unknown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from corpus.files.rows import (
    RowReader,
    check_file,
    is_storable,
    parse_object,
    printable,
    read_lines,
    read_rows,
    unreadable,
)
from corpus.importers.statutes.records import Notes, Reading, Record, assemble
from corpus.limits import CITATION, CITATIONS, MCQ_OPTION, OFFICIAL_ANSWER, QUESTION, within
from corpus.long_work import Progress
from corpus.model import (
    COLLECTION,
    Choice,
    Question,
    jurisdiction_of,
    language_of,
    parse_place,
    slug,
    split_id,
)
from corpus.model import FIELD as JURISDICTION
from errors import UserError, Where
from messages import LANGUAGES
from normalization.hashing import file_hash, text_hash

CHOICES, CORRECT = "choices", "correct_choices"
CHOICE_FIELDS = (CHOICES, CORRECT)
MOST_OPTIONS = len(ascii_uppercase)


def read_choices(row: RowReader) -> tuple[Choice, ...]:
    """Return the options of a row in order, () without ``choices``.

    Raises UserError, naming the field, for options of another form, more than MOST of them, a
    repeated label, and an unknown correct one.
    """
    value: Any = row.fields.get(CHOICES)
    if value is None:
        return ()
    at = row.at(CHOICES)
    if not isinstance(value, list | dict):
        raise UserError("choices_form", at)
    if len(value) > MOST_OPTIONS:
        raise UserError("list_long", at, count=len(value), limit=MOST_OPTIONS)
    if isinstance(value, dict):
        found = [Choice(" ".join(k.split()), _text(row, text)) for k, text in value.items()]
    else:
        found = list(_options_in_order(row, value))
    labels = [each.label for each in found]
    if len(set(labels)) != len(labels):
        raise UserError("choices_repeated", at, labels=", ".join(labels))
    return _marked(row, found)


def _options_in_order(row: RowReader, value: list[Any]) -> Iterator[Choice]:
    """Yield the options of a list, labelled A, B, C unless they have labels."""
    for label, entry in zip(ascii_uppercase, value, strict=False):
        if not isinstance(entry, dict):
            yield Choice(label, _text(row, entry))
            continue
        inside, correct = RowReader(row.file, row.line, entry), entry.get("correct")
        if correct is not None and not isinstance(correct, bool):
            raise UserError("choices_form", row.at(CHOICES))
        yield Choice(inside.line_text("label") or label, _text(row, entry.get("text")), correct)


def _text(row: RowReader, value: Any) -> str:
    """Return the text of an option."""
    if not isinstance(value, str):
        raise UserError("choices_form", row.at(CHOICES))
    return RowReader(row.file, row.line, {CHOICES: value}).required(CHOICES, limit=MCQ_OPTION)


def _marked(row: RowReader, found: list[Choice]) -> tuple[Choice, ...]:
    """Return all the options, each marked as correct or not if the row has ``correct_choices``."""
    if not row.has(CORRECT):
        return tuple(found)
    value = row.fields[CORRECT]
    said = row.texts(CORRECT) if isinstance(value, list) else (row.line_text(CORRECT),)
    unknown = sorted(set(said) - {each.label for each in found})
    if unknown:
        labels = ", ".join(each.label for each in found)
        raise UserError("choice_unknown", row.at(CORRECT), value=unknown[0][:40], known=labels)
    return tuple(replace(each, correct=each.label in said) for each in found)


CHARACTERS = 60
MOST = 30

Column = tuple[str, str | tuple[str, ...]]


def question_columns(fields: Mapping[str, Any], own: Collection[str]) -> tuple[Column, ...]:
    """Return the usable columns of `fields` that are not `own`, by ascending name; MOST at most."""
    found = (
        (name, _column(value))
        for name, value in sorted(fields.items())
        if name not in own and _short(name)
    )
    kept = [(name, value) for name, value in found if value is not None]
    return tuple(kept[:MOST])


def _column(value: Any) -> str | tuple[str, ...] | None:
    """Return a metadata value as a column; None if it has no usable form."""
    if isinstance(value, list):
        return tuple(value) if value and all(_short(entry) for entry in value) else None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        return text if _short(text := str(value)) else None
    return value.strip() if _short(value) else None


def _short(value: Any) -> bool:
    """Return whether a value is a storable text of one line and bounded length."""
    return (
        isinstance(value, str)
        and 0 < len(value.strip()) <= CHARACTERS
        and len(value.splitlines()) == 1
        and is_storable(value)
    )


LINE_BYTES = 4 * 1024 * 1024
"""The longest line accepted. The longest of the real questions has 6 kB."""

FILE_BYTES = 512 * 1024 * 1024
"""The largest file accepted."""

ID_CHARACTERS = 200
OWN_FIELDS = (
    *("answer", "language", "law_references", "question", "question_id", "semantic_ids"),
    *(JURISDICTION, *CHOICE_FIELDS),
)
_BLANK = re.compile(r"\s|[\x00-\x1f\x7f]")


def read_questions(path: Path) -> list[Question]:
    """Read the questions of the file at `path`, in order.

    Raises UserError naming file, line and field of the first error: a line that is too long, is not
    one JSON object or is cut off, a field that is absent or of the wrong type, a repeated id, a
    file without questions.
    """
    path = Path(path)
    name = printable(path.name)
    check_file(path, name, FILE_BYTES)
    questions: list[Question] = []
    lines: dict[str, int] = {}
    for number, text in read_lines(path, name, LINE_BYTES):
        question = _question(RowReader(name, number, parse_object(text, name, number)))
        if question.external_id in lines:
            at = Where(name, number, "question_id")
            first = lines[question.external_id]
            raise UserError("question_repeated", at, id=question.external_id, first=first)
        lines[question.external_id] = number
        questions.append(question)
    if not questions:
        raise UserError("questions_empty", Where(name))
    return questions


def _question(row: RowReader) -> Question:
    """Return the question of a row, its fields checked."""
    text = _wording(row, "question", QUESTION)
    if not text:
        raise UserError("field_missing", row.at("question"))
    return Question(
        external_id=_question_id(row),
        text=text,
        answer=_wording(row, "answer", OFFICIAL_ANSWER),
        language=_language(row, text),
        citation_strings=_claims(row, "law_references"),
        gold_ids=_claims(row, "semantic_ids"),
        columns=question_columns(row.fields, OWN_FIELDS),
        jurisdiction=_jurisdiction(row),
        choices=read_choices(row),
    )


def _wording(row: RowReader, field: str, limit: int) -> str:
    """Return a required text, which may be blank; UserError if it is absent or no text."""
    if not isinstance(_present(row, field), str):
        raise UserError("field_not_text", row.at(field))
    return row.text(field, limit=limit)


def _present(row: RowReader, field: str) -> Any:
    """Return a field's value. Raises UserError if it is missing."""
    if not row.has(field):
        raise UserError("field_missing", row.at(field))
    return row.fields[field]


def _question_id(row: RowReader) -> str:
    """Return the question's id, a text or a whole number."""
    value, at = _present(row, "question_id"), row.at("question_id")
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise UserError("question_id_type", at)
    text = str(value)
    if not is_storable(text):
        raise UserError("text_unstorable", at)
    if not text or len(text) > ID_CHARACTERS or _BLANK.search(text):
        raise UserError("question_id_form", at, limit=ID_CHARACTERS)
    return text


def _language(row: RowReader, text: str) -> str:
    """Return the language: stated, else guessed."""
    value = row.fields.get("language")
    if value is None:
        return language_of(text)
    if not isinstance(value, str) or value not in LANGUAGES:
        raise UserError("language_unknown", row.at("language"), known=", ".join(LANGUAGES))
    return value


def _claims(row: RowReader, field: str) -> tuple[str, ...]:
    """Return the field's list of texts as the source has them, () without it."""
    value, at = row.fields.get(field), row.at(field)
    if value is None:
        return ()
    if not isinstance(value, list) or not all(isinstance(entry, str) for entry in value):
        raise UserError("field_not_texts", at)
    if len(value) > CITATIONS:
        raise UserError("list_long", at, count=len(value), limit=CITATIONS)
    if not all(map(is_storable, value)):
        raise UserError("text_unstorable", at)
    return tuple(within(entry, CITATION, at) for entry in value)


CORPUS, QUERIES, QRELS = "corpus.jsonl", "queries.jsonl", "qrels"
QRELS_ENDINGS = (".tsv", ".txt", ".qrels", ".trec")
_HEADERS = ("score", "relevance", "rel", "label", "grade")
QRELS_BYTES = 256 * 1024 * 1024
_LINE_BYTES = 64 * 1024
_DOCUMENT_BYTES = 24 * 1024 * 1024
_OWN = (
    "_id",
    "answer",
    "language",
    "metadata",
    "no_provision",
    "text",
    JURISDICTION,
    *CHOICE_FIELDS,
)
_OURS = re.compile(
    r"(?:부칙|별표|별지|본문|전문).*|(?:addendum|annex|form)(?:-.+)?|preamble|text", re.DOTALL
)
_NAMES_PLACE = re.compile(r".*[가-힣].*|(?:article|annex|form)-[0-9].*", re.DOTALL)


def read_beir(path: Path, progress: Progress | None = None) -> Reading:
    """Read the statutes in the corpus of a BEIR folder (or a ``corpus.jsonl``).

    Raises UserError naming file, line and field of the first error.
    """
    file = path / CORPUS if path.is_dir() else path
    name = slug(path.name if path.is_dir() else path.resolve().parent.name) or "corpus"
    notes = Notes()
    return assemble((document_record(row, name) for row in read_rows(file)), notes, progress)


def is_beir(row: RowReader) -> bool:
    """Return whether an object looks like a document of a BEIR corpus."""
    return row.has("_id") and row.has("text")


def questions_in(path: Path, notes: Notes | None) -> list[Question]:
    """Read the questions of a BEIR folder, or of a file as `read_questions` does."""
    return read_beir_questions(path, notes) if path.is_dir() else read_questions(path)


def read_beir_questions(path: Path, notes: Notes | None = None) -> list[Question]:
    """Read the queries of a BEIR folder, with the ids that its qrels judge relevant as gold.

    The official answer is `answer` of a query or of its metadata, empty if neither has one. Short
    fields of both are its columns. Ids of a corpus without statutes of its own get the folder's
    name in front, as in :func:`read_beir`. `notes` gets the questions and documents in the qrels
    that the folder lacks; judgments of such questions are left out.
    """
    judged = _judgments(path)
    name = slug(path.name) or "corpus"
    questions: dict[str, Question] = {}
    for row in read_rows(path / QUERIES, QUERIES):
        key = _id(row)
        if key in questions:
            raise UserError("record_repeated", row.at("_id"), id=key, first=QUERIES)
        grades = {unit_id(name, unit): each.grade for unit, each in judged.get(key, {}).items()}
        questions[key] = question_of(row, grades)
    if notes is not None:
        _note_absent(path, judged, questions, notes)
    return list(questions.values())


def question_of(row: RowReader, grades: Mapping[str, int], own: Collection[str] = ()) -> Question:
    """Return the question of a query with these grades by unit.

    In any layout but BEIR's, `own` are further fields that are no columns, and citations are read.
    """
    text, more = row.required("text", limit=QUESTION), _metadata(row)
    return Question(
        _id(row),
        text,
        more.text("answer", limit=OFFICIAL_ANSWER) or row.text("answer", limit=OFFICIAL_ANSWER),
        language_of(text),
        citation_strings=row.texts("law_references") if own else (),
        gold_ids=tuple(unit for unit, grade in grades.items() if grade > 0),
        columns=question_columns(row.fields | more.fields, {*_OWN, *own}),
        jurisdiction=_jurisdiction(more) or _jurisdiction(row),
        choices=read_choices(more) or read_choices(row),
        grades=tuple(grades.items()) if set(grades.values()) - {1} else (),
    )


def _note_absent(
    path: Path,
    judged: Mapping[str, Mapping[str, _Judgment]],
    questions: Collection[str],
    notes: Notes,
) -> None:
    """Add notes on judgments of questions and documents that the folder lacks."""
    wanted = {unit for query in questions for unit in judged.get(query, ())}
    absent = _absent_documents(path / CORPUS, wanted)
    for query, judgments in judged.items():
        for unit, each in judgments.items():
            if query not in questions:
                notes.add("qrels_question", each.where, question=query)
            elif unit in absent:
                notes.add("qrels_document", each.where, document=unit, question=query)


def _absent_documents(corpus: Path, unit_ids: set[str]) -> set[str]:
    """Return the ids that the corpus lacks; none if there is no readable corpus.

    It is read line by line, until all are found. Unreadable ones are reported by the corpus import.
    """
    absent = set(unit_ids)
    if not corpus.is_file():
        return set()
    try:
        for number, text in read_lines(corpus, CORPUS, _DOCUMENT_BYTES):
            absent.discard(_id(RowReader(CORPUS, number, parse_object(text, CORPUS, number))))
            if not absent:
                break
    except UserError:
        return set()
    return absent


def questions_hash(path: Path) -> str:
    """Return the SHA-256 of a file of questions, or of all files read in a BEIR folder.

    Of a folder it is that of the names and hashes of its queries and of its judgments, one on each
    line, as ``sha256sum`` writes them. Raises UserError for an unreadable file.
    """
    if not path.is_dir():
        return hash_of(path)
    return hash_of_files(path, [path / QUERIES, *_judgment_files(path)])


def hash_of_files(folder: Path, files: Iterable[Path]) -> str:
    """Return the SHA-256 of the names and hashes of files in a folder, as ``sha256sum`` writes."""
    named = ((hash_of(each), printable(each.relative_to(folder).as_posix())) for each in files)
    return text_hash("".join(f"{sha256}  {name}\n" for sha256, name in named))


def hash_of(file: Path) -> str:
    """Return the SHA-256 of a file. Raises UserError for an unreadable one."""
    try:
        return file_hash(file)
    except OSError as problem:
        raise unreadable(printable(file.name), problem) from problem


def _jurisdiction(row: RowReader) -> str:
    """Return the jurisdiction of a query."""
    return jurisdiction_of(row.line_text(JURISDICTION), row.at(JURISDICTION))


def document_record(row: RowReader, name: str) -> Record:
    """Return the record of a document; `name` is the collection's."""
    given = _id(row)
    more = _metadata(row)
    statute_id, _ = split_id(given)
    ours, keyed = _is_semantic(given), _is_key(given, more)
    title = row.line_text("title")
    if not row.has("text"):
        raise UserError("field_missing", row.at("text"))
    return Record(
        where=row.at(),
        statute=more.line_text("statute") if ours else name,
        text=row.text("text"),
        statute_id=statute_id if ours else name,
        unit_id=unit_id(name, given),
        level=more.text("level"),
        label=more.line_text("label") or (given if keyed else ""),
        heading=more.line_text("heading") if more.has("statute") else title,
        standing=more.text("tier") if keyed else more.line_text("kind") or more.text("tier"),
        path=more.texts("path"),
        effective=more.day("effective"),
        jurisdiction=more.line_text(JURISDICTION) or row.line_text(JURISDICTION),
        keyed=keyed,
    )


def _id(row: RowReader) -> str:
    """Return the id of a query or document. Raises UserError if it is missing."""
    row.required("_id")
    return row.code("_id")


def _metadata(row: RowReader) -> RowReader:
    """Return a row of the metadata of a row, empty without any."""
    value: Any = row.fields.get("metadata")
    return RowReader(row.file, row.line, value if isinstance(value, dict) else {})


@dataclass(frozen=True, slots=True)
class _Judgment:
    """A line of qrels: a document's grade for a query."""

    unit: str
    grade: int
    where: Where


def unit_id(name: str, document: str) -> str:
    """Return the semantic id of a document's unit in the collection `name`."""
    return document if _is_semantic(document) else f"{name}_{document}"


def _is_semantic(document: str) -> bool:
    """Return True for a document id in the form of a unit's id."""
    statute, place = split_id(document)
    return bool(statute) and (parse_place(place) is not None or bool(_OURS.fullmatch(place)))


def _is_key(document: str, more: RowReader) -> bool:
    """Return whether an id is a mere key: its source names no statute, and it names no place.

    ``소방기본법_12조`` and ``fire-act_article-5`` do, ``contract_2.1`` and ``d1`` do not.
    """
    if more.text("kind") == COLLECTION or not _is_semantic(document):
        return True
    return not more.has("statute") and not _NAMES_PLACE.fullmatch(split_id(document)[1])


def _judgment_files(folder: Path) -> list[Path]:
    """Return the files of relevance judgments (qrels) in a BEIR folder, sorted; [] if none."""
    files = (folder / QRELS).iterdir() if (folder / QRELS).is_dir() else ()
    return sorted(each for each in files if each.suffix.lower() in QRELS_ENDINGS)


def _judgments(folder: Path) -> dict[str, dict[str, _Judgment]]:
    """Return query id → document → judgment, in the order of the files.

    Raises UserError for a document with two different grades for one query.
    """
    found: dict[str, dict[str, _Judgment]] = {}
    for file in _judgment_files(folder):
        for query, each in _read_judgments(file, f"{QRELS}/{printable(file.name)}"):
            known = found.setdefault(query, {}).setdefault(each.unit, each)
            if known.grade != each.grade:
                raise UserError("qrels_contradict", each.where, query=query, unit=each.unit)
    return found


def _read_judgments(file: Path, display_name: str) -> Iterator[tuple[str, _Judgment]]:
    """Yield (query id, judgment) from BEIR's three columns or TREC's four."""
    check_file(file, display_name, QRELS_BYTES)
    for line, text in read_lines(file, display_name, _LINE_BYTES):
        cells = [cell.strip() for cell in text.rstrip("\r\n").split("\t")]
        if len(cells) != 3:
            cells = text.split()
            trec = len(cells) == 4 and re.fullmatch("[Qq]?[0-9]+", cells[1])
            cells = [cells[0], *cells[2:]] if trec else []
        if line == 1 and cells and cells[2].lower() in _HEADERS:
            continue
        if not cells or not re.fullmatch(r"[-+]?[0-9]{1,6}(?:\.0+)?", cells[2]):
            raise UserError("qrels_form", Where(display_name, line))
        yield cells[0], _Judgment(cells[1], int(float(cells[2])), Where(display_name, line))
