from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from commands.shell.state import EXIT_USER_ERROR
from storage.db.workspace import Workspace
from tests.commands.called import printed
from tests.pages.law_with_graph import project_with_graph

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
