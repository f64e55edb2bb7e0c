"""The MCQ report screen: figures and lists, making and solving beside it, and who sees what."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from annotation.people.members import PersonView, add_person
from messages import say
from services.mcq.views import standing_questions
from storage.db.workspace import Workspace
from storage.mcq.votes import votes
from tests.conftest import FakeClock
from tests.llm.server import Step
from tests.pages.small_project import page, shown
from tests.services.mcq.mcq_project import (
    SLUG,
    checks,
    generated,
    knows,
    make,
    people,
    run_solving,
    serving,
    solved,
    writes,
)

HOSTILE = "<img src=x onerror=alert(1)> **m**"


@pytest.fixture
def ws(tmp_path: Path, clock: FakeClock) -> Workspace:
    return Workspace(tmp_path / "workspace", clock)


def somebody(ws: Workspace, role: str = "researcher") -> PersonView:
    return add_person(ws, SLUG, role.title(), role)


def screen(ws: Workspace, who: PersonView, tab: str = "report", language: str = "en") -> Any:
    at = page("mcq_report", ws, who, language, SLUG)
    at.session_state["mcq-tab"] = tab
    for section in ("safety", "changes", "rows", "funnel", "counts"):
        at.session_state[f"mcq-{section}-more"] = True
    return at.run()


def table(at: Any, column: str, language: str = "en") -> Any:
    """Return the table that has a column, named by the catalogue."""
    head = say(f"mcq_report.{column}", language)
    return next(each.value for each in at.dataframe if head in each.value)


def click(at: Any, key: str) -> Any:
    return at.button(key=key).click().run()


def when_over(at: Any, key: str) -> Any:
    for _ in range(100):
        at.run()
        if any(button.key == f"{key}-close" for button in at.button):
            return at
        time.sleep(0.05)
    raise AssertionError("the work did not end")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_without_questions_it_says_what_to_do(ws: Workspace, language: str) -> None:
    make(ws)
    lead, judge = somebody(ws), somebody(ws, "adjudicator")
    assert say("mcq_report.empty", language) in shown(screen(ws, lead, language=language))
    at = screen(ws, judge, language=language)
    assert say("mcq_report.empty_reader", language) in shown(at)


def test_an_annotator_sees_no_figure(ws: Workspace) -> None:
    generated(ws)
    solved(ws, knows)
    at = screen(ws, somebody(ws, "annotator"))
    assert not at.dataframe
    assert "researchers and administrators" in shown(at)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_funnel_safety_and_what_provisions_add(ws: Workspace, language: str) -> None:
    generated(ws)
    solved(ws, knows, models=(HOSTILE, "base"))
    both = people(ws)
    checks(ws, 1, *both)
    checks(ws, 2, *both, verdict="drop", cause="answerable_alone")
    at = screen(ws, somebody(ws), language=language)
    funnel, safety = (table(at, f"column.{name}", language) for name in ("left", "answers"))
    cause = say("mcq_report.cause.answerable_alone", language)
    assert funnel[funnel.iloc[:, 1] == cause].iloc[0].tolist()[2:] == ["1", 5]
    names = safety.iloc[:, 0].tolist()
    assert names[::2][:3] == [HOSTILE, "base", say("mcq_report.always_abstain", language)]
    assert names[6] in {say("mcq_report.always", language, option=place) for place in range(1, 5)}
    able = safety[say("mcq_report.column.able_and_safe", language)].tolist()
    assert [each.split(" ")[0] for each in able[::2]] == ["100.0", "100.0", "0.0", "0.0"]
    waiting = say("mcq_report.fate.waiting", language)
    assert f"{waiting} 4" in shown(at)
    assert not any("<img" in each.value.replace("\\<", "") for each in at.markdown)


def test_only_what_people_checked(ws: Workspace) -> None:
    generated(ws)
    solved(ws, knows)
    checks(ws, 1, *people(ws))
    at = screen(ws, somebody(ws))
    at.segmented_control(key="mcq-scope").set_value("checked").run()
    assert table(at, "column.answers")["n"].tolist()[0] == 1


def test_before_and_after(ws: Workspace) -> None:
    generated(ws)
    solved(ws, knows, models=("base",))
    solved(ws, lambda said: knows(said) if "말한다" in said else "1", models=("adapted",))
    at = screen(ws, somebody(ws))
    at.selectbox(key="mcq-before").set_value("base")
    at.selectbox(key="mcq-after").set_value("adapted").run()
    changes = table(at, "column.difference")
    with_a = changes[changes[say("mcq_report.column.setting")] == say("mcq_report.setting.a")]
    assert with_a[say("mcq_report.column.difference")].tolist()[:3] == [
        "-1.000 [–]",
        "1.000 [–]",
        "1.000 [–]",
    ]
    assert "-1.000" in shown(at).replace("\\", ""), "the sentence tells able and safe"
    at.text_input(key="mcq-pair-name").set_value("law").run()
    click(at, "mcq-pair-keep")
    chosen = f"mcq-pairs-{SLUG}-chosen"
    assert at.segmented_control(key=chosen).value == "law"
    assert table(at, "column.difference").shape == changes.shape
    click(at, "mcq-pair-drop")
    assert not [each for each in at.button if each.key == "mcq-pair-drop"]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_same_replies_read_by_likelihood(ws: Workspace, language: str) -> None:
    generated(ws)
    with serving(ws) as server:
        server.on("", Step(text="5", logprobs=[[("5", -0.9), ("2", -0.4)]]))
        run_solving(ws)
    at = screen(ws, somebody(ws), language=language)
    label = say("mcq_report.column.abstained_option", language)
    assert table(at, "column.missing", language)[label].tolist()[1] == 6
    at.segmented_control(key="mcq-reading").set_value("likelihood").run()
    assert table(at, "column.missing", language)[label].tolist()[1] == 0
    assert say("mcq_report.reading_note", language) in shown(at).replace("\\", "")


def test_without_a_model_it_says_what_one_would_add(ws: Workspace) -> None:
    make(ws)
    at = screen(ws, somebody(ws), "make")
    assert say("llm.adds.generate") in shown(at)
    assert say("llm.adds.solve") in shown(at)
    assert at.button(key="mcq-import").disabled


@pytest.mark.parametrize("language", ["en", "ko"])
def test_votes_of_another_tool_are_uploaded_and_counted_apart(ws: Workspace, language: str) -> None:
    generated(ws)
    with ws.reading() as session:
        names = [each.item.id for each in standing_questions(session, 1)]
    lead = somebody(ws)
    at = screen(ws, lead, "make", language)
    assert at.button(key="mcq-votes").disabled
    vote = {"setting": "ab", "model": HOSTILE, "choice": 1}
    lines = [json.dumps({"id": name} | vote) for name in names[:2]]

    def bring(*more: str) -> Any:
        sent = "\n".join([*lines, *more]).encode()
        at.file_uploader(key="mcq-votes-file").upload("lm-eval.jsonl", sent).run()
        return click(at, "mcq-votes")

    bring(json.dumps({"id": names[0], "setting": "b", "model": "m", "choice": 9}))
    said = at.error[0].value.replace("\\", "")
    where = {"en": 'lm-eval.jsonl, line 3, field "choice"', "ko": 'lm-eval.jsonl, 3행, "choice"'}
    assert said.startswith(where[language])
    with ws.reading() as session:
        assert votes(session, 1) == []  # all of a file or none
    counts = {"read": 2, "new": 2, "already": 0}
    assert say("mcq_report.make.votes_done", language, **counts) in shown(bring()).replace("\\", "")
    counts = {"read": 2, "new": 0, "already": 2}
    assert say("mcq_report.make.votes_done", language, **counts) in shown(bring()).replace("\\", "")
    with ws.reading() as session:
        kept = votes(session, 1)
    assert {each.server for each in kept} == {"file:lm-eval"}
    assert all(each.prompt_version.startswith("lm-eval.jsonl ") for each in kept)
    told = (
        table(screen(ws, lead, "report", language), "column.answers", language).iloc[:, 0].tolist()
    )
    assert f"{HOSTILE} @ file:lm-eval" in told


def test_an_adjudicator_makes_nothing(ws: Workspace) -> None:
    make(ws)
    at = screen(ws, somebody(ws, "adjudicator"), "report")
    options = at.segmented_control(key="mcq-tab").options
    assert say("mcq_report.tab.make") not in options


@pytest.mark.parametrize("language", ["en", "ko"])
def test_questions_are_written_beside_the_screen(ws: Workspace, language: str) -> None:
    make(ws)
    lead = somebody(ws)
    with serving(ws) as server:
        writes(server, 6)
        at = screen(ws, lead, "make", language)
        click(at, "mcq-count")
        assert say("mcq_report.make.counted", language, count="6") in shown(at)
        at.number_input(key="mcq-number").set_value(5)
        at = when_over(click(at, "mcq-write"), "mcq_generate")
        said = at.success[0].value.replace("\\", "")
        assert "5" in said
        click(at, "mcq_generate-close")
        assert at.button(key="mcq-write")
        assert at.number_input(key="mcq-number").value == 5
    assert table(screen(ws, lead, language=language), "column.left", language).iloc[0, 3] == 5


def test_questions_are_solved_beside_the_screen_and_can_be_stopped(ws: Workspace) -> None:
    generated(ws)
    lead = somebody(ws)
    with serving(ws, "concurrency = 1") as server:
        server.on("", Step(text="5", delay=0.2))
        at = screen(ws, lead, "make")
        at.text_input(key="mcq-models").set_value("base, adapted")
        click(at, "mcq-solve")
        at.run()
        at = when_over(click(at, "mcq_solve-stop"), "mcq_solve")
        assert "Stopped before it was done" in at.warning[0].value.replace("\\", "")
        made = int(at.success[0].value.split(" ")[0])
        assert 0 < made < 48
        assert f"{made} of 48 calls" in at.success[0].value
        click(at, "mcq_solve-close")
        assert at.text_input(key="mcq-models").value == "base, adapted"  # to go on with these
        assert sum(server.counts.values()) < 48


def test_what_is_entered_is_there_after_another_tab(ws: Workspace) -> None:
    generated(ws)
    lead = somebody(ws)
    with serving(ws):
        at = screen(ws, lead, "make")
        at.number_input(key="mcq-seed").set_value(7).run()
        at.number_input(key="mcq-repeats").set_value(3).run()
        at.multiselect(key="mcq-settings").set_value(["a"]).run()
        at.multiselect(key="mcq-edges").set_value(["references"]).run()
        at.segmented_control(key="mcq-tab").set_value("items").run()
        at.segmented_control(key="mcq-tab").set_value("make").run()
        assert not at.warning
        assert at.number_input(key="mcq-seed").value == 7
        assert at.number_input(key="mcq-repeats").value == 3
        assert at.multiselect(key="mcq-settings").value == ["a"]
        assert at.multiselect(key="mcq-edges").value == ["references"]


def test_a_server_that_takes_nothing_is_told_as_text(ws: Workspace) -> None:
    generated(ws)
    with serving(ws, "concurrency = 1") as server:
        server.on("", Step("error", status=401, message=HOSTILE))
        at = screen(ws, somebody(ws), "make")
        at = when_over(click(at, "mcq-solve"), "mcq_solve")
        assert say("background.end.hopeless") in at.warning[0].value
        assert any(HOSTILE in each.value for each in at.text)
    told = (*at.markdown, *at.warning, *at.success, *at.caption)
    assert not any("<img" in each.value for each in told)
    click(at, "mcq_solve-close")


def test_every_question_with_its_provisions(ws: Workspace) -> None:
    generated(ws)
    solved(ws, lambda said: "5")
    checks(ws, 2, *people(ws), verdict="drop", cause="unclear")
    at = screen(ws, somebody(ws), "items")
    assert len(at.dataframe[0].value) == 6
    at.session_state["mcq-list-everything"] = {
        "selection": {"rows": [0], "columns": [], "cells": []}
    }
    at.run()
    options = at.dataframe[1].value
    assert options[say("mcq_report.setting.a")].tolist() == [0, 0, 0, 0, 1]
    assert options[say("mcq_report.items.stored")].sum() == 1
    at.segmented_control(key="mcq-fate").set_value("dropped").run()
    assert len(at.dataframe[0].value) == 1
    at.segmented_control(key="mcq-fate").set_value("fixed").run()
    assert say("mcq_report.items.none") in shown(at)


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_row_opens_its_replies(ws: Workspace, language: str) -> None:
    generated(ws)
    words = f"판단할 수 없습니다. {HOSTILE}"
    solved(ws, lambda said: words if knows(said) == "5" else knows(said))
    at = screen(ws, somebody(ws), language=language)
    column = say("mcq_report.column.abstained_words", language)
    assert table(at, "column.missing", language)[column].tolist() == [6, 6, 0, 0]
    at.session_state["mcq-counts"] = {"selection": {"rows": [1], "columns": [], "cells": []}}
    at.run()
    at.segmented_control(key="mcq-replies-m-a").set_value("abstained_words").run()
    replies = table(at, "replies.decided", language)
    assert (
        replies[say("mcq_report.replies.decided", language)].tolist() == ["판단할 수 없습니다."] * 6
    )
    assert say("mcq_report.replies.pick", language) in shown(at)
    at.session_state["mcq-replies-m-a-abstained_words"] = {
        "selection": {"rows": [0], "columns": [], "cells": []}
    }
    at.run()
    assert say("mcq_report.replies.pick", language) not in shown(at)
    assert not any("<img" in each.value for each in (*at.markdown, *at.caption))


def test_an_export_is_prepared_and_offered(ws: Workspace) -> None:
    generated(ws)
    at = screen(ws, somebody(ws))
    click(at, "mcq-export")
    assert not at.error
    assert at.session_state["mcq-prepared"][1].startswith(b"PK")
