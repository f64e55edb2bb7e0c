"""All scores of answers as one table, whose presets give what the reports give."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.ranking.compare import Inference
from evaluation.scores import EACH, Score
from services.answers.report import report
from services.answers.report_views import ReportOptions
from services.answers.score_table import (
    CORRECT,
    PRESETS,
    Pivot,
    comparison_report,
    score_table,
    scores_csv,
)
from services.attribution.report import report as attribution_report
from services.downstream.report import downstream_report
from tests.annotation.house import SLUG as HOUSE
from tests.annotation.judging.answered import SLUG, Answered, verdict
from tests.conftest import FakeClock
from tests.projects.attribution_project import labelled
from tests.projects.downstream_project import SLUG as DOWNSTREAM
from tests.projects.downstream_project import downstream
from tests.services.answers.answered_questions import COUNT, EVERYONE, build, rate
from tests.support.refusals import code_of

FEW = Inference(100)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answered]:
    """Two judges of whom one judges one answer less; people have rated everything."""
    found = build(tmp_path_factory.mktemp("answers"), FakeClock())
    rate(found)
    found.judge(
        *(
            verdict(f"k{number:02}", number % 3 > 0, judge, system)
            for judge in ("gpt", "solar")
            for system in EVERYONE
            for number in range(COUNT - (judge == "solar"))
        )
    )
    yield found
    found.ws.engine.dispose()


@pytest.fixture(scope="module")
def table(made: Answered) -> list[Score]:
    return score_table(made.ws, SLUG)


def rows(table: list[Score], pivot: Pivot, section: str = "scores") -> list[dict[str, object]]:
    found: list[dict[str, object]] = comparison_report(table, pivot, "en", FEW).as_json()[section]
    return found


def test_the_preset_of_quality_has_the_figures_of_the_report(made: Answered, table: list[Score]):
    whole = report(made.ws, SLUG, options=ReportOptions(judge="gpt", inference=FEW))
    told = {(row["measure"], row["group"]): row["score"] for row in rows(table, PRESETS["quality"])}
    for column in whole.columns:
        measure = CORRECT if column.measure == "judge" else column.measure
        for system in EVERYONE:
            if measure != CORRECT:
                assert told[measure, system] == column.figures[system].as_json()
    judge = Pivot((CORRECT,), scored_by=("gpt",))
    (column,) = (each for each in whole.columns if each.measure == "judge")
    found = {row["group"]: row["score"] for row in rows(table, judge)}
    assert found["strong"] == column.figures["strong"].as_json()


def test_judges_are_compared_with_people(table: list[Score]) -> None:
    found = {str(row["group"]): row for row in rows(table, PRESETS["judges"])}
    assert {"gpt", "solar", "people"} <= set(found)
    tests = rows(table, PRESETS["judges"], "tests")
    assert {row["against"] for row in tests} == {"people"}
    assert found["solar"]["missing"] != found["gpt"]["missing"]


def test_who_scored_is_told_and_chosen(table: list[Score]) -> None:
    section = comparison_report(table, Pivot((CORRECT,)), "en", FEW).sections[0]
    assert section.notes[0] == "Scored by: Correct: people."
    one = comparison_report(table, Pivot((CORRECT,), scored_by=("solar",)), "ko", FEW).sections[0]
    assert "solar" in one.notes[0] and "gpt" not in one.notes[0]
    for pivot in (
        Pivot(("beauty",)),
        Pivot((CORRECT,), "colour"),
        Pivot((CORRECT,), scored_by=("nobody",)),
        Pivot((CORRECT,), against="nobody"),
    ):
        assert code_of(comparison_report, table, pivot, "en", FEW) == "score_table_unknown"


def test_every_score_is_a_line_of_the_file(table: list[Score]) -> None:
    lines = list(csv.DictReader(io.StringIO(scores_csv(table))))
    assert len(lines) == len(table)
    unscored = [each for each in lines if each["measure"] == CORRECT and each["value"] == ""]
    assert unscored  # missing, never zero
    assert {each["scored_by"] for each in lines} >= {"morphemes", "people", "gpt", "solar"}


def test_claims_and_citations_are_those_of_the_attribution_report(
    tmp_path: Path, clock: FakeClock
) -> None:
    house = labelled(tmp_path / "ws", clock)
    found = attribution_report(house.ws, HOUSE, resamples=100)
    table = score_table(house.ws, HOUSE)
    told = rows(table, PRESETS["attribution"])
    for row in told:
        figures = next(e.figures for e in found.lines if e.system == row["group"])
        assert row["score"] == figures[str(row["measure"])].as_json()
    by_context = Pivot(("article_f1",), "context", against=EACH)
    assert {row["group"] for row in rows(table, by_context)} >= {"not known"}


def test_options_are_those_of_the_downstream_report(tmp_path: Path, clock: FakeClock) -> None:
    ws = downstream(tmp_path / "ws", clock).ws
    found = downstream_report(ws, DOWNSTREAM)
    told = {row["group"]: row for row in rows(score_table(ws, DOWNSTREAM), Pivot(("choice",)))}
    assert set(told) == {line.setting.name for line in found.lines}
