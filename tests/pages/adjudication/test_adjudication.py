from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Checkbox

from annotation.adjudication.disputes import queue
from annotation.exchange.files import annotations_bytes
from annotation.gold.derivation import derive
from annotation.history.reading import read
from annotation.people.members import history
from messages import say
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.browser import field_of
from tests.pages.small_project import (
    HOSTILE,
    SLUG,
    Small,
    annotated_project,
    empty_project,
    leader,
    page,
    shown,
)

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


@pytest.fixture
def small(tmp_path: Path, clock: FakeClock) -> Small:
    return annotated_project(Workspace(tmp_path / "ws", clock))


def is_tick(box: Checkbox) -> bool:
    return "case-tick" in (box.key or "")


def ticks(at: AppTest) -> list[bool]:
    return [box.value for box in at.checkbox if is_tick(box)]


def decide(at: AppTest, reason: str) -> AppTest:
    at.text_area[0].set_value(reason)
    decided: AppTest = field_of(at.button, "case-decide").click().run()
    return decided


def test_an_annotator_sees_an_explanation_and_nobodys_decisions(small: Small):
    at = page("adjudication", small, small.ara).run()
    assert not at.exception
    assert "for adjudicators" in at.info[0].value
    assert say("adjudication.switch") in at.info[0].value
    assert len(at.checkbox) == len(at.text_area) == len(at.dataframe) == 0


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_is_missing_is_named_in_the_reader_s_language(small: Small, language: str):
    at = decide(page("adjudication", small, small.sora, language).run(), "")
    assert not at.error
    assert say("adjudication.reason_missing", language) in at.markdown[-1].value


def test_nothing_to_decide_says_what_comes_here(tmp_path: Path, clock: FakeClock):
    workspace = Workspace(tmp_path / "ws", clock)
    _, sora = empty_project(workspace)
    at = page("adjudication", workspace, sora).run()
    assert "Nothing to decide" in at.info[0].value


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_case_shows_both_sides_and_ticks_what_both_accepted(small: Small, language: str):
    at = page("adjudication", small, small.sora, language).run()
    assert not at.exception
    assert "q2" in at.header[0].value
    assert {"**Kim Ara**", "**Park Jun**"} <= {each.value for each in at.markdown}
    assert HOSTILE in [each.value for each in at.text]
    assert ticks(at) == [False, True]


def test_deciding_keeps_the_decision_and_moves_on(small: Small):
    at = page("adjudication", small, small.sora).run()
    next(box for box in at.checkbox if not box.value and is_tick(box)).check().run()
    decide(at, "Article 2 asks for the check.")
    assert not at.exception
    assert "q2" in at.success[0].value
    assert "q4" in at.header[0].value
    gold = {item.external_id: item for item in derive(small.workspace, SLUG)}["q2"]
    assert gold.outcome == "adjudicated"
    assert [unit[-2:] for unit in gold.units] == ["1조", "2조"]
    assert at.dataframe[0].value["Reason"].tolist() == ["Article 2 asks for the check."]


def test_a_decision_without_a_reason_is_refused_and_nothing_is_kept(small: Small):
    at = decide(page("adjudication", small, small.sora).run(), "  ")
    assert say("adjudication.reason_missing") in at.markdown[-1].value
    assert all(entry.decision is None for entry in queue(small.workspace, small.sora.id))
    assert ticks(at) == [False, True]


def test_no_provision_beside_a_tick_is_refused(small: Small):
    at = page("adjudication", small, small.sora).run()
    next(box for box in at.checkbox if box.key == f"case-none-{small.items['q2']}").check().run()
    assert decide(at, "Both at once.").error


def test_a_decided_case_can_be_decided_again(small: Small):
    at = decide(page("adjudication", small, small.sora).run(), "First.")
    at.session_state["adjudication-item"] = small.items["q2"]
    at.run()
    assert "supersedes" in at.warning[0].value
    assert at.text_area[0].value == "First."
    for box in [box for box in at.checkbox if is_tick(box) and box.value]:
        box.uncheck()
    field_of(at.checkbox, f"case-none-{small.items['q2']}").check()
    decide(at, "Second.")
    entry = next(e for e in queue(small.workspace, small.sora.id) if e.external_id == "q2")
    assert entry.decision is not None
    assert (entry.decision.reason, entry.decision.no_provision) == ("Second.", True)


def test_the_filter_leaves_the_questions_with_that_cause(small: Small):
    at = page("adjudication", small, small.sora).run()
    at.selectbox(key="adjudication-cause").set_value("flagged").run()
    assert "q4" in at.header[0].value


