"""The screens of answers: ask, what came, one answer beside its context, the report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from construction.answers import ContextSpec, Format, Kind
from evaluation.answers.bertscore import BertScore
from messages import say
from services.answers import scores
from services.answers.report import report
from services.background.tasks import TaskKind, latest
from services.judging.importing import import_cases
from tests.annotation.judging.answered import SLUG as REPORT_SLUG
from tests.annotation.judging.answered import Answered, jsonl, verdict
from tests.conftest import FakeClock
from tests.llm.server import Server, Step, scripted
from tests.pages import screens
from tests.pages.background import ended
from tests.pages.screens import buttons, person_of, rows, select
from tests.pages.small_project import HOSTILE, shown
from tests.projects.answers_project import answered, standing
from tests.projects.closure_law import REPORT
from tests.projects.closure_project import SLUG, Ferry, ferry
from tests.services.answers.answered_questions import COUNT, EVERYONE, build, line, rate


@dataclass
class Asked:
    project: Ferry
    server: Server


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    with scripted() as server:
        found = ferry(tmp_path / "w")
        server.plays(found.ws.folder)
        yield Asked(found, server)


def opened(asked: Asked, by: int = 0) -> AppTest:
    return screens.opened("answers", asked.project.ws, by or asked.project.lead, SLUG)


def test_the_calls_are_counted_before_they_are_made(asked: Asked) -> None:
    asked.server.on("", Step(text="시장에게 신고합니다."))
    at = opened(asked)
    assert "Count the calls first" in shown(at) and not at.error and not asked.server.seen
    assert at.multiselect(key="answers-roles").options[2].startswith("gpt (")
    at.multiselect(key="answers-kinds").set_value([Kind.NONE, Kind.GOLD]).run()
    at.number_input(key="answers-number").set_value(2).run()
    at = at.button(key="answers-plan").click().run()
    at = at.number_input(key="answers-number").set_value(0).run()
    assert "answers-start" not in buttons(at), "a changed choice is counted anew"
    at = at.button(key="answers-plan").click().run()
    table = at.dataframe[0].value
    assert list(table.iloc[:, 0]) == ["gpt (closed)", "gpt (gold)"]
    assert list(table.iloc[:, 2]) == [6, 4] and not asked.server.seen
    at = at.button(key="answers-start").click().run()
    run = latest(asked.project.ws, SLUG, TaskKind.ANSWER)
    assert run is not None
    run.wait(100)
    assert len(asked.server.seen) == len(standing(asked.project.ws)) == 10


def test_the_anchor_can_be_left_out_of_answers_by_provision(asked: Asked) -> None:
    at = opened(asked)
    assert not [each for each in at.checkbox if each.key == "answers-anchor"]
    at.multiselect(key="answers-kinds").set_value([Kind.GOLD]).run()
    at.multiselect(key="answers-formats").set_value([Format.PER_PROVISION]).run()
    names = []
    for anchor in (True, False):
        at = at.checkbox(key="answers-anchor").set_value(anchor).run()
        at = at.button(key="answers-plan").click().run()
        names += list(at.dataframe[0].value.iloc[:, 0])
    assert names == ["gpt (gold, per provision with anchor)", "gpt (gold, per provision)"]


def test_an_answer_is_opened_beside_its_context(asked: Asked) -> None:
    good = {REPORT: ["[제1항] 시장에게 신고한다."], "없는-법_1조": [], "answer": "**신고**합니다."}
    asked.server.on("과태료", Step(text=json.dumps(good, ensure_ascii=False)))
    asked.server.on("", Step(text="모르는 말"))
    spec = ContextSpec(Kind.GOLD)
    answered(asked.project.ws, contexts=(spec,), formats=(Format.PER_PROVISION,))
    at = opened(asked, by=asked.project.judge)
    tabs: Any = at.segmented_control(key="answers-tab")
    assert len(tabs.options) == 1, "an adjudicator reads and does not ask"
    assert any("No JSON" in each for each in at.dataframe[0].value.columns)
    at = select(at, "answers-systems", 0)
    assert list(at.dataframe[1].value.iloc[:, 0]) == ["q1", "q2", "q3", "q5"]
    at = select(at, "answers-1-all", 0)
    words = shown(at).replace("\\", "")
    assert "없는-법_1조" in words and REPORT in words
    assert "나루법 제1조" in at.expander[-1].label.replace("\\", "")
    assert "[제1항] 시장에게 신고한다." in words


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answered]:
    found = build(tmp_path_factory.mktemp("answers"), FakeClock())
    rate(found)
    found.judge(
        *(
            verdict(f"k{number:02}", system == "strong", "gpt", system)
            for system in EVERYONE
            for number in range(COUNT)
        )
    )
    hostile = [line(1, HOSTILE, HOSTILE, question=HOSTILE, id="h1")]
    import_cases(found.ws, REPORT_SLUG, jsonl(found.folder / "hostile.jsonl", hostile))
    report(found.ws, REPORT_SLUG)  # loads the dictionary of morphemes, which takes seconds
    yield found
    found.ws.engine.dispose()


def opened_report(made: Answered) -> AppTest:
    sections = ("scores", "states", "trust", "judges")
    tables: dict[str, Any] = {f"answers-{section}-more": True for section in sections}
    return screens.opened(
        "answer_report", made.ws, person_of(made.ws, REPORT_SLUG, "Rex"), REPORT_SLUG, **tables
    )


def test_the_tables_their_choices_and_the_answers_lowest_first(made: Answered) -> None:
    at = opened_report(made)
    assert not at.error
    scores = rows(at, "ROUGE-1")
    assert [row[0] for row in scores] == [HOSTILE, "large", "small", "strong", "weak"]
    strong = scores[3]
    assert strong[1].startswith("★ ") and not scores[4][1].startswith("★")
    assert say("report.best") in shown(at)
    assert say("answer_report.about.rouge1") in shown(at).replace("\\", "")
    assert "(n = 12)" in strong[1]
    assert "100.0 %" in strong[3]
    states = rows(at, say("answer_report.state.not_asked"))
    assert states[3][1:3] == [str(2 * 2 + COUNT), str(COUNT)]
    trust = rows(at, "AUC")
    assert trust[0][0] == "ROUGE-1"
    assert trust[0][2].startswith("1.000")
    judged = rows(at, say("answer_report.judge_head.corrected"))
    assert say("judge_report.withheld.all_rated") in judged[3][5]
    assert judged[3][2:5] == [str(COUNT), "0", "0"]  # judged, unreadable, not judged
    listed = rows(at, say("answer_report.page.question"))
    assert listed[0][0] == "h1", "the lowest first"
    assert HOSTILE in listed[0][-1]
    assert not any("onerror" in str(each.value) for each in at.markdown if each.allow_html)

    at.selectbox(key="answer-tokeniser").select("characters").run()
    at.selectbox(key="answer-column").select("language").run()
    at.selectbox(key="answer-stratum-language").select("ko").run()
    assert rows(at, "ROUGE-1")[3][1].endswith("(n = 12)")
    assert rows(at, say("answer_report.state.not_asked"))[1][1] == str(COUNT + 1)

    at = at.toggle(key="answers-compare").set_value(True).run()
    at.session_state["answers-compared-scores-more"] = True
    at = at.segmented_control(key="answers-preset").set_value("judges").run()
    assert {row[1] for row in rows(at, "Group")} == {"people", "gpt"}


def test_scoring_by_an_encoder(
    made: Answered, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an encoder makes of texts is tested with the scores; here each is half as good."""
    (tmp_path / "config.json").write_text("{}")
    monkeypatch.setattr(scores, "Encoder", lambda folder, layer: None)
    monkeypatch.setattr(
        scores,
        "bert_scores",
        lambda _encoder, pairs, _weights: [BertScore(*[0.5] * 3)] * len(pairs),
    )
    at = opened_report(made)
    assert at.multiselect[0].options == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "Judge: correct"]
    at.button(key="bert-start").click().run()
    assert [each.value for each in at.warning] == [say("answer_report.page.need_model")]
    at.text_input(key="bert-model").set_value(str(tmp_path))
    at.button(key="bert-start").click().run()
    at = ended(at, made.ws, REPORT_SLUG, TaskKind.SCORE_ANSWERS)
    assert not at.error
    at = opened_report(made)
    assert "BERTScore" in at.multiselect[0].options
    assert "(n = 12)" in rows(at, "BERTScore")[3][3]
