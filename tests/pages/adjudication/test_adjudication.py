from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Checkbox

from annotation.adjudication.disputes import queue
from annotation.batches.commands import set_evidence
from annotation.exchange.files import annotations_bytes
from annotation.gold.derivation import derive
from annotation.history.reading import read
from annotation.mapping import commands as mapping_commands
from annotation.people.members import add_person, deactivate, history
from annotation.work import commands, queue_service
from messages import say
from pages.shell.guard import md_literal
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.browser import field_of
from tests.pages.screens import opened, table
from tests.pages.small_project import (
    HOSTILE,
    SLUG,
    Small,
    annotated_project,
    audited_project,
    leader,
    page,
    shown,
)

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def is_tick(box: Checkbox) -> bool:
    return "case-tick" in (box.key or "")


def ticks(at: AppTest) -> list[bool]:
    return [box.value for box in at.checkbox if is_tick(box)]


def decide(at: AppTest, reason: str) -> AppTest:
    at.text_area[0].set_value(reason)
    decided: AppTest = field_of(at.button, "case-decide").click().run()
    return decided


def test_an_adjudicator_takes_the_words_that_one_side_marked(small: Small):
    ws, item = small.workspace, small.items["q6"]
    set_evidence(ws, SLUG, True)
    for person, spans in ((small.ara, [[0, 6]]), (small.jun, [[4, 9]])):
        first, second = queue_service.open_item(ws, person.id, item).candidates[:2]
        mapping_commands.mark(ws, person.id, item, first.unit_id, spans)
        if person is small.jun:
            mapping_commands.label(ws, person.id, item, second.unit_id, "accept")
        commands.submit(ws, person.id, item)
    at = opened("adjudication", small, small.sora, adjudication_item=item)
    words = next(box for box in at.selectbox if "case-words" in (box.key or ""))
    assert words.options == [
        say("adjudication.words_shared"),
        *(
            f"{person.name}: “{first.text[start:end]}”"
            for person, start, end in ((small.ara, 0, 6), (small.jun, 4, 9))
        ),
        say("adjudication.words_nothing"),
    ]
    decide(words.set_value("1").run(), "Jun has the duty")
    gold = next(each for each in derive(ws, SLUG) if each.item_id == item)
    assert [each["spans"] for each in gold.evidence.values()] == [[[4, 9]]]


def test_an_audited_label_stands_beside_the_sides_and_can_be_taken(workspace: Workspace):
    small = audited_project(workspace)
    at = page("adjudication", small, small.sora).run()
    assert not at.exception
    assert "Label of the data" in shown(at)
    assert "without seeing it" in shown(at)
    field_of(at.button, "case-take-2").click().run()
    assert ticks(at).count(True) == 1
    decide(at, "The label is right.")
    gold = {each.external_id: each for each in derive(workspace, SLUG)}
    assert (gold["q8"].outcome, gold["q8"].units) == ("adjudicated", ("화재안전법_2조",))


def test_cases_are_filtered_by_their_cause_and_opened_by_steps_and_links(small: Small):
    at = page("adjudication", small, small.sora)
    at.query_params["item"] = str(small.items["q4"])
    at.run()
    assert "q4" in at.header[0].value
    at.button(key="adjudication-previous").click().run()
    assert "q2" in at.header[0].value, "the link opens its case once"
    at.button(key="adjudication-next").click().run()
    assert "q4" in at.header[0].value
    at.button(key="adjudication-previous").click().run()
    assert "q2" in at.header[0].value
    at.selectbox(key="adjudication-cause").set_value("flagged").run()
    assert "q4" in at.header[0].value


