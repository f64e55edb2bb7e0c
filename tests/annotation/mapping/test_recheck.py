"""An item taken up again after the law was amended, from the queue entry until it is gold again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.adjudication.disputes import decide, open_case
from annotation.check.project import check
from annotation.gold.derivation import derive
from annotation.gold.rechecks import rechecks
from annotation.mapping import commands as mapping_commands
from annotation.work import commands, queue_service
from annotation.work.queue_service import ItemView
from storage.law.imports import keep_statutes
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.gold.test_rechecks import amend
from tests.annotation.house import SLUG, House, propose, statute
from tests.support.refusals import code_of


def marks(view: ItemView) -> dict[str, tuple[str, str, str | None]]:
    """Return mark, former label and decision of each candidate that has any of them."""
    return {
        each.semantic_id.removeprefix("lake-act_article-"): (each.mark, each.former, each.decision)
        for each in view.candidates
        if each.mark or each.decision
    }


def unit(view: ItemView, place: str) -> int:
    ids = {each.semantic_id.removeprefix("lake-act_article-"): each for each in view.candidates}
    return ids[place].unit_id


@pytest.fixture
def agreed(house: House) -> House:
    """Article 1 is reworded since both accepted it, 2 moved, 3 gone; 4 is as it was."""
    for person in (house.ann, house.ben):
        submit(house, person, house.items[0], (1, 2, 3, 4), comment="mine")
    return house


def take_up(house: House, person: int, *accepted: str) -> None:
    item = house.items[0]
    mapping_commands.recheck(house.ws, person, item)
    for place in accepted:
        view = queue_service.open_item(house.ws, person, item)
        mapping_commands.label(house.ws, person, item, unit(view, place), "accept")
    commands.submit(house.ws, person, item)


def test_an_amended_item_is_taken_up_again_and_is_gold_again(agreed: House) -> None:
    ws, item = agreed.ws, agreed.items[0]
    amend(agreed)
    propose(agreed, 2, 1, 5)
    assert derive(ws, SLUG)[0].pending == ("amended",)
    assert derive(ws, SLUG, 1)[0].settled
    assert len(rechecks(ws, agreed.judge)) == 3
    assert queue_service.open_item(ws, agreed.ann, item).outrun
    mapping_commands.recheck(ws, agreed.ann, item)
    view = queue_service.open_item(ws, agreed.ann, item)
    assert (view.status, view.snapshot_id, view.outrun, view.can_undo) == ("draft", 2, False, False)
    assert (view.comment, view.dropped) == ("mine", ("Lake Act Article 3",))
    assert marks(view) == {
        "1": ("amended", "", None),
        "2-1": ("moved", "Article 2", None),
        "4": ("brought", "", "accept"),
    }
    assert queue_service.queue(ws, agreed.ann)[0].status == "draft"
    assert code_of(commands.undo, ws, agreed.ann, item) == "nothing_to_undo"
    assert code_of(mapping_commands.recheck, ws, agreed.ann, item) == "nothing_to_recheck"
    for place in ("1", "2-1"):
        mapping_commands.label(ws, agreed.ann, item, unit(view, place), "accept")
    commands.undo(ws, agreed.ann, item)
    mapping_commands.label(ws, agreed.ann, item, unit(view, "2-1"), "accept")
    commands.submit(ws, agreed.ann, item)
    assert not derive(ws, SLUG)[0].settled
    take_up(agreed, agreed.ben, "1", "2-1")
    gold = derive(ws, SLUG)[0]
    assert gold.outcome == "agreed"
    assert gold.units == tuple(f"lake-act_article-{n}" for n in ("1", "2-1", "4"))
    for person in (agreed.ann, agreed.ben, agreed.judge):
        assert rechecks(ws, person) == []
    assert check(ws, SLUG) == []


def test_without_candidates_from_the_law_in_use_the_submission_stays(agreed: House) -> None:
    amend(agreed)
    assert (
        code_of(mapping_commands.recheck, agreed.ws, agreed.ann, agreed.items[0])
        == "candidates_missing"
    )
    view = queue_service.open_item(agreed.ws, agreed.ann, agreed.items[0])
    assert (view.status, view.outrun) == ("submitted", True)


def test_law_that_says_the_same_asks_for_nothing(agreed: House) -> None:
    keep_statutes(agreed.ws, SLUG, [statute(), replace(statute(), semantic_id="pond-act",
                  title="Pond Act", units=())], "second")  # fmt: skip
    propose(agreed, 2)
    assert not queue_service.open_item(agreed.ws, agreed.ann, agreed.items[0]).outrun
    assert derive(agreed.ws, SLUG)[0].settled


def test_no_provision_is_said_again_where_something_new_is_suggested(house: House) -> None:
    ws, item = house.ws, house.items[0]
    for person in (house.ann, house.ben):
        submit(house, person, item)
    amend(house)
    assert derive(ws, SLUG)[0].pending == ("no_candidates",)
    assert not queue_service.open_item(ws, house.ann, item).outrun, (
        "there is nothing to decide on yet"
    )
    (entry,) = rechecks(ws, house.judge)
    assert (entry.reason, entry.unit, entry.gold) == ("no_candidates", "", True)
    propose(house, 2, 1, 4)
    assert derive(ws, SLUG)[0].amended == ("lake-act_article-1",)
    assert queue_service.open_item(ws, house.ann, item).outrun
    (entry,) = rechecks(ws, house.judge)
    assert (entry.reason, entry.place) == ("arrived", "Lake Act Article 1")
    assert (entry.unit, entry.gold) == ("lake-act_article-1", True)
    assert {each.decision for each in entry.decisions} == {"no_provision"}
    assert len(rechecks(ws, house.ann)) == 1
    for person in (house.ann, house.ben):
        mapping_commands.recheck(ws, person, item)
        assert not queue_service.open_item(ws, person, item).no_provision
        mapping_commands.set_no_provision(ws, person, item, True)
        commands.submit(ws, person, item)
    assert derive(ws, SLUG)[0].no_provision
    for person in (house.ann, house.ben, house.judge):
        assert rechecks(ws, person) == []
    assert check(ws, SLUG) == []


def test_no_provision_holds_where_nothing_new_is_suggested(house: House) -> None:
    ws, item = house.ws, house.items[0]
    for person in (house.ann, house.ben):
        submit(house, person, item)
    amend(house)
    propose(house, 2, 4, 5)
    assert derive(ws, SLUG)[0].settled
    assert not queue_service.open_item(ws, house.ann, item).outrun
    assert rechecks(ws, house.judge) == rechecks(ws, house.ann) == []


def test_a_draft_and_one_set_aside_are_taken_up_too(house: House) -> None:
    ws, item = house.ws, house.items[0]
    mapping_commands.label(ws, house.ann, item, house.units[1], "accept")
    mapping_commands.label(ws, house.ann, item, house.units[2], "accept")
    commands.skip(ws, house.ann, item, "later")
    amend(house)
    propose(house, 2, 1, 4)
    assert queue_service.open_item(ws, house.ann, item).outrun
    mapping_commands.recheck(ws, house.ann, item)
    view = queue_service.open_item(ws, house.ann, item)
    assert view.status == "draft" == queue_service.queue(ws, house.ann)[0].status
    assert marks(view) == {"1": ("amended", "", None), "2-1": ("moved", "Article 2", None)}


def test_what_an_adjudicator_decided_is_theirs_to_check_again(house: House) -> None:
    ws, item = house.ws, house.items[0]
    submit(house, house.ann, item, (1, 4))
    submit(house, house.ben, item, (2, 3))
    decide(ws, house.judge, item, [house.units[n] for n in (1, 2, 3, 4)], False, "all", 9)
    amend(house)
    propose(house, 2, 1, 5)
    assert derive(ws, SLUG)[0].pending == ("amended",)
    assert code_of(mapping_commands.recheck, ws, house.ann, item) == "item_settled"
    assert not queue_service.open_item(ws, house.ann, item).outrun
    case = open_case(ws, house.judge, item)
    assert case.snapshot_id == 2
    seen = {each.semantic_id.removeprefix("lake-act_article-"): each for each in case.candidates}
    assert {place: each.mark for place, each in seen.items()} == {
        "1": "amended", "2": "gone", "2-1": "moved", "3": "gone", "4": "", "5": "",
    }  # fmt: skip
    assert seen["2-1"].former == "Article 2"
    wrong = (ws, house.judge, item, [seen["3"].unit_id], False, "gone", 1)
    assert code_of(decide, *wrong) == "unit_unknown"
    chosen = [seen[place].unit_id for place in ("1", "2-1", "4")]
    decide(ws, house.judge, item, chosen, False, "as amended", 5)
    gold = derive(ws, SLUG)[0]
    assert (gold.outcome, gold.snapshot_id) == ("adjudicated", 2)
    assert gold.units == tuple(f"lake-act_article-{n}" for n in ("1", "2-1", "4"))
    assert rechecks(ws, house.judge) == []
    assert check(ws, SLUG) == []
