"""Measured pace of long work on this machine, which tells how long the next will take.

The last measurement of each kind of work is kept beside the caches of the workspace. Losing the
file loses nothing else; where there is none, nothing is foretold.
"""

from __future__ import annotations

import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from storage.db.workspace import Workspace

CANDIDATES = "candidates"
"""Kind of work: proposing candidates, counted in questions."""


def keep_pace(ws: Workspace, work: str, count: int, seconds: float) -> None:
    """Store how long `count` units of a kind of work took; a failure to write is ignored."""
    if count <= 0 or seconds <= 0:
        return
    kept = _stored_paces(ws) | {work: {"count": count, "seconds": seconds}}
    with suppress(OSError):
        ws.cache.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=ws.cache)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        Path(name).replace(_file(ws))


def expected_seconds(ws: Workspace, work: str, count: int) -> float | None:
    """Estimate the duration of work by its last pace; None if unknown."""
    try:
        last = _stored_paces(ws)[work]
        return count * float(last["seconds"]) / int(last["count"])
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        return None


def _file(ws: Workspace) -> Path:
    """Return the file of known paces."""
    return ws.cache / "pace.json"


def _stored_paces(ws: Workspace) -> dict[str, Any]:
    """Return the last count and seconds of each kind of work; {} if there are none."""
    try:
        found = json.loads(_file(ws).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
