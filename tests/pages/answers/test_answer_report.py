from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from errors import UserError
from messages import say
from retrieval.dense.model_files import folder_of
from services.answers.report import report
from services.answers.scores import BertSetting, start_scoring
from services.background.tasks import TaskKind, forget
from services.judging.importing import import_cases
from tests.annotation.judging.answered import SLUG, Answered, jsonl, verdict
from tests.conftest import FakeClock
from tests.evaluation.answers.small_encoder import write_encoder
from tests.pages import screens
from tests.pages.screens import person_of
from tests.pages.small_project import HOSTILE, shown
from tests.services.answers.answered_questions import COUNT, EVERYONE, build, line, rate


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
    import_cases(found.ws, SLUG, jsonl(found.folder / "hostile.jsonl", hostile))
    report(found.ws, SLUG)  # loads the dictionary of morphemes, which takes seconds
    yield found
    found.ws.engine.dispose()


def opened(made: Answered) -> AppTest:
    sections = ("scores", "states", "trust", "judges")
    tables: dict[str, Any] = {f"answers-{section}-more": True for section in sections}
    return screens.opened("answer_report", made.ws, person_of(made.ws, SLUG, "Rex"), SLUG, **tables)


def table(at: AppTest, column: str) -> list[list[str]]:
    """Return the rows of the table that has the column."""
    found = next(each.value for each in at.dataframe if column in each.value)
    return [[str(cell) for cell in row] for row in found.to_numpy().tolist()]


def test_the_tables_their_choices_and_the_answers_lowest_first(made: Answered) -> None:
    at = opened(made)
    assert not at.error
    scores = table(at, "ROUGE-1")
    assert [row[0] for row in scores] == [HOSTILE, "large", "small", "strong", "weak"]
    strong = scores[3]
    assert strong[1].startswith("★ ") and not scores[4][1].startswith("★")
    assert say("report.best") in shown(at)
    assert say("answer_report.about.rouge1") in shown(at).replace("\\", "")
    assert "(n = 12)" in strong[1]
    assert "100.0 %" in strong[3]
    states = table(at, say("answer_report.state.not_asked"))
    assert states[3][1:3] == [str(2 * 2 + COUNT), str(COUNT)]
    trust = table(at, "AUC")
    assert trust[0][0] == "ROUGE-1"
    assert trust[0][2].startswith("1.000")
    judged = table(at, say("answer_report.judge_head.corrected"))
    assert say("judge_report.withheld.all_rated") in judged[3][5]
    assert judged[3][2:5] == [str(COUNT), "0", "0"]  # judged, unreadable, not judged
    listed = table(at, say("answer_report.page.question"))
    assert listed[0][0] == "h1", "the lowest first"
    assert HOSTILE in listed[0][-1]
    assert not any("onerror" in str(each.value) for each in at.markdown if each.allow_html)

    at.selectbox(key="answer-tokeniser").select("characters").run()
    at.selectbox(key="answer-column").select("language").run()
    at.selectbox(key="answer-stratum-language").select("ko").run()
    assert table(at, "ROUGE-1")[3][1].endswith("(n = 12)")
    assert table(at, say("answer_report.state.not_asked"))[1][1] == str(COUNT + 1)

    at = at.toggle(key="answers-compare").set_value(True).run()
    at.session_state["answers-compared-scores-more"] = True
    at = at.segmented_control(key="answers-preset").set_value("judges").run()
    assert {row[1] for row in table(at, "Group")} == {"people", "gpt"}


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The libraries are imported here, and not while a page waits for them."""
    with pytest.raises(UserError):
        folder_of("no/such-model-at-all")
    return write_encoder(tmp_path_factory.mktemp("encoder") / "tiny")


def test_scoring_by_an_encoder(made: Answered, encoder: Path) -> None:
    at = opened(made)
    assert at.multiselect[0].options == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "Judge: correct"]
    at.button(key="bert-start").click().run()
    assert [each.value for each in at.warning] == [say("answer_report.page.need_model")]
    at.text_input(key="bert-model").set_value("no/such-model-at-all")
    at.button(key="bert-start").click().run()
    assert "is not on this machine" in at.error[0].value
    start_scoring(made.ws, SLUG, BertSetting(str(encoder))).wait(100)
    forget(made.ws, SLUG, TaskKind.SCORE_ANSWERS)
    at = opened(made)
    assert "BERTScore" in at.multiselect[0].options
    assert "(n = 12)" in table(at, "BERTScore")[3][3]
