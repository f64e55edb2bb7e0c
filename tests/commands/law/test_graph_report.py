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


def test_it_prints_the_tables(workspace: Workspace):
    said = run(workspace, as_json=False)
    assert "2 statutes, 4 units." in said
    assert "delegates_to          1 (text 1)" in said
    assert "Components without PART_OF: 2, of which 1 single" in said
    assert "act (tier 1) 3, decree (tier 2) 1" in said
    assert "나루안전법_2조" in said


def test_json_has_every_table(workspace: Workspace):
    said = json.loads(run(workspace, as_json=True))
    assert said["nodes"]["article"] == 4
    assert said["communities"]["method"] == "greedy_modularity"
    assert {"characters", "tokens", "with_part_of", "orphans", "cited", "references"} <= set(said)


@pytest.mark.parametrize(("name", "start"), [("r.csv", "table,row,"), ("r.md", "## corpus")])
def test_the_tables_are_written_to_a_file(
    workspace: Workspace, tmp_path: Path, name: str, start: str
):
    run(workspace, True, "--output", str(tmp_path / name))
    assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)


@pytest.mark.parametrize(
    ("name", "code"), [("r.xlsx", "report_ending"), ("no/r.csv", "report_unwritable")]
)
def test_a_file_that_cannot_be_is_refused(
    workspace: Workspace, tmp_path: Path, name: str, code: str
):
    with pytest.raises(UserError) as refused:
        run(workspace, False, "--output", str(tmp_path / name))
    assert refused.value.code == code


def test_tokens_by_morphemes_or_by_a_file(workspace: Workspace, tmp_path: Path):
    assert "(tokens: whitespace):" in run(workspace, False)
    assert "(tokens: morphemes):" in run(workspace, False, "--tokeniser", "morphemes")
    file = tmp_path / "tokenizer.json"
    file.write_bytes(as_bytes(file_of({})))
    said = json.loads(run(workspace, True, "--tokenizer-file", str(file)))
    assert said["tokeniser"].startswith("tokenizer.json (SHA-256 ")
    assert said["tokens"]["n"] == said["characters"]["n"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--tokeniser", "guess"), "unknown_tokeniser"),
        (("--tokenizer-file", "nowhere.json"), "tokenizer_unreadable"),
        (("--tokenizer-file", __file__), "tokenizer_form"),
    ],
)
def test_what_cannot_count_is_told(workspace: Workspace, words: tuple[str, ...], code: str):
    with pytest.raises(UserError) as caught:
        run(workspace, False, *words)
    assert caught.value.code == code
