from __future__ import annotations

import json
import threading
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from annotation.adjudication.disputes import decide
from annotation.people.members import add_person
from corpus.long_work import Progress
from corpus.model import Question
from messages import catalogue, say
from retrieval.core.presets import PRESETS, label_of
from retrieval.core.registry import complete, with_effect
from retrieval.text.tokenise import TOKENISERS
from services.background.tasks import TaskKind
from services.runs.experiments.running import run_experiment
from services.runs.retrieving import retrieve, run_text
from services.runs.rows import leaderboard
from services.runs.views import View, save_view
from storage.law.imports import keep_questions
from tests.pages.background import ended
from tests.pages.small_project import ACT, SLUG, Small, page, shown

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


def test_the_form_explains_what_has_an_effect_and_runs_what_was_chosen(small: Small):
    at = page("leaderboard", small, small.sora).run()
    assert "No runs yet" in at.info[0].value  # without one, the page says what to do

    def fields(method: str) -> dict[str, Any]:
        kinds = ("number_input", "selectbox", "toggle", "multiselect", "text_input")
        start = f"run-{method}-"
        every = [field for kind in kinds for field in getattr(at, kind)]
        return {e.key.removeprefix(start): e for e in every if f"{e.key}".startswith(start)}

    assert not {"title_b", "path_weight"} & set(fields("bm25"))
    at = at.selectbox(key="run-bm25-fields").set_value("bm25f").run()
    assert {"title_b", "path_weight"} <= set(fields("bm25"))
    at = at.selectbox(key="run-preset").set_value("rrm").run()
    assert set(fields("rrm")) == {"depth"}
    at = at.selectbox(key="run-preset").set_value("sar").run()
    helps = {field.label: field.help for field in fields("sar").values()}
    shown = [each for each in with_effect(complete("sar")) if each.name != "base"]
    assert set(helps) == {label_of("sar", each, "en") for each in shown}
    for each in shown:  # as specs and papers call it
        assert f"`{each.name}`" in helps[label_of("sar", each, "en")]
    votes = next(each for each in shown if each.name == "K")
    assert "1 to 1\\,000\\; default 15" in helps[label_of("sar", votes, "en")]
    names = [f"run_form.presets.{name}" for name in PRESETS]
    names += [f"leaderboard.tokenisers.{name}" for name in TOKENISERS]
    assert [name for name in names if name not in catalogue()] == []
    at = page("leaderboard", small, small.sora).run()
    at.selectbox(key="run-bm25-tokeniser").set_value("whitespace")
    at.number_input(key="run-bm25-k1").set_value(0.9)
    at.number_input(key="run-bm25-b").set_value(0.4)
    at = run_button(at, small)
    assert "Run 1" in at.success[0].value
    assert tables(at)[0].value["Method"].tolist() == ["BM25 whitespace · k1 0.9 · b 0.4"]


def test_a_method_is_written_as_text_refused_run_and_keeps_its_first_name(small: Small):
    at = page("leaderboard", small, small.sora).run()
    at = at.toggle(key="run-as-text").set_value(True).run()
    assert not at.error and not at.button(key="run-go").disabled
    at = at.text_area(key="run-text-bm25").set_value("method: bm25\nk1: -1").run()
    assert at.error
    assert at.button(key="run-go").disabled
    text = "method: rrf\nof: [bm25, {method: bm25, b: 0}]"
    at = at.text_area(key="run-text-bm25").set_value(text).run()
    at.text_input(key="run-label").set_value("First")
    at = run_button(at, small)
    assert tables(at)[0].value["Method"].tolist() == ["First"]
    at.text_input(key="run-label").set_value("Second")
    at = run_button(at, small)
    assert at.success[0].value.endswith("keeps its name\\: First")  # written as text, not Markdown


