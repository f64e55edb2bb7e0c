from __future__ import annotations

import json
import re
import threading
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.adjudication.disputes import decide
from annotation.people.members import add_person
from corpus.long_work import Progress
from corpus.model import Question
from errors import UserError
from messages import catalogue, say
from retrieval.core.own import FOLDER, set_method_folder
from retrieval.core.presets import PRESETS, label_of
from retrieval.core.registry import complete, with_effect
from retrieval.text.tokenise import TOKENISERS
from services.background.retrieval import start_run
from services.background.tasks import TaskKind
from services.gold import gold_set
from services.gold.search_coverage import levels_in_words, reason_in_words
from services.law.levels import set_levels
from services.runs import questions, retrieving
from services.runs.experiments.running import run_experiment
from services.runs.retrieving import retrieve, run_text
from services.runs.rows import leaderboard
from services.runs.views import View, save_view
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions
from storage.law.passages import RETRIEVED_LEVELS, passages_by_id
from storage.runs.experiments import keep_record
from tests.llm.server import Step
from tests.pages.background import ended
from tests.pages.small_project import (
    ACT,
    SLUG,
    Small,
    empty_project,
    page,
    shown,
)
from tests.retrieval.core.test_own import TEMPLATE
from tests.services.mcq.mcq_project import serving
from tests.services.small_gold import Gold

SEVENTH = Question("q7", "소화기는 누가 점검합니까?", "관계인이 점검합니다.", "ko")


def run_button(at: AppTest, small: Small) -> AppTest:
    at = at.button(key="run-go").click().run()
    return ended(at, small.workspace, SLUG, TaskKind.RUN)


def select(at: AppTest, key: str, row: int) -> AppTest:
    at.session_state[key] = {"selection": {"rows": [row], "columns": [], "cells": []}}
    return at.run()


def tables(at: AppTest) -> list[Any]:
    """Return the tables of the page but that of costs, which is closed until somebody opens it."""
    return [each for each in at.dataframe if not {"Index calls", "색인 호출"} & set(each.value)]


def test_without_questions_nothing_can_be_run(workspace: Workspace):
    _, sora = empty_project(workspace)
    at = page("leaderboard", workspace, sora).run()
    assert "No question has gold yet" in at.info[0].value
    assert at.button[0].disabled


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_run_shows_values_with_intervals_and_n(small: Small, language: str):
    retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora, language).run()
    runs = tables(at)[0].value
    assert runs["Recall@1"].tolist() == ["1.000 [–]"]
    assert runs["n"].tolist() == [1]


def test_the_button_runs_the_method_with_what_was_chosen(small: Small):
    at = page("leaderboard", small, small.sora).run()
    at.selectbox(key="run-bm25-tokeniser").set_value("whitespace")
    at.number_input(key="run-bm25-k1").set_value(0.9)
    at.number_input(key="run-bm25-b").set_value(0.4)
    at = run_button(at, small)
    assert "Run 1" in at.success[0].value
    assert tables(at)[0].value["Method"].tolist() == ["BM25 whitespace · k1 0.9 · b 0.4"]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_every_parameter_in_the_form_says_what_it_does_and_takes(small: Small, language: str):
    at = page("leaderboard", small, small.sora, language).run()
    at = at.selectbox(key="run-preset").set_value("sar").run()
    kinds = ("number_input", "selectbox", "toggle", "multiselect", "text_input")
    fields = [field for kind in kinds for field in getattr(at, kind)]
    helps = {field.label: field.help for field in fields if f"{field.key}".startswith("run-sar-")}
    shown = [each for each in with_effect(complete("sar")) if each.name != "base"]
    assert set(helps) == {label_of("sar", each, language) for each in shown}
    for each in shown:  # as specs and papers call it
        assert f"`{each.name}`" in helps[label_of("sar", each, language)]
    told = {"en": "1 to 1\\,000\\; default 15", "ko": "1\\~1\\,000\\; 기본값 15"}
    votes = next(each for each in shown if each.name == "K")
    assert told[language] in helps[label_of("sar", votes, language)]


