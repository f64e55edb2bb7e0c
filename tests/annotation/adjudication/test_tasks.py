"""Withdrawing decisions: what stands afterwards, wherever decisions are read."""

from __future__ import annotations

import random
from datetime import timedelta
from pathlib import Path

import pytest

from annotation.adjudication import disputes
from annotation.adjudication.decisions import Accepted, CaseView
from annotation.adjudication.discussion_views import keep, open_discussion
from annotation.adjudication.disputes import decide, open_case, queue
from annotation.adjudication.tasks import recall, refer, undo
from annotation.agreement.overview import report
from annotation.agreement.views import load
from annotation.batches.commands import close, reopen
from annotation.check.project import check
from annotation.forms.disputes import Dispute
from annotation.gold.derivation import GoldItem, derive
from annotation.history.entry import Filter
from annotation.history.reading import read
from annotation.people.members import add_person, change_role, deactivate
from annotation.tagging.disputes import decide as decide_tags
from annotation.tagging.disputes import queue as tag_queue
from annotation.work import commands, queue_service, threads
from annotation.work.commands import DecidedMeanwhileError
from annotation.work.discussions import open_discussions
from annotation.work.visibility import is_settled
from storage.projects import find_project
from storage.tables.core import Project
from tests.annotation.adjudication.test_disputes import _differ
from tests.annotation.crew import batch, leader, submit
from tests.annotation.house import SLUG, House, given_back
from tests.conftest import FakeClock
from tests.projects import tagged_project
from tests.support.refusals import code_of


def test_a_case_is_open_again_wherever_it_is_read(house: House) -> None:
    ws, item = house.ws, house.items[0]
    _differ(house, item)
    made = decide(ws, house.judge, item, [house.units[1]], False, "as Article 1 says", 1.0)
    assert derive(ws, SLUG)[0].outcome == "adjudicated"
    assert undo(ws, house.judge, item, " a slip ", before=made) == 1
    [entry] = queue(ws, house.judge)
    assert (entry.state, entry.decision, entry.causes) == ("open", None, ("differ",))
    assert open_case(ws, house.judge, item).decision is None
    assert (derive(ws, SLUG)[0].outcome, derive(ws, SLUG)[0].pending) == ("pending", ("differ",))
    assert check(ws, SLUG) == []
    with ws.reading() as session:
        assert not is_settled(session, item)
    last = read(ws, SLUG, Filter(kinds=("undone",)), limit=9).entries[0]
    assert (last.kind, last.person) == ("undone.decision", "Judge")
    assert last.details == {"undoes": f"adjudication-{made}", "reason": "a slip"}
    again = decide(ws, house.judge, item, [house.units[2]], False, "no: Article 2", 1.0)
    assert derive(ws, SLUG)[0].lineage[-1].id == again
    assert check(ws, SLUG) == []


def test_only_what_stands_on_the_screen_and_is_ones_own_is_withdrawn(house: House) -> None:
    ws, item = house.ws, house.items[0]
    _differ(house, item)
    other = add_person(ws, SLUG, "Gil", "adjudicator").id
    assert code_of(undo, ws, house.judge, item) == "decision_none"
    first = decide(ws, house.judge, item, [house.units[1]], False, "so", 1.0)
    assert code_of(undo, ws, other, item) == "decision_of_other"
    assert code_of(undo, ws, house.ann, item) == "not_allowed"
    second = decide(ws, other, item, [house.units[2]], False, "no", 1.0, before=first)
    with pytest.raises(DecidedMeanwhileError):
        undo(ws, house.judge, item, before=first)
    undo(ws, other, item, before=second)
    entry = queue(ws, house.judge)[0].decision
    assert entry is not None
    assert (entry.number, entry.person) == (first, "Judge")  # the one before stands again
    with pytest.raises(DecidedMeanwhileError):  # as seen by a window in which the second stands
        decide(ws, house.judge, item, [house.units[2]], False, "no", 1.0, before=second)
    assert check(ws, SLUG) == []


