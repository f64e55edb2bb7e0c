"""`cases preview`, `import`, `list`, `show` and `patterns`."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from storage.projects import create_project
from tests.commands.called import printed
from tests.corpus.cases.texts import ENGLISH, KOREAN

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path) -> Run:
    workspace = Workspace(tmp_path / "w")
    migrate(workspace)
    create_project(workspace, "courts", "Courts")

    return partial(printed, workspace.folder)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rows = [{"id": "ko-1", "whole": KOREAN}, {"id": "en-1", "whole": ENGLISH}]
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows), "utf-8")
    return path


def test_from_preview_to_reading(run: Run, file: Path, tmp_path: Path) -> None:
    code, _, err = run("cases", "preview", str(file))
    assert code == 3
    assert "No column is mapped to the full text" in err
    mapping = tmp_path / "mapping.json"
    said = ["--column", "text=whole", "--save-mapping", str(mapping)]
    code, out, _ = run("cases", "preview", str(file), *said)
    assert code == 0
    assert "whole                    Full text" in out
    assert "2 judgments (en 1, ko 1)" in out
    code, out, _ = run("cases", "import", str(file), "--mapping", str(mapping))
    assert out.startswith("2 new court cases, 0 already here.")
    assert run("cases", "import", str(file))[1].startswith("0 new court cases, 2 already here.")
    listed = json.loads(run("--json", "cases", "list", "--charge", "Fraud")[1])
    assert [each["id"] for each in listed["cases"]] == ["en-1"]
    assert "1 of 2 court cases." in run("cases", "list", "--language", "ko")[1]
    shown = json.loads(run("--json", "cases", "show", "ko-1", "--section", "facts")[1])
    assert shown["sections"][0]["text"].startswith("범죄사실")
    assert "[Sentencing]" in run("cases", "show", "en-1")[1]


def test_own_patterns_are_read_and_their_faults_named(run: Run, file: Path, tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text("[ko.sections]\nfacts = ['^사실[']\n", "utf-8")
    options = ["--column", "text=whole", "--patterns", str(own)]
    code, _, err = run("cases", "preview", str(file), *options)
    assert code == 3
    assert 'own.toml, field "ko.sections.facts[1]"' in err
    own.write_text("[ko.sections]\nclaims = ['^범죄사실$']\n", "utf-8")
    seen = json.loads(run("--json", "cases", "preview", str(file), *options, "--limit", "1")[1])
    assert {each["name"]: each["judgments"] for each in seen["survey"]["sections"]}["facts"] == 0
    assert not seen["whole"]


def test_packaged_patterns_are_printed_and_what_is_not_there_is_said(run: Run, file: Path) -> None:
    assert "[ko.sections]" in run("cases", "patterns", "ko")[1]
    for words, said in (
        (("patterns", "tlh"), "Remedy"),
        (("show", "x", "--section", "middle"), "Remedy"),
        (("preview", str(file), "--column", "whole"), "Map columns to"),
    ):
        code, _, err = run("cases", *words)
        assert code == 3
        assert said in err
