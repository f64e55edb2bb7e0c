"""Answers that the Answers service asked for, read by the report: what one writes the other reads.

The scripted model chooses rightly wherever the article on reporting stands before it, and is
sure of itself by what stands there; with nothing it is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from construction.answers import ContextSpec, Format, Kind
from evaluation.downstream import Of, Outcome
from llm.roles import Role
from services.answers.asking import ask_answers
from services.answers.planning import AnswerOptions, plan_answers
from services.background.tasks import watched
from services.downstream.questions import question_detail
from services.downstream.report import Wanted, downstream_report
from tests.llm.server import Step, scripted
from tests.projects.downstream_project import PSEUDO_TEXT, SLUG, downstream

GOLD_WORDS = "신고하여야 한다"  # of the article on reporting


def _said(letter, sure):
    others = [(each, -4.0) for each in "ABCD" if each != letter]
    return Step(text=letter, logprobs=[[(letter, sure), *others]])


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    made = downstream(tmp_path_factory.mktemp("asked") / "ws")
    run = ContextSpec(Kind.RUN, run="BM25", run_id=made.run)
    contexts = (
        ContextSpec(Kind.NONE),
        ContextSpec(Kind.PSEUDO),
        ContextSpec(Kind.GOLD),
        ContextSpec(Kind.PURE_ORACLE),
        run,
        replace(run, k=2, single=True),
    )
    with scripted() as server:
        server.plays(made.ws.folder)
        server.on(PSEUDO_TEXT, _said("C", -0.2))
        server.on(GOLD_WORDS, _said("B", -0.1))
        server.on("뗏목에 관하여는", _said("A", -0.9))
        server.on("A. ", _said("A", -0.5))  # options, and nothing before them
        server.on("", Step(text=PSEUDO_TEXT))
        options = AnswerOptions(
            roles=(Role.SOLVE,), contexts=contexts, formats=(Format.CHOICE_LIKELIHOOD,)
        )
        plan = plan_answers(made.ws, SLUG, options)
        done = watched(partial(ask_answers, made.ws, plan), lambda at, total: None)
    return made, done


def test_what_was_asked_is_what_is_reported(asked):
    made, done = asked
    assert set(done.states) <= {"answered", "unread"} and done.states["answered"]
    found = downstream_report(made.ws, SLUG, Wanted(tops=(1, 2)))
    mine = {each.setting.name: each for each in found.lines if each.setting.model == "gpt"}
    kinds = [(each.setting.spec.kind, each.setting.top) for each in mine.values()]
    assert kinds == [
        *((Kind.NONE, 0), (Kind.PSEUDO, 0), (Kind.RUN, 0), (Kind.RUN, 1), (Kind.RUN, 2)),
        *((Kind.PURE_ORACLE, 0), (Kind.GOLD, 0)),
    ]
    shares = {
        (each.setting.spec.kind, each.setting.top): each.accuracy[Of.ALL] for each in mine.values()
    }
    # Half of the eight questions with gold have the article on reporting as theirs.
    assert (shares[Kind.GOLD, 0].value, shares[Kind.GOLD, 0].n) == (0.5, 8)
    assert shares[Kind.PURE_ORACLE, 0].value == 0.5
    # The run has that article first for two of them: alone it is surer than the other passage.
    assert shares[Kind.RUN, 1].value == shares[Kind.RUN, 2].value == 0.25
    # The yes/no question is right with A, which is what is chosen with nothing.
    assert (shares[Kind.NONE, 0].value, shares[Kind.NONE, 0].n) == pytest.approx((1 / 11, 11))
    assert shares[Kind.PSEUDO, 0].value == 0
    retrieved = next(each for each in mine.values() if each.setting.top == 2)
    assert retrieved.gap[Of.ALL].closed.value == 0.5
    assert retrieved.retrieval["Recall@10"].value == 0.5
    assert mine[retrieved.setting.name].outcomes[Outcome.NOT_ASKED] == 3


def test_the_context_of_what_was_asked_is_shown(asked):
    made, _ = asked
    found = downstream_report(made.ws, SLUG, Wanted(tops=(2,)))
    by_kind = {
        (each.setting.spec.kind, each.setting.top): each.setting.name
        for each in found.lines
        if each.setting.model == "gpt"
    }
    pseudo = question_detail(made.ws, SLUG, by_kind[Kind.PSEUDO, 0], "c01")
    assert [each.text for each in pseudo.passages] == [PSEUDO_TEXT]
    alone = question_detail(made.ws, SLUG, by_kind[Kind.RUN, 2], "c02", tops=(2,))
    assert [(each.choice, each.kept, each.gold) for each in alone.passages] == [
        ("B", True, True),
        ("A", False, False),
    ]
    assert GOLD_WORDS in alone.passages[0].text