def test_two_runs_are_compared_and_every_mark_opens_its_questions(small: Small):
    first = retrieve(small.workspace, SLUG)
    second = retrieve(small.workspace, SLUG, {"method": "bm25", "tokeniser": "whitespace"}, k=10)
    at = page("leaderboard", small, small.sora).run()
    at = at.run()
    choices = [at.selectbox(key=key) for key in ("board-baseline", "board-column")]
    # An empty choice would show Streamlit's own English words once the language is another.
    assert all(each.proto.HasField("default") and each.index == 0 for each in choices)
    assert "are level at the top by Recall@10" in shown(at).replace("\\", "")
    assert [each.value.split(" ")[0] for each in at.header[:3]] == ["Means", "Every", "Recall@10"]
    fits_a_phone(tables(at)[0])
    for name, run in (("intervals", first), ("pairs", second)):
        at.session_state[f"leaderboard-{name}-more"] = True
        at = select(at, f"leaderboard-{name}", 1)
        assert f"Questions of run {run}" in [
            each.label for each in at.expander if each.proto.expanded
        ]
    against = next(each for each in at.selectbox if f"{each.key}".startswith("queries-against"))
    assert against.value == first  # a pair opens one run beside the other

    at = page("leaderboard", small, small.sora).run()
    at = at.selectbox(key="board-baseline").set_value(first).run()
    simple = tables(at)[1].value.set_index("Line")
    assert set(simple.iloc[:, 0]) >= {"–"} and len(simple) == 2
    assert "all are equal" in shown(at) and "worth its cost" in shown(at)
    known = [each for each in tables(at)[2].value["Difference"].tolist() if each == each]
    assert known == sorted(known), "the greatest losses come first"
    at = select(at, f"leaderboard-queries-{second}", 0)
    assert f"Retrieved by run {second}" in shown(at)
    assert f"Retrieved by run {first}" in shown(at)
    cell = {"rows": [], "columns": [], "cells": [(1, "nDCG@10")]}
    at.session_state["leaderboard-runs"] = {"selection": cell}
    at = at.run()
    (opened,) = [each for each in at.expander if each.label == f"Questions of run {first}"]
    assert opened.proto.expanded
    columns = list(tables(at)[2].value.columns)
    assert columns.index("nDCG@10") < columns.index("Recall@1")


def fits_a_phone(board: Any) -> None:
    """Streamlit leaves what is pinned where it is, as long as that is three fifths at most."""
    wide = 390 - 2 * 30  # pixels: what a phone leaves to a table
    how = json.loads(board.proto.columns)
    shown = [how[name] for name in board.value.columns[:3]]
    assert [each.get("pinned", False) for each in shown] == [True, True, False]
    assert board.value.columns[2].startswith("Recall")
    assert sum(each["width"] for each in shown) <= wide
    assert sum(each["width"] for each in shown[:2]) <= wide * 0.6


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


def test_the_gold_set_what_is_searchable_and_a_stratum_choose_the_questions(small: Small):
    """Labels of the data widen the gold, or stand alone; nobody need have decided anything."""
    found = replace(SEVENTH, gold_ids=(f"{ACT}_3조",))
    lost = replace(SEVENTH, external_id="q8", gold_ids=("없는법_3조",))
    keep_questions(small.workspace, SLUG, [found, lost], "labelled.jsonl")
    retrieve(small.workspace, SLUG)
    at = page("leaderboard", small, small.sora).run()

    def scored() -> list[int]:
        count: list[int] = tables(at)[0].value["n"].tolist()
        return count

    chosen = at.selectbox(key="gold-set")
    assert [each.split(" (")[-1] for each in chosen.options] == ["4)", "2)", "2)"]
    assert scored() == [3]
    at = at.toggle(key="gold-searchable-only").set_value(True).run()
    assert scored() == [2]
    assert "1 pair of gold; 1 question has no other" in shown(at).replace("\\", "")
    for name, count in (("people", 2), ("source", 1)):
        at = at.selectbox(key="gold-set").set_value(name).run()
        assert scored() == [1]
        assert say(f"gold_sets.said.{name}", count=count) in shown(at).replace("\\", "")

    at = at.selectbox(key="gold-set").set_value("people").run()
    at = at.selectbox(key="board-column").set_value("gold_count").run()
    at = at.selectbox(key="board-stratum-gold_count").set_value("0").run()
    assert at.info[-1].value.replace("\\", "").startswith("gold_count = 0: no question has gold")
    assert set(tables(at)[0].value["Gold"]) == {0}  # its questions, and no table of dashes
    at = at.selectbox(key="board-stratum-gold_count").set_value("1").run()
    assert scored() == [1]


