from __future__ import annotations

from dataclasses import replace

from annotation.adjudication.disputes import decide
from annotation.gold.rechecks import Recheck, project_rechecks, rechecks
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from corpus.model import Statute
from storage.law.imports import keep_statutes
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House, propose, statute

REMOVED, CHANGED, MOVED = 3, 1, 2  # what becomes of the articles of these numbers


def amended_law() -> Statute:
    """Return the Lake Act with article 1 reworded, 2 moved to 2-1 and 3 gone."""
    first, second, _, *rest = statute(" Lamps are lit by the master at dusk.").units
    moved = replace(second, semantic_id="lake-act_article-2-1", label="Article 2-1")
    return replace(statute(), units=(first, moved, *rest))


def amend(house: House) -> None:
    """Import the amended law as snapshot 2, without candidates from it."""
    keep_statutes(house.ws, SLUG, [amended_law()], "second")


def told(found: list[Recheck]) -> list[tuple[str, str, str, bool, list[tuple[str, str]]]]:
    return [
        (
            each.external_id,
            each.unit.removeprefix("lake-act_article-"),
            str(each.became),
            each.gold,
            [(basis.kind, basis.decision) for basis in each.decisions],
        )
        for each in found
    ]


def test_gold_adjudications_and_submissions_that_rest_on_touched_units(house: House) -> None:
    first, second, third = house.items
    for person in (house.ann, house.ben):
        submit(house, person, first, (1, 4))
    submit(house, house.ann, second, (2,))
    submit(house, house.ben, second, (3,))
    decide(house.ws, house.judge, second, [house.units[2], house.units[5]], False, "so", 9)
    submit(house, house.ann, third, (3,))
    submit(house, house.ben, third, unsure=(2,))
    amend(house)
    found = rechecks(house.ws, house.judge)
    assert told(found) == [
        ("q1", "1", "changed", True, [("submission", "accept"), ("submission", "accept")]),
        ("q2", "2", "renumbered", True, [("adjudication", "accept")]),
        ("q3", "2", "renumbered", False, [("submission", "unsure")]),
        ("q3", "3", "removed", False, [("submission", "accept")]),
    ]
    assert found[1].decisions[0].person == "Judge"
    assert found[1].decisions[0].at is not None
    assert found == project_rechecks(house.ws, SLUG, 2)


def test_a_unit_with_another_label_has_changed(house: House) -> None:
    for person in (house.ann, house.ben):
        submit(house, person, house.items[0], (1,))
    first, *rest = statute().units
    relabelled = replace(statute(), units=(replace(first, label="Art. 1"), *rest))
    keep_statutes(house.ws, SLUG, [relabelled], "second")
    (entry,) = rechecks(house.ws, house.judge)
    assert (entry.unit, entry.became) == (first.semantic_id, "changed")
    assert len(entry.now_ids) == 1 and entry.now_ids != (entry.unit_id,)


def test_a_rejection_is_in_doubt_only_when_the_unit_was_reworded(house: House) -> None:
    item = house.items[0]
    for person in (house.ann, house.ben):
        for number in (CHANGED, MOVED, REMOVED):
            mapping_commands.label(house.ws, person, item, house.units[number], "reject")
        submit(house, person, item, (4,))
    amend(house)
    found = told(rechecks(house.ws, house.judge))
    assert found == [("q1", "1", "changed", False, [("submission", "reject")] * 2)]


def test_an_annotator_is_shown_their_own_decisions_and_nobody_elses(house: House) -> None:
    first, second, third = house.items
    for person in (house.ann, house.ben):
        submit(house, person, first, (1,))
    submit(house, house.ben, second, (3,))
    mapping_commands.label(house.ws, house.ann, second, house.units[2], "accept")
    mapping_commands.label(house.ws, house.ann, third, house.units[1], "unsure")
    commands.skip(house.ws, house.ann, third, "later")
    amend(house)
    mine = rechecks(house.ws, house.ann)
    assert told(mine) == [
        ("q1", "1", "changed", False, [("submission", "accept")]),
        ("q2", "2", "renumbered", False, [("draft", "accept")]),
        ("q3", "1", "changed", False, [("draft", "unsure")]),
    ]
    assert {(b.person, b.at) for each in mine for b in each.decisions} == {(None, None)}
    assert rechecks(house.ws, house.cho) == []


def test_drafts_and_items_not_complete_are_not_shown_to_the_adjudicator(house: House) -> None:
    first, second, _ = house.items
    submit(house, house.ann, first, (1,))
    mapping_commands.label(house.ws, house.ben, second, house.units[1], "accept")
    amend(house)
    assert rechecks(house.ws, house.judge) == []


def test_where_an_adjudicator_has_decided_that_decision_counts(house: House) -> None:
    item = house.items[0]
    submit(house, house.ann, item, (1,))
    submit(house, house.ben, item, (4,))
    decide(house.ws, house.judge, item, [house.units[4]], False, "so", 9)
    amend(house)
    assert rechecks(house.ws, house.judge) == []
    assert rechecks(house.ws, house.ann) == []


def test_decisions_made_on_the_newer_law_are_not_in_doubt(house: House) -> None:
    amend(house)
    propose(house, 2, 1, 4, 5)
    for person in (house.ann, house.ben):
        view = queue_service.open_item(house.ws, person, house.items[0])
        mapping_commands.label(house.ws, person, view.item_id, view.candidates[0].unit_id, "accept")
        commands.submit(house.ws, person, view.item_id)
    assert rechecks(house.ws, house.judge) == []
    assert rechecks(house.ws, house.ann) == []


def test_a_decision_on_law_older_still_is_in_doubt_unless_the_words_are_back(house: House) -> None:
    for person in (house.ann, house.ben):
        submit(house, person, house.items[0], (1,))
    between = statute(" Lamps are red.")
    keep_statutes(house.ws, SLUG, [between], "second")
    for third, left in (
        (statute(" Lamps are green."), 1),
        (replace(statute(), number="back to the words of the first"), 0),
    ):
        number = keep_statutes(house.ws, SLUG, [third], "third").snapshot_id
        assert len(rechecks(house.ws, house.judge)) == left
        assert rechecks(house.ws, house.judge, number) == rechecks(house.ws, house.judge)
    assert len(rechecks(house.ws, house.judge, 2)) == 1, "as it would be with that law in use"
