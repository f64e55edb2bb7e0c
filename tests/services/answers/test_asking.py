"""Asking models under every context, against the scripted server."""

from __future__ import annotations

import json
import multiprocessing
import time
from collections import Counter
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from annotation.judging.state import states_of
from construction.answers import ContextSpec, Format, Kind
from corpus.model import Question, Statute
from llm.batch import End
from services.answers.asking import AnswersDone, ask_answers, start_answers
from services.answers.estimate import estimate
from services.answers.material import Material
from services.answers.planning import AnswerOptions, plan_answers
from services.answers.replies import problems_of
from services.answers.views import read_answer, systems
from services.background.tasks import TaskKind, alone, watched
from services.models.prompts import packaged_body, save_prompt
from services.runs.retrieving import retrieve
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions, keep_statutes
from storage.projects import create_project
from storage.tables.core import Snapshot
from tests.annotation.house import statute
from tests.llm.server import Server, Step
from tests.projects.answers_project import answered, keep_bm25, keep_choices, standing
from tests.projects.closure_law import RAFTS, REPORT
from tests.projects.closure_project import SLUG, ferry
from tests.support.refusals import code_of, refused

CHILDREN = multiprocessing.get_context("fork")
GOLD = ContextSpec(Kind.GOLD)


@pytest.fixture
def ws(tmp_path: Path, server: Server) -> Workspace:
    """Six questions, four with gold that names provisions."""
    found = ferry(tmp_path / "workspace").ws
    server.plays(found.folder)
    return found


def test_every_outcome_is_a_state_and_only_answers_are_judged(
    ws: Workspace, server: Server
) -> None:
    server.on("과태료", Step("refuse", text="No."))
    server.on("뗏목", Step(text="  "))
    server.on("누구에게", Step(text="시장에게", finish="length"))
    server.on("다리", Step("error", status=400))
    server.on("", Step(text=" 시장에게 신고합니다. "))
    done = answered(ws)
    assert (done.calls, done.end, done.systems) == (6, End.DONE, ("gpt (closed)",))
    rows = {each.external_id: each for each in standing(ws)}
    states = {name: each.state for name, each in rows.items()}
    assert states == {
        **{"q1": "refused", "q2": "empty", "q3": "cut_off", "q4": "failed"},
        **{"q5": "answered", "q6": "answered"},
    }
    assert dict(done.states) == dict(Counter(states.values()))
    judged = {each.id: each.case for each in states_of(ws, SLUG)}
    assert sorted(each.external_id for each in judged.values()) == ["q5", "q6"]
    q5 = rows["q5"]
    assert judged[q5.judge_case_id or 0].answer == q5.answer == "시장에게 신고합니다."
    assert q5.context == [] and q5.seconds is not None and q5.prompt_version.startswith("2-")
    assert rows["q3"].raw == "시장에게"


def test_nothing_is_asked_twice_but_what_failed(ws: Workspace, server: Server) -> None:
    server.on("다리", Step("error", status=400), Step(text="건너도 됩니다."))
    server.on("", Step(text="시장입니다."))
    answered(ws)
    asked = len(server.seen)
    plan = plan_answers(ws, SLUG, AnswerOptions())
    told = estimate(ws, plan)
    assert (told.calls, told.systems[0].already) == (1, {"answered": 5, "failed": 1})
    done = answered(ws)
    assert (done.calls, len(server.seen)) == (1, asked + 1)
    assert [each.state for each in standing(ws)] == ["answered"] * 6
    assert answered(ws).calls == 0