def test_any_sequence_of_decisions_and_withdrawals(house: House) -> None:
    """Decisions of two adjudicators and withdrawals, against a stack of what was decided."""
    draw, ws = random.Random(1), house.ws
    judges = (house.judge, add_person(ws, SLUG, "Gil", "adjudicator").id)
    stacks: dict[int, list[tuple[int, int]]] = {item: [] for item in house.items[:2]}
    for item in stacks:
        _differ(house, item)
    for _ in range(40):
        item, judge = draw.choice(list(stacks)), draw.choice(judges)
        stack = stacks[item]
        before = stack[-1][0] if stack else None
        if draw.random() < 0.5:
            unit = house.units[draw.randint(1, 3)]
            stack.append((decide(ws, judge, item, [unit], False, "so", 1, before=before), judge))
        elif not stack:
            assert code_of(undo, ws, judge, item) == "decision_none"
        elif stack[-1][1] != judge:
            assert code_of(undo, ws, judge, item, before=before) == "decision_of_other"
        else:
            undo(ws, judge, item, before=before)
            stack.pop()
        made = {each.item_id: each.decision for each in queue(ws, house.judge)}
        for each, held in stacks.items():
            found = made[each]
            assert (None if found is None else found.number) == (held[-1][0] if held else None)
    assert check(ws, SLUG) == []


def test_of_tags_the_last_choices_alone_are_withdrawn(tmp_path: Path, clock: FakeClock) -> None:
    made = tagged_project.build(tmp_path / "ws", clock, number=1)
    tagged_project.tag(made, made.ann, 0, {"weapon": [("knife", "with a knife")]})
    tagged_project.tag(made, made.ben, 0, weapon="gun", motives="fear")
    item = made.items[0]
    decide_tags(made.ws, made.judge, item, {"weapon": ["gun"]}, "So.")
    clock.now += timedelta(minutes=1)
    decide_tags(made.ws, made.judge, item, {"motives": ["fear"]}, "So.")
    assert tag_queue(made.ws, made.judge)[0].state == "decided"
    undo(made.ws, made.judge, item)
    [entry] = tag_queue(made.ws, made.judge)
    assert (entry.state, entry.open, entry.decided) == ("open", ("motives",), ("weapon",))
    undo(made.ws, made.judge, item)
    assert tag_queue(made.ws, made.judge)[0].open == ("weapon", "motives")
    assert code_of(undo, made.ws, made.judge, item) == "decision_none"
    assert check(made.ws, tagged_project.SLUG) == []


@pytest.fixture
def item(house: House) -> int:
    """Return the item on which Ann accepts articles 1 and 4, Ben only 1."""
    submit(house, house.ann, house.items[0], 1, 4, comment="sure of it", confidence=5)
    submit(house, house.ben, house.items[0], 1, comment="only lamps", confidence=4)
    return house.items[0]


def case(house: House, item: int) -> CaseView:
    return disputes.open_case(house.ws, house.judge, item)


def send_back(house: House, item: int, reason: str = "Is Article 4 meant?") -> int:
    ids = case(house, item).annotation_ids
    return refer(house.ws, house.judge, item, reason, ids)


def revise(house: House, person: int, item: int, *articles: int) -> None:
    """Withdraw, undo all acts, and submit these articles instead."""
    if queue_service.open_item(house.ws, person, item).can_take_back:
        commands.take_back(house.ws, person, item)
    while queue_service.open_item(house.ws, person, item).can_undo:
        commands.undo(house.ws, person, item)
    submit(house, person, item, *articles)


def gold(house: House) -> GoldItem:
    return derive(house.ws, SLUG)[0]


def entry(house: House) -> Dispute:
    (found,) = disputes.queue(house.ws, house.judge)
    return found


