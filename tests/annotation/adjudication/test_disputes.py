from __future__ import annotations

from datetime import timedelta

import pytest

from annotation.adjudication.disputes import decide, open_case, queue
from annotation.check.project import check
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from annotation.work.commands import DecidedMeanwhileError
from storage.law.imports import keep_statutes
from storage.tables.core import Adjudication
from tests.annotation.house import SLUG, House, given_back, propose, statute
from tests.conftest import FakeClock
from tests.support.refusals import code_of


def submit(house: House, person: int, item: int, accept=(), unsure=(), **more: str) -> int:
    ws = house.ws
    for decision, numbers in (("accept", accept), ("unsure", unsure)):
        for number in numbers:
            if decision == "accept" and number > 3:
                mapping_commands.add_unit(ws, person, item, house.units[number])
            else:
                mapping_commands.label(ws, person, item, house.units[number], decision)
    if not accept and not unsure:
        mapping_commands.set_no_provision(ws, person, item, True)
    commands.set_comment(ws, person, item, more.get("comment", ""))
    commands.set_flag(ws, person, item, more.get("flag", ""))
    return commands.submit(ws, person, item)


def _differ(house: House, item: int) -> None:
    submit(house, house.ann, item, (1, 5), comment="both")
    submit(house, house.ben, item, (1, 2))


def test_only_what_needs_an_adjudicator_is_queued_with_its_causes(house: House) -> None:
    first, second, third = house.items
    _differ(house, first)
    submit(house, house.ann, second, (1,))
    submit(house, house.ben, second, (1,))
    submit(house, house.ann, third, (1,), unsure=(2,), flag="cut off")
    submit(house, house.ben, third)
    found = queue(house.ws, house.judge)
    assert [(e.item_id, e.external_id, e.causes, e.decision) for e in found] == [
        (first, "q1", ("differ",), None),
        (third, "q3", ("differ", "unsure", "flagged"), None),
    ]


def test_a_side_shows_how_often_it_was_taken_back(house: House) -> None:
    item, other = house.items[:2]
    for taken_back in range(3):
        if taken_back:
            given_back(house, house.ben, item)
            commands.take_back(house.ws, house.ben, item)
            commands.submit(house.ws, house.ben, item)
        else:
            _differ(house, item)
            _differ(house, other)
        sides = {side.person.id: side for side in open_case(house.ws, house.judge, item).sides}
        assert (sides[house.ann].taken_back, sides[house.ben].taken_back) == (0, taken_back)
    assert [side.taken_back for side in open_case(house.ws, house.judge, other).sides] == [0, 0]


def test_nothing_of_an_item_is_shown_before_all_submissions_are_in(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, (1,), unsure=(2,), flag="odd")
    assert queue(house.ws, house.judge) == []
    assert code_of(open_case, house.ws, house.judge, item) == "case_closed_to_you"
    submit(house, house.ben, item, (1,))
    assert open_case(house.ws, house.judge, item).causes == ("unsure", "flagged")
    given_back(house, house.ben, item)
    assert open_case(house.ws, house.judge, item).state == "sent_back"
    commands.take_back(house.ws, house.ben, item)
    assert open_case(house.ws, house.judge, item).revising
    decision = (house.ws, house.judge, item, [house.units[1]], False, "r", 1.0)
    assert code_of(decide, *decision) == "case_revised"


def test_a_case_shows_both_sides_and_every_unit_in_play(house: House) -> None:
    item = house.items[0]
    _differ(house, item)
    case = open_case(house.ws, house.judge, item, extra=(house.units[4], 999))
    units = house.units
    assert [c.unit_id for c in case.candidates] == [units[n] for n in (1, 2, 3, 5, 4)]
    assert all(candidate.decision is None for candidate in case.candidates)
    ann, ben = case.sides
    assert (ann.person.name, ann.comment, ann.no_provision) == ("Ann", "both", False)
    assert ann.decisions == {units[1]: "accept", units[5]: "accept"}
    assert ben.decisions == {units[1]: "accept", units[2]: "accept"}
    assert case.suggested == (units[1],)
    assert case.decision is None
    assert len(case.citations) == 2