def test_what_has_no_effect_is_hidden_until_it_has(small: Small) -> None:
    at = page("leaderboard", small, small.sora).run()
    assert "No runs yet" in at.info[0].value  # without one, the page says what to do

    def shown(method: str) -> set[str]:
        kinds = (at.number_input, at.selectbox, at.toggle, at.multiselect, at.text_input)
        start = f"run-{method}-"
        return {f"{e.key}".removeprefix(start) for k in kinds for e in k if start in f"{e.key}"}

    assert not {"title_b", "path_weight"} & shown("bm25")
    at = at.selectbox(key="run-bm25-fields").set_value("bm25f").run()
    assert {"title_b", "path_weight"} <= shown("bm25")
    at = at.number_input(key="run-bm25-title_b").set_value(0.1).run()
    at = at.selectbox(key="run-bm25-fields").set_value("joined").run()
    assert not {"title_b", "path_weight"} & shown("bm25")
    at = at.selectbox(key="run-preset").set_value("rrm").run()
    assert shown("rrm") == {"depth"}
    at = run_button(at, small)
    assert not at.error


def test_every_preset_and_tokeniser_has_its_words():
    names = [f"run_form.presets.{name}" for name in PRESETS]
    names += [f"leaderboard.tokenisers.{name}" for name in TOKENISERS]
    assert [name for name in names if name not in catalogue()] == []


def test_a_method_written_as_text_is_run_under_its_name(small: Small):
    at = page("leaderboard", small, small.sora).run()
    at = at.toggle(key="run-as-text").set_value(True).run()
    at.text_area(key="run-text-bm25").set_value("method: rrf\nof: [bm25, {method: bm25, b: 0}]")
    at.text_input(key="run-label").set_value("Two of a kind")
    at = run_button(at, small)
    assert tables(at)[0].value["Method"].tolist() == ["Two of a kind"]


def test_a_run_that_was_there_says_that_it_keeps_its_name(small: Small):
    retrieve(small.workspace, SLUG, label="First")
    at = page("leaderboard", small, small.sora).run()
    at.text_input(key="run-label").set_value("Second")
    at = run_button(at, small)
    assert at.success[0].value.endswith("keeps its name\\: First")  # written as text, not Markdown


def test_a_text_that_is_no_method_is_refused_before_it_is_run(small: Small):
    at = page("leaderboard", small, small.sora).run()
    at = at.toggle(key="run-as-text").set_value(True).run()
    assert not at.error and not at.button(key="run-go").disabled
    for written in ("method: [", "method: guess", "method: bm25\nk1: -1", "- 1"):
        at = at.text_area(key="run-text-bm25").set_value(written).run()
        assert at.error, written
        assert at.button(key="run-go").disabled


def test_what_refwalk_reranked_with_stands_below_the_runs(small: Small):
    retrieve(small.workspace, SLUG, {"method": "refwalk", "anchor": False})
    at = page("leaderboard", small, small.sora).run()
    note = "Run 1: RefWalk reranked with LSA bigram, which is not a cross-encoder"
    assert note in shown(at).replace("\\", "")


def test_a_choice_of_nothing_stays_chosen_when_the_screen_is_drawn_again(small: Small):
    retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora).run()
    keys = ("board-baseline", "board-column")
    first = [at.selectbox(key=key).index for key in keys]
    at = at.run()
    again = [at.selectbox(key=key) for key in keys]
    # An empty choice would show Streamlit's own English words once the language is another.
    assert all(each.proto.HasField("default") for each in again)
    assert [each.index for each in again] == first == [0, 0]


def test_new_gold_changes_scores_and_no_run(small: Small):
    retrieve(small.workspace, SLUG)
    q4 = small.items["q4"]
    wrong = small.unit("q1", "제3조")
    decide(small.workspace, small.sora.id, q4, [wrong], False, "Only article 3.", 1.0)
    retrieve(small.workspace, SLUG, {"method": "bm25", "tokeniser": "whitespace"})
    at = page("leaderboard", small, small.sora).run()
    runs = tables(at)[0].value
    assert "State: Current" in shown(at).replace("\\", "")  # new gold changes scores, not runs
    assert "2 of 2 (100 %)" in shown(at).replace("\\", "") and set(runs["Run"]) == {1, 2}
    assert not at.info and "worse than" in shown(at)
    assert set(runs["Recall@1"].str[:5]) == {"0.500"}  # of the new question neither has the gold
    assert "Left out of the tests" not in shown(at)


