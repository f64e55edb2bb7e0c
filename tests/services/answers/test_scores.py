from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from errors import UserError
from evaluation.answers import bertscore
from llm.batch import End, Progress
from services.answers import report as services
from services.answers import scores
from services.answers.beside import compare_answers
from services.answers.report_views import (
    AnswerReport,
    Measure,
    QuestionAnswers,
    ReportOptions,
)
from services.answers.scores import BertSetting, plan_scores, score_answers, settings_kept
from tests.annotation.judging.answered import SLUG, Answered
from tests.conftest import FakeClock
from tests.evaluation.answers.small_encoder import LAYERS, write_encoder
from tests.services.answers.answered_questions import COUNT, build


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_encoder(tmp_path_factory.mktemp("encoder") / "tiny")


@pytest.fixture
def made(tmp_path: Path, clock: FakeClock) -> Iterator[Answered]:
    found = build(tmp_path, clock)
    yield found
    found.ws.engine.dispose()


def score(made: Answered, setting: BertSetting, stop: Event | None = None) -> Progress:
    plan = plan_scores(made.ws, SLUG, setting)
    return asyncio.run(score_answers(made.ws, plan, Progress(0), stop or Event()))


def bert_of(made: Answered, setting: BertSetting) -> AnswerReport:
    options = ReportOptions((Measure.BERTSCORE,), bert=setting, stratum=("language", "ko"))
    return services.report(made.ws, SLUG, options=options)


def strong(found: AnswerReport) -> dict[str, float | None]:
    return dict(found.values[Measure.BERTSCORE]["strong"])


def test_scores_are_made_once_and_kept(
    made: Answered, encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    setting = BertSetting(str(encoder), 2, True)
    before = bert_of(made, setting)
    assert before.unscored == 2 * COUNT
    assert set(strong(before).values()) == {None}
    done = score(made, setting)
    # Four pairs of texts differ: many answers say the same of the same official one.
    assert (done.end, done.done, done.recalled) == (End.DONE, 4, 0)
    after = bert_of(made, setting)
    assert after.unscored == 0
    values = strong(after)
    assert values["k05"] == pytest.approx(1, abs=1e-4)
    assert values["k00"] is not None
    assert values["k00"] < 0.99
    assert settings_kept(made.ws) == [setting]

    def asked_again(*_: Any) -> None:
        raise AssertionError("nothing is scored twice")

    monkeypatch.setattr(scores, "bert_scores", asked_again)
    again = score(made, setting)
    assert (again.done, again.recalled) == (4, 4)


def test_other_layers_and_weights_are_other_scores(made: Answered, encoder: Path) -> None:
    settings = [BertSetting(str(encoder), 1), BertSetting(str(encoder), 2)]
    for each in settings:
        score(made, each)
    one, two = (strong(bert_of(made, each))["k00"] for each in settings)
    assert one != two
    assert bert_of(made, BertSetting(str(encoder), 1, True)).unscored == 2 * COUNT
    assert settings_kept(made.ws) == settings
    asked = BertSetting(str(encoder), 1, against="question")
    assert bert_of(made, asked).unscored == 2 * COUNT and asked.name().endswith(", question")
    score(made, asked)
    assert strong(bert_of(made, asked))["k05"] != strong(bert_of(made, settings[0]))["k05"]


def test_a_stopped_run_goes_on(
    made: Answered, encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scores, "_AT_ONCE", 2)
    setting, stop = BertSetting(str(encoder)), Event()
    plan = plan_scores(made.ws, SLUG, setting)
    real, calls = bertscore.bert_scores, []

    def once(*given: Any) -> Any:
        calls.append(len(given[1]))
        stop.set()
        return real(*given)

    monkeypatch.setattr(scores, "bert_scores", once)
    progress = Progress(0)
    asyncio.run(score_answers(made.ws, plan, progress, stop))
    assert (progress.end, progress.done, progress.total) == (End.STOPPED, 2, 4)
    assert len(plan_scores(made.ws, SLUG, setting).pairs) == 2
    score(made, setting)
    assert calls == [2, 2]


@pytest.mark.parametrize("footer", ["\n\n[References] a_1조, b_2조", "\n[참조] a_1조"])
def test_a_footer_of_references_is_no_part_of_an_answer(made: Answered, footer: str) -> None:
    case = next(each.case for each in made.states() if each.case.system == "strong")
    said = [
        replace(case, id=number, answer=text)
        for number, text in enumerate((case.answer, case.answer + footer, footer))
    ]
    bare, with_footer, alone = scores.rouge_scores(made.ws, "characters", said).values()
    assert bare == with_footer
    assert alone is not None and alone.rouge1.f1 < 1  # what is nothing else is compared as it is


def test_a_footer_is_no_part_of_the_difference() -> None:
    footer = "\n\n[References] a_1조"
    those = QuestionAnswers("q", "?", "소화기", "ko", {"one": f"소화기{footer}", "two": "소화기"})
    found = compare_answers(those, "one")
    assert (found.compared.words, found.footers) == ((1, 1), ("", footer))
    assert compare_answers(those, "two", "one").footers == (footer, "")


def test_what_cannot_be(made: Answered, encoder: Path, tmp_path: Path) -> None:
    def code(setting: BertSetting) -> str:
        with pytest.raises(UserError) as refused:
            score(made, setting)
        return refused.value.code

    assert code(BertSetting(str(encoder), LAYERS + 1)) == "answer_report_layer"
    assert code(BertSetting(str(encoder), -1)) == "answer_report_layer"
    assert code(BertSetting("no/such-model-at-all")) == "model_missing"
    empty = tmp_path / "no-model"
    empty.mkdir()
    assert code(BertSetting(str(empty))) == "model_folder"
    (empty / "config.json").write_text("{}", "utf-8")
    assert code(BertSetting(str(empty))) == "model_unreadable"


def test_a_model_that_went_away_is_not_offered(
    made: Answered, encoder: Path, tmp_path: Path
) -> None:
    from shutil import copytree, rmtree

    copy = Path(copytree(encoder, tmp_path / "copy"))
    score(made, BertSetting(str(copy)))
    (made.ws.cache / "bertscore" / "torn").mkdir()
    (made.ws.cache / "bertscore" / "torn" / "setting.json").write_text('{"mod', "utf-8")
    assert settings_kept(made.ws) == [BertSetting(str(copy))]
    rmtree(copy)
    assert settings_kept(made.ws) == []
    # The same files elsewhere are the same model: nothing is scored anew.
    assert score(made, BertSetting(str(encoder))).recalled == 4
    assert settings_kept(made.ws) == [BertSetting(str(encoder))]
