"""`stricter list`, `show`, `export` and `evaluate`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.commands.called import printed
from tests.projects.stricter_project import INSULT, MODEL, StricterHouse, build, suggest_all

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> StricterHouse:
    return build(tmp_path_factory.mktemp("alike") / "ws")


@pytest.fixture
def run(house: StricterHouse) -> Run:
    return partial(printed, house.ws.folder)


def test_list_says_how_far_each_group_is_alike(run: Run) -> None:
    code, out, _ = run("stricter", "list")
    assert code == 0
    assert any(INSULT in line and "alike in 2/3" in line for line in out.splitlines())
    told = json.loads(run("stricter", "list", "--json")[1])
    groups = told["groups"]
    assert [each["in_the_group"] for each in groups] == [2, 2]
    assert [each["backed_off"] for each in groups] == [0, 1]
    total = {each["kind"]: each for each in told["sizes"] if each["category"] == "all"}
    sizes = {"groups": 2, "cases": 4, "per_group": 2.0}
    assert total["stricter"] == {"kind": "stricter", "category": "all", **sizes}
    assert total["standard"]["cases"] == sum(each["cases"] for each in groups)


def test_show_tells_the_key_the_steps_the_moves_and_what_is_missing(run: Run) -> None:
    _, out, _ = run("stricter", "show", INSULT)
    for line in (
        "Group 1: c1, c3",
        "  readers: many",
        "  with record (optional): clean (c1); no answer (c3)",
        "The first 2 alike: 1 groups, 2 cases.",
        "c4: were readers many, not few: alike in 3 with c1",
        "c3: were readers few, not many: alike in 2 with c4",
        "c5 lacks regret (disputed)",
        "Not tagged: c6",
    ):
        assert line in out.splitlines()
    told = json.loads(run("stricter", "show", INSULT, "--json")[1])
    assert told["groups"][0]["alike"] == {"place": ["online"], "readers": ["many"]}


def test_export_writes_and_evaluate_scores_both_benchmarks(run: Run, tmp_path: Path) -> None:
    code, out, _ = run("stricter", "export", str(tmp_path / "out"))
    assert code == 0 and "Of the stricter ones 2 are of grade 2." in out
    kept = tmp_path / "bm25.trec"
    mine = ("--measure", "P@1", "--measure", "Recall@100")
    told = json.loads(run("stricter", "evaluate", "--keep", str(kept), *mine, "--json")[1])
    assert told["standard"][0]["Recall@100"]["value"] == 1.0
    with kept.open("a") as file:
        file.write(f"{INSULT}/c1 Q0 c77 99 0.1 mine\nold/c1 Q0 c1 1 9 mine\n")
    out = run("stricter", "evaluate", "--run-file", str(kept), *mine)[1]
    assert "bm25.trec, standard groups (2 queries)" in out
    assert "Queries of the run in neither benchmark: 1, such as old/c1." in out
    assert "Ranked ids that are not court cases of the project: 1, such as c77;" in out


def test_evaluate_writes_no_run_that_it_was_given(run: Run, tmp_path: Path) -> None:
    files = "--run-file", str(tmp_path / "a"), "--keep", str(tmp_path / "b")
    assert run("stricter", "evaluate", *files)[0] == 3


def test_table_scores_the_lines_of_an_experiment_and_says_what_they_lack(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(
        "name: Cases\nmeasures: [P@5]\nmethods:\n- {name: BM25, method: bm25}\n"
        "- {name: Reranked, method: rerank, base: BM25, model: some/reranker}\n",
        "utf-8",
    )
    code, out, _ = run("stricter", "table", str(file), "--output", str(tmp_path / "t.csv"))
    assert code == 0 and "Cases, stricter groups" in out and "TOUCHSTONE_DOWNLOAD_MODELS" in out
    assert (tmp_path / "t.csv").read_text("utf-8").startswith("section,row,column,value")
    told = json.loads(run("stricter", "table", str(file), "--json")[1])
    assert told["lacking"]["Reranked"]["error"] == "model_missing"
    assert told["standard"] and told["stricter"]
    assert run("stricter", "table", str(file), "--output", "t.docx")[0] == 3
    assert run("stricter", "table", str(tmp_path / "none.yaml"))[0] == 3


def test_groups_from_a_models_tags_say_so(run: Run, house: StricterHouse, tmp_path: Path) -> None:
    suggest_all(house)
    said = f"Stricter groups from model {MODEL}'s tags. No person decided them."
    for words in (
        ("list",), ("show", INSULT), ("export", str(tmp_path / "out")), ("evaluate",)
    ):  # fmt: skip
        code, out, _ = run("stricter", *words, "--tags-of", MODEL)
        assert code == 0 and said in out.splitlines(), words
        told = json.loads(run("stricter", *words, "--tags-of", MODEL, "--json")[1])
        assert told.get("tags_of_model", MODEL) == MODEL
    assert MODEL not in run("stricter", "list")[1]
    code, _, err = run("stricter", "list", "--tags-of", "nobody")
    assert code == 3 and MODEL in err