def test_a_question_opens_what_was_retrieved_gold_and_missed(small: Small):
    q4 = small.items["q4"]
    both = [small.unit("q1", "제1조"), small.unit("q1", "제3조")]
    decide(small.workspace, small.sora.id, q4, both, False, "Both.", 1.0)
    run = retrieve(small.workspace, SLUG, k=1)
    at = page("leaderboard", small, small.sora).run()
    queries = tables(at)[1].value.set_index("Id")
    unscored = {f"q{n}": n not in (1, 4) for n in range(1, 7)}
    assert queries["Recall@1"].isna().to_dict() == unscored
    rows = list(queries.index)
    at = select(at, f"leaderboard-queries-{run}", rows.index("q3"))
    assert "so it is not scored" in shown(at)
    at = select(at, f"leaderboard-queries-{run}", rows.index("q4"))
    retrieved = tables(at)[2].value
    assert retrieved["Rank"].tolist() == [1]
    assert retrieved["Gold"].tolist() == [True]
    assert "1 of 2 gold provisions are among the 1 kept" in shown(at)
    assert "Missed: ranked" in shown(at)
    assert not any(each.label == say("identifiers.show") for each in at.toggle), "it writes none"
    at = next(each for each in at.toggle if each.label == "Citation path").set_value(True).run()
    assert "No citations lead here" in shown(at) or "From rank 1" in shown(at)


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
    makers = dict(zip(runs["Run"], runs["By"], strict=True))
    assert makers == {first: "operator", second: small.sora.name}
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


Waiting = tuple[threading.Event, threading.Event]


@pytest.fixture
def slowly(monkeypatch: pytest.MonkeyPatch) -> Waiting:
    """Let runs wait half way: the first event tells when, the second lets them go on."""
    told, go = threading.Event(), threading.Event()

    def run(*given: object, progress: Progress, **named: object) -> int:
        progress(1, 2)
        told.set()
        assert go.wait(100)
        return retrieve(*given, progress=progress, **named)  # type: ignore[arg-type]

    monkeypatch.setattr("services.background.retrieval.retrieve", run)
    return told, go


def test_while_a_run_goes_on_the_page_says_so_and_starts_no_other(
    small: Small, slowly: Waiting, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("pages.shell.task_progress._SHORT", 0.05)
    told, go = slowly
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
    other = other.button(key="run-go").click().run()  # drawn before: it looks as if one could
    assert not other.error
    assert other.button(key="run-go").disabled
    go.set()
    other = ended(other, small.workspace, SLUG, TaskKind.RUN)
    assert "The work that Lee Sora started is done" in other.info[0].value
    assert not other.success, "what came of it is told to who started it"
    assert "Run 1 is stored" in at.run().success[0].value
    assert [each.run_id for each in leaderboard(small.workspace, SLUG).runs] == [1]


def test_who_merely_watches_learns_who_stopped_it(small: Small, slowly: Waiting):
    boss = add_person(small.workspace, SLUG, "Choi Yuna", "administrator")
    at = page("leaderboard", small, small.sora).run()
    at = at.button(key="run-go").click().run()
    other = page("leaderboard", small, boss).run()
    other = other.button(key="run-stop").click().run()  # another than who started it
    assert not other.button(key="run-go").disabled  # over within a second
    said = "Stopped by Choi Yuna"
    assert said in other.info[0].value
    assert said in at.run().info[0].value
    assert said not in shown(other.run()) and said not in shown(at.run())  # once
    slowly[1].set()


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


def test_runs_are_chosen_saved_as_a_view_opened_again_and_removed(small: Small):
    first, second, third = (
        retrieve(small.workspace, SLUG, {"method": "bm25", "b": b}) for b in (0.1, 0.4, 0.9)
    )
    at = page("leaderboard", small, small.sora).run()
    assert sorted(tables(at)[0].value.iloc[:, 0]) == [first, second, third]
    at = at.button(key="board-pick").click().run()
    assert sorted(at.multiselect(key="board-runs").value) == [first, second, third]
    at.multiselect(key="board-runs").set_value([first, third])
    at.toggle(key="gold-searchable-only").set_value(True)
    at.multiselect(key="board-measures").set_value(["nDCG@10", "RR@10"])
    at = at.selectbox(key="board-baseline").set_value(first).run()
    tested = {"en": "1 run against run 1", "ko": "실행 1건, 기준은 실행 1"}
    assert tested["en"] in shown(at).replace("\\", "")
    at.text_input(key="board-view-name-").set_value("Paper")
    at = at.button(key="board-view-save").click().run()
    assert "Paper" in at.success[0].value
    given = save_view(small.workspace, SLUG, "Given", View(runs=(first, second, third)))
    again = page("leaderboard", small, small.sora).run()
    again = again.selectbox(key="board-view").set_value(given.name).run()
    assert say("run_views.changed", name="Given") not in shown(again)
    again = again.selectbox(key="board-view").set_value("Paper").run()
    (table, *_) = tables(again)
    assert sorted(table.value.iloc[:, 0]) == [first, third]
    assert list(table.value.columns[2:4]) == ["nDCG@10", "RR@10"]
    assert again.selectbox(key="board-baseline").value == first
    assert again.toggle(key="gold-searchable-only").value
    changed = say("run_views.changed", name="Paper")
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
