"""Write a history to a file: JSONL with everything, or CSV for a spreadsheet."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable
from pathlib import Path

from annotation.history import Entry, Filter, everything
from errors import UserError, Where
from storage.folders import published_file
from storage.workspace import Workspace

COLUMNS = ("key", "at", "kind", "item", "person", "about", "details")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # how a cell begins that a spreadsheet would run


def export_history(
    ws: Workspace,
    project_slug: str,
    file: Path,
    part: Filter | None = None,
    by: int | None = None,
) -> int:
    """Write all that the filter lets through, newest first; return the number of entries.

    In CSV the details are one JSON object, and a cell that a spreadsheet would take for a formula
    begins with an apostrophe. Raises UserError for another ending than .jsonl or .csv, for who may
    not export, and when the file cannot be written.
    """
    write = {".jsonl": _jsonl, ".csv": _csv}.get(file.suffix.lower())
    if write is None:
        raise UserError("history_ending", Where(file=str(file)))
    with published_file(file) as path:
        return write(path, everything(ws, project_slug, part, by))


def _jsonl(path: Path, entries: Iterable[Entry]) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as out:
        for entry in entries:
            count += 1
            out.write(json.dumps(entry.as_dict(), ensure_ascii=False) + "\n")
    return count


def _csv(path: Path, entries: Iterable[Entry]) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="") as out:
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(COLUMNS)
        for entry in entries:
            count += 1
            plain = entry.as_dict()
            plain["details"] = json.dumps(plain["details"], ensure_ascii=False)
            rows.writerow([_cell(plain[name]) for name in COLUMNS])
    return count


def _cell(value: object) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
