"""Reader of a benchmark's folder or file, whatever its layout: files are told by their rows.

A row is a query if its fields or its file's path say so, a judgment if it names a query and a
document, and a document if it has an id and a text. So BEIR folders, the layout of MTEB and of
Hugging Face (JSON Lines or Parquet), TREC topics with qrels, SearchFireSafety, RegOps-Bench,
BSARD's tables, LeCaRDv2 and Touchstone's own exports are read by the same rules. Where a folder
has the same rows in several kinds of files, one of them is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from corpus.benchmarks.model import Benchmark, Fault, Judgment, Part, Record
from corpus.benchmarks.rows import ENDINGS, OBJECTS, rows_of
from corpus.files.given_paths import only_folder
from corpus.files.rows import file_kind, printable, unreadable
from errors import UserError, Where

MOST_FILES = 200_000
CARD = "README.md"
_QUERY_ID = ("query-id", "query_id", "qid", "question_id", "topic_id", "item_id")
_DOCUMENT_ID = (
    *("corpus-id", "corpus_id", "doc_id", "docid", "docno", "document_id", "doc-id", "pid"),
    *("article_id", "unit_id", "node_id", "semantic_id"),
)
_ID = ("_id", "id")
_GRADE = ("score", "relevance", "rel", "grade", "label", "relevance_score")
_QUESTION = ("question", "query", "query_text")
_TEXT = ("text", "contents", "content", "body", "article", "chapter_body", "passage", "qw", "fact")
_TITLE = ("title", "heading", "reference", "doc_title", "law_name")
_GOLD = (
    *("semantic_ids", "article_ids", "gold_ids", "gold", "relevant_docs", "positive_passages"),
    *("gold_articles", "gold_unit_ids", "relevant_ids", "positive_ids"),
)
FIELDS_TOLD = (*_QUERY_ID, *_ID, *_QUESTION, *_TEXT, *_GOLD)
"""Names of fields by which a query is told, which say nothing more of it."""

_SPLITS = re.compile(r"(?<![a-z])(train|dev|valid(?:ation)?|val|test)(?![a-z])")
_LEFT = re.compile(
    r"top_ranked|no_answer|lineage|gold\.jsonl|croissant|datasheet|package|passage_qrels|(?:^|/)run[s_/]"
)
_LOOKED_AT = 5


@dataclass(frozen=True, slots=True)
class _File:
    """A file of a benchmark: its path, its name in messages, and the kind of its rows."""

    path: Path
    name: str
    kind: str


def read_benchmark(path: Path) -> Benchmark:
    """Return the benchmark in a folder, or in one file.

    Raises UserError for a path that is not there, and for one with neither queries nor judgments
    nor documents that are told as such.
    """
    shown = printable(str(path))
    file_kind(path, shown)  # raises if there is no such path
    path = _unwrapped(path)
    names = _files_below(path)
    unread: list[Fault] = []
    kinds = ((each, name, _kind(each, name, unread)) for each, name in names)
    files = [_File(each, name, kind) for each, name, kind in kinds if kind is not None]
    parts = {kind: _of_best_ending(files, kind) for kind in ("document", "query")}
    judged = [each for each in files if each.kind == "judgment"]
    if not (judged or parts["query"] or parts["document"]):
        raise UserError("benchmark_unknown", Where(shown))
    return Benchmark(
        name=printable(path.resolve().name),
        home=path,
        layout=_layout([each.name for each in files]),
        documents=_part(parts["document"]),
        queries=_part(parts["query"]),
        judge=partial(_judgments, judged, parts["query"]),
        judged=tuple(each.name for each in judged or parts["query"]),
        card=_card(path / CARD) if path.is_dir() else {},
        files=tuple(name for _, name in names),
        unread=tuple(unread),
    )


def _unwrapped(path: Path) -> Path:
    """Return the innermost of folders that are each the only entry; else the path itself."""
    inner = only_folder(path)
    return _unwrapped(inner) if inner else path


def _files_below(path: Path) -> list[tuple[Path, str]]:
    """Return (file, relative name) of a file, or of those below a folder but hidden ones."""
    if not path.is_dir():
        return [(path, printable(path.name))]
    found: list[tuple[Path, str]] = []

    def refuse(problem: OSError) -> None:
        """Raise UserError for a folder that cannot be read."""
        raise unreadable(printable(str(problem.filename)), problem) from problem

    for folder, folders, names in os.walk(path, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            each = Path(folder, name)
            if not name.startswith(".") and each.is_file():
                found.append((each, printable(each.relative_to(path).as_posix())))
        if len(found) > MOST_FILES:
            raise UserError("benchmark_files", Where(printable(str(path))), limit=MOST_FILES)
    return found


def _kind(path: Path, name: str, unread: list[Fault]) -> str | None:
    """Return the kind of a file's rows: document, query or judgment; None for others.

    The first fault of objects or Parquet that cannot be told is added to `unread`.
    """
    if path.suffix.lower() not in ENDINGS or _LEFT.search(name.lower()):
        return None
    faults: list[Fault] = []
    for _, fields in islice(rows_of(path, name, faults), _LOOKED_AT):
        if kind := _kind_of_row(name.lower(), fields):
            return kind
    if path.suffix.lower() in (*OBJECTS, ".parquet"):
        unread += faults[:1]
    return None


def _kind_of_row(name: str, fields: Mapping[str, Any]) -> str | None:
    """Tell document, query or judgment by a row's fields and its file's name; None for others."""
    identified = _value(fields, (*_ID, *_QUERY_ID, *_DOCUMENT_ID)) is not None
    has_text = _value(fields, _TEXT) is not None
    asks = isinstance(_value(fields, _QUESTION), str)
    judges = _value(fields, _QUERY_ID) is not None and _value(fields, _DOCUMENT_ID) is not None
    if judges and not (has_text or asks):
        graded = _number(_value(fields, _GRADE)) is not None
        return "judgment" if graded or "qrel" in name else None
    if not identified or not (has_text or asks):
        return None
    return "query" if asks or re.search(r"quer|question|topic", name) else "document"


def _of_best_ending(files: list[_File], kind: str) -> list[_File]:
    """Return the files of a kind, of one ending: the first in the order of ENDINGS."""
    of = [each for each in files if each.kind == kind]
    endings = {each.path.suffix.lower() for each in of}
    best = next((ending for ending in ENDINGS if ending in endings), "")
    return [each for each in of if each.path.suffix.lower() == best]


def _part(files: list[_File]) -> Part:
    """Return files of one kind as a part of the benchmark."""
    return Part(tuple(each.name for each in files), partial(_records, files))


def _records(files: list[_File], faults: list[Fault]) -> Iterator[Record]:
    """Yield the rows of files as records, noting those without an id."""
    for each in files:
        for line, fields in rows_of(each.path, each.name, faults):
            record = _record(each, line, fields)
            if not record.id:
                faults.append(Fault(each.name, line, "no_id"))
            yield record


def _record(file: _File, line: int, fields: Mapping[str, Any]) -> Record:
    """Return a row as document or query."""
    query = file.kind == "query"
    ids, texts = (_QUERY_ID, _QUESTION) if query else (_DOCUMENT_ID, ())
    text = _value(fields, (*texts, *_TEXT))
    title = "" if query else _value(fields, _TITLE)
    return Record(
        id=_as_id(_value(fields, (*_ID, *ids) if query else (*_ID, "semantic_id", *ids))),
        text=text if isinstance(text, str) else "",
        title=title if isinstance(title, str) else "",
        file=file.name,
        line=line,
        fields=fields,
    )


def _judgments(judged: list[_File], asked: list[_File], faults: list[Fault]) -> Iterator[Judgment]:
    """Yield the valid judgments of files, and without such files those that queries list."""
    for file in judged:
        split = _split(file.name)
        for line, fields in rows_of(file.path, file.name, faults):
            ids = _as_id(_value(fields, _QUERY_ID)), _as_id(_value(fields, _DOCUMENT_ID))
            grade = _number(_value(fields, _GRADE) if _value(fields, _GRADE) is not None else 1)
            if not all(ids) or grade is None:
                faults.append(Fault(file.name, line, "no_id" if grade is not None else "no_grade"))
                continue
            yield Judgment(*ids, grade, str(fields.get("split") or split), file.name, line)
    for file in [] if judged else asked:
        for line, fields in rows_of(file.path, file.name, faults):
            record = _record(file, line, fields)
            split = str(fields.get("split") or _split(file.name))
            for unit in dict.fromkeys(_listed(_value(fields, _GOLD))):
                yield Judgment(record.id, unit, 1, split, file.name, line)


def _listed(value: Any) -> list[str]:
    """Return the ids of a list, or of a text with commas between them; [] for others."""
    if isinstance(value, Mapping):
        value = list(value)
    values = value.split(",") if isinstance(value, str) else value
    if not isinstance(values, list):
        return []
    ids = [_value(v, (*_ID, *_DOCUMENT_ID)) if isinstance(v, dict) else v for v in values]
    return [found for each in ids if (found := _as_id(each).strip())]


def _split(name: str) -> str:
    """Return the split named in a file's name, "" if there is none; validation is dev."""
    found = (_SPLITS.findall(name.lower()) or [""])[-1]
    return "dev" if found.startswith("val") else found


