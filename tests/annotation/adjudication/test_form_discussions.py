"""Cases of tasks with a form that are sent back: who reads what, and what becomes of the labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.adjudication.discussion_views import keep, open_discussion
from annotation.adjudication.tasks import disputes_of, recall, refer, to_send
from annotation.check.project import check
from annotation.forms import form as form_commands
from annotation.mcq.state import DISPUTES, Fate, McqState, mcq_states
from annotation.tagging import disputes as tag_disputes
from annotation.tagging.tags import tags
from annotation.work import commands, queue_service
from services.tagging.report import factor_report
from storage.projects import find_project
from storage.tasks import Task
from tests.conftest import FakeClock
from tests.projects import mcq_project, tagged_project
from tests.projects.mcq_project import McqHouse
from tests.projects.tagged_project import TagHouse
from tests.support.refusals import code_of

WHY = "Does the second provision matter?"
DROP = {"cause": "unclear", "reason": "Why?"}


def send(house: McqHouse | TagHouse, item: int, reason: str = WHY) -> int:
    return refer(house.ws, house.judge, item, reason, list(to_send(house.ws, house.judge, item)))


def entry(house: McqHouse | TagHouse, task: Task):
    (found,) = disputes_of(task).queue(house.ws, house.judge)
    return found


# Multiple-choice questions


@pytest.fixture
def quay(tmp_path: Path, clock: FakeClock) -> McqHouse:
    """Return the project in which Ann keeps the first question and Ben drops it."""
    made = mcq_project.build(tmp_path / "quay", clock)
    mcq_project.submitted(made, made.ann, made.items[0])
    mcq_project.submitted(made, made.ben, made.items[0], "drop", **DROP)
    return made


def fate(house: McqHouse) -> McqState:
    with house.ws.reading() as session:
        found = mcq_states(session, find_project(session, mcq_project.SLUG).id)
    return found[house.mcqs[0]]


def revise(house: McqHouse, who: int, verdict: str) -> None:
    """Take the answer to the first question back, give another verdict and submit it."""
    item = house.items[0]
    commands.take_back(house.ws, who, item)
    for field, value in (("verdict", verdict), *(DROP.items() if verdict == "drop" else ())):
        form_commands.answer(house.ws, who, item, field, value)
    commands.submit(house.ws, who, item)


def test_a_question_is_kept_or_changed_until_all_say_the_same(quay: McqHouse) -> None:
    item, task = quay.items[0], Task.MCQ_SOLVABILITY
    send(quay, item)
    assert (entry(quay, task).state, entry(quay, task).waiting) == ("sent_back", ("Ann", "Ben"))
    assert (fate(quay).fate, fate(quay).disputes) == (Fate.WAITING, ("verdict",))
    first = queue_service.queue(quay.ws, quay.ann, task)[0]
    assert (first.item_id, first.discuss) == (item, True)
    talk = open_discussion(quay.ws, quay.ann, item)
    assert talk is not None
    (ben,) = talk.voices
    assert (ben.person, ben.answers["verdict"], ben.answers["reason"]) == ("Ben", "drop", "Why?")
    assert (talk.reason, talk.can_keep, talk.beyond) == (WHY, True, ())
    revise(quay, quay.ann, "drop")
    assert fate(quay).fate is Fate.WAITING, "Ben has yet to say that he still means it"
    assert entry(quay, task).waiting == ("Ben",)
    keep(quay.ws, quay.ben, item)
    assert (fate(quay).fate, fate(quay).causes) == (Fate.DROPPED, ("unclear",))
    assert entry(quay, task).state == "agreed"
    seen = DISPUTES.open_dispute(quay.ws, quay.judge, item)
    assert [side.answers["verdict"] for side in seen.earlier] == ["keep", "drop"]
    assert [side.answers["verdict"] for side in seen.sides] == ["drop", "drop"]
    assert [(each.reason, each.people) for each in seen.rounds] == [(WHY, ("Ann", "Ben"))]
    assert code_of(commands.take_back, quay.ws, quay.ann, item) == "answers_all_in"
    assert check(quay.ws, mcq_project.SLUG) == []


# Tags of court cases


@pytest.fixture
def court(tmp_path: Path, clock: FakeClock) -> TagHouse:
    """Return the project in which Ann finds a knife in the first case, and Ben a gun."""
    made = tagged_project.build(tmp_path / "court", clock)
    tagged_project.tag(made, made.ann, 0, {"weapon": [("knife", "with a knife")]})
    tagged_project.tag(made, made.ben, 0, weapon="gun", comment="Unclear.")
    return made


def retag(house: TagHouse, who: int, **said: str) -> None:
    item = house.items[0]
    commands.take_back(house.ws, who, item)
    for key, value in tagged_project.says(said).items():
        form_commands.answer(house.ws, who, item, key, value)
    commands.submit(house.ws, who, item)


def tags_of(house: TagHouse):
    with house.ws.reading() as session:
        return tags(session, house.project_id).get(house.cases[0])


def test_a_case_that_is_discussed_has_tags_once_all_say_the_same(court: TagHouse) -> None:
    item, task = court.items[0], Task.FACTOR_TAGGING
    measured = factor_report(court.ws, tagged_project.SLUG).lines[0].agreement
    send(court, item)
    assert tags_of(court) is None, "it waits for its people"
    assert (entry(court, task).state, entry(court, task).causes) == ("sent_back", ("weapon",))
    assert tag_disputes.disputes(court.ws, court.judge) == []
    seen = open_discussion(court.ws, court.ben, item)
    assert seen is not None
    (proof,) = seen.voices[0].answers["weapon"]["evidence"]
    assert proof["quote"] == "with a knife"
    keep(court.ws, court.ann, item)
    retag(court, court.ben, weapon="knife", blade="short")
    found = tags_of(court)
    assert found is not None
    assert (found.tags["weapon"].options, found.disputed) == (("knife",), frozenset())
    assert entry(court, task).state == "agreed"
    view = tag_disputes.open_dispute(court.ws, court.judge, item)
    assert [part.sub.key for part in view.parts] == ["weapon"], "what they had differed on"
    assert [each.person for each in view.earlier] == ["Ann", "Ben"]
    assert factor_report(court.ws, tagged_project.SLUG).lines[0].agreement == measured
    assert check(court.ws, tagged_project.SLUG) == []
    chosen = {"weapon": ["gun"]}
    tag_disputes.decide(court.ws, court.judge, item, chosen, "The judge may say otherwise.")
    now = tags_of(court)
    assert now is not None
    assert now.tags["weapon"].options == ("gun",)


def test_what_was_discussed_and_recalled_stays_in_dispute(court: TagHouse) -> None:
    item = court.items[0]
    send(court, item)
    retag(court, court.ben, weapon="knife", blade="short")
    assert tags_of(court) is None
    recall(court.ws, court.judge, item)
    found = tags_of(court)
    assert found is not None
    assert found.disputed == {"weapon"}
    assert "blade" not in found.tags, "what hangs on it waits"
    tag_disputes.decide(court.ws, court.judge, item, {"weapon": ["knife"]}, "A blade.")
    now = tags_of(court)
    assert now is not None
    assert now.tags["weapon"].options == ("knife",)
    assert "blade" in now.tags


def test_a_case_of_which_a_part_is_decided_is_not_sent_back(court: TagHouse) -> None:
    tagged_project.tag(court, court.ann, 1, weapon="gun")
    tagged_project.tag(court, court.ben, 1, motives="fear")
    item = court.items[1]
    tag_disputes.decide(court.ws, court.judge, item, {"motives": ["fear"]}, "So it says.")
    assert code_of(send, court, item) == "referral_of_settled"
