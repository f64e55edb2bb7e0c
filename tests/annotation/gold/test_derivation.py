""""""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

from annotation.adjudication.disputes import decide
from annotation.agreement.overview import report
from annotation.gold.derivation import Evidence, GoldItem, derive, evidence_of, rejections_for
from annotation.mapping import commands as mapping_commands
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import find_project
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House, build, question, statute
from tests.conftest import FakeClock


def _state(item: GoldItem) -> tuple[object, ...]:
    return (item.outcome, item.pending, item.no_provision, item.units)


def test_gold_follows_agreement_then_adjudication(house: House) -> None:
    first, second, third = house.items
    submit(house, house.ann, first, (3, 1))
    assert [_state(item) for item in derive(house.ws, SLUG)] == [
        ("pending", ("waiting",), False, ()),
        ("pending", ("not_begun",), False, ()),
        ("pending", ("not_begun",), False, ()),
    ]
    submit(house, house.ben, first, (1, 3))
    submit(house, house.ann, second)
    submit(house, house.ben, second, unsure=(1,))
    submit(house, house.ann, third)
    submit(house, house.ben, third)
    assert [_state(item) for item in derive(house.ws, SLUG)] == [
        ("agreed", (), False, ("lake-act_article-1", "lake-act_article-3")),
        ("pending", ("differ", "unsure"), False, ()),
        ("agreed", (), True, ()),
    ]
    decide(house.ws, house.judge, second, [house.units[4]], False, "it delegates", 9)
    found = derive(house.ws, SLUG)[1]
    assert _state(found) == ("adjudicated", (), False, ("lake-act_article-4",))
    assert found.settled
    assert found.snapshot_id == 1


def test_one_submission_is_gold_where_one_is_wanted(tmp_path: Path, clock: FakeClock) -> None:
    house = build(tmp_path / "single", clock, overlap=1)
    submit(house, house.ann, house.items[0], (1,))
    submit(house, house.ben, house.items[1], unsure=(1,))
    found = derive(house.ws, SLUG)
    assert _state(found[0]) == ("single", (), False, ("lake-act_article-1",))
    assert _state(found[1]) == ("pending", ("unsure",), False, ())


def test_lineage_says_who_when_on_what_and_why(house: House) -> None:
    item = house.items[0]
    first = submit(house, house.ann, item, (1,), comment="clear")
    submit(house, house.ben, item, (2,))
    decided = decide(house.ws, house.judge, item, [house.units[1]], False, "cited", 7.5)
    mine, _, last = derive(house.ws, SLUG)[0].lineage
    assert (mine.kind, mine.id, mine.person, mine.role) == ("annotation", first, "Ann", "annotator")
    assert (mine.comment, mine.guideline_version[:2]) == ("clear", "1-")
    label = mine.labels[0]
    assert (label.unit, label.label) == ("lake-act_article-1", "accept")
    assert label.citations == ("「Lake Act」 Article 1 (1)",)
    assert (last.kind, last.id) == ("adjudication", decided)
    assert (last.person, last.role) == ("Judge", "adjudicator")
    assert (last.reason, last.seconds, last.snapshot_id) == ("cited", 7.5, 1)
    assert len(last.snapshot) == 64
    assert last.labels[0].citations == label.citations
    assert mine.at < last.at
    assert json.loads(json.dumps(mine.as_dict()))["at"] == mine.at.isoformat()


def test_nothing_anybody_said_is_in_the_gold_of_an_incomplete_item(house: House) -> None:
    submit(house, house.ann, house.items[0], (2,), unsure=(1,), comment="secret", flag="secret")
    said = repr(derive(house.ws, SLUG)[0])
    assert "secret" not in said
    assert "article-2" not in said


def test_who_annotates_is_shown_gold_of_what_they_submitted_alone(house: House) -> None:
    for item in house.items:
        submit(house, house.ben, item, (2,))
    submit(house, house.cho, house.items[0], (2,))
    submit(house, house.cho, house.items[1], (3,))
    submit(house, house.ann, house.items[2], (2,))
    unseen, also, own = derive(house.ws, SLUG, by=house.ann)
    assert derive(house.ws, SLUG)[0].settled
    for hidden in (unseen, also):
        assert (hidden.outcome, hidden.pending) == ("pending", ("unseen",))
        assert (hidden.units, hidden.lineage, hidden.snapshot_id) == ((), (), None)
    assert own == derive(house.ws, SLUG)[2]
    settled, differing, waiting = derive(house.ws, SLUG, by=house.cho)
    assert settled.outcome == "agreed"
    assert (differing.pending, differing.lineage) == (("adjudication",), ())
    assert waiting.pending == ("unseen",)
    assert derive(house.ws, SLUG, by=house.judge) == derive(house.ws, SLUG)


