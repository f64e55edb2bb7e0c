"""Citation mapping as each kind of person finds it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from annotation.work.queue_service import ItemView
from annotation.work.threads import thread
from pages.mapping.citation_mapping import PAGE, kept_words
from pages.task.acts import TaskSession, carry_out
from pages.task.viewer import thread_part
from storage.db.workspace import Workspace
from tests.pages.screens import told, viewer
from tests.pages.small_project import SLUG, Small, empty_project, page, shown, small_project


@pytest.fixture
def small(workspace: Workspace) -> Small:
    return small_project(workspace)


def test_it_opens_the_first_item_and_comes_back_to_the_draft_that_was_left(small: Small):
    data = told("citation_mapping", small, small.ara)
    assert data["fixed"]["externalId"] == "q1"
    assert data["moving"]["total"] == 6
    assert [card["label"] for card in data["fixed"]["candidates"]]
    assert data["words"]["accept"] == "Accept"
    data = told("citation_mapping", small, small.ara, small.items["q4"])
    assert data["fixed"]["externalId"] == "q4"

    where = small.workspace, small.ara.id, small.items["q3"]
    unit = queue_service.open_item(*where).candidates[0].unit_id
    mapping_commands.label(*where, unit, "unsure")
    commands.set_comment(*where, "which paragraph?")
    data = told("citation_mapping", small, small.ara)
    assert data["fixed"]["externalId"] == "q3"
    moving = data["moving"]
    assert moving["decisions"] == {str(unit): "unsure"}
    assert (moving["comment"], moving["status"]) == ("which paragraph?", "draft")

    data = told("citation_mapping", small, small.jun, small.items["q3"])
    assert data["moving"]["decisions"] == {}, "nobody else's draft is told"


def test_an_address_that_names_no_item_leads_to_the_next_one(small: Small):
    for item, told_so in (("999", True), ("9" * 5000, False), ("٣", False), ("<b>", False)):
        at = page("citation_mapping", small, small.ara)
        at.query_params["item"] = item
        at.run()
        assert viewer(at)["fixed"]["externalId"] == "q1"
        assert "defect" not in shown(at)
        assert bool(at.error) == told_so, "a number looks meant"


def test_a_finished_queue_and_an_empty_project_say_so(small: Small, tmp_path: Path):
    for item in small.items.values():
        mapping_commands.set_no_provision(small.workspace, small.ara.id, item, True)
        commands.submit(small.workspace, small.ara.id, item)
    data = told("citation_mapping", small, small.ara)
    assert data["fixed"] == {"finished": True}
    assert (data["moving"]["done"], data["moving"]["total"]) == (6, 6)
    assert data["moving"]["canTakeBack"]

    empty = Workspace(tmp_path / "empty", small.workspace.clock)
    data = told("citation_mapping", empty, empty_project(empty)[0])
    assert data["fixed"] == {"finished": True}
    assert (data["moving"]["total"], data["moving"]["canTakeBack"]) == (0, False)


Act = dict[str, Any]
HANDLERS = PAGE.handlers


class Window:
    """A window in which Ara has question 1 open; it numbers what it sends."""

    def __init__(self, small: Small, client: str = "c1") -> None:
        self.small, self.client, self.seq = small, client, 0
        self.item = small.items["q1"]
        self.session = TaskSession(SLUG, small.ara.id, self.item)

    def act(self, kind: str, **parts: Any) -> Act:
        self.seq += 1
        return {"seq": self.seq, "kind": kind, "item": self.item} | parts

    def label(self, at: int, decision: str | None, **parts: Any) -> Act:
        unit = view(self.small).candidates[at].unit_id
        return self.act("label", unit=unit, decision=decision) | parts

    def submission(self, **parts: Any) -> Act:
        return self.act("submit", anyway=True, externalId="q1") | parts

    def send(self, *acts: Any) -> list[dict[str, Any]]:
        """Send acts; return those that failed."""
        sent = {"client": self.client, "person": self.small.ara.id, "have": "", "acts": [*acts]}
        carry_out(self.small.workspace, self.session, sent, "en", HANDLERS)
        return self.session.failed


@pytest.fixture
def window(small: Small) -> Window:
    return Window(small)


def view(small: Small, external_id: str = "q1") -> ItemView:
    return queue_service.open_item(small.workspace, small.ara.id, small.items[external_id])


def decisions(small: Small) -> list[str | None]:
    return [candidate.decision for candidate in view(small).candidates]


def test_each_act_is_carried_out_once_in_the_order_of_its_number(small: Small, window: Window):
    first, second = window.label(0, "accept"), window.label(0, "reject")
    window.send(second, first)
    assert decisions(small)[0] == "reject"
    assert window.session.answer() == {"client": "c1", "seq": 2, "failed": []}
    third = window.label(0, None)
    for _ in range(2):
        window.send(first, second, third)
        assert decisions(small)[0] is None
        assert window.session.seq == 3
    fourth = window.label(0, "accept")
    window.send(fourth, {**fourth, "decision": "reject"})
    assert decisions(small)[0] == "accept", "a number twice in one message counts once"
    window.client = "c2"
    window.send({**fourth, "seq": 1, "decision": "reject"})
    assert decisions(small)[0] == "reject", "another viewer counts anew"


def test_a_repeated_message_keeps_what_is_still_to_be_told(small: Small, window: Window):
    acts = window.act("no_provision", value=True), window.submission()
    for _ in range(2):
        window.send(*acts)
        kept = {"kept": "0 accepted, 3 not."}
        notice = {"what": "submitted", "externalId": "q1", "item": window.item}
        assert window.session.notice == notice | kept
        assert window.session.item_id == small.items["q2"]
        assert view(small).status == "submitted"


def test_a_failure_stops_the_batch_and_not_the_next(small: Small, window: Window):
    first, unknown = window.label(0, "accept"), window.label(0, "reject", unit=10**9)
    failed = window.send(first, unknown, window.submission())
    assert decisions(small)[0] == "accept"
    assert view(small).status == "draft"
    assert window.session.item_id == window.item
    assert [each["seq"] for each in failed] == [2, 3]
    assert "is not on this item's list" in failed[0]["message"]
    assert window.send(window.label(1, "accept")) == []
    assert decisions(small)[1] == "accept"


def test_what_is_no_act_or_of_whoever_sat_here_before_is_left_alone(small: Small, window: Window):
    mine = {"client": "c1", "person": small.ara.id}
    no_numbers = [3, {"seq": "1", "kind": "label"}, {"seq": True, "kind": "label"}]
    others: list[Any] = [{"acts": "none"}, {"acts": no_numbers}]
    others.append({"acts": [{"seq": 1, "kind": "erase"}]})
    for sent in (None, "text", *(mine | each for each in others)):
        carry_out(small.workspace, window.session, sent, "en", HANDLERS)
        assert window.session.seq == 0
        assert view(small).status == "todo"

    window.session = TaskSession(SLUG, small.jun.id, window.item)
    window.send(window.label(0, "accept"))
    other = queue_service.open_item(small.workspace, small.jun.id, window.item)
    assert decisions(small)[0] is other.candidates[0].decision is None
    assert window.session.seq == 0


def test_one_can_go_back_to_what_was_skipped_or_submitted(small: Small, window: Window):
    session, second = window.session, small.items["q2"]
    for how, code in (({}, "nothing_left"), ({"submitted": True}, "nothing_submitted")):
        (failure,) = window.send(window.act("back", **how))
        assert (failure["code"], session.item_id) == (code, window.item)

    window.send(window.act("skip", reason="later"))
    assert session.item_id == second
    window.send(window.act("back", item=second))
    assert (session.item_id, view(small).status) == (window.item, "skipped")
    window.send(window.act("undo"))
    assert (session.item_id, view(small).status) == (window.item, "todo")

    window.send(window.label(0, "accept"), window.submission())
    assert session.notice is not None and session.notice["what"] == "submitted"
    (failure,) = window.send(window.act("undo", item=second))
    assert failure["code"] == "nothing_to_undo", "it does not reach behind the open item"
    assert (session.item_id, view(small).status) == (second, "submitted")
    window.send(window.act("back", item=None, submitted=True))
    assert (session.item_id, view(small).status) == (window.item, "submitted"), "only opened"
    (failure,) = window.send(window.act("undo"))
    assert failure["code"] == "item_submitted"
    window.send(window.act("take_back", externalId="q1"))
    assert session.notice == {"what": "taken_back", "externalId": "q1", "item": window.item}
    assert (session.item_id, view(small).status) == (window.item, "draft")
    assert decisions(small)[0] == "accept"


def test_a_unit_is_searched_and_added_and_the_queue_tells_where_all_stand(
    small: Small, window: Window
):
    window.send(window.act("search", query="피난 안내"))
    found = window.session.told["found"]
    assert (found["query"], found["hits"][0]["label"]) == ("피난 안내", "제3조")
    window.send(window.act("add", unit=found["hits"][0]["unit"]))
    added = {each.label: each.decision for each in view(small).candidates}
    assert added["제3조"] == "accept"
    window.send(window.act("queue"))
    assert window.session.queue is not None
    assert [row[4] for row in window.session.queue] == ["draft", *["todo"] * 5]
    assert window.session.queue[1][:3] == [small.items["q2"], 2, "q2"]


def test_a_message_is_said_once_and_the_thread_comes_with_it(small: Small, window: Window):
    act = window.act("say", text="Which paragraph?", replyTo=None)
    for _ in range(2):
        window.send(act)
        assert window.session.thread is not None
        assert [each.text for each in window.session.thread[1]] == ["Which paragraph?"]
    assert Window(small).send(act) == [], "a server that forgot the viewer says nothing twice"
    texts = [each.text for each in thread(small.workspace, small.ara.id, window.item)]
    assert texts == ["Which paragraph?"]
    window.send(window.act("say", text="This one.", replyTo=1))
    assert window.session.thread is not None
    told = thread_part(*window.session.thread, small.ara.id, "ko")
    said = [(row["text"], row["mine"], row["role"], row["replyTo"]) for row in told["messages"]]
    first = "Which paragraph?", True, "주석자", None
    assert said == [first, ("This one.", True, "주석자", 1)]
    assert json.loads(json.dumps(told)) == told


def test_what_the_viewer_has_not_heard_of_stops_what_it_sends_behind(small: Small, window: Window):
    """A newer message may replace the answer that told of a failure."""
    bad = window.label(0, "accept", unit=999)
    window.send(bad)
    failed = window.send(bad, window.label(1, "accept"), window.submission(revision=None))
    told = [(each["seq"], each.get("after", False)) for each in failed]
    assert told == [(1, False), (2, True), (3, True)]
    assert (view(small).status, decisions(small)[1]) == ("todo", None)
    assert window.send(window.label(1, "accept")) == []
    assert decisions(small)[1] == "accept"


def test_two_windows_meet_over_a_label(small: Small, window: Window):
    other = Window(small, "c2")
    other.send(other.label(0, "reject", was=None))
    first, behind = window.send(window.label(0, "accept", was=None), window.label(1, "accept"))
    assert (first["code"], first["met"]["now"]) == ("changed_elsewhere", "reject")
    assert (behind["after"], "met" in behind) == (True, False)
    assert decisions(small)[:2] == ["reject", None]
    again = window.label(0, "accept", was="reject"), window.label(0, "unsure", was="accept")
    assert (window.send(*again), decisions(small)[0]) == ([], "unsure")


@pytest.mark.parametrize("together", [True, False])
def test_acts_still_on_their_way_make_no_submission_stale(
    small: Small, window: Window, together: bool
):
    shown = view(small).revision
    acts = [window.label(0, "accept"), window.act("undo"), window.act("no_provision", value=True)]
    acts.append(window.submission(revision=shown))
    for batch in [acts] if together else [[act] for act in acts]:
        assert window.send(*batch) == []
    assert view(small).status == "submitted"


TOO_LONG = "x" * 10_000_000
BAD = {
    "ten megabytes": TOO_LONG,
    "script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "right to left": "\u202egnp.exe\u2066",
    "no width": "a\u200b\u200db",
    "nul": "a\0b",
    "half a character": "a\ud800b",
}
FIELDS = {"comment": "text", "say": "text", "search": "query"}


@pytest.mark.parametrize("kind", FIELDS)
def test_bad_text_in_any_field_is_refused_in_words_or_kept_as_text(
    small: Small, window: Window, kind: str, caplog: pytest.LogCaptureFixture
):
    window.send(window.label(0, "accept"))
    for name, bad in BAD.items():
        failed = window.send(window.act(kind, externalId=bad, **{FIELDS[kind]: bad}))
        seen = view(small)
        fields = [seen.comment, seen.flag, seen.skip_reason]
        fields += [each.text for each in thread(small.workspace, small.ara.id, window.item)]
        if bad == TOO_LONG and kind != "search":
            assert "at most 5000" in failed[0]["message"]
            assert not any(fields)
        elif kind != "search":
            assert failed == [], name
            assert bad.replace("\0", "").replace("\ud800", "?") in fields, name
        assert seen.candidates[0].decision == "accept", "what was decided before is kept"
        assert len(json.dumps(window.session.answer())) < 1000
    assert not caplog.records, "nothing of it is a defect"


@pytest.mark.parametrize("field", ["item", "replyTo", "confidence"])
def test_no_forged_number_reaches_anything(small: Small, window: Window, field: str):
    for wrong in ("1", -1, 2**70, 1.5, [1], {"a": 1}, True, None):
        none = window.act("no_provision", value=True)
        say, submit = window.act("say", text="Hm", replyTo=None), window.submission(confidence=None)
        acts = [{**act, field: wrong} if field in act else act for act in (none, say, submit)]
        fine = wrong is None and field != "item"
        assert bool(window.send(*acts)) != fine, wrong
        assert (view(small).status == "submitted") == fine, wrong


def test_what_is_cited_and_passed_over_is_asked_about_once(small: Small, window: Window):
    (failure,) = window.send(window.label(0, "accept"), window.submission(anyway=False))
    assert (failure["code"], failure["unit"]) == ("cited_undecided", small.unit("q1", "제2조"))
    assert failure["parts"][0] == "1 cited provision is undecided: 제2조."
    assert view(small).status == "draft"
    window.send(window.submission())
    assert view(small).status == "submitted"
    assert window.session.notice is not None
    assert window.session.notice["kept"] == "1 accepted, 2 not."


def test_the_line_of_a_submission_says_what_was_kept():
    assert kept_words({"accept": 2, "": 18}, "en") == "2 accepted, 18 not."
    some = {"accept": 1, "unsure": 1, "reject": 3, "": 2}
    assert kept_words(some, "en") == "1 accepted, 1 unsure, 5 not."
    assert kept_words({}, "en") == "0 accepted, 0 not."


def test_an_act_without_its_parts_is_told_as_a_defect(
    window: Window, caplog: pytest.LogCaptureFixture
):
    (failure,) = window.send({"seq": 1, "kind": "label"})
    assert "Internal error" in failure["message"]
    assert caplog.records[0].name == "touchstone"