def test_runs_that_lack_questions_are_asked_them_by_a_button(small: Small):
    for tokeniser in ("whitespace", "bigram"):
        retrieve(small.workspace, SLUG, {"method": "bm25", "tokeniser": tokeniser})
    at = page("leaderboard", small, small.sora).run()
    assert "runs-refresh" not in {each.key for each in at.button}
    keep_questions(small.workspace, SLUG, [SEVENTH], "more.jsonl")
    at.run()
    assert "State: Stale" in shown(at).replace("\\", "")
    assert "worse than" in shown(at)  # both rank the same questions
    at = at.button(key="runs-refresh").click().run()
    at = ended(at, small.workspace, SLUG, TaskKind.REFRESH)
    assert "2 runs now rank all questions" in at.success[0].value
    assert "State: Current" in shown(at).replace("\\", "")
    assert tables(at)[0].value["Run"].tolist() == [2, 1]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_figures_are_read_on_the_gold_set_that_is_chosen(small: Small, language: str):
    """Labels of the data widen the gold, or stand alone; nobody need have decided anything."""
    labelled = replace(SEVENTH, gold_ids=(f"{ACT}_3조",))
    keep_questions(small.workspace, SLUG, [labelled], "labelled.jsonl")
    retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora, language).run()
    chosen = at.selectbox(key="gold-set")
    assert [each.split(" (")[-1] for each in chosen.options] == ["3)", "2)", "1)"]
    assert tables(at)[0].value["n"].tolist() == [2]
    for name, count in (("people", 2), ("source", 1)):
        at = at.selectbox(key="gold-set").set_value(name).run()
        assert tables(at)[0].value["n"].tolist() == [1]
        told = say(f"gold_sets.said.{name}", language, count=count)
        assert told in shown(at).replace("\\", "")


def test_gold_that_cannot_be_found_is_left_out_on_request(small: Small):
    decide(
        small.workspace,
        small.sora.id,
        small.items["q4"],
        [small.unit("q1", "제1조")],
        False,
        "So.",
        1.0,
    )
    labelled = replace(SEVENTH, gold_ids=("없는법_3조",))
    keep_questions(small.workspace, SLUG, [labelled], "labelled.jsonl")
    retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora).run()
    before = tables(at)[0].value["n"].tolist()
    at = at.toggle(key="gold-searchable-only").set_value(True).run()
    assert tables(at)[0].value["n"].tolist() == [before[0] - 1]
    assert "1 pair of gold; 1 question has no other" in shown(at).replace("\\", "")


def test_a_question_opens_what_was_retrieved_gold_and_missed(small: Small):
    q4 = small.items["q4"]
    both = [small.unit("q1", "제1조"), small.unit("q1", "제3조")]
    decide(small.workspace, small.sora.id, q4, both, False, "Both.", 1.0)
    run = retrieve(small.workspace, SLUG, k=1)
    at = page("leaderboard", small, small.sora).run()
    rows = tables(at)[1].value["Id"].tolist()
    at = select(at, f"leaderboard-queries-{run}", rows.index("q4"))
    retrieved = tables(at)[2].value
    assert retrieved["Rank"].tolist() == [1]
    assert retrieved["Gold"].tolist() == [True]
    assert "1 of 2 gold provisions are among the 1 kept" in shown(at)
    assert "Missed: ranked" in shown(at)
    at = next(each for each in at.toggle if each.label == "Citation path").set_value(True).run()
    assert "No citations lead here" in shown(at) or "From rank 1" in shown(at)


def test_runs_stand_side_by_side_and_the_greatest_losses_come_first(small: Small):
    first = retrieve(small.workspace, SLUG)
    second = retrieve(small.workspace, SLUG, {"method": "bm25", "tokeniser": "whitespace"}, k=10)
    at = page("leaderboard", small, small.sora).run()
    at = at.selectbox(key="board-baseline").set_value(first).run()
    simple = tables(at)[1].value.set_index("Line")
    assert set(simple.iloc[:, 0]) >= {"–"} and len(simple) == 2
    assert "all are equal" in shown(at) and "worth its cost" in shown(at)
    lines = tables(at)[2].value
    assert "Difference" in lines
    known = [each for each in lines["Difference"].tolist() if each == each]
    assert known == sorted(known)
    at = select(at, f"leaderboard-queries-{second}", 0)
    assert f"Retrieved by run {second}" in shown(at)
    assert f"Retrieved by run {first}" in shown(at)