def _value(fields: Mapping[str, Any], names: tuple[str, ...]) -> Any:
    """Return the first value of these fields that is not null; None if all are."""
    return next((fields[name] for name in names if fields.get(name) is not None), None)


def _as_id(value: Any) -> str:
    """Return an id as text (3.0 is "3"); "" if it is neither text nor whole number."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _number(value: Any) -> float | None:
    """Parse a number, None if it is none or huge."""
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if abs(number) < 1e12 else None


def _layout(names: list[str]) -> str:
    """Return the layout (beir, trec, …) that file names suggest; jsonl for no other."""
    text = "\n".join(names).lower()
    for layout, pattern in (
        ("beir", r"^qrels/.*\.tsv$"),
        ("huggingface", r"\.parquet$|^qrels/.*\.jsonl$"),
        ("lecard", r"relevence|candidates|cases\.jsonl"),
        ("searchfiresafety", r"qna"),
        ("regops", r"articles\.jsonl"),
        ("bsard", r"\.csv$"),
        ("trec", r"\.(?:trec|qrels|txt|tsv)$|topics"),
    ):
        if re.search(pattern, text, re.MULTILINE):
            return layout
    return "jsonl"


def _card(path: Path) -> dict[str, Any] | None:
    """Return the metadata of a dataset card; {} if they are unreadable, None without a card."""
    from corpus.files.yaml_fields import read_value

    try:
        text = path.read_text(encoding="utf-8", errors="replace")[:1_000_000]
    except OSError:
        return None
    top = re.match(r"---\n(.*?)\n---\s*(?:\n|\Z)", text, re.DOTALL)
    try:
        value = read_value(top[1], CARD).plain() if top else {}
    except UserError:
        return {}
    return dict(value) if isinstance(value, dict) else {}