def test_annotators_who_agree_after_talking_make_consensus(house: House, item: int) -> None:
    send_back(house, item)
    assert (gold(house).outcome, gold(house).pending) == ("pending", ("sent_back",))
    assert (entry(house).state, entry(house).waiting) == ("sent_back", ("Ann", "Ben"))
    keep(house.ws, house.ben, item)
    assert entry(house).waiting == ("Ann",)
    revise(house, house.ann, item, 1)
    found = gold(house)
    assert (found.outcome, found.units) == ("consensus", ("lake-act_article-1",))
    assert [each.person for each in found.lineage] == ["Ann", "Ben", "Ben", "Ann"]
    assert [each.kind for each in found.lineage] == ["earlier"] * 2 + ["annotation"] * 2
    assert {each.reason for each in found.lineage} == {"Is Article 4 meant?", ""}
    assert entry(house).state == "agreed"
    assert check(house.ws, SLUG) == []


def test_agreement_is_measured_on_what_was_said_before(house: House, item: int) -> None:
    submit(house, house.ann, house.items[1], 2)
    submit(house, house.ben, house.items[1], 2)

    def measured():
        with house.ws.reading() as session:
            said = load(session, find_project(session, SLUG))
        found = report(house.ws, SLUG)
        sides = [each.accepted for each in said.submissions[item]]
        return found.figures, [each.item_id for each in found.disagreements], sides

    before = measured()
    assert before[0][0].value == 0.5, "exact match on one item of two"
    send_back(house, item)
    commands.take_back(house.ws, house.ann, item)
    assert measured() == before, "nor while somebody is changing their answer"
    revise(house, house.ann, item, 1)
    assert measured() == before
    keep(house.ws, house.ben, item)
    assert gold(house).outcome == "consensus"
    assert measured() == before


def test_a_third_answer_of_its_own_counts_beside_those_before(house: House, item: int) -> None:
    send_back(house, item)
    revise(house, house.ann, item, 1)
    keep(house.ws, house.ben, item)
    with house.ws.writing() as session:
        session.get_one(Project, 1).overlap = 3
    with house.ws.reading() as session:
        assert load(session, find_project(session, SLUG)).submissions == {}, "Cho owes it"
    submit(house, house.cho, item, 1)
    with house.ws.reading() as session:
        made = load(session, find_project(session, SLUG)).submissions[item]
    assert {each.person: len(each.accepted) for each in made} == {"Ann": 2, "Ben": 1, "Cho": 1}


def test_those_who_still_differ_return_to_the_adjudicator_with_both_rounds(
    house: House, item: int
) -> None:
    send_back(house, item)
    keep(house.ws, house.ann, item)
    revise(house, house.ben, item, 2)
    assert (entry(house).state, entry(house).causes) == ("open", ("differ",))
    seen = case(house, item)
    names = ["Ann", "Ben"]
    assert [side.person.name for side in seen.sides if side.answered] == names
    assert [side.person.name for side in seen.earlier] == names
    (first,) = seen.rounds
    assert (first.person, first.people, first.waiting) == ("Judge", ("Ann", "Ben"), ())
    send_back(house, item, "Once more.")
    reasons = [each.reason for each in case(house, item).rounds]
    assert reasons == ["Is Article 4 meant?", "Once more."]
    assert entry(house).waiting == ("Ann", "Ben")
    units = [house.units[1]]
    ids = case(house, item).annotation_ids
    disputes.decide(house.ws, house.judge, item, units, False, "why", 1.0, ids)
    assert gold(house).outcome == "adjudicated"
    assert open_discussion(house.ws, house.ann, item) is None
    assert check(house.ws, SLUG) == []


def test_the_item_stands_first_in_the_queue_of_those_who_have_to_answer(house: House) -> None:
    last = house.items[2]
    submit(house, house.ann, last, 1, 4)
    submit(house, house.ben, last, 1)
    send_back(house, last)
    first = queue_service.queue(house.ws, house.ann)[0]
    assert (first.item_id, first.discuss, first.status) == (last, True, "submitted")
    assert queue_service.next_item(house.ws, house.ann) == last
    assert queue_service.next_item(house.ws, house.ann, after=house.items[0]) == last
    assert [each.discuss for each in queue_service.queue(house.ws, house.cho)] == [False, False]
    commands.take_back(house.ws, house.ann, last)
    assert queue_service.next_item(house.ws, house.ann) == last, "while they change their answer"
    commands.submit(house.ws, house.ann, last)
    assert not any(each.discuss for each in queue_service.queue(house.ws, house.ann))
    assert queue_service.next_item(house.ws, house.ann) == house.items[0]