def test_a_decision_supersedes_the_one_before(house: House) -> None:
    ws, item, units = house.ws, house.items[0], house.units
    _differ(house, item)
    first = decide(ws, house.judge, item, [units[2], units[1]], False, " both apply ", 12.5)
    second = decide(ws, house.judge, item, [], True, "none does", 3)
    with ws.reading() as session:
        old, new = session.get_one(Adjudication, first), session.get_one(Adjudication, second)
        assert (old.reason, old.seconds, old.supersedes_id) == ("both apply", 12.5, None)
        assert (new.no_provision, new.supersedes_id) == (True, first)
        assert (new.snapshot_id, new.candidate_set_id) == (1, 1)
        assert new.guideline_version and new.codebook_version
    decision = queue(ws, house.judge)[0].decision
    assert decision is not None
    assert (decision.person, decision.no_provision, decision.labels) == ("Judge", True, ())
    decide(ws, house.judge, item, [units[5]], False, "after all", 3)
    shown = open_case(ws, house.judge, item).decision
    assert shown is not None
    assert (shown.unit_ids, shown.labels) == ((units[5],), ("Lake Act Article 5",))
    assert check(ws, SLUG) == []


def test_what_cannot_be_decided_is_refused(house: House) -> None:
    ws, item, unit = house.ws, house.items[0], house.units[1]
    _differ(house, item)
    for wrong, code in (
        (([unit], True, "r", 1), "accept_beside_none"),
        (([], False, "r", 1), "case_undecided"),
        (([unit], False, "  ", 1), "reason_missing"),
        (([unit], False, "x" * 5001, 1), "text_too_long"),
        (([unit], False, "r", -1), "seconds_invalid"),
        (([unit], False, "r", float("nan")), "seconds_invalid"),
        (([unit, 999], False, "r", 1), "unit_unknown"),
    ):
        assert code_of(decide, ws, house.judge, item, *wrong) == code
    assert code_of(decide, ws, 99, item, [unit], False, "r", 1) == "person_unknown"
    assert code_of(decide, ws, house.judge, 99, [unit], False, "r", 1) == "item_unknown"
    assert code_of(open_case, ws, house.judge, house.items[1]) == "case_closed_to_you"
    assert queue(ws, house.judge)[0].decision is None


def test_a_decision_on_submissions_no_longer_there_is_refused(house: House) -> None:
    ws, item, unit = house.ws, house.items[0], house.units[1]
    _differ(house, item)
    seen = open_case(ws, house.judge, item).annotation_ids
    given_back(house, house.ben, item)
    commands.take_back(ws, house.ben, item)
    commands.submit(ws, house.ben, item)
    decision = (ws, house.judge, item, [unit], False, "r", 1.0)
    assert code_of(decide, *decision, annotation_ids=seen) == "case_changed"
    now = open_case(ws, house.judge, item).annotation_ids
    assert decide(*decision, annotation_ids=now)


def test_sides_on_different_snapshots_are_compared_by_semantic_id(
    house: House, clock: FakeClock
) -> None:
    ws, (first, second, _) = house.ws, house.items
    submit(house, house.ann, first, (1,))
    submit(house, house.ann, second, (2,))
    snapshot = keep_statutes(ws, SLUG, [statute(" Changed.")], "second").snapshot_id
    propose(house, snapshot, 1, 4)
    clock.now += timedelta(hours=1)
    for item in (first, second):
        view = queue_service.open_item(ws, house.ben, item)
        assert view.snapshot_id == snapshot
        mapping_commands.label(ws, house.ben, item, view.candidates[0].unit_id, "accept")
        commands.submit(ws, house.ben, item)
    entries = queue(ws, house.judge)
    assert [entry.item_id for entry in entries] == [second]
    case = open_case(ws, house.judge, second)
    assert case.snapshot_id == snapshot
    by_id = {candidate.unit_id: candidate.semantic_id for candidate in case.candidates}
    assert [{by_id[unit] for unit in side.decisions} for side in case.sides] == [
        {"lake-act_article-2"},
        {"lake-act_article-1"},
    ]
    assert all(unit not in house.units.values() for unit in by_id)


def test_a_decision_never_takes_the_place_of_one_that_was_not_seen(house: House) -> None:
    ws, item = house.ws, house.items[0]
    _differ(house, item)

    def say(number: int, before: int | None) -> int:
        units = [house.units[number]]
        return decide(ws, house.judge, item, units, False, f"for {number}", 1.0, before=before)

    first = say(1, None)
    with pytest.raises(DecidedMeanwhileError) as caught:
        say(2, None)
    assert caught.value.now == first
    for language in ("en", "ko"):
        assert "Lake Act Article 1" in caught.value.what(language)
        assert caught.value.remedy(language)
    second = say(2, first)
    seen = open_case(ws, house.judge, item).decision
    assert seen is not None
    assert (seen.number, seen.reason) == (second, "for 2")
    assert say(3, seen.number)
