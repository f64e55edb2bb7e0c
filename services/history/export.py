"""Export of a history: JSONL with everything, or CSV for a spreadsheet."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path
from typing import TextIO

from annotation.history.entry import EXPORTED
from annotation.history.reading import Entry, Filter, everything
from errors import UserError, Where
from evaluation.tables import write_csv
from storage.db.atomic_files import published_file
from storage.db.workspace import Workspace


def export_history(
    ws: Workspace,
    project_slug: str,
    file: Path,
    part: Filter | None = None,
    by: int | None = None,
) -> int:
    """Write the filtered entries, newest first; return their number.

    In CSV the details are one JSON object, and a cell that a spreadsheet would take for a formula
    begins with an apostrophe. Raises UserError for another ending than .jsonl or .csv, for `by` who
    may not export, and when the file cannot be written.
    """
    write = _WRITERS.get(file.suffix.lower())
    if write is None:
        raise UserError("history_ending", Where(file=str(file)))
    with published_file(file) as path, path.open("w", encoding="utf-8", newline="") as out:
        return write(out, everything(ws, project_slug, part, by))


def history_bytes(
    ws: Workspace,
    project_slug: str,
    ending: str,
    part: Filter | None = None,
    by: int | None = None,
) -> bytes:
    """Return the content that `export_history` would write with that ending."""
    with StringIO(newline="") as out:
        _WRITERS[ending](out, everything(ws, project_slug, part, by))
        return out.getvalue().encode()


def _write_jsonl(out: TextIO, entries: Iterable[Entry]) -> int:
    count = 0
    for entry in entries:
        count += 1
        out.write(json.dumps(entry.as_dict(), ensure_ascii=False) + "\n")
    return count


def _write_csv(out: TextIO, entries: Iterable[Entry]) -> int:
    count = 0

    def rows() -> Iterator[Iterable[object]]:
        """Yield head and entries, counting them."""
        nonlocal count
        yield EXPORTED
        for entry in entries:
            count += 1
            details = json.dumps(entry.details, ensure_ascii=False)
            yield (entry.as_dict() | {"details": details}).values()

    write_csv(out, rows())
    return count


_WRITERS = {".jsonl": _write_jsonl, ".csv": _write_csv}