def test_the_steps_move_between_questions(small: Small):
    at = page("adjudication", small, small.sora).run()
    at.button(key="adjudication-next").click().run()
    assert "q4" in at.header[0].value
    at.button(key="adjudication-previous").click().run()
    assert "q2" in at.header[0].value


def test_the_page_goes_to_its_top_with_the_next_case(small: Small):
    at = page("adjudication", small, small.sora).run()
    assert '{"shown": "q2"}' in [each.proto.json for each in at.get("bidi_component")]
    decide(at, "Next, please.")
    assert '{"shown": "q4"}' in [each.proto.json for each in at.get("bidi_component")]


def test_what_was_entered_is_still_there_after_looking_elsewhere(small: Small):
    at = page("adjudication", small, small.sora).run()
    next(box for box in at.checkbox if not box.value and is_tick(box)).check().run()
    at.text_area[0].set_value("Half a reason").run()
    at.button(key="adjudication-next").click().run()
    assert at.text_area[0].value == ""
    at.button(key="adjudication-previous").click().run()
    assert ticks(at) == [True, True]
    assert at.text_area[0].value == "Half a reason"
    decide(at, "A whole reason.")
    at.session_state["adjudication-item"] = small.items["q2"]
    assert at.run().text_area[0].value == "A whole reason."


def test_a_draft_is_one_in_every_session(small: Small):
    """Ticks, reason and what was brought to the fore come back together after a reload."""
    at = page("adjudication", small, small.sora).run()
    at.text_input(key=f"case-search-{small.items['q2']}").set_value("화재안전법 제3조").run()
    at.button(key=f"case-add-{small.items['q2']}-{small.unit('q1', '제3조')}").click().run()
    at.text_area[0].set_value("All three").run()
    next(box for box in at.checkbox if not box.value and is_tick(box)).check().run()
    again = page("adjudication", small, small.sora).run()
    assert (ticks(again), again.text_area[0].value) == ([True, True, True], "All three")
    again.button(key="case-undo-entry").click().run()
    at.run()
    for each in (again, at):
        assert (ticks(each), each.text_area[0].value) == ([False, True, True], "All three")
    field_of(again.text_area, f"case-{small.sora.id}-{small.items['q2']}-reason")
    decide(again, "Two of them")
    gold = {item.external_id: item for item in derive(small.workspace, SLUG)}["q2"]
    assert [unit[-2:] for unit in gold.units] == ["1조", "3조"]
    after = page("adjudication", small, small.sora)
    after.session_state["adjudication-item"] = small.items["q2"]
    assert after.run().text_area[0].value == "Two of them", "no draft is left"


def test_nobody_else_is_told_of_a_draft(small: Small):
    at = page("adjudication", small, small.sora).run()
    at.text_area[0].set_value("A private reason").run()
    lead = leader(small.workspace)
    told = read(small.workspace, SLUG, limit=500), read(small.workspace, SLUG, by=lead.id)
    assert "A private reason" not in str(told)
    assert b"A private reason" not in annotations_bytes(small.workspace, SLUG)
    assert "A private reason" not in str(history(small.workspace, SLUG))


def dropped(at: AppTest) -> list[str]:
    """Return the cases of which the browser is told to keep nothing that was typed."""
    told = [json.loads(each.proto.json or "{}") for each in at.get("bidi_component")]
    (found,) = [each["dropped"] for each in told if "dropped" in each]
    return list(found)


def test_the_browser_is_told_once_which_case_is_decided(small: Small):
    at = page("adjudication", small, small.sora).run()
    assert dropped(at) == []
    assert dropped(decide(at, "")) == [], "refused: what was typed is still needed"
    assert dropped(decide(at, "Article 2.")) == [f"case-{small.sora.id}-{small.items['q2']}"]
    assert dropped(at.run()) == []


def test_another_unit_is_found_and_ticked(small: Small):
    at = page("adjudication", small, small.sora).run()
    at.text_input(key=f"case-search-{small.items['q2']}").set_value("화재안전법 제3조").run()
    at.button(key=f"case-add-{small.items['q2']}-{small.unit('q1', '제3조')}").click().run()
    assert ticks(at) == [False, True, True]


def test_a_unit_that_nobody_accepted_comes_to_the_front_when_ticked(small: Small):
    at = page("adjudication", small, small.sora).run()
    rest = f"case-others-{small.items['q2']}"
    at.session_state[rest] = True
    at.run()
    assert ticks(at) == [False, True, False]
    next(box for box in reversed(at.checkbox) if is_tick(box)).check().run()
    at.session_state[rest] = False
    assert ticks(at.run()) == [False, True, True]
    decide(at, "Article 3 too.")
    gold = {item.external_id: item for item in derive(small.workspace, SLUG)}["q2"]
    assert [unit[-2:] for unit in gold.units] == ["1조", "3조"]