def test_who_annotates_is_shown_agreement_on_what_they_submitted_alone(house: House) -> None:
    for item in house.items[:2]:
        submit(house, house.ben, item, (2,))
    submit(house, house.cho, house.items[0], (3,))
    submit(house, house.ann, house.items[1], (2,))
    found = report(house.ws, SLUG, house.ann)
    assert (found.complete, found.differing, found.disagreements) == (1, 0, [])
    assert [each.person for each in found.progress] == ["Ann"]
    assert found.figures[0].value == 1
    other = report(house.ws, SLUG, house.cho)
    assert (other.complete, other.differing, other.disagreements) == (1, 1, [])
    everything = report(house.ws, SLUG, house.judge)
    assert (everything.complete, len(everything.disagreements)) == (2, 1)


def _reject(house: House, person: int, item: int, *numbers: int) -> None:
    for number in numbers:
        mapping_commands.label(house.ws, person, item, house.units[number], "reject")


def _unit(number: int) -> str:
    return f"lake-act_article-{number}"


def _first(house: House) -> GoldItem:
    return derive(house.ws, SLUG)[0]


def test_only_what_everybody_rejected_by_name_is_a_negative(house: House) -> None:
    item = house.items[0]
    _reject(house, house.ann, item, 2, 3)
    submit(house, house.ann, item, (1,))
    assert _first(house).rejected == ()  # the question is not settled
    _reject(house, house.ben, item, 3)
    submit(house, house.ben, item, (1,))
    assert (_first(house).units, _first(house).rejected) == ((_unit(1),), (_unit(3),))


def test_of_no_provision_it_is_what_was_looked_at(house: House) -> None:
    item = house.items[0]
    for person in (house.ann, house.ben):
        _reject(house, person, item, 2)
        submit(house, person, item)
    found = _first(house)
    assert (found.no_provision, found.units, found.rejected) == (True, (), (_unit(2),))


def test_what_was_in_dispute_is_settled_by_the_adjudicator(house: House) -> None:
    item = house.items[0]
    _reject(house, house.ann, item, 3)
    submit(house, house.ann, item, (1,))
    submit(house, house.ben, item, (2,))
    assert _first(house).rejected == ()
    decide(house.ws, house.judge, item, [house.units[1]], False, "cited", 2.0)
    assert _first(house).rejected == (_unit(2),)  # 3 was passed over by Ben and not disputed
    decide(house.ws, house.judge, item, [house.units[1], house.units[2]], False, "both", 2.0)
    assert _first(house).rejected == ()


def test_a_provision_that_was_amended_since_is_no_negative_there(house: House) -> None:
    item = house.items[0]
    for person in (house.ann, house.ben):
        _reject(house, person, item, 1, 3)
        submit(house, person, item, (2,))
    law = keep_statutes(house.ws, SLUG, [statute(" Bright ones.")], "second").snapshot_id
    found = derive(house.ws, SLUG)
    with house.ws.reading() as session:
        assert rejections_for(session, found, 1) == {"q1": (_unit(1), _unit(3))}
        assert rejections_for(session, found, law) == {"q1": (_unit(3),)}


def _evidence(ws: Workspace) -> Evidence:
    with ws.reading() as session:
        return evidence_of(session, find_project(session, SLUG))


def test_evidence_is_read_again_once_something_has_changed(house: House) -> None:
    first = _evidence(house.ws)
    assert _evidence(house.ws) is first
    item = house.items[0]
    submit(house, house.ann, item, (1,))
    submit(house, house.ben, item, (1,))
    second = _evidence(house.ws)
    assert [each.settled for each in second.items] == [True, False, False]
    graded = replace(question(1), grades=(("lake-act_article-1", 2),))
    keep_questions(house.ws, SLUG, [graded], "grades")  # adds no row
    assert _evidence(house.ws).questions["q1"].grades == graded.grades


def test_evidence_that_may_be_rolled_back_is_read_and_not_kept(house: House) -> None:
    before = _evidence(house.ws)
    with house.ws.writing() as session:
        assert evidence_of(session, find_project(session, SLUG)) is not before
        session.rollback()
    assert _evidence(house.ws) is before