def test_only_its_annotators_read_each_other_and_only_while_it_is_open(
    house: House, item: int
) -> None:
    ws = house.ws
    assert open_discussion(ws, house.ann, item) is None
    send_back(house, item)
    seen = open_discussion(ws, house.ann, item)
    assert seen is not None
    assert (seen.person, seen.reason) == ("Judge", "Is Article 4 meant?")
    assert (seen.answered, seen.can_keep) == (False, True)
    (ben,) = seen.voices
    assert (ben.person, ben.decisions, ben.comment, ben.confidence, ben.answered) == (
        *("Ben", {"lake-act_article-1": "accept"}),
        *("only lamps", 4, False),
    )
    assert open_discussion(ws, house.cho, item) is None
    assert open_discussion(ws, house.ann, house.items[1]) is None
    mine = open_discussion(ws, house.ben, item)
    assert mine is not None
    assert mine.beyond == tuple(
        Accepted(house.units[n], f"lake-act_article-{n}", f"Lake Act Article {n}") for n in (1, 4)
    )
    threads.say(ws, house.ben, item, "Article 4 is about another lamp.")
    commands.take_back(ws, house.ann, item)
    (message,) = threads.thread(ws, house.ann, item)
    assert message.text == "Article 4 is about another lamp."
    again = open_discussion(ws, house.ben, item)
    assert again is not None
    both = ("lake-act_article-1", "lake-act_article-4")
    said = again.voices[0].decisions
    assert said == dict.fromkeys(both, "accept"), "what was sent back, while its person changes it"
    assert threads.thread(ws, house.cho, item) == ()
    recall(ws, house.judge, item)
    assert open_discussion(ws, house.ann, item) is None
    assert threads.thread(ws, house.ann, item) == (), "who withdrew owes the item again"


def test_keeping_says_it_again_word_for_word(house: House, item: int) -> None:
    ws = house.ws
    send_back(house, item)
    before = case(house, item).sides
    for person, at in ((house.ben, 1), (house.ann, 0)):
        keep(ws, person, item)
        after = case(house, item).sides[at]
        assert (after.decisions, after.comment) == (before[at].decisions, before[at].comment)
        assert after.confidence == before[at].confidence == 5 - at
        assert (after.taken_back, after.answered) == (0, True), "keeping takes nothing back"
    assert code_of(keep, ws, house.ann, item) == "not_in_discussion"
    assert read(ws, SLUG).entries[0].kind == "submission.kept"
    assert check(ws, SLUG) == []


def test_what_cannot_be_sent_back_is_refused(house: House, item: int) -> None:
    ws, judge = house.ws, house.judge
    ids = case(house, item).annotation_ids
    assert code_of(refer, ws, judge, item, "  ", ids) == "referral_reason_missing"
    assert code_of(refer, ws, judge, item, "x" * 5001, ids) == "text_too_long"
    assert code_of(refer, ws, judge, item, "why", ids[:1]) == "case_changed"
    assert code_of(refer, ws, judge, 99, "why", ids) == "item_unknown"
    assert code_of(refer, ws, judge, house.items[1], "why", ids) == "case_closed_to_you"
    assert code_of(refer, ws, house.ann, item, "why", ids) == "not_allowed"
    send_back(house, item)
    assert code_of(refer, ws, judge, item, "why", ids) == "in_discussion"
    disputes.decide(ws, judge, item, [], True, "why", 1.0)
    assert code_of(refer, ws, judge, item, "why", ids) == "referral_of_settled"
    assert code_of(recall, ws, judge, item) == "not_in_discussion"


