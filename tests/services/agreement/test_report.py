from __future__ import annotations

import csv
import io
import json

import pytest

from annotation.agreement.report import report
from annotation.agreement.views import (
    FigureRow,
    ItemLine,
    OddDecision,
    Report,
    ReportPart,
    Table,
    TimesTable,
    View,
)
from evaluation.agreement.ratings import Finding, Reason
from evaluation.figure import Figure
from messages import say
from services.agreement.report import as_csv, as_json, as_markdown, value_columns
from tests.annotation.agreement.test_report import annotated
from tests.annotation.house import SLUG, House, build
from tests.conftest import FakeClock

LINE = ItemLine(1, "q1", "Which?", 0.5, True)
NASTY = "=cmd|' /C calc'!A0"


@pytest.fixture
def house(tmp_path, clock: FakeClock) -> House:
    return build(tmp_path / "ws", clock)


def small(*rows: FigureRow) -> Report:
    table = Table(ReportPart.PAIRS, View.QUESTIONS, 3, rows)
    odd = OddDecision("Ann", LINE, 900.0, 30.0, 4.2)
    return Report((table,), TimesTable((odd,), ()))


def lines(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_every_figure_is_a_line_with_its_questions(house: House) -> None:
    found = report(annotated(house).ws, SLUG)
    written = lines(as_csv(found))
    assert len(written) == sum(len(each.rows) for each in found.tables)
    raw = next(each for each in written if each["statistic"] == "raw")
    assert (raw["part"], raw["view"], raw["value"], raw["n"]) == (
        "statistics",
        "questions",
        "0.5",
        "2",
    )
    assert raw["questions"] == "q2 q1"
    assert all(each["reading"] for each in written)


def test_text_that_a_spreadsheet_would_run_is_kept_from_it() -> None:
    row = FigureRow((NASTY, "Ben"), Finding(Figure("raw", 0.5, 2, 0.1, 0.9)), (LINE,))
    pair, odd = lines(as_csv(small(row)))
    assert pair["of"] == f"'{NASTY} – Ben"
    assert (odd["part"], odd["value"], odd["questions"]) == ("times", "900.0", "q1")


@pytest.mark.parametrize(("language", "word"), [("en", "Raw agreement"), ("ko", "단순 일치율")])
def test_markdown_has_the_value_the_interval_and_the_reading(language: str, word: str) -> None:
    known = FigureRow(("A|B", "Ben"), Finding(Figure("raw", 0.5, 2, 0.1, 0.9)), (LINE,))
    none = FigureRow(("Ann", "Ben"), Finding(Figure("raw", None, 0), Reason.NO_PAIRS), ())
    text = as_markdown(small(known, none), language)
    assert f"| A\\|B – Ben | {word} | (0.500) | [0.100, 0.900] | 2 |" in text
    assert say("common.brackets", language) in text
    assert f"| Ann – Ben | {word} | – | – | 0 |" in text
    assert "| Ann | q1 | 900.0 | 30.0 | 4.2 |" in text


def test_an_error_rate_and_a_kappa_are_no_one_column() -> None:
    """0.000 is useless for the one and perfect for the other."""
    found = [Finding(Figure(name, 0.0, 9)) for name in ("cohen_kappa", "raw", "cer", "alpha_masi")]
    columns = value_columns([*found, Finding(Figure("wer", 0.0, 4))], "en")
    assert columns == {
        say("agreement.kind.chance"): ["0.000", "", "", "0.000", ""],
        say("agreement.kind.share"): ["", "0.000", "", "", ""],
        say("agreement.kind.error"): ["", "", "0.000", "", "(0.000)"],
    }
    assert list(value_columns(found[:1], "en")) == [say("agreement.kind.chance")]


def test_json_has_everything(house: House) -> None:
    found = report(annotated(house).ws, SLUG)
    told = json.loads(json.dumps(as_json(found)))
    assert len(told["tables"]) == len(found.tables)
    first = told["tables"][0]["rows"][0]
    assert set(first) == {
        *("of", "statistic", "value", "n", "ci"),
        *("reason", "undefined", "reading", "questions"),
    }
    assert told["times"]["people"][0]["person"] == "Ann"
    assert as_json(Report((), None)) == {"tables": [], "times": None}