def test_labels_of_the_data_stand_before_the_model_unless_people_alone_are_asked_for(
    ws: Workspace, server: Server
) -> None:
    keep_questions(
        ws, SLUG, [Question("s1", "검사는?", "–", "ko", gold_ids=(RAFTS,))], "labels.jsonl"
    )
    server.on("", Step(text="예."))
    people = plan_answers(ws, SLUG, AnswerOptions(contexts=(GOLD,), gold="people"))
    assert people.systems[0].context == GOLD and people.systems[0].left_out == {"no_gold": 3}
    oracle = ContextSpec(Kind.ORACLE, k=4)
    assert answered(ws, contexts=(GOLD, oracle), questions=("s1", "q1", "q6")).calls == 4
    assert any(f"[{REPORT}] 나루법" in server.told[at] for at in range(4))
    rows = {(each.system, each.external_id): each for each in standing(ws)}
    wide = "gpt (gold of people-over-source)", "gpt (oracle 4 of people-over-source)"
    assert {name for name, _ in rows} == set(wide)
    assert [each["unit"] for each in rows[wide[0], "s1"].context] == [RAFTS]
    assert [each["unit"] for each in rows[wide[0], "q1"].context] == [REPORT]
    assert [e["unit"] for e in rows[wide[1], "s1"].context if e["origin"] == "gold"] == [RAFTS]
    around = rows[wide[1], "q1"].context
    assert len(around) == 4 and "neighbour" in {each["origin"] for each in around}
    marked = read_answer(ws, SLUG, wide[0], "s1")
    assert not marked.gold_missing
    (system, _) = systems(ws, SLUG)
    assert system.not_asked == 3  # of the five with gold in that set
    with refused("gold_unknown"):
        plan_answers(ws, SLUG, AnswerOptions(contexts=(GOLD,), gold="ours"))


def test_a_run_is_shown_as_it_ranked_and_each_passage_alone(ws: Workspace, server: Server) -> None:
    run = keep_bm25(ws)
    server.on("", Step(text="예."))
    whole = ContextSpec(Kind.RUN, k=10, run_id=run)
    alone = ContextSpec(Kind.RUN, k=2, run_id=run, single=True)
    done = answered(ws, contexts=(whole, alone))
    assert done.calls == 2 + 3
    rows = standing(ws)
    assert [(each.external_id, each.passage) for each in rows] == [
        *[("q1", 0), ("q2", 0)],
        *[("q1", 1), ("q1", 2), ("q2", 1)],
    ]
    assert [len(each.context) for each in rows] == [2, 1, 1, 1, 1]
    assert {each.context[0]["origin"] for each in rows} == {"retrieved"}
    assert [each.judge_case_id is not None for each in rows] == [True, True, False, False, False]


def test_a_pseudo_passage_is_asked_for_once_and_shown(ws: Workspace, server: Server) -> None:
    server.on("추론:", Step(text="과태료는 신고하지 않은 자가 냅니다."))
    server.on("", Step(text="냅니다."))
    pseudo = ContextSpec(Kind.PSEUDO)
    answered(ws, contexts=(pseudo,), questions=("q1",))
    assert len(server.seen) == 2
    assert "과태료는 신고하지 않은 자가 냅니다." in server.told[-1]
    [row] = standing(ws)
    [passage] = row.context
    assert passage["origin"] == "pseudo" and passage["call"]
    answered(ws, contexts=(pseudo,), questions=("q1",), system="again")
    answered(ws, contexts=(ContextSpec(Kind.PSEUDO, characters=5),), questions=("q1",))
    assert len(server.seen) == 3  # the passage is recalled; cut elsewhere, the answer is another


def test_a_question_without_its_pseudo_passage_says_why(ws: Workspace, server: Server) -> None:
    server.on("추론:", Step("refuse", text="No."), Step(text=""), Step("error", status=400))
    done = answered(ws, contexts=(ContextSpec(Kind.PSEUDO),), questions=("q1", "q2", "q3"))
    assert sorted(each.state for each in standing(ws)) == ["empty", "failed", "refused"]
    assert done.end is End.DONE


def test_an_answer_by_provision_is_read_claim_by_claim(ws: Workspace, server: Server) -> None:
    good = json.dumps({REPORT: ["[제1항] 신고한다."], "answer": "신고합니다."})
    server.on("과태료", Step(text=good))
    server.on("뗏목", Step(text='{"answer": '))
    server.on("누구에게", Step(text=json.dumps({"다른 법": [], "answer": "시장"})))
    server.on("", Step(text=json.dumps({"answer": ""})))
    answered(ws, contexts=(GOLD,), formats=(Format.PER_PROVISION,))
    rows = {each.external_id: each for each in standing(ws)}
    assert {name: each.state for name, each in rows.items()} == {
        **{"q1": "answered", "q2": "invalid", "q3": "answered", "q5": "empty"}
    }
    assert rows["q1"].claims == {REPORT: ["[제1항] 신고한다."]}
    assert rows["q3"].claims == {"다른 법": []}
    assert rows["q1"].answer == "신고합니다."


