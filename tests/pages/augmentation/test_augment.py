"""The Augment screen: cells, planning and writing, reading, attempts, and the axes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from annotation.people.members import PersonView, add_person
from construction.augmentation.axes import Cell, Wanted, starter
from messages import say
from services.augmentation.planning import WritingOptions
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.pages.screens import table, when_over
from tests.pages.small_project import page, shown
from tests.projects.augmentation_project import SLUG, make, serving, writes, written

PICKED = {"selection": {"rows": [0], "columns": [], "cells": []}}
HOSTILE = "<img src=x onerror=alert(1)> **저는** $x$ 때문에 고민입니다."


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "workspace", clock)
    make(workspace)
    return workspace


@pytest.fixture
def lead(ws: Workspace) -> PersonView:
    return add_person(ws, SLUG, "Bora", "researcher")


def opened(ws: Workspace, who: PersonView, tab: str = "cells") -> Any:
    at = page("augment", ws, who, project=SLUG)
    at.session_state["augment-tab"] = tab
    at.session_state["augment-cells-more"] = True
    at.run()
    return at


def two(ws: Workspace, **changes: object) -> None:
    """Have two questions written, one of which a model refuses."""
    with serving(ws) as server:
        server.on("누구든지", Step("refuse", text="no"))
        server.says = lambda said: writes(said, **changes)
        written(ws, WritingOptions((Wanted(Cell("single_clause", "L1"), 10),)))


def test_cells_are_planned_and_written(ws: Workspace, lead: PersonView) -> None:
    at = opened(ws, lead)
    assert "not set" in shown(at) or "No model" in shown(at) or at.info
    assert at.button(key="augment-plan").disabled
    with serving(ws, "price_in = 1\nprice_out = 1") as server:
        at = opened(ws, lead)
        assert "No question has been planned" in at.info[0].value
        assert shown(at).count("not possible") == 3
        assert at.button(key="augment-plan").disabled
        at.number_input(key="augment-target-single_clause-L1").set_value(2).run()
        at.number_input(key="augment-target-exception_paired-L3").set_value(1).run()
        at.button(key="augment-plan").click().run()
        assert not server.counts
        plan = table(at, "Cell")
        assert plan["Target"].tolist() == [2, 1] and plan["To ask for"].tolist() == [2, 0]
        assert "0" in plan["Note"][1]  # so many sets there are
        assert "2" in at.button(key="augment-write").label
        at.number_input(key="augment-seed").set_value(5).run()
        assert not [each for each in at.button if each.key == "augment-write"]
        at.number_input(key="augment-seed").set_value(0).run()
        when_over(at.button(key="augment-write").click().run(), "augment")
        assert "2" in at.success[0].value
    at.button(key="augment-close").click().run()
    rows = table(at, "Planned")[["Planned", "Made", "Passed", "Admitted", "Missing"]]
    assert rows.to_numpy().tolist() == [[2, 2, 0, 0, 0], [1, 0, 0, 0, 1]]
    assert at.number_input(key="augment-target-single_clause-L1").value == 2


def test_questions_attempts_and_axes_are_shown_with_why(ws: Workspace, lead: PersonView) -> None:
    two(ws)
    at = opened(ws, lead, "questions")
    questions = table(at, "Question", "State")
    assert len(questions) == 9 and questions["Id"][0] == "aug-0009"
    at = opened(ws, lead, "attempts")
    assert len(table(at, "Attempt")) == 10
    at.segmented_control(key="augment-outcome").set_value("refused").run()
    (attempt,) = table(at, "Attempt").to_dict("records")
    assert "5조" in attempt["Provisions"]
    at.session_state["augment-attempts-refused"] = PICKED
    at.run()
    assert say("augment.attempts.no_draft") in shown(at)
    at.segmented_control(key="augment-outcome").set_value("duplicate").run()
    assert not at.dataframe and at.info

    at = opened(ws, lead, "axes")
    changed = starter().replace("key: single_clause", "key: one_clause")
    at = at.text_area[0].set_value(changed).run()
    assert "types\\.one\\_clause" in shown(at)
    assert set(table(at, "Value")["Value"]) == {"types.single_clause"}
    at = at.button(key="axes-save").click().run()
    assert "Version 2" in at.success[0].value
    at = at.text_area[0].set_value(changed.replace("arity: 3", "arity: 0")).run()
    assert "whole number" in at.error[0].value and "109" in at.error[0].value


def test_a_question_is_read_with_its_provisions_and_stays_text(
    ws: Workspace, lead: PersonView
) -> None:
    two(ws, question=HOSTILE)
    at = opened(ws, lead, "questions")
    at.session_state["augment-questions"] = PICKED
    at.run()
    assert "Governing provisions" in shown(at)
    assert "by the rubric the provisions that the answer cites make L1" in shown(at)
    assert [each.label for each in at.expander] == [
        "창고안전법 제11조 \\(창고\\) — starting provision"
    ]
    assert "<img" not in "".join(each.value for each in at.markdown)
    at = opened(ws, lead, "attempts")
    at.segmented_control(key="augment-outcome").set_value("duplicate").run()
    at.session_state["augment-attempts-duplicate"] = PICKED
    at.run()
    assert "<img" not in "".join(each.value for each in at.markdown)
