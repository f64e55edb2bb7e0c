from __future__ import annotations

from typing import Any

import pytest

from annotation.agreement.overview import Progress
from annotation.agreement.report import report
from annotation.agreement.views import (
    FigureRow,
    ItemLine,
    OddDecision,
    PersonPace,
    Report,
    ReportPart,
    Table,
    TimesTable,
    View,
)
from evaluation.agreement.ratings import Finding, Reason
from evaluation.figure import Figure, share_figure
from evaluation.reports.charts import chart_spec
from evaluation.reports.report import Section
from messages import say
from services.agreement.report import as_report, figures_section, progress_section, tasks_section
from services.agreement.sentences import name_of
from services.overview.report import AgreementLine
from storage.tasks import Task
from tests.annotation.agreement.test_report import annotated
from tests.annotation.house import SLUG, House

LINE = ItemLine(1, "q1", "Which?", 0.5, True)


def row(*names: str, value: float | None = 0.5, n: int = 20, name: str = "raw") -> FigureRow:
    low, high = (None, None) if value is None else (value - 0.1, value + 0.1)
    reason = Reason.NO_PAIRS if value is None else None
    return FigureRow(names, Finding(Figure(name, value, n, low, high), reason), (LINE,))


def section(part: ReportPart, *rows: FigureRow, view: View = View.QUESTIONS) -> Section:
    return figures_section(Table(part, view, 3, rows), "en")


def drawn(found: Section) -> list[dict[str, Any]]:
    data: list[dict[str, Any]] = chart_spec(found)["data"]["values"]
    return data


def test_the_report_has_every_part_and_the_questions_behind_each_figure(house: House) -> None:
    found = report(annotated(house).ws, SLUG)
    told = as_report(found, "en").as_json()
    assert {each.name for each in as_report(found, "ko").sections} >= {
        *(
            f"{part}_{view}"
            for part in ("statistics", "pairs", "drift", "categories")
            for view in ("questions", "candidates")
        ),
        *("confusion_candidates", "calibration_questions", "progress", "times", "odd_times"),
    }
    rows, behind = told["statistics_questions"], told["questions"]["statistics_questions"]
    at, raw = next((at, each) for at, each in enumerate(rows) if each["statistic"] == "raw")
    assert (raw["share"]["value"], raw["share"]["n"], raw["chance"]) == (0.5, 2, None)
    assert behind[at] == [{"id": "q2", "agreement": 0.0}, {"id": "q1", "agreement": 1.0}]
    assert all(each["reading"] for each in rows)
    assert told["times"][0]["person"] == "Ann"
    assert as_report(Report((), None), "en").as_json()["questions"] == {}
    (first,) = (e for e in as_report(found, "en").sections if e.name == "statistics_questions")
    assert first.lead.startswith(
        "Two annotators give the same answer on 50 % of questions (n = 2), Krippendorff's α (MASI) "
    )
    assert first.lead.endswith(
        "Of 1 pair of answers that differ, 0 are one annotator finding more."
    )


def test_an_error_rate_and_a_kappa_are_no_one_column() -> None:
    """0.000 is useless for the one and perfect for the other."""
    names = ("cohen_kappa", "raw", "cer", "alpha_masi")
    found = section(ReportPart.STATISTICS, *(row(value=0.0, name=name) for name in names))
    assert found.sheet.names == ("statistic", "chance", "share", "error", "n", "reading")
    assert [each["series"] for each in drawn(found)] == [
        say(f"agreement.column.{kind}") for kind in ("chance", "share", "error", "chance")
    ]


def test_the_lowest_and_the_highest_are_named_where_they_are_reliable() -> None:
    few = row("Ann", "Cho", value=0.1, n=9)
    found = section(ReportPart.PAIRS, row("Ann", "Ben"), few, row("Ben", "Cho", value=0.9))
    assert found.lead == (
        "Lowest: Ann – Ben, 50.0 % [40.0, 60.0] (n = 20). "
        "Highest: Ben – Cho, 90.0 % [80.0, 100.0] (n = 20)."
    )
    alike = section(ReportPart.PAIRS, row("Ann", "Ben"), row("Ben", "Cho", value=0.6))
    assert alike.lead.endswith("Their intervals overlap: the order may be chance.")
    assert section(ReportPart.PAIRS, row("Ann", "Ben"), few).lead == ""
    assert next((e["label0"], e["label1"], e["short"]) for e in drawn(found)) == (
        *("Ann", "Ben"),
        "50.0 %",
    )