def test_a_cell_opens_the_questions_of_its_run_by_its_measure(small: Small):
    first = retrieve(small.workspace, SLUG)
    retrieve(small.workspace, SLUG, {"method": "bm25", "tokeniser": "whitespace"})
    at = page("leaderboard", small, small.sora).run()
    at.session_state["leaderboard-runs"] = {
        "selection": {"rows": [], "columns": [], "cells": [(1, "nDCG@10")]}
    }
    at = at.run()
    (opened,) = [each for each in at.expander if each.label == f"Questions of run {first}"]
    assert opened.proto.expanded
    columns = list(tables(at)[2].value.columns)
    assert columns.index("nDCG@10") < columns.index("Recall@1")


def test_the_best_run_and_the_charts_come_first_and_a_mark_opens_its_questions(small: Small):
    first = retrieve(small.workspace, SLUG)
    second = retrieve(small.workspace, SLUG, {"method": "bm25", "tokeniser": "whitespace"})
    at = page("leaderboard", small, small.sora).run()
    assert "are level at the top by Recall@10" in shown(at).replace("\\", "")
    assert [each.value.split(" ")[0] for each in at.header[:3]] == ["Means", "Every", "Recall@10"]
    for name, row, words in (
        ("intervals", 1, f"Questions of run {first}"),
        ("pairs", 1, f"Questions of run {second}"),
    ):
        at.session_state[f"leaderboard-{name}-more"] = True
        at = select(at, f"leaderboard-{name}", row)
        assert words in [each.label for each in at.expander if each.proto.expanded]
    against = next(each for each in at.selectbox if f"{each.key}".startswith("queries-against"))
    assert against.value == first  # a pair opens one run beside the other


def test_a_stratum_narrows_the_questions(small: Small):
    retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora).run()
    at = at.selectbox(key="board-column").set_value("gold_count").run()
    value = at.selectbox(key="board-stratum-gold_count")
    at = value.set_value("0").run()
    assert at.info[-1].value.replace("\\", "").startswith("gold_count = 0: no question has gold")
    assert tables(at)[0].value["Gold"].tolist() == [0]  # its questions, and no table of dashes
    at = at.selectbox(key="board-stratum-gold_count").set_value("1").run()
    assert tables(at)[0].value["n"].tolist() == [1]


def test_runs_are_retired_tagged_noted_and_restored_on_the_screen(small: Small):
    first = retrieve(small.workspace, SLUG)
    second = retrieve(small.workspace, SLUG, {"method": "tfidf"}, by=small.sora.id)
    at = page("leaderboard", small, small.sora).run()
    at = at.button(key="marks-retire").click().run()
    assert at.warning[0].value == "Choose a run first."
    at.multiselect(key="marks-runs").set_value([second])
    at.text_input(key="marks-why").set_value("Wrong")
    at = at.button(key="marks-retire").click().run()
    assert at.success[0].value == f"Retired\\: run {second}\\."
    assert tables(at)[0].value["Run"].tolist() == [first]
    assert "Not in the table\\: 1 retired run" in shown(at)
    at = at.multiselect(key="board-runs").set_value([first, second]).run()
    runs = tables(at)[0].value
    assert dict(zip(runs["Run"], runs["State"], strict=True))[second] == "Retired"
    assert dict(zip(runs["Run"], runs["By"], strict=True)) == {
        first: "operator",
        second: small.sora.name,
    }
    at = at.multiselect(key="marks-runs").set_value([second]).run()
    at.text_input(key="marks-tag").set_value("paper")
    at = at.button(key="marks-add_tag").click().run()
    at = at.multiselect(key="marks-runs").set_value([second]).run()
    at.text_area(key=f"marks-note-{second}").set_value("Look again")
    at = at.button(key="marks-save-note").click().run()
    at = at.multiselect(key="marks-runs").set_value([second]).run()
    at = at.button(key="marks-restore").click().run()
    runs = tables(at)[0].value.set_index("Run")
    assert (runs.loc[second, "Tags"], runs.loc[second, "Note"]) == ("paper", "Look again")
    assert "State" not in runs and "State: Current" in shown(at).replace("\\", "")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_questions_are_filtered_and_what_moved_stands_beside(small: Small, language: str):
    q4 = small.items["q4"]
    both = [small.unit("q1", "제1조"), small.unit("q1", "제3조")]
    decide(small.workspace, small.sora.id, q4, both, False, "Both.", 1.0)
    first = retrieve(small.workspace, SLUG, k=1)
    second = retrieve(small.workspace, SLUG, {"method": "bm25", "tokeniser": "whitespace"}, k=1)
    at = page("leaderboard", small, small.sora, language).run()
    against = next(each for each in at.selectbox if f"{each.key}".startswith("queries-against"))
    at = against.select_index(1).run()
    only = next(each for each in at.segmented_control if f"{each.key}".startswith("queries-only"))
    words = {"en": "Missed (1)", "ko": "놓침 (1)"}
    assert words[language] in only.options
    at = only.set_value("missed").run()
    ids = next(each.value for each in tables(at) if {"Id", "번호"} & set(each.value)).iloc[:, 0]
    assert "q4" in ids.tolist()
    opened = str(only.key).split("-")[2:5]
    key = f"leaderboard-queries-{opened[0]}-missed-{opened[1]}-{opened[2]}"
    at = select(at, key, ids.tolist().index("q4"))
    moved = next(each for each in tables(at) if "→" in str(each.value.iloc[0, 0])).value
    assert any(moved.iloc[:, 2])
    assert f"{first}" in shown(at) and f"{second}" in shown(at)


