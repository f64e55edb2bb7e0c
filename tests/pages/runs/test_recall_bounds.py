"""The leaderboard says between what bounds recall lies on questions made of options."""

from __future__ import annotations

from dataclasses import replace

from annotation.people.members import add_person
from annotation.reformulation.decisions import approve
from corpus.model import Choice
from services.reformulation.wording import propose
from services.runs.retrieving import retrieve
from storage.law.imports import keep_questions
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, build, question
from tests.pages.small_project import page

OPTIONS = (Choice("A", "Rowing boats"), Choice("B", "Ferries"))


def test_bounds_stand_below_the_runs_where_gold_is_inherited(tmp_path, clock):
    house = build(tmp_path / "house", clock, overlap=1)
    lead = add_person(house.ws, SLUG, "Lea", "researcher")
    submit(house, house.ann, house.items[0], (1, 3))
    retrieve(house.ws, SLUG)
    at = page("leaderboard", house.ws, lead, project=SLUG).run()
    assert not at.exception and not at.error
    assert not any("FullCov@10" in str(list(each.value.columns)) for each in at.dataframe)
    keep_questions(house.ws, SLUG, [replace(question(1), choices=OPTIONS)], "questions.jsonl")
    propose(house.ws, SLUG)
    approve(house.ws, SLUG, 1)
    retrieve(house.ws, SLUG)
    at = page("leaderboard", house.ws, lead, project=SLUG).run()
    assert not at.exception and not at.error
    (table,) = (each.value for each in at.dataframe if "FullCov@10" in str(each.value.columns))
    (bounds,) = table.to_dict("records")
    assert bounds["n"] == 1
    assert [value for head, value in bounds.items() if "bound" in str(head)] == ["1.000 [–]"] * 2
