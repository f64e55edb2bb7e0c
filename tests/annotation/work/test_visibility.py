"""Once all answers to an item are in, one is taken back only through who gives it back."""

from __future__ import annotations

import pytest

from annotation.adjudication.discussion_views import keep, open_discussion
from annotation.adjudication.disputes import decide, open_case
from annotation.adjudication.giving_back import Request, ask_back, decline, give_back, requests
from annotation.adjudication.tasks import recall
from annotation.agreement.overview import report
from annotation.batches.commands import set_overlap
from annotation.check.project import check
from annotation.gold.derivation import derive
from annotation.history.reading import read
from annotation.mapping import commands as mapping_commands
from annotation.people.members import change_role, deactivate, reactivate
from annotation.work import commands, queue_service, threads
from storage.law.imports import keep_statutes
from tests.annotation.crew import batch, leader, submit
from tests.annotation.house import SLUG, House, given_back, propose, statute
from tests.support.refusals import code_of, refusal


def locked(house: House, person: int, item: int) -> bool:
    """Return whether taking back is refused, which the screen says beforehand."""
    shown = queue_service.open_item(house.ws, person, item)
    assert shown.status == "submitted"
    assert shown.locked is not shown.can_take_back
    return shown.locked


@pytest.fixture
def item(house: House) -> int:
    """Return an item on which Ann and Ben agree; both answers that it takes are in."""
    submit(house, house.ann, house.items[0], 1)
    submit(house, house.ben, house.items[0], 1)
    return house.items[0]


def test_the_last_answer_locks_all_of_them(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, 1)
    commands.take_back(house.ws, house.ann, item)
    commands.submit(house.ws, house.ann, item)
    assert not locked(house, house.ann, item)
    submit(house, house.ben, item, 2)
    for who in (house.ann, house.ben):
        error = refusal(commands.take_back, house.ws, who, item)
        assert error.code == "answers_all_in"
        assert "q1" in error.what("en") and "q1" in error.what("ko")
        assert locked(house, who, item)
    assert check(house.ws, SLUG) == []


def test_another_overlap_opens_nothing_and_a_smaller_one_locks(house: House) -> None:
    number = batch(house, overlap=2)
    one, two = house.items[:2]
    submit(house, house.ann, one, 1)
    submit(house, house.ben, one, 1)
    set_overlap(house.ws, SLUG, number, 3)
    assert locked(house, house.ann, one), "she was told that they agree"
    submit(house, house.ann, two, 1)
    submit(house, house.ben, two, 1)
    assert not locked(house, house.ann, two)
    set_overlap(house.ws, SLUG, number, 2)
    set_overlap(house.ws, SLUG, number, 3)
    assert locked(house, house.ann, two), "for a moment all were in"


def test_calibration_and_practice_lock_nothing_and_tell_nothing(house: House) -> None:
    from tests.annotation.crew import know

    know(house)
    batch(house, calibration=0.5, ids=("q1", "q3"))
    item = house.items[2]
    for who in (house.ann, house.ben, house.cho):
        submit(house, who, item, 1)
    threads.say(house.ws, house.ben, item, "Article 1.")
    assert not locked(house, house.ann, item)
    assert threads.thread(house.ws, house.ann, item) == ()
    assert derive(house.ws, SLUG, by=house.ann)[2].pending == ("waiting",)


def test_somebody_elses_withdrawal_opens_nothing(house: House, item: int) -> None:
    given_back(house, house.ben, item)
    commands.take_back(house.ws, house.ben, item)
    assert locked(house, house.ann, item)
    assert derive(house.ws, SLUG, by=house.ann)[0].pending == ("sent_back",)


def test_leaving_and_coming_back_opens_nothing(house: House, item: int) -> None:
    deactivate(house.ws, house.ann)
    reactivate(house.ws, house.ann)
    assert locked(house, house.ann, item)
    change_role(house.ws, house.ann, "researcher")
    change_role(house.ws, house.ann, "annotator")
    assert locked(house, house.ann, item)


def test_given_back_it_is_its_persons_alone_and_nothing_is_told(house: House, item: int) -> None:
    threads.say(house.ws, house.ben, item, "Article 1, surely.")
    threads.say(house.ws, house.judge, item, "Read paragraph 2.")
    before = report(house.ws, SLUG, house.ann).complete
    given_back(house, house.ann, item)
    shown = open_discussion(house.ws, house.ann, item)
    assert shown is not None
    assert (shown.reason, shown.voices, shown.can_keep) == ("Look again.", (), True)
    assert queue_service.open_item(house.ws, house.ann, item).can_take_back
    assert [each.text for each in threads.thread(house.ws, house.ann, item)] == [
        "Read paragraph 2."
    ]
    mine = derive(house.ws, SLUG, by=house.ann)[0]
    assert (mine.outcome, mine.pending, mine.units) == ("pending", ("given_back",), ())
    assert derive(house.ws, SLUG, by=house.judge)[0].pending == ("given_back",)
    assert derive(house.ws, SLUG, by=house.ben)[0].pending == ("sent_back",), "not to how many"
    assert report(house.ws, SLUG, house.ann).complete == before - 1
    commands.take_back(house.ws, house.ann, item)
    assert [each.text for each in threads.thread(house.ws, house.ann, item)] == [
        "Read paragraph 2."
    ]
    commands.set_comment(house.ws, house.ann, item, "Slipped.")
    commands.submit(house.ws, house.ann, item)
    assert locked(house, house.ann, item)
    assert derive(house.ws, SLUG)[0].outcome == "consensus"
    side = open_case(house.ws, house.judge, item).sides[0]
    assert (side.taken_back, side.read_before) == (1, 2)
    assert check(house.ws, SLUG) == []


