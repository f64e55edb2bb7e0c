"""Wording options: what becomes of questions, by the template, and by a scripted model."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from annotation.reformulation import approve
from corpus.model import Choice, Question
from llm.batch import End
from retrieval.core.method import Resources
from services.gold.export import export_gold
from services.gold.gold_set import gold_set
from services.reformulation.bounds import bounds_table, run_bounds
from services.reformulation.wording import (
    ModelWorded,
    model_plan,
    outline,
    propose,
    word_by_model,
)
from services.runs.methods.preparation import learning_from
from services.runs.retrieving import retrieve
from services.runs.strata import strata_of
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions
from storage.projects import create_project
from storage.reformulation import Worded
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.house import SLUG, House, build, question
from tests.llm.server import Server, Step
from tests.llm.serving import serving, to_the_end

OPTIONS = ("Rowing boats", "Ferries", "All of the above")
QUESTIONS = [
    Question("q1", "Which need a lamp?", "", "en"),
    Question("q2", "등불이 필요한 것은?", "", "ko"),
    Question("q3", "Is a lamp needed?", "Yes.", "en"),
    Question("q4", "Why a lamp?", "To be seen.", "en"),
    Question("q5", "Which?", "", "en", choices=(Choice("A", "One"), Choice("B", "one"))),
]


def with_options(each: Question) -> Question:
    choices = tuple(Choice("ABC"[at], text) for at, text in enumerate(OPTIONS))
    return replace(each, choices=choices)


@pytest.fixture
def ws(tmp_path, clock) -> Workspace:
    workspace = Workspace(tmp_path / "ws", clock)
    migrate(workspace)
    create_project(workspace, SLUG, "Lakes")
    keep_questions(workspace, SLUG, [*map(with_options, QUESTIONS[:2]), *QUESTIONS[2:]], "q.jsonl")
    return workspace


def options(ws: Workspace) -> list[Worded]:
    lines = [line for each in outline(ws, SLUG).questions for line in each.options]
    return [line.worded for line in lines if line.worded is not None]


def states(ws: Workspace) -> dict[str, int]:
    return {name: count for name, count in outline(ws, SLUG).states().items() if count}


def test_every_question_is_taken_apart_left_or_refused(ws: Workspace) -> None:
    found = outline(ws, SLUG)
    assert found.fates() == {"split": 2, "stays": 1, "refused": 2}
    assert found.refusals() == {"free_response": 1, "repeated_options": 1}
    assert states(ws) == {"unworded": 6}
    assert propose(ws, SLUG) == 6
    assert propose(ws, SLUG) == 0
    assert states(ws) == {"open": 6}
    approve(ws, SLUG, options(ws)[0].id)  # what was made is not taken apart again
    assert outline(ws, SLUG).fates() == found.fates()
    assert states(ws) == {"open": 5, "approved": 1}


def run(ws: Workspace, stop: bool = False) -> ModelWorded:
    done: ModelWorded = to_the_end(word_by_model, ws, model_plan(ws, SLUG), stop=stop)
    return done


def words(text: str) -> Step:
    return Step(text=json.dumps({"question": text}, ensure_ascii=False))


def answers(server: Server, ferries: Step | None = None) -> None:
    for option in OPTIONS:
        said = ferries if ferries and option == "Ferries" else words(f"Must it be {option}?")
        server.on(option, said)


def test_a_model_words_each_option_once(ws: Workspace) -> None:
    propose(ws, SLUG)
    with serving(ws) as server:
        answers(server)
        done = run(ws)
        assert (done.asked, done.already, done.kept, done.end) == (6, 0, 6, End.DONE)
        asked = server.asked
        again = run(ws)
        assert (again.asked, again.already, again.kept) == (0, 6, 0)
        assert server.asked == asked
    worded = options(ws)
    assert {each.wording for each in worded} == {f"Must it be {each}?" for each in OPTIONS}
    assert {(each.worded_by, each.model) for each in worded} == {("model", "m")}
    assert approve(ws, SLUG, worded[0].id) == "q1-o1"


def test_what_cannot_be_used_keeps_the_words_that_were_there(ws) -> None:
    propose(ws, SLUG)
    unfit = "I will not.", json.dumps({"question": "w" * 50_000}), '{"question": "  "}'
    with serving(ws) as server:
        for option, said in zip(OPTIONS, unfit, strict=True):
            server.on(option, Step(text=said))
        done = run(ws)
    assert (done.kept, done.outcomes, done.unanswered) == (0, {"invalid": 6}, 0)
    assert {each.worded_by for each in options(ws)} == {"template"}


def test_what_was_stopped_is_taken_up_again(ws: Workspace) -> None:
    with serving(ws) as server:
        answers(server)
        stopped = run(ws, stop=True)
        assert stopped.kept < 6 and stopped.unanswered == 6 - stopped.kept
        done = run(ws)
        assert stopped.kept + done.kept == 6
    assert states(ws) == {"open": 6}


@pytest.fixture
def scored(tmp_path, clock) -> House:
    """A project of one settled question with two gold units, whose options were approved."""
    house = build(tmp_path / "house", clock, overlap=1)
    first = with_options(question(1))
    keep_questions(house.ws, SLUG, [first], "questions.jsonl")
    propose(house.ws, SLUG)
    submit(house, house.ann, house.items[0], (1, 3))
    submit(house, house.ann, house.items[1], (2,))
    for each in options(house.ws)[:2]:
        approve(house.ws, SLUG, each.id)
    return house


def test_made_questions_are_scored_between_two_bounds(scored: House, tmp_path) -> None:
    retrieve(scored.ws, SLUG)
    (line,) = run_bounds(scored.ws, SLUG, 1)
    assert (line.bounds.lower.n, line.bounds.parents, line.bounds.several) == (2, 1, 2)
    assert line.bounds.lower.value == 0.0  # one unit cannot be both
    assert line.bounds.upper.value == 1.0
    (whole,) = run_bounds(scored.ws, SLUG, 10)
    assert whole.bounds.lower.value == 1.0
    table = bounds_table([line], 1, "ko")
    assert "AnyGold@1" in table.head[2] and table.rows[0][3:] == (2, 1)
    assert strata_of(scored.ws, SLUG)["reformulated"] == {
        "false": ("q1", "q2", "q3"),  # q3 brought a label
        "true": ("q1-o1", "q1-o2"),
    }
    assert strata_of(scored.ws, SLUG, gold="people")["reformulated"]["false"] == ("q1", "q2")


def test_what_is_exported_says_whose_gold_it_is(scored: House, tmp_path) -> None:
    report = export_gold(scored.ws, SLUG, tmp_path / "out")
    assert report.questions == 4
    lines = (tmp_path / "out" / "gold.jsonl").read_text("utf-8").splitlines()
    said = [(row["question_id"], row.get("inherited_from")) for row in map(json.loads, lines)]
    made = [of for name, of in said if name == "q1-o1"]
    assert len(made) == 2 and made[0] == made[1]
    assert made[0] | {"at": ""} == {
        "parent": "q1", "place": 1, "label": "A", "option": "Rowing boats",
        "worded_by": "template", "person": "operator", "at": "",
    }  # fmt: skip
    assert [of for name, of in said if name == "q1"] == [None, None]
    sheet = json.loads((tmp_path / "out" / "datasheet.json").read_text("utf-8"))
    composition = sheet["composition"]
    assert composition["questions"] == 4
    assert composition["questions made of options of others, which inherit their gold"] == 2
    people = sheet["collection"]["people"]
    assert [each["decisions"] for each in people] == [2]  # of four questions


def test_methods_that_learn_leave_parent_and_siblings_out(scored: House) -> None:
    gold = gold_set(scored.ws, SLUG, 1)
    using = learning_from(scored.ws, 1, gold, Resources())
    assert using.gold is not None
    families = {each.id: each.family for each in using.gold()}
    assert families == {"q1": "q1", "q1-o1": "q1", "q1-o2": "q1", "q2": "", "q3": ""}
    learnt = {each.id for each in using.gold() if each.gold}
    assert learnt == {"q1", "q1-o1", "q1-o2", "q2"}  # of q3 nobody decided anything