ANCHOR = json.dumps({"topic": "신고", "actor": "승객", "temporal": "unspecified"})
BY_PROVISION = json.dumps({REPORT: ["[제1항] 신고한다."], "answer": "신고합니다."})


def by_provision(ws: Workspace, **options: Any) -> AnswersDone:
    options = {"questions": ("q1",), **options}
    return answered(ws, contexts=(GOLD,), formats=(Format.PER_PROVISION,), **options)


def test_an_answer_by_provision_is_asked_with_the_anchor_and_by_its_schema(
    ws: Workspace, server: Server
) -> None:
    server.on("situational", Step(text=ANCHOR))
    server.on("", Step(text=BY_PROVISION))
    by_provision(ws)
    by_provision(ws, anchor=False)
    asked, ablation = server.seen[1], server.seen[2]
    form = asked.body["response_format"]
    assert form["type"] == "json_schema"
    schema = form["json_schema"]["schema"]
    assert schema["required"] == [REPORT, "answer"] == list(schema["properties"])
    assert not schema["additionalProperties"]
    assert "[TOPIC] 신고 Conditions: [ACTOR] 승객" in server.told[1]
    assert "TOPIC" not in server.told[2] and ablation.body["response_format"] == form
    with_anchor, without = standing(ws)
    assert with_anchor.context[0]["anchor"] == "[TOPIC] 신고 Conditions: [ACTOR] 승객"
    assert with_anchor.context[0]["call"] and "anchor" not in without.context[0]
    names = [each.run.system for each in systems(ws, SLUG)]
    assert names == ["gpt (gold, per provision with anchor)", "gpt (gold, per provision)"]
    assert read_answer(ws, SLUG, names[0], "q1").anchor.startswith("[TOPIC] 신고")
    by_provision(ws)
    assert len(server.seen) == 3


@pytest.mark.parametrize(
    ("step", "state", "problems"),
    [
        (Step(text="I do not know."), "answered", ("no_anchor",)),
        (Step("refuse", text="No."), "answered", ("no_anchor",)),
        (Step("error", status=400), "failed", ()),
    ],
)
def test_without_an_anchor_it_is_asked_as_it_is_and_that_is_told(
    ws: Workspace, server: Server, step: Step, state: str, problems: tuple[str, ...]
) -> None:
    server.on("situational", step)
    server.on("", Step(text=BY_PROVISION))
    by_provision(ws)
    [row] = standing(ws)
    assert (row.state, problems_of(row)) == (state, problems)
    [line] = systems(ws, SLUG)
    assert dict(line.problems) == dict.fromkeys(problems, 1)


def test_a_server_that_refuses_the_schema_is_asked_without_and_not_again(
    ws: Workspace, server: Server
) -> None:
    server.refuses = "json_schema"
    server.on("", Step(text=BY_PROVISION))
    by_provision(ws, anchor=False)
    by_provision(ws, anchor=False, questions=("q2", "q3", "q5"))  # another client, as by a command
    forms = [each.body["response_format"]["type"] for each in server.seen]
    assert forms == ["json_schema", *["json_object"] * 4]
    assert all("no_schema" in problems_of(each) for each in standing(ws))
    assert systems(ws, SLUG)[0].problems["no_schema"] == 4


def test_the_rollout_of_a_run_is_the_pseudo_passage_and_is_not_asked_again(
    ws: Workspace, server: Server
) -> None:
    server.on("spot legal", Step(text="unused"))
    server.on("쟁점", Step(text="신고하지 않은 자는 과태료를 낸다."))
    server.on("", Step(text="냅니다."))
    spec = {"method": "expand", "base": {"method": "bm25"}, "kind": "structured"}
    retrieve(ws, SLUG, spec, k=5)
    asked = len(server.seen)
    done = answered(ws, contexts=(ContextSpec(Kind.ROLLOUT),), questions=("q1",))
    assert (len(server.seen), done.recalled) == (asked + 1, 1)
    assert "신고하지 않은 자는 과태료를 낸다." in server.told[-1]
    [row] = standing(ws)
    [passage] = row.context
    assert (passage["origin"], passage["text"]) == ("pseudo", "신고하지 않은 자는 과태료를 낸다.")
    assert row.system == "gpt (rollout)" and passage["call"]
    [run] = [each.run for each in systems(ws, SLUG)]
    assert "expand_structured" in run.prompt_version