def test_kept_it_is_locked_again(house: House, item: int) -> None:
    given_back(house, house.ann, item)
    keep(house.ws, house.ann, item)
    assert locked(house, house.ann, item)
    assert code_of(keep, house.ws, house.ann, item) == "not_in_discussion"


def test_asking_and_giving_and_declining(house: House, item: int) -> None:
    first = ask_back(house.ws, house.ann, item, "I took 1 for 2.")
    assert ask_back(house.ws, house.ann, item, "I took 1 for 2.") == first, "heard twice"
    assert queue_service.open_item(house.ws, house.ann, item).asked
    assert not queue_service.open_item(house.ws, house.ben, item).asked
    lead = leader(house, "researcher")
    (asked,) = requests(house.ws, lead)
    about = first, item, "q1", "citation_mapping", house.ann, "Ann", "I took 1 for 2."
    assert asked == Request(*about, asked.at)
    decline(house.ws, lead, first, "Article 1 is meant.")
    assert requests(house.ws, lead) == []
    shown = queue_service.open_item(house.ws, house.ann, item)
    assert not shown.asked
    assert shown.declined is not None
    assert shown.declined[2] == "Article 1 is meant."
    assert queue_service.open_item(house.ws, house.ben, item).declined is None
    told = [(each.kind, each.text) for each in threads.thread(house.ws, house.ann, item)]
    assert told == [("asked", "I took 1 for 2."), ("declined", "Article 1 is meant.")]
    assert code_of(decline, house.ws, lead, first, "Again.") == "request_unknown"
    again = ask_back(house.ws, house.ann, item, "No, really.")
    assert again != first
    assert queue_service.open_item(house.ws, house.ann, item).declined is None
    give_back(house.ws, lead, item, house.ann, "As you asked.")
    assert requests(house.ws, lead) == []
    assert code_of(decline, house.ws, lead, again, "Too late.") == "request_unknown"
    kinds = {each.kind for each in read(house.ws, SLUG).entries}
    assert {"comment.asked", "comment.declined", "referral.sent_back"} <= kinds
    assert check(house.ws, SLUG) == []


def test_a_request_and_its_answer_are_not_read_by_the_other_annotators(
    house: House, item: int
) -> None:
    ws, lead = house.ws, leader(house, "researcher")
    threads.say(ws, house.judge, item, "Read paragraph 2.")
    asked = ask_back(ws, house.ann, item, "I took 1 for 2.")
    answer = decline(ws, lead, asked, "It is right as it stands.")
    threads.say(ws, lead, item, "Article 1, that is.", reply_to=answer)
    own = threads.say(ws, house.ann, item, "But the second half?", reply_to=answer)
    threads.say(ws, house.judge, item, "No, neither.", reply_to=own)
    public = ["Read paragraph 2."]
    private = ["I took 1 for 2.", "It is right as it stands.", "Article 1, that is."]
    private += ["But the second half?", "No, neither."]

    def read_by(who: int) -> list[str]:
        told = [each.text for each in threads.thread(ws, who, item)]
        (entry,) = (e for e in queue_service.queue(ws, who) if e.item_id == item)
        assert entry.messages == len(told) == queue_service.open_item(ws, who, item).messages
        return told

    assert read_by(house.ben) == public
    assert read_by(house.ann) == public + private
    for who in (house.judge, lead):
        assert [each.text for each in threads.thread(ws, who, item)] == public + private
    assert code_of(threads.say, ws, house.ben, item, "What?", answer) == "message_unknown"
    assert not [e for e in read(ws, SLUG, by=house.ben).entries if e.kind.startswith("comment")]
    give_back(ws, lead, item, house.ann, "You are right.")
    assert read_by(house.ben) == public
    assert check(ws, SLUG) == []