@pytest.mark.parametrize(("last", "words"), [(0.6, "may be chance"), (0.8, "do not overlap")])
def test_a_change_over_time_is_told_from_chance(last: float, words: str) -> None:
    day = ("2026-07-01", "2026-07-02")
    found = section(
        ReportPart.DRIFT, row(*day, name="alpha_masi"), row(*day, value=last, name="alpha_masi")
    )
    assert words in found.lead
    assert len({each["label"] for each in drawn(found)}) == 2
    assert "30 complete questions" in section(ReportPart.DRIFT, row(*day)).lead


def test_confusion_names_the_two_answers_most_taken_for_one_another() -> None:
    cells = {("accept", "accept"): 0.6, ("accept", "reject"): 0.3, ("reject", "unsure"): 0.1}
    rows = [row(*names, value=share, name="together") for names, share in cells.items()]
    found = section(ReportPart.CONFUSION, *rows, view=View.CANDIDATES)
    assert found.lead == "Of 8 pairs of answers that differ, 6 are accept and reject."
    at = found.sheet.at("count")
    assert [each[at] for each in found.sheet.rows] == [12, 6, 2]
    assert (
        section(ReportPart.CONFUSION, rows[0], view=View.CANDIDATES).lead
        == "No two answers differ."
    )


def test_a_form_has_the_names_of_its_fields_or_the_projects_own() -> None:
    table = Table(ReportPart.CATEGORIES, View.FIELDS, 3, (row("verdict", "drop"),))
    assert name_of(table, table.rows[0], "ko") == "판단: 삭제"
    assert name_of(table, table.rows[0], "en", {"verdict": "V", "verdict.drop": "D"}) == "V: D"


def test_many_categories_are_a_table_only() -> None:
    many = [row(f"p{n}") for n in range(41)]
    assert section(ReportPart.CATEGORIES, *many).chart is None
    assert section(ReportPart.CATEGORIES, *many[:40]).chart is not None


def test_without_items_nothing_is_pressed_and_without_a_value_the_reason_is_read() -> None:
    none = row("Ann", "Ben", value=None, n=0)
    found = section(ReportPart.PAIRS, FigureRow(none.names, none.finding, ()))
    assert found.opens == ""
    assert found.sheet.rows[0][found.sheet.at("reading")] == say("statistics.reason.no_pairs")
    assert drawn(found) == []


def test_times_have_the_interval_of_the_median_and_the_mark_of_an_odd_pace() -> None:
    paces = (PersonPace("Ann", 9, 31.0, True, 20.0, 40.0), PersonPace("Ben", 2, 8.0, False))
    times = TimesTable((OddDecision("Ann", LINE, 900.0, 30.0, 4.2),), paces)
    told = as_report(Report((), times), "en")
    pace, odd = told.sections[-2:]
    assert [each[1] for each in pace.table().rows] == ["31.0 [20.0, 40.0] Unusual pace", "8.0 [–]"]
    assert odd.table().rows == (("Ann", "q1", "900.0", "30.0", "4.2"),)


def test_progress_counts_items_by_state_and_tasks_their_main_figure() -> None:
    person = Progress(1, "Ann", 3, 1, 0, 2, share_figure("unsure_share", 1, 3), 12.5, 1)
    found = progress_section([person], "en", opens=True)
    assert (found.lead, found.opens) == ("3 of 6 are submitted.", "person")
    assert [each["value"] for each in drawn(found)] == [3, 1, 2]
    assert found.sheet.rows[0][found.sheet.at("imported")] == 1
    kappa, names = Figure("cohen_kappa", 0.4, 30), {"en": "Doctor"}
    lines = [
        AgreementLine(Task.CITATION_MAPPING, "", 1, "alpha_masi", Figure("alpha_masi", 0.7, 30)),
        AgreementLine(Task.FACTOR_TAGGING, "x", 2, "cohen_kappa", kappa, names),
        AgreementLine(Task.CURATION, "", 0, None, Figure("agreement", None, 0)),
    ]
    tasks = tasks_section(lines, "en")
    assert len(tasks.sheet.rows) == 2
    assert tasks.lead.startswith("Lowest: Factor tagging, 0.400")
    assert "Factor tagging · Doctor" in [each["label"] for each in drawn(tasks)]