def test_a_case_is_decided_from_both_sides_and_the_next_comes(small: Small):
    at = opened("adjudication", small, small.sora)
    assert "q2" in at.header[0].value
    assert {"**Kim Ara**", "**Park Jun**"} <= {each.value for each in at.markdown}
    assert HOSTILE in [each.value for each in at.text]
    assert ticks(at) == [False, True], "what both accepted"
    assert '{"shown": "q2"}' in [each.proto.json for each in at.get("bidi_component")]
    assert dropped(at) == []

    decide(at, "  ")
    assert not at.error
    assert say("adjudication.reason_missing") in at.markdown[-1].value
    assert all(entry.decision is None for entry in queue(small.workspace, small.sora.id))
    assert ticks(at) == [False, True]
    assert dropped(at) == [], "what was typed is still needed"
    none = f"case-none-{small.items['q2']}"
    field_of(at.checkbox, none).check().run()
    assert decide(at, "Both at once.").error, "no provision beside a tick"
    field_of(at.checkbox, none).uncheck().run()

    next(box for box in at.checkbox if not box.value and is_tick(box)).check().run()
    decide(at, "Article 2 asks for the check.")
    assert "q2" in at.success[0].value
    assert "q4" in at.header[0].value
    assert '{"shown": "q4"}' in [each.proto.json for each in at.get("bidi_component")]
    assert dropped(at) == [f"case-{small.sora.id}-{small.items['q2']}"]
    assert gold(small) == ("adjudicated", ["1조", "2조"])
    assert table(at, "Reason")["Reason"].tolist() == ["Article 2 asks for the check."]
    assert dropped(at.run()) == [], "the browser is told once"
    assert "Everything is decided" in shown(decide(at, "Two."))


def test_a_decision_can_be_withdrawn_and_made_again(small: Small):
    at = opened("adjudication", small, small.sora)
    tick_all(at)
    decide(at, "both")
    at = opened("adjudication", small, small.sora, adjudication_item=small.items["q2"])
    at.button(key="case-undo").click().run()
    assert _reason(small) == "both", "the first press asks"
    assert "Press again" in at.button(key="case-undo").label
    at.button(key="case-undo").click().run()
    assert _reason(small) == ""
    assert (ticks(at), at.text_area[0].value) == ([True, True], "both"), "there to be changed"

    decide(at, "First.")
    at.session_state["adjudication-item"] = small.items["q2"]
    at.run()
    assert "supersedes" in at.warning[0].value
    assert at.text_area[0].value == "First."
    tick_all(at, False)
    field_of(at.checkbox, f"case-none-{small.items['q2']}").check()
    decide(at, "Second.")
    entry = next(e for e in queue(small.workspace, small.sora.id) if e.external_id == "q2")
    assert entry.decision is not None
    assert (entry.decision.reason, entry.decision.no_provision) == ("Second.", True)


def test_a_draft_with_a_unit_that_was_searched_is_one_in_every_session(small: Small):
    """Ticks, reason and what was brought to the fore come back together after a reload."""
    at = opened("adjudication", small, small.sora)
    at.text_input(key=f"case-search-{small.items['q2']}").set_value("화재안전법 제3조").run()
    at.button(key=f"case-add-{small.items['q2']}-{small.unit('q1', '제3조')}").click().run()
    assert ticks(at) == [False, True, True]
    at.text_area[0].set_value("All three").run()
    next(box for box in at.checkbox if not box.value and is_tick(box)).check().run()
    at.button(key="adjudication-next").click().run()
    assert at.text_area[0].value == "", "another case"
    at.button(key="adjudication-previous").click().run()
    again = opened("adjudication", small, small.sora)
    for each in (at, again):
        assert (ticks(each), each.text_area[0].value) == ([True, True, True], "All three")
    told = read(small.workspace, SLUG, limit=500), history(small.workspace, SLUG)
    assert "All three" not in str(told), "nobody else is told of a draft"
    assert b"All three" not in annotations_bytes(small.workspace, SLUG)
    again.button(key="case-undo-entry").click().run()
    at.run()
    for each in (again, at):
        assert (ticks(each), each.text_area[0].value) == ([False, True, True], "All three")
    decide(again, "Two of them")
    assert gold(small)[1] == ["1조", "3조"]
    after = opened("adjudication", small, small.sora, adjudication_item=small.items["q2"])
    assert after.text_area[0].value == "Two of them", "no draft is left"


def dropped(at: AppTest) -> list[str]:
    """Return the cases of which the browser is told to keep nothing that was typed."""
    told = [json.loads(each.proto.json or "{}") for each in at.get("bidi_component")]
    (found,) = [each["dropped"] for each in told if "dropped" in each]
    return list(found)


def test_a_unit_that_nobody_accepted_comes_to_the_front_when_ticked(small: Small, clock: FakeClock):
    at = opened("adjudication", small, small.sora)
    rest = f"case-others-{small.items['q2']}"
    at.session_state[rest] = True
    at.run()
    assert ticks(at) == [False, True, False]
    next(box for box in reversed(at.checkbox) if is_tick(box)).check().run()
    at.session_state[rest] = False
    assert ticks(at.run()) == [False, True, True]
    clock.now -= timedelta(hours=1)  # a clock that was set back refuses no decision
    decide(at, "Article 3 too.")
    assert not at.error
    assert gold(small)[1] == ["1조", "3조"]


