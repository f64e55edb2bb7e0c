"""Import of records about labels that came from other tools."""

from __future__ import annotations

from typing import Any

from annotation.exchange.finding import Finder
from annotation.exchange.lines import RecordReader
from storage.tables.core import DraftEvent
from storage.tables.exchange import ImportedLabel, LabelFile

LABEL_FILE = ("tool", "name", "sha256", "guide_sha256")
IMPORTED_LABEL = ("place", "source_user", "status", "said")
"""Text fields, named alike in records and tables."""

_STATES = ("submitted", "draft", "discarded")
_ENDS = 2


def add_label_file(reader: Finder, line: RecordReader) -> None:
    """Add an imported file."""
    texts: dict[str, Any] = {name: line.text(name) for name in LABEL_FILE}
    reader.keep(
        LabelFile(
            project_id=reader.project.id,
            labels=line.number("labels"),
            by_person_id=reader.by(line),
            at=line.time("at"),
            **texts,
        )
    )


def add_imported_label(reader: Finder, line: RecordReader) -> None:
    """Add a label's origin; its first and last event must be its person's on its item."""
    item_id, person_id = reader.item(line), reader.person(line)
    ids = [reader.earlier(line, DraftEvent, each, "events") for each in line.members("events")]
    made = [reader.session.get_one(DraftEvent, each) for each in ids]
    strange = any((each.item_id, each.person_id) != (item_id, person_id) for each in made)
    if len(ids) != _ENDS or ids[0] > ids[-1] or strange:
        line.refuse("exchange_field", "events")
    line.one_of("status", *_STATES)
    texts: dict[str, Any] = {name: line.text(name) for name in IMPORTED_LABEL}
    reader.keep(
        ImportedLabel(
            label_file_id=reader.earlier(line, LabelFile, line.number("file"), "file"),
            item_id=item_id,
            person_id=person_id,
            made_at=line.maybe_time("made_at"),
            first_event_id=ids[0],
            event_id=ids[1],
            **texts,
        )
    )
