"""The acts of the mapping viewer: each once, in order, and none after a failure."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.work import queue_service
from annotation.work.queue_service import ItemView
from annotation.work.threads import thread
from pages.mapping.citation_mapping import PAGE
from pages.mapping.viewer_data import kept_words
from pages.task.acts import TaskSession, carry_out
from pages.task.viewer_data import frame_part, thread_part
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.small_project import SLUG, Small, small_project


@pytest.fixture
def small(tmp_path: Path, clock: FakeClock) -> Small:
    return small_project(Workspace(tmp_path / "workspace", clock))


@pytest.fixture
def sitting(small: Small) -> TaskSession:
    return TaskSession(SLUG, small.ara.id, small.items["q1"])


def message(small: Small, *acts: dict[str, Any], client: str = "c1") -> dict[str, Any]:
    return {"client": client, "person": small.ara.id, "have": "", "acts": list(acts)}


def send(small: Small, sitting: TaskSession, *acts: dict[str, Any], client: str = "c1") -> None:
    carry_out(small.workspace, sitting, message(small, *acts, client=client), "en", PAGE.handlers)


def view(small: Small, external_id: str = "q1") -> ItemView:
    return queue_service.open_item(small.workspace, small.ara.id, small.items[external_id])


def label(small: Small, seq: int, at: int, decision: str | None) -> dict[str, Any]:
    unit = view(small).candidates[at].unit_id
    item = small.items["q1"]
    return {"seq": seq, "kind": "label", "item": item, "unit": unit, "decision": decision}


def decisions(small: Small) -> list[str | None]:
    return [candidate.decision for candidate in view(small).candidates]


def test_acts_are_carried_out_in_the_order_of_their_numbers(small: Small, sitting: TaskSession):
    send(small, sitting, label(small, 2, 0, "reject"), label(small, 1, 0, "accept"))
    assert decisions(small)[0] == "reject"
    assert sitting.answer() == {"client": "c1", "seq": 2, "failed": []}


def test_a_repeated_message_changes_nothing(small: Small, sitting: TaskSession):
    first = label(small, 1, 0, "accept")
    send(small, sitting, first)
    send(small, sitting, first, label(small, 2, 0, None))
    send(small, sitting, first, label(small, 2, 0, None))
    assert decisions(small)[0] is None
    assert sitting.seq == 2


def test_a_repeated_message_keeps_what_is_still_to_be_told(small: Small, sitting: TaskSession):
    item = small.items["q1"]
    none = {"seq": 1, "kind": "no_provision", "item": item, "value": True}
    submit = {"seq": 2, "kind": "submit", "anyway": True, "item": item, "externalId": "q1"}
    send(small, sitting, none, submit)
    send(small, sitting, none, submit)
    kept = {"kept": "0 accepted, 3 not."}
    assert sitting.notice == {"what": "submitted", "externalId": "q1", "item": item} | kept
    assert sitting.item_id == small.items["q2"]
    assert view(small).status == "submitted"


def test_a_number_twice_in_one_message_counts_once(small: Small, sitting: TaskSession):
    send(small, sitting, label(small, 1, 0, "accept"), label(small, 1, 0, "reject"))
    assert decisions(small)[0] == "accept"


def test_a_failure_stops_the_batch(small: Small, sitting: TaskSession):
    item = small.items["q1"]
    unknown = {"seq": 2, "kind": "label", "item": item, "unit": 10**9, "decision": "reject"}
    submit = {"seq": 3, "kind": "submit", "anyway": True, "item": item}
    send(small, sitting, label(small, 1, 0, "accept"), unknown, submit)
    assert decisions(small)[0] == "accept"
    assert view(small).status == "draft"
    assert sitting.item_id == item
    assert [failed["seq"] for failed in sitting.failed] == [2, 3]
    assert "is not on this item's list" in sitting.failed[0]["message"]


def test_the_next_batch_is_carried_out_after_a_failure(small: Small, sitting: TaskSession):
    send(small, sitting, {"seq": 1, "kind": "submit", "anyway": True, "item": small.items["q1"]})
    assert sitting.failed
    send(small, sitting, label(small, 2, 0, "accept"))
    assert sitting.failed == []
    assert decisions(small)[0] == "accept"


def test_another_viewer_counts_anew(small: Small, sitting: TaskSession):
    send(small, sitting, label(small, 7, 0, "accept"), client="c1")
    send(small, sitting, label(small, 1, 0, "reject"), client="c2")
    assert decisions(small)[0] == "reject"


def test_acts_of_whoever_sat_here_before_are_dropped(small: Small):
    sitting = TaskSession(SLUG, small.jun.id, small.items["q1"])
    send(small, sitting, label(small, 1, 0, "accept"))
    other = queue_service.open_item(small.workspace, small.jun.id, small.items["q1"])
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
def test_what_is_no_act_is_left_alone(small: Small, sitting: TaskSession, sent: Any):
    if isinstance(sent, dict):
        sent = {"client": "c1", "person": small.ara.id, **sent}
    carry_out(small.workspace, sitting, sent, "en", PAGE.handlers)
    assert sitting.seq == 0
    assert view(small).status == "todo"


def test_an_act_without_its_parts_is_told_as_a_defect(
    small: Small, sitting: TaskSession, caplog: pytest.LogCaptureFixture
):
    send(small, sitting, {"seq": 1, "kind": "label"})
    assert "Internal error" in sitting.failed[0]["message"]
    assert caplog.records[0].name == "touchstone"


def test_every_note_of_an_item_can_be_made_and_undone(small: Small, sitting: TaskSession):
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


def test_skip_goes_on_and_one_can_go_back_and_undo_it(small: Small, sitting: TaskSession):
    skipped = {"seq": 1, "kind": "skip", "item": small.items["q1"], "reason": "later"}
    send(small, sitting, skipped)
    assert sitting.item_id == small.items["q2"]
    send(small, sitting, {"seq": 2, "kind": "back", "item": small.items["q2"]})
    assert (sitting.item_id, view(small).status) == (small.items["q1"], "skipped")
    send(small, sitting, {"seq": 3, "kind": "undo", "item": small.items["q1"]})
    assert sitting.item_id == small.items["q1"]
    assert view(small).status == "todo"


def test_undo_does_not_reach_behind_the_open_item(small: Small, sitting: TaskSession):
    send(small, sitting, label(small, 1, 0, "accept"), submission(small, 2, None))
    send(small, sitting, {"seq": 3, "kind": "undo", "item": small.items["q2"]})
    assert [failed["code"] for failed in sitting.failed] == ["nothing_to_undo"]
    assert view(small).status == "submitted"
    assert sitting.item_id == small.items["q2"]


def test_a_submission_is_taken_back_on_its_own_item_and_it_is_said(
    small: Small, sitting: TaskSession
):
    item = small.items["q1"]
    send(small, sitting, label(small, 1, 0, "accept"), submission(small, 2, None))
    assert sitting.notice is not None and sitting.notice["what"] == "submitted"
    send(small, sitting, {"seq": 3, "kind": "back", "item": None, "submitted": True})
    assert (sitting.item_id, view(small).status) == (item, "submitted"), "it is only opened"
    send(small, sitting, {"seq": 4, "kind": "undo", "item": item})
    assert [failed["code"] for failed in sitting.failed] == ["item_submitted"]
    send(small, sitting, {"seq": 5, "kind": "take_back", "item": item, "externalId": "q1"})
    assert sitting.notice == {"what": "taken_back", "externalId": "q1", "item": item}
    assert (sitting.item_id, view(small).status) == (item, "draft")
    assert decisions(small)[0] == "accept"


@pytest.mark.parametrize(
    ("how", "code"), [({}, "nothing_left"), ({"submitted": True}, "nothing_submitted")]
)
def test_where_nothing_was_left_there_is_no_way_back(
    small: Small, sitting: TaskSession, how: dict[str, Any], code: str
):
    send(small, sitting, {"seq": 1, "kind": "back", "item": small.items["q1"], **how})
    assert [failed["code"] for failed in sitting.failed] == [code]
    assert sitting.item_id == small.items["q1"]


def test_search_finds_a_unit_that_can_be_added(small: Small, sitting: TaskSession):
    item = small.items["q1"]
    send(small, sitting, {"seq": 1, "kind": "search", "item": item, "query": "피난 안내"})
    found = sitting.told["found"]
    assert found["query"] == "피난 안내"
    assert found["hits"][0]["label"] == "제3조"
    send(small, sitting, {"seq": 2, "kind": "add", "item": item, "unit": found["hits"][0]["unit"]})
    added = {each.label: each.decision for each in view(small).candidates}
    assert added["제3조"] == "accept"


def test_the_queue_tells_where_every_item_stands(small: Small, sitting: TaskSession):
    send(small, sitting, label(small, 1, 0, "accept"), {"seq": 2, "kind": "queue"})
    assert sitting.queue is not None
    assert [row[4] for row in sitting.queue] == ["draft", *["todo"] * 5]
    assert sitting.queue[1][:3] == [small.items["q2"], 2, "q2"]


def test_a_message_is_said_once_and_the_thread_comes_with_it(small: Small, sitting: TaskSession):
    item = small.items["q1"]
    act = {"seq": 1, "kind": "say", "item": item, "text": "Which paragraph?", "replyTo": None}
    send(small, sitting, act)
    send(small, sitting, act)
    assert sitting.thread is not None
    assert [each.text for each in sitting.thread[1]] == ["Which paragraph?"]
    reply = {"seq": 2, "kind": "say", "item": item, "text": "This one.", "replyTo": 1}
    send(small, sitting, reply, client="c1")
    told = thread_part(*sitting.thread, small.ara.id, "ko")
    assert [
        (row["text"], row["mine"], row["role"], row["replyTo"]) for row in told["messages"]
    ] == [
        ("Which paragraph?", True, "주석자", None),
        ("This one.", True, "주석자", 1),
    ]
    assert json.loads(json.dumps(told)) == told


def test_a_server_that_forgot_the_viewer_says_nothing_twice(small: Small, sitting: TaskSession):
    act = {"seq": 1, "kind": "say", "item": small.items["q1"], "text": "Once."}
    send(small, sitting, act)
    anew = TaskSession(SLUG, small.ara.id, small.items["q1"])
    send(small, anew, act)
    assert anew.failed == []
    assert [each.text for each in thread(small.workspace, small.ara.id, small.items["q1"])] == [
        "Once."
    ]


def test_how_sure_they_were_goes_with_the_submission(small: Small, sitting: TaskSession):
    item = small.items["q1"]
    none = {"seq": 1, "kind": "no_provision", "item": item, "value": True}
    send(
        small,
        sitting,
        none,
        {"seq": 2, "kind": "submit", "anyway": True, "item": item, "confidence": "5"},
    )
    assert "not a confidence" in sitting.failed[0]["message"]
    assert view(small).status == "draft"
    send(
        small, sitting, {"seq": 3, "kind": "submit", "anyway": True, "item": item, "confidence": 5}
    )
    assert view(small).confidence == 5
    assert frame_part(view(small))["confidence"] == 5


def submission(small: Small, seq: int, revision: str | None) -> dict[str, Any]:
    return {
        "seq": seq,
        "kind": "submit",
        "anyway": True,
        "item": small.items["q1"],
        "revision": revision,
    }


def test_a_window_submits_nothing_that_another_one_changed(small: Small, sitting: TaskSession):
    other = TaskSession(SLUG, small.ara.id, small.items["q1"])
    send(small, sitting, label(small, 1, 0, "accept"))
    shown = view(small).revision
    send(small, other, label(small, 1, 1, "accept"), client="c2")
    send(small, sitting, submission(small, 2, shown))
    assert "changed in another window" in sitting.failed[0]["message"]
    assert (view(small).status, decisions(small)[:2]) == ("draft", ["accept", "accept"])
    assert sitting.item_id == small.items["q1"], "it stays, to be looked at again"
    send(small, sitting, submission(small, 3, frame_part(view(small))["revision"]))
    assert view(small).status == "submitted"


def test_an_own_act_on_top_does_not_hide_what_another_window_did(
    small: Small, sitting: TaskSession
):
    other = TaskSession(SLUG, small.ara.id, small.items["q1"])
    send(small, sitting, label(small, 1, 0, "accept"))
    shown = view(small).revision
    send(small, other, label(small, 1, 1, "accept"), client="c2")
    send(small, sitting, label(small, 2, 0, "unsure"), submission(small, 3, shown))
    assert [failed["seq"] for failed in sitting.failed] == [3]
    assert decisions(small)[:2] == ["unsure", "accept"], "nothing is lost"


def test_what_the_viewer_has_not_heard_of_stops_what_it_sends_behind(
    small: Small, sitting: TaskSession
):
    """A newer message may replace the answer that told of a failure."""
    bad = {**label(small, 1, 0, "accept"), "unit": 999}
    good, sent = label(small, 2, 1, "accept"), submission(small, 3, None)
    send(small, sitting, bad)
    send(small, sitting, bad, good, sent)
    assert [failed["seq"] for failed in sitting.failed] == [1, 2, 3]
    assert [failed.get("after", False) for failed in sitting.failed] == [False, True, True]
    assert (view(small).status, decisions(small)[1]) == ("todo", None)
    send(small, sitting, label(small, 4, 1, "accept"))
    assert (sitting.failed, decisions(small)[1]) == ([], "accept")


def test_two_windows_meet_over_a_label(small: Small, sitting: TaskSession):
    other = TaskSession(SLUG, small.ara.id, small.items["q1"])
    send(small, other, {**label(small, 1, 0, "reject"), "was": None}, client="c2")
    send(
        small, sitting, {**label(small, 1, 0, "accept"), "was": None}, label(small, 2, 1, "accept")
    )
    first, behind = sitting.failed
    assert (first["code"], first["met"]["now"]) == ("changed_elsewhere", "reject")
    assert (behind["after"], "met" in behind) == (True, False)
    assert decisions(small)[:2] == ["reject", None]
    again = {**label(small, 3, 0, "accept"), "was": "reject"}
    send(small, sitting, again, {**label(small, 4, 0, "unsure"), "was": "accept"})
    assert (sitting.failed, decisions(small)[0]) == ([], "unsure")


def test_undo_does_not_take_back_what_another_window_did_unseen(small: Small, sitting: TaskSession):
    other = TaskSession(SLUG, small.ara.id, small.items["q1"])
    send(small, sitting, label(small, 1, 0, "accept"))
    shown, item = view(small).revision, small.items["q1"]
    send(small, other, label(small, 1, 1, "reject"), client="c2")
    undo = {"kind": "undo", "item": item, "revision": shown}
    send(small, sitting, {"seq": 2, **undo})
    assert sitting.failed[0]["met"]["now"]["decision"] == "reject"
    assert decisions(small)[:2] == ["accept", "reject"]
    undo["revision"] = view(small).revision
    send(small, sitting, {"seq": 3, **undo}, {"seq": 4, **undo})  # the second on its way, too
    assert (sitting.failed, decisions(small)[:2]) == ([], [None, None])


@pytest.mark.parametrize("together", [True, False])
def test_acts_still_on_their_way_make_no_submission_stale(
    small: Small, sitting: TaskSession, together: bool
):
    shown = view(small).revision
    item = small.items["q1"]
    acts = [
        label(small, 1, 0, "accept"),
        label(small, 2, 1, "accept"),
        {"seq": 3, "kind": "undo", "item": item},
        {"seq": 4, "kind": "comment", "item": item, "text": "clear"},
        submission(small, 5, shown),
    ]
    for batch in [acts] if together else [[act] for act in acts]:
        send(small, sitting, *batch)
        assert sitting.failed == []
    assert view(small).status == "submitted"


BAD = {
    "ten megabytes": "x" * 10_000_000,
    "script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "right to left": "\u202egnp.exe\u2066",
    "no width": "a\u200b\u200db",
    "nul": "a\0b",
    "half a character": "a\ud800b",
}
FIELDS = {"comment": "text", "flag": "reason", "skip": "reason", "say": "text", "search": "query"}


@pytest.mark.parametrize("kind", FIELDS)
@pytest.mark.parametrize("bad", BAD)
def test_bad_text_in_any_field_is_refused_in_words_or_kept_as_text(
    small: Small, sitting: TaskSession, kind: str, bad: str, caplog: pytest.LogCaptureFixture
):
    item = small.items["q1"]
    send(small, sitting, label(small, 1, 0, "accept"))
    act = {"seq": 2, "kind": kind, "item": item, FIELDS[kind]: BAD[bad], "externalId": BAD[bad]}
    send(small, sitting, act)
    kept = BAD[bad].replace("\0", "").replace("\ud800", "?")
    seen = view(small)
    fields = [seen.comment, seen.flag, seen.skip_reason]
    fields += [each.text for each in thread(small.workspace, small.ara.id, item)]
    if bad == "ten megabytes" and kind != "search":
        assert "at most 5000" in sitting.failed[0]["message"]
        assert not any(fields)
    elif kind != "search":
        assert sitting.failed == []
        assert kept in fields
    assert seen.candidates[0].decision == "accept", "what was decided before is kept"
    assert not caplog.records, "nothing of it is a defect"
    assert len(json.dumps(sitting.answer())) < 1000


@pytest.mark.parametrize("wrong", [None, "1", -1, 2**70, 1.5, [1], {"a": 1}, True])
@pytest.mark.parametrize("field", ["item", "replyTo", "confidence"])
def test_no_forged_number_reaches_anything(
    small: Small, sitting: TaskSession, field: str, wrong: Any
):
    item = small.items["q1"]
    none = {"seq": 1, "kind": "no_provision", "item": item, "value": True}
    say = {"seq": 2, "kind": "say", "item": item, "text": "Hm", "replyTo": None}
    submit = {"seq": 3, "kind": "submit", "anyway": True, "item": item, "confidence": None}
    acts = [{**act, field: wrong} if field in act else act for act in (none, say, submit)]
    send(small, sitting, *acts)
    fine = wrong is None and field != "item"
    assert bool(sitting.failed) != fine
    assert (view(small).status == "submitted") == fine


def test_what_is_cited_and_passed_over_is_asked_about_once(small: Small, sitting: TaskSession):
    item, unit = small.items["q1"], small.unit("q1", "제2조")
    submit = {"kind": "submit", "item": item, "externalId": "q1"}
    send(small, sitting, label(small, 1, 0, "accept"), {"seq": 2, **submit})
    [failure] = sitting.failed
    assert (failure["code"], failure["unit"]) == ("cited_undecided", unit)
    assert failure["parts"][0] == "1 cited provision is undecided: 제2조."
    assert view(small).status == "draft"
    send(small, sitting, {"seq": 3, "anyway": True, **submit})
    assert view(small).status == "submitted"
    assert sitting.notice is not None and sitting.notice["kept"] == "1 accepted, 2 not."


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        ({"accept": 2, "": 18}, "2 accepted, 18 not."),
        ({"accept": 1, "unsure": 1, "reject": 3, "": 2}, "1 accepted, 1 unsure, 5 not."),
        ({}, "0 accepted, 0 not."),
    ],
)
def test_the_line_of_a_submission_says_what_was_kept(kept: dict[str, int], words: str):
    assert kept_words(kept, "en") == words