def test_a_question_without_provision_is_not_scored(small: Small):
    run = retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora).run()
    queries = tables(at)[1].value.set_index("Id")
    unscored = {f"q{n}": n > 1 for n in range(1, 7)}
    assert queries["nDCG@10"].isna().to_dict() == unscored
    at = select(at, f"leaderboard-queries-{run}", list(queries.index).index("q3"))
    assert "so it is not scored" in shown(at)


def test_a_refused_run_shows_the_error(small: Small, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object, **__: object) -> int:
        raise UserError("unknown_method", name="bm26", known="bm25", meant="")

    monkeypatch.setattr("services.background.retrieval.retrieve", refuse)
    at = run_button(page("leaderboard", small, small.sora).run(), small)
    assert "bm26" in at.error[0].value
    assert not at.button(key="run-go").disabled
    assert not at.run().error  # told once


def test_while_a_run_goes_on_the_page_says_so_and_starts_no_other(
    small: Small, monkeypatch: pytest.MonkeyPatch
):
    told, go = threading.Event(), threading.Event()

    def slowly(*given: object, progress: Progress, **named: object) -> int:
        progress(1, 2)
        told.set()
        assert go.wait(100)
        return retrieve(*given, progress=progress, **named)  # type: ignore[arg-type]

    retrieve(small.workspace, SLUG, {"method": "tfidf"})
    monkeypatch.setattr("services.background.retrieval.retrieve", slowly)
    monkeypatch.setattr("pages.shell.task_progress._SHORT", 0.05)
    at = page("leaderboard", small, small.sora).run()
    boss = add_person(small.workspace, SLUG, "Choi Yuna", "administrator")
    other = page("leaderboard", small, boss).run()
    at = at.text_input(key="run-label").set_value("Slow").run()
    at = at.button(key="run-go").click().run()
    assert told.wait(100)
    at = at.run()
    assert at.button(key="run-go").disabled
    bar = at.get("progress")[0].proto
    assert (bar.value, bar.text.replace("\\", "")) == (50, "Slow: 1 of 2")
    assert "Started by Lee Sora" in shown(at)
    at = at.selectbox(key="run-preset").set_value("tfidf").run()  # all else can be used
    assert tables(at)[0].value["Run"].tolist() == [1]
    other = other.button(key="run-go").click().run()  # drawn before: it looks as if one could
    assert not other.error
    assert other.button(key="run-go").disabled
    go.set()
    at = ended(at, small.workspace, SLUG, TaskKind.RUN)
    assert "Run 2 is stored" in at.success[0].value
    assert not other.run().success  # it is told to who started it
    kept = [each.run_id for each in leaderboard(small.workspace, SLUG).runs]
    assert sorted(kept) == [1, 2]


