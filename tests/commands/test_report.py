from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from commands.report import report
from commands.state import new_state
from storage.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.law_with_graph import project_with_graph


@pytest.fixture
def workspace(tmp_path: Path, clock: FakeClock) -> Workspace:
    workspace = Workspace(tmp_path / "ws", clock)
    project_with_graph(workspace)
    return workspace


def run(workspace: Workspace, as_json: bool) -> str:
    app = typer.Typer()
    app.command()(report)
    done = CliRunner().invoke(app, [], obj=new_state(workspace.folder, None, as_json))
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_prints_the_tables(workspace: Workspace):
    said = run(workspace, as_json=False)
    assert "2 statutes, 4 units." in said
    assert "delegates_to          1 (text 1)" in said
    assert "Components without PART_OF: 2, of which 1 single" in said
    assert "나루안전법_2조" in said


def test_json_has_every_table(workspace: Workspace):
    said = json.loads(run(workspace, as_json=True))
    assert said["nodes"]["article"] == 4
    assert said["communities"]["method"] == "greedy_modularity"
    assert {"characters", "tokens", "with_part_of", "orphans", "cited", "references"} <= set(said)