def test_one_request_waits_at_a_time_and_is_not_repeated_word_for_word(
    house: House, item: int
) -> None:
    ws, other = house.ws, house.items[1]
    for who in (house.ann, house.ben):
        submit(house, who, other, 1)

    def waiting() -> list[tuple[str, int]]:
        return [(each.person, each.item_id) for each in requests(ws, house.judge)]

    first = ask_back(ws, house.ann, item, "Slipped.")
    assert code_of(ask_back, ws, house.ann, item, "Really.") == "request_waiting"
    assert ask_back(ws, house.ann, other, "Slipped.") != first
    bens = ask_back(ws, house.ben, item, "Slipped.")
    assert code_of(decline, ws, house.judge, first, " ") == "decline_reason_missing"
    decline(ws, house.judge, first, "It is right.")
    assert waiting() == [("Ann", other), ("Ben", item)]
    assert code_of(ask_back, ws, house.ann, item, "Slipped.") == "request_declined"
    decline(ws, house.judge, bens, "So is yours.")
    again = ask_back(ws, house.ann, item, "I misread paragraph 2.")
    told = queue_service.open_item(ws, house.ben, item).declined
    assert told is not None and told[1:] == ("Judge", "So is yours.")
    decline(ws, house.judge, again, "Still right.")
    ask_back(ws, house.ben, item, "I misread it too.")
    assert waiting() == [("Ann", other), ("Ben", item)]
    shown = queue_service.open_item(ws, house.ann, item)
    assert shown.declined is not None and not shown.asked
    assert shown.declined[1:] == ("Judge", "Still right.")
    given_back(house, house.ann, other)
    assert waiting() == [("Ben", item)]
    keep(ws, house.ann, other)
    assert waiting() == [("Ben", item)]
    give_back(ws, house.judge, item, house.ann, "Well.")
    assert queue_service.open_item(ws, house.ann, item).declined is None
    keep(ws, house.ann, item)
    assert queue_service.open_item(ws, house.ann, item).declined is None, (
        "it was about what she said before"
    )


def test_a_decision_answers_a_request(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, 1)
    submit(house, house.ben, item, 2)
    ask_back(house.ws, house.ann, item, "Slipped.")
    decide(house.ws, house.judge, item, [house.units[1]], False, "cited", 1.0)
    assert requests(house.ws, house.judge) == []
    assert code_of(ask_back, house.ws, house.ann, item, "But") == "item_settled"
    give = house.ws, house.judge, item, house.ann, "why"
    assert code_of(give_back, *give) == "referral_of_settled"


def test_what_cannot_be_asked_or_given_back_is_refused(house: House, item: int) -> None:
    ws, other = house.ws, house.items[1]
    assert code_of(ask_back, ws, house.ann, item, " ") == "request_reason_missing"
    assert code_of(ask_back, ws, house.ann, item, "\u200b") == "request_reason_missing"
    assert code_of(ask_back, ws, house.ann, 999, "why") == "item_unknown"
    assert code_of(ask_back, ws, house.cho, item, "why") == "not_submitted"
    submit(house, house.ann, other, 1)
    assert code_of(ask_back, ws, house.ann, other, "why") == "not_locked"
    assert code_of(give_back, ws, house.judge, other, house.ann, "why") == "not_locked"
    assert code_of(give_back, ws, house.judge, item, house.cho, "why") == "not_submitted"
    assert code_of(give_back, ws, house.judge, item, 2**70, "why") == "not_submitted"
    assert code_of(give_back, ws, house.judge, item, house.ann, "") == "give_back_reason_missing"
    given_back(house, house.ben, item)
    assert code_of(give_back, ws, house.judge, item, house.ann, "why") == "in_discussion"
    recall(ws, house.judge, item)
    ask_back(ws, house.ben, item, "Why not?")
    assert [each.person for each in requests(ws, house.judge)] == ["Ben"]
    deactivate(ws, house.ben)
    assert code_of(give_back, ws, house.judge, item, house.ben, "why") == "referral_to_nobody"


def test_checking_again_is_open_where_the_amendment_touches_what_was_said(house: House) -> None:
    touched, other = house.items[:2]
    for who in (house.ann, house.ben):
        submit(house, who, touched, 1)
        submit(house, who, other, 3)
    keep_statutes(house.ws, SLUG, [statute(" Now.")], "second")
    propose(house, 2)
    assert derive(house.ws, SLUG, by=house.ann)[0].pending == ("amended",)
    assert derive(house.ws, SLUG, by=house.ann)[1].outcome == "agreed"
    assert code_of(mapping_commands.recheck, house.ws, house.ann, other) == "answers_all_in"
    mapping_commands.recheck(house.ws, house.ann, touched)
    assert queue_service.open_item(house.ws, house.ann, touched).status == "draft"


def test_an_amendment_of_ones_own_ground_hides_the_outcome(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, 1)
    submit(house, house.ben, item, 3)
    assert derive(house.ws, SLUG, by=house.ann)[0].pending == ("adjudication",)
    keep_statutes(house.ws, SLUG, [statute(" Now.")], "second")
    propose(house, 2)
    assert derive(house.ws, SLUG, by=house.ann)[0].pending == ("amended",), "she may answer anew"
    assert derive(house.ws, SLUG, by=house.ben)[0].pending == ("adjudication",)