def test_a_form_that_finds_a_run_of_somebody_else_shows_its_bar(
    small: Small, monkeypatch: pytest.MonkeyPatch
):
    go, looks = threading.Event(), iter([None])

    def slowly(*given: object, **named: object) -> int:
        assert go.wait(100)
        return retrieve(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("services.background.retrieval.retrieve", slowly)
    work = start_run(small.workspace, SLUG, {"method": "tfidf"}, 10, by=small.sora.id)
    # The page's top is drawn before the run began, the form below it afterwards.
    monkeypatch.setattr("pages.shell.task_progress.latest", lambda *_: next(looks, work))
    boss = add_person(small.workspace, SLUG, "Choi Yuna", "administrator")
    at = page("leaderboard", small, boss).run()
    go.set()
    assert at.button(key="run-go").disabled
    assert at.get("progress") and at.button(key="run-stop")
    assert "Started by Lee Sora" in shown(at)


def test_a_run_can_be_stopped_from_the_page(small: Small, monkeypatch: pytest.MonkeyPatch):
    go = threading.Event()

    def slowly(*given: object, **named: object) -> int:
        assert go.wait(100)
        return retrieve(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("services.background.retrieval.retrieve", slowly)
    monkeypatch.setattr("pages.shell.task_progress._SHORT", 0.05)
    at = page("leaderboard", small, small.sora).run()
    at = at.button(key="run-go").click().run()
    at = at.button(key="run-stop").click().run()
    assert at.button(key="run-stop").disabled and at.button(key="run-stop").label == "Stopping…"
    go.set()
    at = ended(at, small.workspace, SLUG, TaskKind.RUN)
    assert not at.error and "Stopped by Lee Sora before it was done" in at.info[0].value
    assert not leaderboard(small.workspace, SLUG).runs


@pytest.mark.parametrize("language", ["en", "ko"])
def test_who_merely_watches_learns_who_stopped_it(
    small: Small, monkeypatch: pytest.MonkeyPatch, language: str
):
    go = threading.Event()

    def slowly(*given: object, **named: object) -> int:
        assert go.wait(100)
        return retrieve(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("services.background.retrieval.retrieve", slowly)
    boss = add_person(small.workspace, SLUG, "Choi Yuna", "administrator")
    at = page("leaderboard", small, small.sora, language).run()
    at = at.button(key="run-go").click().run()
    other = page("leaderboard", small, boss, language).run()
    other = other.button(key="run-stop").click().run()  # another than who started it
    assert not other.button(key="run-go").disabled  # over within a second
    said = {"en": "Stopped by Choi Yuna", "ko": "Choi Yuna 님이"}[language]
    assert said in other.info[0].value
    assert said in at.run().info[0].value
    assert said not in shown(other.run()) and said not in shown(at.run())  # once
    go.set()


def test_a_second_window_of_the_same_person_learns_that_it_is_done(
    small: Small, monkeypatch: pytest.MonkeyPatch
):
    go = threading.Event()

    def slowly(*given: object, **named: object) -> int:
        assert go.wait(100)
        return retrieve(*given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("services.background.retrieval.retrieve", slowly)
    at = page("leaderboard", small, small.sora).run()
    at = at.button(key="run-go").click().run()
    second = page("leaderboard", small, small.sora).run()
    assert second.button(key="run-stop")
    go.set()
    at = ended(at, small.workspace, SLUG, TaskKind.RUN)
    assert "Run 1 is stored" in at.success[0].value
    assert "The work that Lee Sora started is done" in second.run().info[0].value


def test_who_annotates_is_told_for_whom_the_board_is(small: Small):
    retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.ara).run()
    assert len(at.button) == 0
    assert "Only adjudicators, researchers and administrators can see the leaderboard." in shown(at)
    assert len(at.dataframe) == 0


def test_a_run_of_another_system_stands_beside_the_others(small: Small):
    own = retrieve(small.workspace, SLUG)
    text = run_text(small.workspace, own).encode()
    at = page("leaderboard", small, small.sora).run()
    at.file_uploader(key="run-file").set_value([("theirs.trec", text, "text/plain")])
    at.text_input(key="run-file-name").set_value("Theirs")
    at = next(each for each in at.button if each.label == "Import").click().run()
    assert "is stored" in at.success[0].value
    runs = tables(at)[0].value.set_index("Run")
    assert runs["State"].to_dict() == {1: "Current", 2: "From a file"}
    assert runs["Recall@1"][1] == runs["Recall@1"][2]
    assert runs["Recall@10"][1] != "–" and runs["Recall@10"][2] == "–"  # the file is not as deep
    assert "of 1 run kept to depth" in shown(at).replace("\\", "")


def test_questions_that_a_model_was_of_no_use_for_are_counted(small: Small):
    with serving(small.workspace) as server:
        server.on("", Step("refuse", text="no"))
        retrieve(small.workspace, SLUG, {"method": "expand", "base": {"method": "bm25"}})
    said = shown(page("leaderboard", small, small.sora).run()).replace("\\", "")
    assert re.search(
        r"Run 1: .* in (\d+) of \1 calls about questions \(\1 refused, 0 unreadable, 0 failed\)",
        said,
    )


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_runs_searched_and_gold_that_they_did_not_are_told(
    small: Small, language: str, monkeypatch: pytest.MonkeyPatch
):
    """Gold that is not searched is no rank that is missing."""
    gold = [Gold("q1", (f"{ACT}_1조", "gone"))]
    monkeypatch.setattr(gold_set, "derived", lambda *_: gold)
    set_levels(small.workspace, SLUG, ["article"])
    retrieve(small.workspace, SLUG, k=100)
    set_levels(small.workspace, SLUG, list(RETRIEVED_LEVELS))
    run = retrieve(small.workspace, SLUG, k=100)
    monkeypatch.setattr(questions, "passages_by_id", found_everywhere)
    at = page("leaderboard", small, small.sora, language).run()
    board = tables(at)[0].value
    levels = levels_in_words(RETRIEVED_LEVELS, language)
    told = dict(zip(board.iloc[:, 0].tolist(), board[say("levels.column", language)], strict=True))
    assert told[run] == say("levels.cell", language, levels=levels, units=1)
    words = shown(at)
    assert say("levels.run_form", language, levels=levels) in words
    assert say("levels.counted.absent", language, count=1) in words
    at = select(at, f"leaderboard-queries-{run}", 0)
    lines = tables(at)[2].value
    assert lines[say("levels.gold_column", language)].tolist() == [1, 0, 0, 0, 0, 0]
    assert reason_in_words("absent", language) in shown(at)


def found_everywhere(session, snapshot_id, unit_ids):
    """Return passages as `passages_by_id` does, and one for what no snapshot has."""
    found = passages_by_id(session, snapshot_id, unit_ids)
    usual = next(iter(found.values()))
    return {unit: found.get(unit, replace(usual, unit_id=unit)) for unit in unit_ids}


@pytest.mark.parametrize("language", ["en", "ko"])
def test_what_runs_cost_is_told_and_what_was_not_measured_is_no_zero(
    small: Small, monkeypatch: pytest.MonkeyPatch, language: str
):
    def of_before(session, run, record, at):
        known = {"fit_s": 0.5, "search_ms_per_query": 2.0, "index_bytes": 1}
        keep_record(session, run, replace(record, cost=known), at)

    with monkeypatch.context() as older:
        older.setattr(retrieving, "keep_record", of_before)
        first = retrieve(small.workspace, SLUG)
    second = retrieve(small.workspace, SLUG, {"method": "tfidf"})
    at = page("leaderboard", small, small.sora, language).run()
    at.session_state["leaderboard-costs-more"] = True
    at = at.run()
    (costs,) = [each.value for each in at.dataframe if each not in tables(at)]
    costs = costs.set_index(say("leaderboard.column_run", language))
    for name in ("index_calls", "index_tokens", "query_calls", "query_tokens"):
        column = costs[say(f"costs.{name}", language)]
        assert column[first] == "–" and float(column[second]) == 0
    assert costs[say("costs.fit", language)][first] == "0.500"


def test_a_method_of_the_operators_own_is_offered_and_a_broken_one_told(small: Small):
    folder = small.workspace.folder / FOLDER
    folder.mkdir()
    (folder / "word_overlap.py").write_text(TEMPLATE, "utf-8")
    (folder / "lost.py").write_text("import nothing_there\n", "utf-8")
    set_method_folder(folder)
    try:
        at = page("leaderboard", small, small.sora).run()
        assert "word_overlap (a method of your own)" in at.selectbox(key="run-preset").options
        assert [each.label for each in at.expander if "cannot be used" in each.label] == [
            "1 method of your own cannot be used"
        ]
        assert any("nothing" in each.value and "lost" in each.value for each in at.error)
        at = at.selectbox(key="run-preset").set_value("word_overlap").run()
        weight = at.number_input(key="run-word_overlap-heading_weight")
        assert weight.help.startswith("Weight of the heading")
        at = run_button(at, small)
        (line,) = leaderboard(small.workspace, SLUG).runs
        assert line.label == "word overlap"
    finally:
        set_method_folder(None)


def test_a_phone_shows_the_first_figure_beside_the_name(small: Small):
    """Streamlit leaves what is pinned where it is, as long as that is three fifths at most."""
    wide = 390 - 2 * 30  # pixels: what a phone leaves to a table
    retrieve(small.workspace, SLUG, k=1)
    at = page("leaderboard", small, small.sora).run()
    board = tables(at)[0]
    how = json.loads(board.proto.columns)
    shown = [how[name] for name in board.value.columns[:3]]
    assert [each.get("pinned", False) for each in shown] == [True, True, False]
    assert board.value.columns[2].startswith("Recall")
    assert sum(each["width"] for each in shown) <= wide
    assert sum(each["width"] for each in shown[:2]) <= wide * 0.6


@pytest.mark.parametrize("language", ["en", "ko"])
def test_runs_are_chosen_saved_as_a_view_opened_again_and_removed(small: Small, language: str):
    first, second, third = (
        retrieve(small.workspace, SLUG, {"method": "bm25", "b": b}) for b in (0.1, 0.4, 0.9)
    )
    at = page("leaderboard", small, small.sora, language).run()
    assert sorted(tables(at)[0].value.iloc[:, 0]) == [first, second, third]
    at = at.button(key="board-pick").click().run()
    assert sorted(at.multiselect(key="board-runs").value) == [first, second, third]
    at.multiselect(key="board-runs").set_value([first, third])
    at.toggle(key="gold-searchable-only").set_value(True)
    at.multiselect(key="board-measures").set_value(["nDCG@10", "RR@10"])
    at = at.selectbox(key="board-baseline").set_value(first).run()
    tested = {"en": "1 run against run 1", "ko": "실행 1건, 기준은 실행 1"}
    assert tested[language] in shown(at).replace("\\", "")
    at.text_input(key="board-view-name-").set_value("Paper")
    at = at.button(key="board-view-save").click().run()
    assert "Paper" in at.success[0].value
    given = save_view(small.workspace, SLUG, "Given", View(runs=(first, second, third)))
    again = page("leaderboard", small, small.sora, language).run()
    again = again.selectbox(key="board-view").set_value(given.name).run()
    assert say("run_views.changed", language, name="Given") not in shown(again)
    again = again.selectbox(key="board-view").set_value("Paper").run()
    (table, *_) = tables(again)
    assert sorted(table.value.iloc[:, 0]) == [first, third]
    assert list(table.value.columns[2:4]) == ["nDCG@10", "RR@10"]
    assert again.selectbox(key="board-baseline").value == first
    assert again.toggle(key="gold-searchable-only").value
    changed = say("run_views.changed", language, name="Paper")
    assert changed not in shown(again).replace("\\", "")
    again = again.multiselect(key="board-runs").set_value([first, second]).run()
    assert changed in shown(again).replace("\\", "")
    again = again.button(key="board-view-remove").click().run()
    assert again.selectbox(key="board-view").options[1:] == ["Given"]


def test_an_experiment_is_one_line_until_it_is_opened(small: Small):
    run_experiment(small.workspace, SLUG, _SWEEP)
    at = page("leaderboard", small, small.sora).run()
    assert tables(at)[0].value["Method"].tolist() == ["b1 · Experiment 1: Sweep (1 of 2 lines)"]
    assert "only run 1 is compared\\; its 1 other line is folded" in shown(at)
    at = at.button_group(key="board-opened").set_value([1]).run()
    assert sorted(tables(at)[0].value["Method"]) == ["b1", "b4"]
    assert "folded" not in shown(at)


_SWEEP = """\
name: Sweep
measures: [RR@10]
baseline: b1
methods:
- {name: b1, method: bm25, b: 0.1}
- {name: b4, method: bm25, b: 0.4}
"""
