"""The acts of the mapping viewer: each once, in order, and none after a failure."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation import desk
from annotation.views import ItemView
from pages.parts.mapping_acts import Sitting, carry_out
from storage.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import SLUG, Small, small_project


@pytest.fixture
def small(tmp_path: Path, clock: FakeClock) -> Small:
    return small_project(Workspace(tmp_path / "workspace", clock))


@pytest.fixture
def sitting(small: Small) -> Sitting:
    return Sitting(SLUG, small.ara.id, small.items["q1"])


def message(small: Small, *acts: dict[str, Any], client: str = "c1") -> dict[str, Any]:
    return {"client": client, "person": small.ara.id, "have": "", "acts": list(acts)}


def send(small: Small, sitting: Sitting, *acts: dict[str, Any], client: str = "c1") -> None:
    carry_out(small.workspace, sitting, message(small, *acts, client=client), "en")


def view(small: Small, external_id: str = "q1") -> ItemView:
    return desk.open_item(small.workspace, small.ara.id, small.items[external_id])


def label(small: Small, seq: int, at: int, decision: str | None) -> dict[str, Any]:
    unit = view(small).candidates[at].unit_id
    item = small.items["q1"]
    return {"seq": seq, "kind": "label", "item": item, "unit": unit, "decision": decision}


def decisions(small: Small) -> list[str | None]:
    return [candidate.decision for candidate in view(small).candidates]


def test_acts_are_carried_out_in_the_order_of_their_numbers(small: Small, sitting: Sitting):
    send(small, sitting, label(small, 2, 0, "reject"), label(small, 1, 0, "accept"))
    assert decisions(small)[0] == "reject"
    assert sitting.answer() == {"client": "c1", "seq": 2, "failed": []}


def test_a_repeated_message_changes_nothing(small: Small, sitting: Sitting):
    first = label(small, 1, 0, "accept")
    send(small, sitting, first)
    send(small, sitting, first, label(small, 2, 0, None))
    send(small, sitting, first, label(small, 2, 0, None))
    assert decisions(small)[0] is None
    assert sitting.seq == 2


def test_a_repeated_message_keeps_what_is_still_to_be_told(small: Small, sitting: Sitting):
    item = small.items["q1"]
    none = {"seq": 1, "kind": "no_provision", "item": item, "value": True}
    submit = {"seq": 2, "kind": "submit", "item": item, "externalId": "q1"}
    send(small, sitting, none, submit)
    send(small, sitting, none, submit)
    assert sitting.notice == {"what": "submitted", "externalId": "q1"}
    assert sitting.item_id == small.items["q2"]
    assert view(small).status == "submitted"


def test_a_number_twice_in_one_message_counts_once(small: Small, sitting: Sitting):
    send(small, sitting, label(small, 1, 0, "accept"), label(small, 1, 0, "reject"))
    assert decisions(small)[0] == "accept"


def test_a_failure_stops_the_batch(small: Small, sitting: Sitting):
    item = small.items["q1"]
    unknown = {"seq": 2, "kind": "label", "item": item, "unit": 10**9, "decision": "reject"}
    submit = {"seq": 3, "kind": "submit", "item": item}
    send(small, sitting, label(small, 1, 0, "accept"), unknown, submit)
    assert decisions(small)[0] == "accept"
    assert view(small).status == "draft"
    assert sitting.item_id == item
    assert [failed["seq"] for failed in sitting.failed] == [2, 3]
    assert "is not on this item's list" in sitting.failed[0]["message"]


def test_the_next_batch_is_carried_out_after_a_failure(small: Small, sitting: Sitting):
    send(small, sitting, {"seq": 1, "kind": "submit", "item": small.items["q1"]})
    assert sitting.failed
    send(small, sitting, label(small, 2, 0, "accept"))
    assert sitting.failed == []
    assert decisions(small)[0] == "accept"


def test_another_viewer_counts_anew(small: Small, sitting: Sitting):
    send(small, sitting, label(small, 7, 0, "accept"), client="c1")
    send(small, sitting, label(small, 1, 0, "reject"), client="c2")
    assert decisions(small)[0] == "reject"


def test_acts_of_whoever_sat_here_before_are_dropped(small: Small):
    sitting = Sitting(SLUG, small.jun.id, small.items["q1"])
    send(small, sitting, label(small, 1, 0, "accept"))
    other = desk.open_item(small.workspace, small.jun.id, small.items["q1"])
    assert decisions(small)[0] is None
    assert other.candidates[0].decision is None
    assert sitting.seq == 0


@pytest.mark.parametrize(
    "sent",
    [
        None,
        "text",
        {"acts": "none"},
        {"acts": [3, {"seq": "1", "kind": "label"}, {"seq": True, "kind": "label"}]},
        {"acts": [{"seq": 1, "kind": "erase"}]},
    ],
)
def test_what_is_no_act_is_left_alone(small: Small, sitting: Sitting, sent: Any):
    if isinstance(sent, dict):
        sent = {"client": "c1", "person": small.ara.id, **sent}
    carry_out(small.workspace, sitting, sent, "en")
    assert sitting.seq == 0
    assert view(small).status == "todo"


def test_an_act_without_its_parts_is_told_as_a_defect(
    small: Small, sitting: Sitting, caplog: pytest.LogCaptureFixture
):
    send(small, sitting, {"seq": 1, "kind": "label"})
    assert "defect of ours" in sitting.failed[0]["message"]
    assert caplog.records[0].name == "touchstone"


def test_every_note_of_an_item_can_be_made_and_undone(small: Small, sitting: Sitting):
    item = small.items["q1"]
    send(
        small,
        sitting,
        {"seq": 1, "kind": "comment", "item": item, "text": "a comment"},
        {"seq": 2, "kind": "flag", "item": item, "reason": "cut off"},
        {"seq": 3, "kind": "no_provision", "item": item, "value": True},
    )
    seen = view(small)
    assert (seen.comment, seen.flag, seen.no_provision) == ("a comment", "cut off", True)
    send(small, sitting, {"seq": 4, "kind": "undo", "item": item})
    assert view(small).no_provision is False


def test_skip_goes_on_and_undo_comes_back(small: Small, sitting: Sitting):
    skipped = {"seq": 1, "kind": "skip", "item": small.items["q1"], "reason": "later"}
    send(small, sitting, skipped)
    assert sitting.item_id == small.items["q2"]
    assert view(small).status == "skipped"
    send(small, sitting, {"seq": 2, "kind": "undo", "item": small.items["q1"]})
    assert sitting.item_id == small.items["q1"]
    assert view(small).status == "todo"


def test_search_finds_a_unit_that_can_be_added(small: Small, sitting: Sitting):
    item = small.items["q1"]
    send(small, sitting, {"seq": 1, "kind": "search", "item": item, "query": "피난 안내"})
    assert sitting.found is not None
    query, hits = sitting.found
    assert query == "피난 안내"
    assert hits[0].label == "제3조"
    send(small, sitting, {"seq": 2, "kind": "add", "item": item, "unit": hits[0].unit_id})
    added = {each.label: each.decision for each in view(small).candidates}
    assert added["제3조"] == "accept"


def test_the_queue_tells_where_every_item_stands(small: Small, sitting: Sitting):
    send(small, sitting, label(small, 1, 0, "accept"), {"seq": 2, "kind": "queue"})
    assert sitting.queue is not None
    assert [row[4] for row in sitting.queue] == ["draft", *["todo"] * 5]
    assert sitting.queue[1][:3] == [small.items["q2"], 2, "q2"]