def test_all_decided_says_so(small: Small):
    at = decide(page("adjudication", small, small.sora).run(), "One.")
    at = decide(at, "Two.")
    assert "Everything is decided" in shown(at)


def test_a_link_opens_the_case_it_names_once(small: Small):
    at = page("adjudication", small, small.sora)
    at.query_params["item"] = str(small.items["q4"])
    at.run()
    assert "q4" in at.header[0].value
    at.button(key="adjudication-previous").click().run()
    assert "q2" in at.header[0].value


def test_a_clock_that_was_set_back_does_not_refuse_the_decision(small: Small, clock: FakeClock):
    at = page("adjudication", small, small.sora).run()
    clock.now -= timedelta(hours=1)
    decide(at, "Article 2.")
    assert not at.error
    assert "Decided" in shown(at)


def test_a_decision_made_meanwhile_is_told_before_it_is_replaced(small: Small):
    """By another adjudicator, or in another window of the same one."""
    windows = [page("adjudication", small, small.sora) for _ in range(2)]
    for at in windows:
        at.query_params["item"] = str(small.items["q2"])
        at.run()
    first, second = (decide(at, reason) for at, reason in zip(windows, ("one", "two"), strict=True))
    assert not first.error
    assert "has decided this case since you opened it" in second.error[0].value
    assert _reason(small) == "one"
    assert second.text_area[0].value == "two", "what was written is kept"
    assert (open_of(second), second.header[0].value[-2:]) == ("(1)", "q2"), "counted anew"
    assert "supersedes" in second.warning[0].value
    field_of(second.button, "case-decide").click().run()
    assert not second.error
    assert _reason(small) == "two"
    assert open_of(second) == "(1)"


def open_of(at: AppTest) -> str:
    """Return how many cases the screen says are open."""
    return str(at.button_group(key="adjudication-tab").options[0]).split()[-1]


def test_a_decision_made_meanwhile_chooses_nothing_unseen(small: Small):
    """What the other one ticked is no part of what was chosen before it was there."""
    first, second = (page("adjudication", small, small.sora) for _ in range(2))
    for at in (first, second):
        at.query_params["item"] = str(small.items["q2"])
        at.run()
    second.text_area[0].set_value("one alone").run()
    for box in first.checkbox:
        if is_tick(box):
            box.check()
    decide(first, "both")
    decide(second, "one alone")
    assert second.error
    assert ticks(second) == [False, True]
    field_of(second.button, "case-decide").click().run()
    gold = {item.external_id: item for item in derive(small.workspace, SLUG)}["q2"]
    assert [unit[-2:] for unit in gold.units] == ["1조"]


def test_a_case_that_nobody_wrote_on_shows_the_decision_made_meanwhile(small: Small):
    first, second = (page("adjudication", small, small.sora) for _ in range(2))
    for at in (first, second):
        at.query_params["item"] = str(small.items["q2"])
        at.run()
    for box in first.checkbox:
        if is_tick(box):
            box.check()
    decide(first, "both")
    second.run()
    assert (ticks(second), second.text_area[0].value) == ([True, True], "both")


def test_a_decision_that_is_withdrawn_later_is_there_to_be_changed(small: Small):
    at = page("adjudication", small, small.sora).run()
    for box in at.checkbox:
        if is_tick(box):
            box.check()
    decide(at, "both")
    at = page("adjudication", small, small.sora)  # another day
    at.session_state["adjudication-item"] = small.items["q2"]
    at.run()
    at.button(key="case-undo").click().run()
    assert _reason(small) == "both", "the first press asks"
    assert "Press again" in at.button(key="case-undo").label
    at.button(key="case-undo").click().run()
    assert not at.exception
    assert _reason(small) == ""
    assert (ticks(at), at.text_area[0].value) == ([True, True], "both")


def _reason(small: Small) -> str:
    found = {each.external_id: each.decision for each in queue(small.workspace, small.sora.id)}
    made = found["q2"]
    return "" if made is None else made.reason


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("time", ["known", "unknown"])
def test_a_time_that_nobody_knows_is_no_zero(tmp_path: Path, language: str, time: str):
    clock = FakeClock()
    small = annotated_project(
        Workspace(tmp_path / "ws", clock if time == "known" else lambda: NOON)
    )
    told = " ".join(
        each.value for each in page("adjudication", small, small.sora, language).run().caption
    )
    assert (say("adjudication.time_unknown", language) in told) == (time == "unknown")
    zero = say("adjudication.spent", language, minutes=0, seconds=0)
    assert zero not in told
