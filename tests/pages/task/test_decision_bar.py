"""Sending cases back from the adjudication screen, and answering requests."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.adjudication import discussion_views, disputes, giving_back
from annotation.adjudication.discussion_views import keep
from annotation.adjudication.tasks import refer, to_send
from annotation.forms.form import answer
from annotation.people.members import change_role
from annotation.work import commands, queue_service, threads
from messages import say
from pages.shell.guard import md_literal
from tests.conftest import FakeClock
from tests.pages.browser import field_of
from tests.pages.screens import opened, press, table
from tests.pages.small_project import HOSTILE, Small, leader, shown
from tests.projects import mcq_project
from tests.projects.mcq_project import HOSTILE as FORM_HOSTILE
from tests.projects.mcq_project import SLUG, McqHouse


def send_back(small: Small, reason: str = "Talk it over.") -> int:
    """Send q2 back; return its item."""
    item = small.items["q2"]
    who = (small.workspace, small.sora.id, item)
    refer(*who, reason, disputes.open_case(*who).annotation_ids)
    return item


def test_a_case_is_sent_back_from_the_screen_with_its_reason_and_recalled(small: Small):
    at = opened("adjudication", small, small.sora)
    field_of(at.button, "case-back").click().run()
    assert say("adjudication.reason_missing") in shown(at)
    at.text_area[0].set_value("Does Article 2 apply?")
    field_of(at.button, "case-back").click().run()
    assert not at.error
    assert "q2" in at.success[0].value
    found = {each.external_id: each for each in disputes.queue(small.workspace, small.sora.id)}
    assert (found["q2"].state, found["q2"].waiting) == ("sent_back", ("Kim Ara", "Park Jun"))
    control = at.segmented_control(key="adjudication-filter")
    assert control.options[-1] == "Sent back 1"
    control.set_value("sent_back").run()
    assert "q2" in at.header[0].value
    assert "Kim Ara, Park Jun" in at.info[0].value
    assert field_of(at.button, "case-back").disabled
    at.button(key="case-recall").click().run()
    states = [each.state for each in disputes.queue(small.workspace, small.sora.id)]
    assert "sent_back" not in states


def test_while_a_case_is_discussed_nothing_claims_that_all_is_decided(small: Small):
    item = send_back(small)
    at = opened("adjudication", small, small.sora)
    at.text_area[0].set_value("Because.")
    field_of(at.button, "case-decide").click().run()
    said = [each.value for each in at.success]
    assert say("adjudication.none_now") in said
    assert say("adjudication.none_left") not in said
    commands.take_back(small.workspace, small.ara.id, item)
    at.segmented_control(key="adjudication-filter").set_value("sent_back").run()
    assert field_of(at.button, "case-decide").disabled, "while an answer is changed"


def test_both_rounds_and_the_thread_are_shown_as_text(small: Small):
    item = send_back(small, reason=HOSTILE)
    threads.say(small.workspace, small.ara.id, item, HOSTILE)
    discussion_views.keep(small.workspace, small.ara.id, item)
    discussion_views.keep(small.workspace, small.jun.id, item)
    at = opened("adjudication", small, small.sora)
    assert [each.value for each in at.text].count(HOSTILE) >= 2
    assert [each.value for each in at.markdown].count("**Kim Ara**") == 2, "before and after"
    at.text_input(key=f"case-message-{item}").set_value("Thank you.")
    press(at, "Send")
    told = threads.thread(small.workspace, small.sora.id, item)
    assert [each.text for each in told] == [HOSTILE, "Thank you."]


def test_ones_own_earlier_answer_is_marked(small: Small):
    judge = change_role(small.workspace, small.ara.id, "adjudicator")
    at = opened("adjudication", small, judge)
    assert len(at.warning) == 1
    at.text_area[0].set_value("why")
    field_of(at.button, "case-decide").click().run()
    assert table(at, "By")["By"][0].startswith("Kim Ara (")


def ask(small: Small, reason: str = "I pressed the wrong key.") -> None:
    """Let Ara ask for her answer to q1, on which all agree, back."""
    giving_back.ask_back(small.workspace, small.ara.id, small.items["q1"], reason)


def test_a_request_is_granted_on_the_screen_though_all_agree(small: Small) -> None:
    ask(small, HOSTILE)
    at = opened("adjudication", small, small.sora)
    assert HOSTILE in [each.value for each in at.text]
    press(at, say("requests.give"))
    assert not at.error
    assert "q1" in at.success[0].value
    shown = queue_service.open_item(small.workspace, small.ara.id, small.items["q1"])
    assert shown.can_take_back
    assert shown.sent_back is not None
    assert HOSTILE in shown.sent_back[1]


def test_a_lead_declines_with_a_reason_and_decides_nothing(small: Small) -> None:
    ask(small)
    lead = leader(small.workspace)
    at = opened("adjudication", small, lead)
    assert say("requests.not_deciding") in at.info[0].value
    press(at, say("requests.decline"))
    words = [say(f"error.decline_reason_missing.{part}") for part in ("what", "remedy")]
    assert [each.value for each in at.error] == [md_literal(" ".join(words))], "at the field"
    at.text_input[0].set_value("It was right.")
    press(at, say("requests.decline"))
    assert not at.error
    assert giving_back.requests(small.workspace, lead.id) == []
    assert say("requests.none") in [each.value for each in at.caption]


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> McqHouse:
    made = mcq_project.build(tmp_path / "ws", clock, number=1)
    mcq_project.submitted(made, made.ann, made.items[0])
    mcq_project.submitted(
        made, made.ben, made.items[0], "drop", cause="unclear", reason=FORM_HOSTILE
    )
    return made


def test_what_they_agreed_on_stands_open_beside_what_they_differed_in(house: McqHouse) -> None:
    item = house.items[0]
    refer(house.ws, house.judge, item, FORM_HOSTILE, list(to_send(house.ws, house.judge, item)))
    commands.take_back(house.ws, house.ben, item)
    answer(house.ws, house.ben, item, "verdict", "keep")
    commands.submit(house.ws, house.ben, item)
    keep(house.ws, house.ann, item)
    at = opened("adjudication", house.ws, house.judge, SLUG)
    at.segmented_control(key="adjudication-filter").set_value("agreed").run()
    alike = next(each for each in at.expander if each.label.startswith("Same answer on every side"))
    assert alike.proto.expanded
    assert "This item: keep" in [each.value for each in alike.markdown]
    said = [each.value for each in at.markdown]
    assert "This item: :orange-background[**drop**]" in said, "before, they differed in it"
    assert said.count("Stored answer right? right") == 3, "but never in this: both, and each before"
