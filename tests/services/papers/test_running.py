"""Running a paper: what fails or lacks something keeps nothing else, and nothing is made twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from errors import UserError
from evaluation.figure import Figure
from evaluation.reports.files import report_file
from llm.local.stand_in import VARIABLE
from services.background.tasks import STOPPED
from services.papers import needs, running
from services.papers.needs import Needs
from services.papers.recipes import Line, PaperTable, Part, PublishedTable, Recipe, Step
from services.papers.report import as_report
from services.papers.running import (
    PaperRun,
    Reported,
    last_run,
    run_paper,
    start_paper,
    with_exit_error,
)
from storage.db.workspace import utc_now
from storage.law.imports import keep_questions
from tests.annotation.house import SLUG, House, build, question

RECIPE = Recipe(
    "toy",
    Path(),
    "Toy",
    steps=(
        Step("make", "make --all", needs=("law",)),
        Step("embed", "embed", needs=("embedding no/such-model",)),
    ),
    tables=(
        PaperTable(
            "Table 1",
            {"en": "Runs", "ko": "실행"},
            parts=(
                Part(
                    "show {make/number}",
                    rows={
                        "BM25": Line(same="bm25"),
                        "Dense": Line(
                            same="dense", needs=("embedding no/such-model",), stand_in="lsa"
                        ),
                    },
                    columns={
                        "Recall": Line(same="recall"),
                        "Cost": Line(same="cost"),
                        "Scored": Line(same="recall", needs=("embedding no/such-encoder",)),
                    },
                    section="runs",
                ),
            ),
        ),
        PaperTable(
            "Figure 2", {"en": "A picture", "ko": "그림"}, without={"en": "no", "ko": "없음"}
        ),
    ),
    published={
        "Table 1": PublishedTable("Table 1", ("Recall",), {"BM25": (50.0,)}, percent=True, page=3)
    },
)
ROWS = [
    {"name": "bm25", "recall": {"value": 0.4, "n": 9, "ci": [0.3, 0.6]}, "cost": 3},
    {"name": "lsa", "recall": {"value": 0.2, "n": 9, "ci": [0.1, 0.3]}, "cost": None},
]


class Commands:
    """Commands that report these rows, and are counted."""

    def __init__(self) -> None:
        self.ran: list[str] = []

    def __call__(self, words: Sequence[str]) -> Mapping[str, Any]:
        self.ran.append(" ".join(words))
        return {"number": 7} if words[0] == "make" else {"runs": ROWS}


@pytest.fixture
def house(tmp_path: Path) -> House:
    return build(tmp_path / "ws", utc_now)


def cells(house: House) -> dict[str, Any]:
    found = run_paper(house.ws, SLUG, RECIPE, Commands())
    report = as_report(RECIPE, found, Needs(house.ws, SLUG), "en")
    return {row["row"]: row for row in report.as_json()["table_1"]}


def test_a_cell_is_the_reports_value_beside_the_published_one(house: House) -> None:
    row = cells(house)["BM25"]
    assert row["Recall"] == Figure("paper", 0.4, 9, 0.3, 0.6).as_json()
    assert (row["Recall (paper)"], row["Cost"]) == (0.5, 3)


def test_what_is_missing_is_not_run_and_never_a_number(house: House) -> None:
    missing = cells(house)["Dense"]["Recall"]
    assert missing["value"] is None and "no/such-model" in missing["note"]
    shown = as_report(RECIPE, last_run(house.ws, SLUG, "toy"), Needs(house.ws, SLUG), "en")
    assert "Not run: no embedding model no/such-model" in "\n".join(shown.lines())
    step = replace(RECIPE.steps[0], needs=("mcqs",))
    recipe = replace(RECIPE, name="other", steps=(step,))
    found = run_paper(house.ws, SLUG, recipe, Commands())  # what a step lacked is told by cells
    report = as_report(recipe, found, Needs(house.ws, SLUG), "en").as_json()
    assert report["table_1"][0]["Recall"]["note"] == "Not run: no multiple-choice questions"


def test_what_was_made_of_the_same_data_is_made_once(house: House) -> None:
    commands = Commands()
    for _ in range(2):
        run_paper(house.ws, SLUG, RECIPE, commands)
    assert commands.ran == ["make --all", "show 7"]
    keep_questions(house.ws, SLUG, [question(n) for n in range(1, 5)], "questions.jsonl")
    run_paper(house.ws, SLUG, RECIPE, commands)
    assert commands.ran == ["make --all", "show 7"] * 2


def test_a_command_that_fails_keeps_no_other_from_running(house: House) -> None:
    def execute(words: Sequence[str]) -> Mapping[str, Any]:
        if words[0] == "make":
            raise UserError("no_gold", slug="x", pending=0)
        return {"runs": ROWS}

    table = replace(RECIPE.tables[0], parts=(replace(RECIPE.tables[0].parts[0], command="show"),))
    recipe = replace(RECIPE, tables=(table, RECIPE.tables[0]))
    found = run_paper(house.ws, SLUG, recipe, execute)
    assert found.steps["make"].state == "failed" and found.steps["make"].reason
    assert found.reports["show"].state == "done"
    assert found.reports["show {make/number}"].reason == found.steps["make"].reason


def test_a_command_gets_a_folder_that_is_not_there_yet(house: House) -> None:
    given: list[Path] = []

    def execute(words: Sequence[str]) -> Mapping[str, Any]:
        given.append(Path(words[1]))
        given[-1].mkdir(parents=True)
        return {"error": "stopped", "what": "It was stopped."}

    steps = (Step("make", "make {new}"), Step("more", "make {new}"))
    run_paper(house.ws, SLUG, replace(RECIPE, steps=steps, tables=()), execute)
    assert len(set(given)) == 2 and all(house.ws.folder in each.parents for each in given)


def test_a_cell_is_found_in_a_report_within_a_list_or_its_table_says_why_not() -> None:
    part = Part("c", {"A": Line(same="a")}, {"P": Line(same="p")}, section="cases/1/standard")
    table = PaperTable(
        "T", {"en": "T", "ko": "T"}, parts=(part,), absent={"en": "no such case", "ko": "없음"}
    )
    recipe = replace(RECIPE, tables=(table,), steps=())
    cases = [{}, {"standard": [{"name": "b", "p": 0.5}]}]
    there = cast("Needs", SimpleNamespace(lacking=lambda _: ""))

    def cell(cases: object) -> object:
        run = PaperRun(reports={"c": Reported("done", {"cases": cases})})
        report = as_report(recipe, run, there, "en").as_json()
        return report["t"][0]["P"], report["tables"][0]["why"]

    assert cell(cases) == (
        {"value": None, "note": "no such case"},
        "no such case",
    )
    assert cell([{}, {"standard": [{"name": "a", "p": 0.5}]}]) == (0.5, None)


def test_only_the_steps_that_are_named_are_run(house: House) -> None:
    commands = Commands()
    found = run_paper(house.ws, SLUG, RECIPE, commands, only=["embed"])
    assert set(found.steps) == {"embed"} and not commands.ran
    with pytest.raises(UserError) as caught:
        run_paper(house.ws, SLUG, RECIPE, commands, only=["mak"])
    assert caught.value.code == "paper_step_unknown" and "make" in caught.value.what()


def test_a_statute_is_needed_by_a_part_of_its_id_and_a_model_for_cells(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = Needs(house.ws, SLUG)
    assert Needs(house.ws, SLUG, stand_in=True).met("model solve")
    monkeypatch.setenv(VARIABLE, "1")  # a model for steps, and never for cells
    assert not there.met("model solve")
    assert there.met("statute lake") and there.lacking(["law", "statute HIPAA"]) == "statute HIPAA"


def test_what_stand_ins_made_stays_marked_when_a_model_is_there_later(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run_paper(house.ws, SLUG, RECIPE, Commands(), stand_in=True)
    assert "embedding no/such-model" in found.lacked
    report = as_report(RECIPE, found, Needs(house.ws, SLUG), "en")
    assert "Dense [stand-in]" in "\n".join(report.lines())
    assert report.facts["stand_in"] == 1
    assert "Not run: no embedding model no/such-encoder" in "\n".join(report.lines())
    monkeypatch.setattr(needs, "_embeds", lambda _: True)
    kept = last_run(house.ws, SLUG, "toy")
    report = as_report(RECIPE, kept, Needs(house.ws, SLUG, kept.lacked), "en")
    assert report.facts["stand_in"] == 1
    commands = Commands()
    run_paper(house.ws, SLUG, RECIPE, commands, stand_in=True)
    assert "embed" in commands.ran, "what the model can make now is made"


def test_a_command_that_ended_early_has_failed_and_is_run_again(house: House) -> None:
    commands: list[str] = []

    def execute(words: Sequence[str]) -> Mapping[str, Any]:
        commands.append(words[0])
        told = {"number": 7, "end": "server_failed", "reason": "HTTP 500"}
        return with_exit_error(told, 3 if words[0] == "make" else 0, words)

    for _ in range(2):
        found = run_paper(house.ws, SLUG, RECIPE, execute)
        assert found.steps["make"].state == "failed" and "HTTP 500" in found.steps["make"].reason
    assert commands == ["make", "show", "make"]
    report = as_report(RECIPE, found, Needs(house.ws, SLUG), "en")
    assert "in part: make;" in report.lead


def test_a_stop_ends_the_command_that_is_running(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text("import time; time.sleep(60)", encoding="utf-8")
    monkeypatch.setattr(running, "_PROGRAM", slow)
    task = start_paper(house.ws, SLUG, "searchfiresafety")
    task.stop()
    with pytest.raises(UserError) as caught:
        task.wait(20)
    assert caught.value.code == STOPPED and not task.running
    assert not last_run(house.ws, SLUG, "searchfiresafety").reports


def test_a_count_has_no_interval_that_could_hold_the_published_value(house: House) -> None:
    found = run_paper(house.ws, SLUG, RECIPE, Commands())
    lead = as_report(RECIPE, found, Needs(house.ws, SLUG), "en").sections[1].lead
    assert "n = 9." in lead and "Of the 1 with an interval and a published value, 1 holds" in lead
    counted = Commands()
    rows = [{"name": "bm25", "recall": 3, "cost": 3}]
    found = run_paper(
        house.ws, SLUG, replace(RECIPE, name="counts"), lambda w: {**counted(w), "runs": rows}
    )
    lead = as_report(RECIPE, found, Needs(house.ws, SLUG), "en").sections[1].lead
    assert "interval" not in lead


def test_a_row_in_per_cent_is_shown_so_and_missing_cells_are_no_part_of_its_name() -> None:
    part = Part("c", {"Share": Line(same="s"), "Gone": Line(same="g")}, {"P": Line(same="p")}, "r")
    table = PaperTable("T", {"en": "T", "ko": "T"}, parts=(part,))
    printed = {"T": PublishedTable("T", ("P",), {"Share": (60.0,)}, percent=("Share",))}
    recipe = replace(RECIPE, tables=(table,), steps=(), published=printed)
    nothing = cast("Needs", SimpleNamespace(lacking=lambda _: ""))
    run = PaperRun(reports={"c": Reported("done", {"r": [{"name": "s", "p": 0.5}]})})
    report = as_report(recipe, run, nothing, "en")
    shares = {"n": (5, 40.0), "share": (50.0, 60.0)}  # rows and columns alone can be so
    two = PublishedTable("Table 2", ("Count", "%"), shares, percent=("share", "%"))
    found = [two.value(row, column) for row in shares for column in two.columns]
    assert found == [5, 0.4, 0.5, 0.6]
    assert "50.0 %" in "\n".join(report.lines()) and "60.0 %" in "\n".join(report.lines())
    assert "t,Gone,P,,,,,the report has no such row" in report_file(report, ".csv").decode()
