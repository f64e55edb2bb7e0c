"""A report as a value: one table, and terminal, CSV, JSON, Markdown and LaTeX made of it."""

from __future__ import annotations

import csv
import io
import json

from hypothesis import given
from hypothesis import strategies as st

from evaluation.figure import Figure, share_figure
from evaluation.reports.report import (
    Chart,
    Kind,
    Marked,
    Report,
    Section,
    Shape,
    Sheet,
    Word,
    Words,
    check_ending,
    shown,
)
from tests.support.refusals import refusal

F1 = Figure("f1", 0.71, 40, 0.63, 0.78)
NONE = Figure("f1", None, 0)


class Heads:
    """Heads of columns without a catalogue."""

    language = "en"

    def head(self, name: str) -> str:
        return name.upper()


def made(*rows: dict[str, object], chart: Chart | None = None, **kinds: Kind) -> Report:
    sheet = Sheet.of(rows, Heads(), kinds)  # type: ignore[arg-type]
    section = Section("scores", "Scores", sheet, "B is best.", chart, ("A note.",))
    empty = Section("tests", "Tests", Sheet.of([], Heads()))  # type: ignore[arg-type]
    return Report("trial", "Trial", (section, empty), "One sentence.")


ROWS = (
    {"system": "A", "state": Word("cut_off", "cut off"), "f1": F1, "p": 0.0001, "n": 3},
    {"system": "B", "state": Word("answered", "answered"), "f1": Marked(F1, "▲", strong=True)},
    {"system": "C", "f1": NONE, "share": share_figure("share", 3, 4)},
)


def test_a_value_that_a_row_lacks_is_missing_and_no_zero() -> None:
    report = made(*ROWS, p=Kind.P, share=Kind.SHARE)
    assert [each.name for each in report.filled] == ["scores"]
    rows = report.filled[0].table().rows
    assert rows[0] == ("A", "cut off", "0.710 [0.630, 0.780]", "< 0.001", "3", "–")
    assert rows[1][1:4] == ("answered", rows[1][2], "–")
    assert rows[2][1:] == ("–", "–", "–", "–", "75.0 % [30.1, 95.4]")


def test_json_has_values_by_column_and_sections_without_rows() -> None:
    told = json.loads(made(*ROWS, p=Kind.P).written("json"))
    assert told["report"] == "trial" and told["tests"] == []
    assert told["scores"][0]["state"] == "cut_off"
    assert told["scores"][1]["f1"] == {"value": 0.71, "n": 40, "ci": [0.63, 0.78]}
    assert told["scores"][2]["n"] is None


def test_a_missing_value_has_its_reason_in_every_medium() -> None:
    report = made({"system": "A", "f1": Marked(None, "too few")})
    assert report.filled[0].table().rows == (("A", "– (too few)"),)
    assert report.as_json()["scores"][0]["f1"] == {"value": None, "note": "too few"}
    assert report.written("csv").splitlines()[1] == "scores,A,f1,,,,,too few"


def test_csv_has_one_figure_a_line() -> None:
    rows = list(csv.DictReader(io.StringIO(made(*ROWS, p=Kind.P).written("csv"))))
    assert rows[0] == {
        **{"section": "scores", "row": "A · cut off", "column": "f1", "value": "0.71"},
        **{"low": "0.63", "high": "0.78", "n": "40", "note": ""},
    }
    assert [row["value"] for row in rows if row["row"] == "C" and row["column"] == "f1"] == [""]


def test_words_about_a_row_stand_beside_its_figures_and_do_not_name_it() -> None:
    row = {"system": "A", "took": Figure("took", 31.25, 6, 20.0, 41.0), "why": "Slow."}
    report = made(row, {"system": "B", "took": 3.0}, took=Kind.SECONDS, why=Kind.NOTE)
    assert report.written("csv").splitlines()[1:] == [
        "scores,A,took,31.25,20.0,41.0,6,Slow.",
        "scores,B,took,3.0,,,,",
    ]
    assert [r[1:] for r in report.filled[0].table().rows] == [
        ("31.2 [20.0, 41.0]", "Slow."),
        ("3.0", "–"),
    ]


def test_the_best_is_bold_and_marked_where_the_format_can() -> None:
    report = made(*ROWS)
    assert "**0.710 \\[0.630, 0.780\\] ▲**" in report.written("markdown")
    assert r"\textbf{0.710 [0.630, 0.780] $\uparrow$}" in report.written("latex")
    assert "One sentence." in report.written("markdown") and "A note." in report.written("latex")


def test_only_known_endings_are_written() -> None:
    check_ending(".PNG")
    assert ".svg" in str(refusal(check_ending, ".pdf").params["known"])


def test_readers_see_no_column_without_a_value_and_files_have_it() -> None:
    report = made({"system": "A", "n": 3, "f1": None}, {"system": "B", "n": None, "f1": None})
    table = report.filled[0].table()
    assert table.head == ("SYSTEM", "N") and table.rows == (("A", "3"), ("B", "–"))
    assert report.as_json()["scores"][0] == {"system": "A", "n": 3, "f1": None}


@given(st.one_of(st.integers(), st.floats(allow_nan=False), st.text(), st.none()))
def test_whatever_is_shown_is_text(value: int | float | str | None) -> None:
    assert isinstance(shown(value), str)
    assert shown(None) == "–"


SHAPES = {
    Shape.FOREST: Chart(Shape.FOREST, ("system",), ("f1", "share")),
    Shape.BARS: Chart(Shape.BARS, ("state",), ("f1",), "system"),
    Shape.STACK: Chart(Shape.STACK, ("system",), ("n", "m"), legend="Answers"),
    Shape.HEAT: Chart(Shape.HEAT, ("state", "system"), ("n",)),
    Shape.FUNNEL: Chart(Shape.FUNNEL, ("system",), ("n",)),
    Shape.LINE: Chart(Shape.LINE, ("n",), ("f1",), "system"),
    Shape.SCATTER: Chart(Shape.SCATTER, ("system",), ("f1", "share")),
    Shape.HISTOGRAM: Chart(Shape.HISTOGRAM, ("state",), ("n",), "system"),
}
FULL = (
    {"system": "가 모형", "state": "x", "f1": F1, "share": share_figure("s", 3, 4), "n": 3, "m": 1},
    {"system": "B", "state": "y", "f1": NONE, "share": share_figure("s", 30, 40), "n": 4, "m": 0},
)


def test_a_message_may_have_a_parameter_called_name() -> None:
    said = Words("stricter.table", "en")("lacking", name="SAR", reason="No graph.")
    assert said == "SAR could not be run here. No graph."


def test_heads_are_looked_up_in_their_own_tables_first() -> None:
    words = Words("answer_report", "en", "judge_head")
    assert (words.head("judges"), words.head("n")) == ("Judges per answer", "n")
    assert words.with_heads("measure").head("wins") == "Wins over official"
    p = Sheet.of([{"p": 0.0004, "n": 3}], Words("answer_report", "en"))
    assert (p.heads, p.kinds) == (("p", "n"), (Kind.P, Kind.TEXT))