def windows(small: Small) -> list[AppTest]:
    """Open one case in two windows."""
    item = small.items["q2"]
    return [opened("adjudication", small, small.sora, adjudication_item=item) for _ in range(2)]


def test_a_decision_made_meanwhile_is_told_before_it_is_replaced(small: Small):
    """By another adjudicator, or in another window of the same one."""
    first, second = windows(small)
    decide(first, "one")
    decide(second, "two")
    assert not first.error
    assert "has decided this case since you opened it" in second.error[0].value
    assert _reason(small) == "one"
    assert second.text_area[0].value == "two", "what was written is kept"
    left = at_tab(second)
    assert (left, second.header[0].value[-2:]) == ("(1)", "q2"), "counted anew"
    assert "supersedes" in second.warning[0].value
    field_of(second.button, "case-decide").click().run()
    assert not second.error
    assert _reason(small) == "two"
    assert at_tab(second) == "(1)"


def at_tab(at: AppTest) -> str:
    """Return how many cases the screen says are open."""
    return str(at.button_group(key="adjudication-tab").options[0]).split()[-1]


@pytest.mark.parametrize("written", [True, False])
def test_a_decision_made_meanwhile_is_shown_where_nobody_wrote_and_chooses_nothing_unseen(
    small: Small, written: bool
):
    """What the other one ticked is no part of what was chosen before it was there."""
    first, second = windows(small)
    if written:
        second.text_area[0].set_value("one alone").run()
    tick_all(first)
    decide(first, "both")
    if not written:
        second.run()
        assert (ticks(second), second.text_area[0].value) == ([True, True], "both")
        return
    decide(second, "one alone")
    assert second.error
    assert ticks(second) == [False, True]
    field_of(second.button, "case-decide").click().run()
    assert gold(small)[1] == ["1조"]


def tick_all(at: AppTest, ticked: bool = True) -> None:
    for box in at.checkbox:
        if is_tick(box):
            box.set_value(ticked)


def gold(small: Small) -> tuple[str, list[str]]:
    """Return the outcome of q2, and the provisions it rests on."""
    found = {item.external_id: item for item in derive(small.workspace, SLUG)}["q2"]
    return found.outcome, [unit[-2:] for unit in found.units]


def _reason(small: Small) -> str:
    found = {each.external_id: each.decision for each in queue(small.workspace, small.sora.id)}
    made = found["q2"]
    return "" if made is None else made.reason


def test_a_time_that_nobody_knows_is_no_zero(tmp_path: Path):
    small = annotated_project(Workspace(tmp_path / "ws", lambda: NOON))
    told = " ".join(each.value for each in opened("adjudication", small, small.sora).caption)
    assert say("adjudication.time_unknown") in told
    assert say("adjudication.spent", minutes=0, seconds=0) not in told


def test_a_lead_sees_the_disputes_by_state_and_who_decides(small: Small):
    at = opened("adjudication", small, leader(small.workspace))
    lead = say("task_progress.lead", count="2", people="Lee Sora")
    assert md_literal(lead) in shown(at)
    assert not [each for each in at.button if each.key == "case-decide"]
    at.session_state["disputes-open-items"] = True
    at.run()
    assert list(table(at, "Item")["Item"]) == ["q2", "q4"]


def test_an_administrator_decides_alone_and_it_stays_visible(small: Small):
    lead = add_person(small.workspace, SLUG, "Jung Lead", "administrator")
    assert "Lee Sora" in shown(opened("adjudication", small, lead))
    deactivate(small.workspace, small.sora.id)
    at = opened("adjudication", small, lead)
    assert say("cases.administrator_note") in shown(at)
    assert "q2" in at.header[0].value
    decide(at, "Only this one.")
    at = opened("adjudication", small, lead)
    made = table(at, say("adjudication.column_by"))
    assert list(made[say("adjudication.column_by")]) == ["Jung Lead (as an administrator)"]
    [gold] = [each for each in derive(small.workspace, SLUG) if each.external_id == "q2"]
    assert (gold.outcome, gold.lineage[-1].role) == ("adjudicated", "administrator")
