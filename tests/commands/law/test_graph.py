from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

from commands.shell.state import EXIT_USER_ERROR
from storage.db.workspace import Workspace
from tests.commands.called import printed
from tests.conftest import FakeClock
from tests.pages.law_with_graph import ACT, DECREE, project_with_graph


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
