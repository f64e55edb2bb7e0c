"""Approving wordings: questions that nobody is asked about, with the gold of their parents."""

from __future__ import annotations

from dataclasses import replace

import pytest

from annotation.adjudication.disputes import decide
from annotation.check.project import check
from annotation.gold.derivation import derive
from annotation.reformulation import approve, refuse
from annotation.work.queue_service import queue
from corpus.model import Choice
from services.reformulation.wording import outline, propose
from storage.law.corpus import load_items, load_questions
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import find_project
from storage.reformulation import parentages
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House, question, statute
from tests.support.refusals import code_of

OPTIONS = (Choice("A", "Rowing boats", True), Choice("B", "Ferries", False), Choice("C", "Rafts"))


@pytest.fixture
def worded(house: House) -> House:
    """The project with options of its first question, worded by the template."""
    keep_questions(house.ws, SLUG, [replace(question(1), choices=OPTIONS)], "questions.jsonl")
    assert propose(house.ws, SLUG) == 3
    return house


def ids(house: House) -> list[int]:
    (plan, *_) = outline(house.ws, SLUG).questions
    return [line.worded.id for line in plan.options if line.worded]


def test_an_approved_wording_is_a_question_that_nobody_is_asked_about(worded: House) -> None:
    first, second, _ = ids(worded)
    waiting = queue(worded.ws, worded.ann)
    assert approve(worded.ws, SLUG, first) == "q1-o1"
    assert approve(worded.ws, SLUG, second, " Do ferries need a lamp? ") == "q1-o2"
    with worded.ws.reading() as session:
        project = find_project(session, SLUG).id
        asked, made = load_questions(session, project), parentages(session, project)
        assert len(load_items(session, project)) == 3
    assert list(asked) == ["q1", "q2", "q3", "q1-o1", "q1-o2"]
    stem = question(1).text
    assert asked["q1-o1"].text == f"{stem} Is “Rowing boats” a correct answer?"
    assert asked["q1-o2"].text == "Do ferries need a lamp?"
    assert [asked[name].answer for name in ("q1-o1", "q1-o2")] == ["Yes", "No"]
    assert asked["q1-o1"].gold_ids == asked["q1-o1"].citation_strings == ()
    said = [(of.parent, of.place, of.option, of.worded_by) for of in made.values()]
    assert said == [("q1", 1, "Rowing boats", "template"), ("q1", 2, "Ferries", "person")]
    options = outline(worded.ws, SLUG).questions[0].options
    decisions = [line.worded.said for line in options if line.worded]
    assert [one and one.made for one in decisions] == ["q1-o1", "q1-o2", None]
    assert queue(worded.ws, worded.ann) == waiting
    assert check(worded.ws, SLUG) == []


def test_gold_is_inherited_at_every_moment(worded: House) -> None:
    first, second, _ = ids(worded)
    item = worded.items[0]
    approve(worded.ws, SLUG, first)
    assert derive(worded.ws, SLUG)[-1].pending == ("not_begun",)
    submit(worded, worded.ann, item, (1, 2))
    submit(worded, worded.ben, item, (1,))
    approve(worded.ws, SLUG, second)
    made = derive(worded.ws, SLUG)[3:]
    assert [(each.external_id, each.pending) for each in made] == [
        ("q1-o1", ("differ",)),
        ("q1-o2", ("differ",)),
    ]
    decide(worded.ws, worded.judge, item, [worded.units[1], worded.units[3]], False, "both", 9)
    parent, *others = derive(worded.ws, SLUG)
    for each in others[2:]:
        assert (each.outcome, each.units) == ("adjudicated", parent.units) and each.units
        assert each.lineage == parent.lineage
        assert each.inherited is not None and each.inherited.parent == "q1"
    assert parent.inherited is None
    assert check(worded.ws, SLUG) == []
    keep_statutes(worded.ws, SLUG, [statute(" Changed.")], "second")
    lost = [each for each in derive(worded.ws, SLUG) if each.pending != ("not_begun",)]
    assert {each.external_id: each.pending for each in lost} == dict.fromkeys(
        ("q1", "q1-o1", "q1-o2"), ("amended",)
    )


def test_who_annotates_is_told_no_more_than_of_the_parent(worded: House) -> None:
    approve(worded.ws, SLUG, ids(worded)[0])
    submit(worded, worded.ann, worded.items[0], (1,))
    submit(worded, worded.ben, worded.items[0], (1,))
    for person in (worded.ann, worded.cho):
        parent, *_, made = derive(worded.ws, SLUG, by=person)
        same = (made.outcome, made.pending, made.units, made.lineage)
        assert same == (parent.outcome, parent.pending, parent.units, parent.lineage)
    assert derive(worded.ws, SLUG, by=worded.cho)[-1].units == ()


def test_an_approval_is_final_and_a_refusal_is_not(worded: House) -> None:
    first, second, third = ids(worded)
    approve(worded.ws, SLUG, first)
    assert code_of(approve, worded.ws, SLUG, first) == "reformulation_approved"
    assert code_of(refuse, worded.ws, SLUG, first) == "reformulation_approved"
    refuse(worded.ws, SLUG, second, "means nothing alone")
    states = outline(worded.ws, SLUG).states()
    assert states == {"unworded": 0, "open": 1, "approved": 1, "refused": 1}
    assert approve(worded.ws, SLUG, second) == "q1-o2"
    assert code_of(approve, worded.ws, SLUG, 99) == "reformulation_unknown"
    assert code_of(approve, worded.ws, SLUG, third, "w" * 50_000) == "field_long"
    keep_questions(worded.ws, SLUG, [replace(question(9), external_id="q1-o3")], "more.jsonl")
    assert code_of(approve, worded.ws, SLUG, third) == "reformulation_id_taken"
