"""Rows of a benchmark's files, as written: JSON Lines, JSON, CSV, TSV, Parquet, TREC's texts.

Nothing is refused: a line that cannot be read is a `Fault`, bytes that are not UTF-8 become U+FFFD.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from corpus.benchmarks.model import Fault

Row = tuple[int, dict[str, Any]]
TABLES, OBJECTS, TEXTS = (".csv", ".tsv"), (".jsonl", ".ndjson", ".json"), (".txt", ".trec")
ENDINGS = (*OBJECTS, ".parquet", *TABLES, *TEXTS, ".qrels", ".tab")
"""Endings of files that are read, best first where a folder has the same rows in several."""

_ARRAY_BYTES = 512 << 20
_PARQUET_RATIO, _PARQUET_LEAST = 100, 1 << 28  # letters for each byte of a file, and always
_HEADS = re.compile(r"[-_ ]?id$|^(?:score|text|query|question|title|rel|relevance|grade)$", re.I)
_QRELS = ("query-id", "corpus-id", "score")
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>]*=[^<>]*)?>")
_BLOCK = re.compile(r"[\s\ufeff]*<(?:top|doc)[\s>]", re.I)  # `<DOCNO>` begins none


def rows_of(path: Path, name: str, faults: list[Fault]) -> Iterator[Row]:
    """Yield (line, fields) of a file's rows; unreadable ones are added to `faults`."""
    ending = path.suffix.lower()
    if ending == ".parquet":
        return _parquet_rows(path, name, faults)
    lines = _lines(path, name, faults)
    if ending in OBJECTS:
        return _json_rows(path, lines, name, faults)
    first = next((each for each in lines if each[1].strip()), (0, ""))
    lines = chain([first], lines)
    if _BLOCK.match(first[1]):
        return _tagged_rows(lines)
    if ending == ".csv":
        return _csv_rows(lines, first[1], name, faults)
    return _table_rows(lines, first[1])


def _lines(path: Path, name: str, faults: list[Fault]) -> Iterator[tuple[int, str]]:
    """Yield (number, text) of each line; one that is no UTF-8 has U+FFFD and is a fault."""
    with path.open("rb") as file:
        for number, raw in enumerate(file, 1):
            try:
                text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                faults.append(Fault(name, number, "not_utf8"))
                text = raw.decode("utf-8", "replace")
            yield number, text


def _json_rows(
    path: Path, lines: Iterator[tuple[int, str]], name: str, faults: list[Fault]
) -> Iterator[Row]:
    """Yield the objects of JSON Lines, of one array, or the one object that a file is."""
    with path.open("rb") as file:
        head = file.read(4096).lstrip()
    whole = head[:1] == b"[" or (head[:1] == b"{" and head.partition(b"\n")[0].strip() == b"{")
    if whole and path.stat().st_size <= _ARRAY_BYTES:
        value = _parsed("".join(text for _, text in lines), name, 1, faults)
        values = value if isinstance(value, list) else [value]
        yield from ((at, each) for at, each in enumerate(values, 1) if isinstance(each, dict))
        return
    for number, text in lines:
        if text.strip():
            value = _parsed(text, name, number, faults)
            if isinstance(value, dict):
                yield number, value
            elif value is not None:
                faults.append(Fault(name, number, "not_object"))


def _parsed(text: str, name: str, line: int, faults: list[Fault]) -> Any:
    """Parse a line as JSON; None, and a fault, for an invalid one."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        faults.append(Fault(name, line, "not_json"))
        return None


def _parquet_rows(path: Path, name: str, faults: list[Fault]) -> Iterator[Row]:
    from pyarrow import ArrowException
    from pyarrow.parquet import ParquetFile

    number, room = 0, max(_PARQUET_LEAST, _PARQUET_RATIO * path.stat().st_size)
    try:
        with ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=256):
                for fields in batch.to_pylist():
                    number += 1
                    room -= sum(len(v) for v in fields.values() if isinstance(v, str))
                    yield number, fields
                if room < 0:  # one text, repeated without end
                    faults.append(Fault(name, number, "broken"))
                    return
    except (ArrowException, OSError):
        faults.append(Fault(name, number + 1, "broken"))


def _table_rows(lines: Iterator[tuple[int, str]], first: str) -> Iterator[Row]:
    """Yield the rows of a table under its header; of one without, by the number of columns."""
    spaced = "\t" not in first
    heads = [] if spaced else [cell.strip() for cell in first.rstrip("\r\n").split("\t")]
    if not heads or not any(map(_HEADS.search, heads)) or any(c.isdecimal() for c in heads):
        heads = []
    for number, text in islice(lines, 1, None) if heads else lines:
        cells = text.split() if spaced else text.rstrip("\r\n").split("\t")
        if len(cells) == 4 and not heads:
            cells = [cells[0], *cells[2:]]  # TREC's second column is of no use
        names = heads or (_QRELS if len(cells) == 3 else ("id", "text"))
        if text.strip():
            yield number, dict(zip(names, cells, strict=False))


def _csv_rows(
    lines: Iterator[tuple[int, str]], first: str, name: str, faults: list[Fault]
) -> Iterator[Row]:
    csv.field_size_limit(1 << 26)
    separator = max(",;\t", key=first.count)
    reader = csv.DictReader((text for _, text in lines), delimiter=separator)
    line = 2
    try:
        for fields in reader:
            yield line, {str(key): value for key, value in fields.items() if value is not None}
            line = reader.line_num + 1
    except csv.Error:
        faults.append(Fault(name, line, "broken"))


def _tagged_rows(lines: Iterator[tuple[int, str]]) -> Iterator[Row]:
    """Yield the topics or documents of a TREC file."""
    start, block = 1, list[str]()
    for number, text in lines:
        if _BLOCK.match(text):
            start, block = number, []
        block.append(text)
        if text.lower().rstrip().endswith(("</top>", "</doc>")):
            yield start, _tagged_fields("".join(block))


def _tagged_fields(block: str) -> dict[str, Any]:
    """Return the fields of a TREC topic or document block."""
    number = _tagged(block, "num").removeprefix("Number:").strip()
    if number:
        title = _tagged(block, "title").removeprefix("Topic:")
        return {"query_id": number.split()[0], "query": " ".join(title.split())}
    rest = block[max(block.lower().find("</docno>"), 0) :]
    return {"doc_id": _tagged(block, "docno"), "text": _TAG.sub(" ", rest).strip()}


def _tagged(block: str, tag: str) -> str:
    """Return the text after a tag, up to the next; "" without it."""
    start = block.lower().find(f"<{tag}>")
    return block[start + len(tag) + 2 :].partition("<")[0].strip() if start >= 0 else ""
