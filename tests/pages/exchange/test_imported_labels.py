"""What screens tell of labels that came from another tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from annotation.exchange.foreign import Fields
from annotation.work.queue_service import open_item
from services.exchange.label_guides import Guide
from services.exchange.label_import import import_labels
from storage.db.workspace import Workspace
from tests.pages.screens import opened, select, table
from tests.pages.small_project import SLUG, Small, leader, small_project


def with_labels(small: Small, folder: Path, *questions: tuple[str, bool]) -> None:
    """Bring in labels of two users: alike where a question says so, else different ones."""
    first, second, *_ = (
        each.semantic_id
        for each in open_item(small.workspace, small.ara.id, small.items["q1"]).candidates
    )
    tasks = []
    for name, alike in questions:
        made = []
        for user, choice in (("1", first), ("<b>2</b>", first if alike else second)):
            value = {"choices": [choice]}
            result = [{"from_name": "c", "type": "choices", "value": value}]
            made.append(
                {"completed_by": user, "updated_at": "2024-05-01T09:00:00Z", "result": result}
            )
        tasks.append({"data": {"id": name}, "annotations": made})
    file = folder / "labels.json"
    file.write_text(json.dumps(tasks))
    people = {"1": "Kim Ara", "<b>2</b>": "Park Jun"}
    guide = Guide(Fields("id", "c"), people, {}, "accept")
    import_labels(small.workspace, SLUG, file, "label-studio", guide)


def test_adjudication_gold_and_agreement_tell_what_came_from_another_tool(
    workspace: Workspace, tmp_path: Path
) -> None:
    small = small_project(workspace)
    lead, column = leader(workspace), "From another tool"
    state: dict[str, Any] = {"agreement-progress-more": True}
    at = opened("agreement", small, lead, **state)
    assert not any(column in each.value.columns for each in at.dataframe)
    with_labels(small, tmp_path, ("q1", True), ("q2", False))
    at = opened("agreement", small, lead, **state)
    assert table(at, column)[column].tolist() == [2, 2]

    said = "Made in another tool; time not measured"
    at = opened("adjudication", small, small.sora)
    assert sum(said in each.value for each in at.caption) == 2

    at = select(opened("gold", small, lead), "gold-table", 0)
    told = [each.value for each in at.text if "labels.json" in each.value]
    assert len(told) == 2
    assert all("Label Studio" in each and "2024-05-01 09:00 UTC" in each for each in told)
    assert any("<b>2</b>" in each for each in told), "a name is text"
