"""The report: counts, shares with intervals, reasons, levels hit and missed, and the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from construction.cascade.layers import parse, starter
from evaluation.figure import wilson
from services.cascade.report import (
    CascadeReport,
    as_report,
    cascade_report,
)
from storage.cascade.results import (
    Overruled,
    Question,
    QuestionState,
    Result,
    RunView,
    state_of_results,
)
from tests.conftest import FakeClock
from tests.projects.cascade_project import (
    GOOD,
    SLUG,
    add_questions,
    judged,
    project,
    set_layers,
    without,
)

AT = datetime(2026, 1, 5, tzinfo=UTC)
RUN = RunView(1, 1, 1, "", "m", AT)
LAYERS = parse(starter())
NUMBERS = count(1)
Said = tuple[str, str, Sequence[dict[str, Any]]]


def state(*said: Said, restored: Sequence[str] = (), level: str = "L1") -> QuestionState:
    """Return a question of which layers said this: (layer, outcome, reasons) each."""
    number = next(NUMBERS)
    axes = {"type": "single_clause", "difficulty": level}
    question = Question(number, f"aug-{number}", "", "", "ko", axes, 1, ())
    results = tuple(
        Result(place, 1, number, layer, place, outcome, reasons, AT)
        for place, (layer, outcome, reasons) in enumerate(said, 1)
    )
    let = {layer: Overruled(number, layer, 1, "restore", "why", None, AT) for layer in restored}
    became, at = state_of_results(results, let, LAYERS)
    return QuestionState(question, became, at, results, let, RUN if results else None)


def levelled(target: str, actual: str) -> Said:
    values = {"target": target, "actual": actual}
    outcome = "passed" if target == actual else "rejected"
    return "difficulty", outcome, [{"code": "level", "values": values}]


def passed(*layers: str) -> list[Said]:
    return [(layer, "passed", []) for layer in layers]


def hit(target: str, actual: str) -> QuestionState:
    said = [*passed("gate", "judge", "heuristics"), levelled(target, actual)]
    if target == actual:
        said += passed("closure")
    return state(*said, level=target)


def told_of(found: CascadeReport) -> dict[str, Any]:
    return as_report(found, "en").as_json()


def test_each_layer_counts_what_came_to_it() -> None:
    failed = [
        {"code": "concrete_context", "values": {"holds": False, "reason": "x"}},
        {"code": "practitioner_voice", "values": {"holds": True, "reason": "y"}},
    ]
    silent = [{"code": "no_reply", "values": {}}]
    worded = [{"code": "wording.asks_for_summary", "values": {"text": "요약해"}}] * 2
    report = CascadeReport(
        1,
        LAYERS,
        [
            hit("L1", "L1"),
            hit("L2", "L3"),
            state(("gate", "rejected", worded)),
            state(("gate", "passed", []), ("judge", "rejected", failed)),
            state(("gate", "passed", []), ("judge", "unjudged", silent)),
            state(
                ("gate", "rejected", worded),
                *passed("judge", "heuristics"),
                levelled("L1", "L1"),
                *passed("closure"),
                restored=["gate"],
            ),
            state(("gate", "rejected", worded), restored=["gate"]),
            state(),
        ],
    )  # fmt: skip
    told = told_of(report)
    names = ("entered", "passed", "rejected", "unjudged", "restored")
    assert {row["layer"]: tuple(row[name] for name in names) for row in told["layers"]} == {
        "gate": (7, 4, 3, 0, 2),
        "judge": (5, 3, 1, 1, 0),
        "heuristics": (3, 3, 0, 0, 0),
        "difficulty": (3, 2, 1, 0, 0),
        "closure": (2, 2, 0, 0, 0),
    }
    assert report.states == {
        "waiting": 2, "rejected": 3, "unjudged": 1, "through": 1, "restored": 1,
    }  # fmt: skip
    judge = told["layers"][1]["share"]  # what is unjudged is missing
    assert judge == {"value": 0.75, "n": 4, "ci": list(wilson(3, 4))}
    reasons = {(row["layer"], row["reason"]): row["count"] for row in told["reasons"]}
    assert reasons["judge", "concrete_context"] == reasons["judge", "no_reply"] == 1
    assert ("judge", "practitioner_voice") not in reasons
    assert reasons["gate", "wording.asks_for_summary"] == 3  # once a question
    assert (report.yielded.value, report.yielded.n) == (0.4, 5)
    assert (report.hits.value, report.hits.n) == (2 / 3, 3)
    assert report.levels == {("L1", "L1"): 2, ("L2", "L3"): 1}


def published() -> Iterator[QuestionState]:
    """Yield questions in the proportions that RegOps-Bench (001, sections 3.2 and A.5) prints.

    Half pass the judge; of those 69.4 % hit their level. It prints no counts: 1,000 are judged on
    each side, the fewest round number that makes both.
    """
    for _ in range(1_000):
        criterion = {"code": "concrete_context", "values": {"holds": False, "reason": "x"}}
        yield state(("gate", "passed", []), ("judge", "rejected", [criterion]))
    for number in range(1_000):
        yield hit("L2", "L2" if number < 694 else "L1")


def test_the_published_shares_come_of_their_counts() -> None:
    report = CascadeReport(1, LAYERS, list(published()))
    judge = told_of(report)["layers"][1]["share"]
    assert (judge["value"], judge["n"]) == (0.5, 2_000)
    assert [round(each, 4) for each in judge["ci"]] == [0.4781, 0.5219]
    assert report.hits.text() == "0.694 [0.665, 0.722]"
    assert report.hits.n == 1_000
    assert report.yielded.value == 0.347
    assert report.levels == {("L2", "L1"): 306, ("L2", "L2"): 694}


def test_the_report_has_every_figure_with_n_and_interval() -> None:
    worded = [{"code": "wording.asks_for_summary", "values": {"text": "요약해"}}]
    found = [hit("L1", "L1"), hit("L1", "L2"), state(), state(("gate", "rejected", worded))]
    told = told_of(CascadeReport(1, LAYERS, found, outdated=2, admitted=1))
    layers = {row["layer"]: row for row in told["layers"]}
    counts = {"entered": 2, "passed": 1, "rejected": 1, "unjudged": 0, "restored": 0}
    share = {"value": 0.5, "n": 2, "ci": list(wilson(1, 2))}
    assert layers["difficulty"] == {
        **{"layer": "difficulty", "on": "yes", "n": 2, "share": share},
        **counts,
    }
    assert layers["closure"]["share"] == {"value": 1.0, "n": 1, "ci": None}
    assert [(row["layer"], row["reason"], row["count"]) for row in told["reasons"]] == [
        ("gate", "wording.asks_for_summary", 1),
        ("difficulty", "level", 1),
    ]
    levels = {(row["target"], row["actual"]): row["count"] for row in told["levels"]}
    assert (levels["L1", "L1"], levels["L1", "L2"], levels["L2", "L2"]) == (1, 1, 0)
    assert told["states"][0]["waiting"] == 1
    assert [row["measure"] for row in told["shares"]] == ["yield", "hits"]
    assert (told["questions"], told["outdated"], told["admitted"]) == (6, 2, 1)
    assert told["lead"].endswith("of the 3 questions decided pass all layers.")


def test_what_went_by_another_version_counts_apart(tmp_path: Path, clock: FakeClock) -> None:
    ws, _ = project(tmp_path / "workspace", clock)
    set_layers(ws, without("closure", "judge"))
    add_questions(ws, GOOD.format(n=1), GOOD.format(n=2))
    judged(ws)
    set_layers(ws, without("closure", "judge", "gate"))
    add_questions(ws, GOOD.format(n=3))
    report = cascade_report(ws, SLUG)
    assert (report.questions, report.outdated, report.states["waiting"]) == (3, 2, 1)
    assert told_of(report)["layers"][0]["on"] == "no"
    judged(ws)
    assert cascade_report(ws, SLUG).outdated == 0
