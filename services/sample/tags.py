"""The tags of the sample: what its two annotators said of four of its court cases."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annotation.forms.commands import answer
from annotation.people.members import list_people
from annotation.work.commands import submit
from annotation.work.queue_service import queue
from storage.cases.court_cases import case_of
from storage.db.workspace import Workspace
from storage.tables.core import Item
from storage.tasks import Task


def tag_sample_cases(workspace: Workspace, project_slug: str, file: Path) -> None:
    """Let the sample's people submit the tags of the file; what they submitted already stays."""
    people = {person.name: person.id for person in list_people(workspace, project_slug)}
    for line in file.read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        person_id = people[said["person"]]
        entries = queue(workspace, person_id, Task.FACTOR_TAGGING)
        (entry,) = (each for each in entries if each.external_id == said["case"])
        if entry.status != "submitted":
            _tag(workspace, person_id, entry.item_id, said)


def _tag(workspace: Workspace, person_id: int, item_id: int, said: Mapping[str, Any]) -> None:
    with workspace.reading() as session:
        text = case_of(session, session.get_one(Item, item_id).subject_id or 0).text
    for key, option in said["answers"].items():
        quote = said["evidence"].get(key)
        evidence = [] if quote is None else [_evidence(text, option, quote)]
        value = {"options": [option], "evidence": evidence}
        answer(workspace, person_id, item_id, key, value)
    submit(workspace, person_id, item_id)


def _evidence(text: str, option: str, quote: str) -> dict[str, Any]:
    start = text.index(quote)
    return {"option": option, "start": start, "end": start + len(quote), "quote": quote}
