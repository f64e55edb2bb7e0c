"""The citation graph, its map, its report, and the citations of a text, on the command line."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from commands.shell.state import EXIT_USER_ERROR
from storage.db.workspace import Workspace
from tests.commands.called import printed
from tests.conftest import FakeClock
from tests.pages.law_with_graph import ACT, DECREE, project_with_graph
from tests.retrieval.text.test_token_counts import as_bytes, file_of


def test_a_graph_is_built_once_and_the_units_around_one_are_told(
    tmp_path: Path, clock: FakeClock
) -> None:
    workspace = Workspace(tmp_path / "ws", clock)
    project_with_graph(workspace)

    def run(*words: str) -> tuple[int, dict[str, Any]]:
        code, out, _ = printed(workspace.folder, "graph", *words, "--json")
        return code, json.loads(out)

    code, said = run("build")
    assert (code, said["new"]) == (0, False)
    assert said["references"] > 0
    code, said = run("neighbours", "나루안전법_2조")
    assert code == 0
    assert said["nodes"][0]["unit"] == "나루안전법_2조"
    assert {edge["type"] for edge in said["edges"]} >= {"delegates_to", "specifies"}
    assert not said["capped"]
    _, said = run("neighbours", "나루안전법_2조", "--type", "delegates_to")
    assert {edge["type"] for edge in said["edges"]} == {"delegates_to"}
    code, said = run("neighbours", "나루안전법_2조", "--type", "likes")
    assert (code, said["error"]) == (EXIT_USER_ERROR, "edge_type_unknown")


def test_the_map_is_told_narrowed_and_written(tmp_path: Path, clock: FakeClock) -> None:
    workspace = Workspace(tmp_path / "ws", clock)
    project_with_graph(workspace)
    run = partial(printed, workspace.folder, "graph", "map")
    code, said, _ = run("--limit", "1")
    assert code == 0
    assert "1 of 2 matching statutes are drawn" in said
    assert ACT in said
    for words, nodes in (
        (("--statute", DECREE), [f"{DECREE}_1조"]),
        (("--tier", "1"), [ACT]),
        (("--units", "--text", "벌칙", "--type", "references"), [f"{ACT}_3조"]),
    ):
        told = json.loads(run(*words, "--json")[1])
        assert [node["id"] for node in told["nodes"]] == nodes
    assert json.loads(run("--community", "1", "--json")[1])["matching"] == 3
    for name, begins in (("m.csv", "kind,id,"), ("m.JSON", "{")):
        assert run("--output", str(tmp_path / name))[0] == 0
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert text.startswith(begins) and ACT in text
    assert json.loads(run("--output", "m.png", "--json")[1])["error"] == "map_ending"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """One for all: a report changes nothing."""
    workspace = Workspace(tmp_path_factory.mktemp("law") / "ws", FakeClock())
    project_with_graph(workspace)
    return workspace


def run(workspace: Workspace, *words: str) -> str:
    return printed(workspace.folder, "graph", "report", *words)[1]


def test_it_prints_and_writes_every_section(workspace: Workspace, tmp_path: Path):
    file = tmp_path / "r.csv"
    said = run(workspace, "--output", str(file))
    assert "나루안전법_2조" in said
    assert "are cited by no other" in said
    assert "components,Without “part of”,largest_component,3" in file.read_text(encoding="utf-8")
    told = json.loads(run(workspace, "--json"))
    assert (told["statutes"], told["units"], told["method"]) == (2, 4, "greedy_modularity")
    assert {"degrees", "between", "lengths", "components", "cited", "references"} <= set(told)
    assert next(e for e in told["edges"] if e["type"] == "delegates_to")["text"] == 1
    refused = run(workspace, "--output", str(tmp_path / "r.xlsx"), "--json")
    assert json.loads(refused)["error"] == "figure_ending"


def test_tokens_by_morphemes_or_by_a_file(workspace: Workspace, tmp_path: Path):
    assert "counted by: white space" in run(workspace)
    said = run(workspace, "--tokeniser", "morphemes", "--json")
    assert json.loads(said)["tokeniser"] == "morphemes"
    file = tmp_path / "tokenizer.json"
    file.write_bytes(as_bytes(file_of({})))
    told = json.loads(run(workspace, "--tokenizer-file", str(file), "--json"))
    assert told["tokeniser"].startswith("tokenizer.json (SHA-256 ")
    lengths = {each["unit"]: each["n"] for each in told["lengths"]}
    assert lengths["tokens"] == lengths["characters"]


TEXT = "「나루안전법」 제2조제1항과 「없는법」 제3조"


@pytest.mark.parametrize("from_file", [False, True])
def test_citations_of_a_text_are_read(tmp_path: Path, from_file: bool) -> None:
    workspace, file = Workspace(tmp_path / "ws"), tmp_path / "answer.txt"
    project_with_graph(workspace, built=False)
    file.write_text(TEXT, "utf-8")
    run = partial(printed, workspace.folder, "citations", "read")
    given = ("--file", str(file)) if from_file else (TEXT,)
    first, second = json.loads(run(*given, "--json")[1])
    assert first["targets"] == [{"unit": "나루안전법_2조", "pinpoint": "1항"}]
    assert (first["status"], first["reason"], first["instrument"]) == (
        *("resolved", None, "나루안전법"),
    )
    assert TEXT[first["start"] : first["end"]] == first["text"]
    assert (second["status"], second["reason"], second["targets"]) == (
        *("unresolved", "no_such_instrument", []),
    )
    assert "is the one unit meant" in run(*given)[1]
    assert run()[0] == EXIT_USER_ERROR, "without a text"