def test_nothing_is_sent_back_to_who_could_not_answer(house: House) -> None:
    item = house.items[1]
    number = batch(house, ids=("q2",))
    for name in ("q1", "q3"):
        close(house.ws, SLUG, batch(house, ids=(name,), name=name))
    submit(house, house.ann, item, 1, 4)
    submit(house, house.ben, item, 1)
    send = refer, house.ws, house.judge, item, "why", case(house, item).annotation_ids
    close(house.ws, SLUG, number)
    assert code_of(*send) == "referral_batch_closed"
    reopen(house.ws, SLUG, number)
    change_role(house.ws, house.ben, "researcher")
    assert code_of(*send) == "referral_to_nobody"
    change_role(house.ws, house.ben, "annotator")
    deactivate(house.ws, house.ann)
    assert code_of(*send) == "referral_to_nobody"


def test_a_recalled_case_comes_back_and_can_be_sent_again(house: House, item: int) -> None:
    send_back(house, item)
    assert code_of(recall, house.ws, leader(house, "researcher"), item) == "not_allowed"
    recall(house.ws, house.judge, item, "No need.")
    assert entry(house).state == "open"
    (first,) = case(house, item).rounds
    assert (first.recall_reason, first.recalled is not None) == ("No need.", True)
    send_back(house, item)
    assert entry(house).state == "sent_back"
    kinds = [each.kind for each in read(house.ws, SLUG).entries if "referral" in each.kind]
    assert kinds == ["referral.sent_back", "referral.recalled", "referral.sent_back"]
    assert check(house.ws, SLUG) == []


def test_consensus_given_back_is_waited_for_again(house: House, item: int) -> None:
    send_back(house, item)
    keep(house.ws, house.ben, item)
    revise(house, house.ann, item, 1)
    assert code_of(commands.take_back, house.ws, house.ann, item) == "answers_all_in"
    given_back(house, house.ann, item)
    commands.take_back(house.ws, house.ann, item)
    assert (gold(house).pending, entry(house).waiting) == (("given_back",), ("Ann",))
    with house.ws.reading() as session:
        found = open_discussions(session, find_project(session, SLUG).id)
        assert [(each, talk.row.reason) for each, talk in found.items()] == [(item, "Look again.")]


def test_an_adjudicator_sees_that_they_labelled_the_item_themselves(
    house: House, item: int
) -> None:
    change_role(house.ws, house.ann, "adjudicator")
    seen = disputes.open_case(house.ws, house.ann, item)
    assert [(side.person.name, side.own) for side in seen.sides] == [("Ann", True), ("Ben", False)]
    assert seen.own == seen.sides[0].at
    (row,) = disputes.queue(house.ws, house.ann)
    assert row.own == seen.own
    assert (case(house, item).own, entry(house).own) == (None, None), "another adjudicator's"
    disputes.decide(house.ws, house.ann, item, [house.units[1]], False, "why", 1.0)
    decision = case(house, item).decision
    assert decision is not None
    assert decision.conflict
    assert [each.conflict for each in gold(house).lineage] == [False, False, True]
    told = read(house.ws, SLUG).entries[0]
    assert (told.kind, told.details["own_label"]) == ("adjudication.decided", True)
    disputes.decide(house.ws, house.judge, item, [house.units[1]], False, "why", 1.0)
    assert not gold(house).lineage[-1].conflict
    assert "own_label" not in read(house.ws, SLUG).entries[0].details


def test_an_answer_taken_back_is_a_conflict_all_the_same(house: House, item: int) -> None:
    submit(house, house.cho, house.items[1], 1)
    given_back(house, house.ben, item)
    commands.take_back(house.ws, house.ben, item)
    submit(house, house.cho, item, 2)
    recall(house.ws, house.judge, item)
    given_back(house, house.cho, item)
    commands.take_back(house.ws, house.cho, item)
    commands.submit(house.ws, house.ben, item)
    change_role(house.ws, house.cho, "adjudicator")
    (row,) = disputes.queue(house.ws, house.cho)
    assert row.own is not None
