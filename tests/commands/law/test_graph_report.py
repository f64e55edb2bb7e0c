from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from commands.law.graph import report
from commands.shell.groups import with_state
from commands.shell.state import new_state
from errors import UserError
from storage.db.workspace import Workspace
from tests.conftest import FakeClock
from tests.pages.law_with_graph import project_with_graph
from tests.retrieval.text.test_token_counts import as_bytes, file_of


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """One for all: a report changes nothing."""
    workspace = Workspace(tmp_path_factory.mktemp("law") / "ws", FakeClock())
    project_with_graph(workspace)
    return workspace


def run(workspace: Workspace, as_json: bool, *words: str) -> str:
    app = typer.Typer()
    app.command()(with_state(report))
    state = new_state(workspace.folder, None, as_json)
    done = CliRunner().invoke(app, list(words), obj=state, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_it_prints_and_writes_every_section(workspace: Workspace, tmp_path: Path):
    file = tmp_path / "r.csv"
    said = run(workspace, False, "--output", str(file))
    assert "나루안전법_2조" in said
    assert "are cited by no other" in said
    assert "components,Without “part of”,largest_component,3" in file.read_text(encoding="utf-8")
    told = json.loads(run(workspace, as_json=True))
    assert (told["statutes"], told["units"], told["method"]) == (2, 4, "greedy_modularity")
    assert {"degrees", "between", "lengths", "components", "cited", "references"} <= set(told)
    assert next(e for e in told["edges"] if e["type"] == "delegates_to")["text"] == 1
    with pytest.raises(UserError) as refused:
        run(workspace, False, "--output", str(tmp_path / "r.xlsx"))
    assert refused.value.code == "figure_ending"


def test_tokens_by_morphemes_or_by_a_file(workspace: Workspace, tmp_path: Path):
    assert "counted by: white space" in run(workspace, False)
    said = run(workspace, True, "--tokeniser", "morphemes")
    assert json.loads(said)["tokeniser"] == "morphemes"
    file = tmp_path / "tokenizer.json"
    file.write_bytes(as_bytes(file_of({})))
    told = json.loads(run(workspace, True, "--tokenizer-file", str(file)))
    assert told["tokeniser"].startswith("tokenizer.json (SHA-256 ")
    lengths = {each["unit"]: each["n"] for each in told["lengths"]}
    assert lengths["tokens"] == lengths["characters"]