def test_jurisdiction_and_year_stand_before_the_model_where_they_are_known(
    ws: Workspace, server: Server
) -> None:
    asked = [Question("u1", "등불을 켭니까?", "예", "ko", jurisdiction="us-ny")]
    keep_questions(ws, SLUG, asked, "us.jsonl")
    with ws.writing() as session:
        session.get_one(Snapshot, 1).effective = date(2021, 3, 1)
    answered(ws, formats=(Format.FREE, Format.CHOICE_GENERATED), questions=("u1",))
    answered(ws, questions=("q1",))
    texts = [server.told[at] for at in range(3)]
    assert all("us-ny 법령" in text and "2021년" in text for text in texts[:2])
    assert "법령에 관한 질문입니다" not in texts[2] and "2021년" in texts[2]


def test_a_choice_is_written_and_read(ws: Workspace, server: Server) -> None:
    keep_choices(ws)
    server.on("누구에게", Step(text="A"))
    server.on("뗏목도", Step(text="둘 다 아닙니다."))
    done = answered(ws, formats=(Format.CHOICE_GENERATED,))
    assert done.calls == 2
    assert "A. 시장\nB. 구청장\nC. 경찰" in server.told[0] + server.told[1]
    first, second = standing(ws)
    assert (first.state, first.choice, first.answer) == ("answered", "1", "시장")
    assert (second.state, second.choice) == ("unread", None)
    assert first.judge_case_id is None and not states_of(ws, SLUG)
    assert plan_answers(ws, SLUG, AnswerOptions(formats=(Format.CHOICE_GENERATED,))).systems[
        0
    ].left_out == {"no_options": 6}


@pytest.mark.parametrize(
    ("step", "state", "choice"),
    [
        (Step(text="B", logprobs=[[("B", -0.9), ("A", -0.6), ("C", -2.0)]]), "answered", "1"),
        (Step(text="모름", logprobs=[[("모름", -0.1)]]), "unread", None),
        (Step(text="A"), "no_logprobs", None),
        (Step(text=""), "empty", None),
    ],
)
def test_a_choice_by_likelihood_is_the_most_probable_letter(
    ws: Workspace, server: Server, step: Step, state: str, choice: str | None
) -> None:
    keep_choices(ws)
    server.on("", step)
    answered(ws, formats=(Format.CHOICE_LIKELIHOOD,), questions=("c1",))
    [row] = standing(ws)
    assert (row.state, row.choice) == (state, choice)
    if state == "answered":
        assert row.logprobs and set(row.logprobs) <= {"1", "2", "3"}
    assert server.seen[0].body["logprobs"] is True


def test_what_was_killed_before_it_was_kept_is_not_asked_again(
    ws: Workspace, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.on("", Step(text="시장입니다."))

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("services.answers.asking.add_rows", killed)
        with pytest.raises(KeyboardInterrupt):
            answered(ws, contexts=(GOLD, ContextSpec(Kind.PSEUDO)))
    asked = len(server.seen)
    assert (asked, standing(ws)) == (4 + 6 + 6, [])
    plan = plan_answers(ws, SLUG, AnswerOptions(contexts=(GOLD,)))
    assert estimate(ws, plan).known == 4
    done = answered(ws, contexts=(GOLD, ContextSpec(Kind.PSEUDO)))
    assert (len(server.seen), done.recalled) == (asked, 16)
    assert [each.state for each in standing(ws)] == ["answered"] * 10
    assert len(states_of(ws, SLUG)) == 10


def _hold(folder: Path, held: Any) -> None:
    with alone(Workspace(folder), SLUG, TaskKind.ANSWER, "answers_under_way"):
        held.set()
        time.sleep(600)


def test_what_another_process_is_asking_is_not_asked(ws: Workspace, server: Server) -> None:
    ws.engine.dispose()
    held = CHILDREN.Event()
    other = CHILDREN.Process(target=_hold, args=(ws.folder, held), daemon=True)
    other.start()
    assert held.wait(60)
    for ask in (partial(answered, ws), partial(start_answers, ws, SLUG, AnswerOptions())):
        assert code_of(ask) == "answers_under_way"
    assert server.seen == []
    other.kill()
    other.join(60)
    assert answered(ws).calls == 6  # a process that is dead holds nothing


def test_a_budget_ends_it_and_what_it_left_is_told(ws: Workspace, server: Server) -> None:
    server.plays(ws.folder, "concurrency = 1\n[budget]\ncalls = 3\n")
    plan = plan_answers(ws, SLUG, AnswerOptions(contexts=(ContextSpec(Kind.NONE), GOLD)))
    assert estimate(ws, plan).over == ("calls",)
    done = answered(ws, contexts=(ContextSpec(Kind.NONE), GOLD))
    assert (done.end, sum(done.states.values())) == (End.BUDGET, 3)
    run = keep_bm25(ws)
    server.plays(ws.folder)
    answered(ws, contexts=(ContextSpec(Kind.RUN, run_id=run),), questions=("q2",))
    answered(ws, contexts=(GOLD,), questions=("q1",))
    told = [(each.context.kind, each.questions, each.not_asked) for each in systems(ws, SLUG)]
    assert told == [(Kind.NONE, 3, 3), (Kind.RUN, 1, 1), (Kind.GOLD, 1, 3)]


def test_another_prompt_or_model_is_another_system(ws: Workspace, server: Server) -> None:
    answered(ws, questions=("q1",))
    body = packaged_body("answer_closed", "ko").replace("질문:", "물음:")
    save_prompt(ws, SLUG, "answer_closed", "ko", body, "", 2)
    answered(ws, questions=("q1",))
    first, second = standing(ws)
    assert (first.system, second.system) == ("gpt (closed)", "gpt (closed) #2")
    assert first.prompt_version != second.prompt_version
    assert "물음:" in server.told[-1]
    done = answered(ws, models=("small", "large"), questions=("q1",))
    assert done.systems == ("small (closed)", "large (closed)")
    assert sorted(each.body["model"] for each in server.seen[2:]) == ["large", "small"]
    answered(ws, questions=("q1",), system="mine")  # a name is of one setting
    assert code_of(answered, ws, contexts=(GOLD,), system="mine") == "answers_name_taken"
    two = (GOLD, ContextSpec(Kind.NONE))
    assert code_of(answered, ws, contexts=two, system="two") == "answers_name_one"
    alone = (ContextSpec(Kind.NONE, single=True),)
    assert code_of(answered, ws, contexts=alone) == "answers_single"


def test_a_sample_is_drawn_by_its_seed(ws: Workspace, server: Server) -> None:
    def drawn(seed: int) -> list[str]:
        options = AnswerOptions(number=3, sample_seed=seed)
        calls = plan_answers(ws, SLUG, options).systems[0].calls
        return [each.question.name for each in calls]

    assert drawn(1) == drawn(1) == sorted(drawn(1))
    assert len({tuple(drawn(seed)) for seed in range(8)}) > 1
    assert server.seen == []


def test_two_that_ask_the_same_at_once_keep_it_once(ws: Workspace, server: Server) -> None:
    plans = [plan_answers(ws, SLUG, AnswerOptions()) for _ in range(2)]
    for plan in plans:
        watched(partial(ask_answers, ws, plan), lambda done, total: None)
    assert len(server.seen) == len(standing(ws)) == len(states_of(ws, SLUG)) == 6


def test_distractors_have_a_text_and_are_of_the_law_that_is_asked_about(
    tmp_path: Path,
) -> None:
    ws = Workspace(tmp_path / "w")
    migrate(ws)
    create_project(ws, "lakes", "Lakes")
    laws = [_law(name, where) for name, where in {"kr": "kr", "us": "us", "all": ""}.items()]
    keep_statutes(ws, "lakes", laws, "x")
    material = Material(ws, "lakes", 1, {"q1": "kr", "q2": "", "q3": "de"})
    assert {each[:2] for each in material._pool("q1")} == {"kr", "al"}
    assert len(material._pool("q2")) == 12 and len(material._pool("q3")) == 4


def _law(name: str, jurisdiction: str) -> Statute:
    """Return an act of which the second provision has no text."""
    units = (replace(each, semantic_id=f"{name}_{each.order}") for each in statute().units)
    blank = (replace(each, text="", parts=()) if each.order == 2 else each for each in units)
    kept = tuple(replace(each, statute_id=name) for each in blank)
    return replace(statute(), semantic_id=name, jurisdiction=jurisdiction, units=kept)
