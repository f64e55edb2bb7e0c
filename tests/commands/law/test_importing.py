"""Previewing and importing statutes of every format from the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from corpus.importers.registry import FORMATS
from tests.commands.test_touchstone import Run, project, run, said
from tests.conftest import ROOT

__all__ = ["project", "run"]  # fixtures
FIXTURES = ROOT / "tests" / "fixtures"


@pytest.mark.usefixtures("project")
def test_a_preview_keeps_nothing_and_the_import_keeps_what_it_showed(run: Run) -> None:
    path = str(FIXTURES / "searchfiresafety")
    seen = said(run("import", "statutes", path, "--preview", "--json"))
    assert (seen["format"], seen["units"], len(seen["problems"])) == ("searchfiresafety", 5, 1)
    assert said(run("status", "--json"))["snapshots"] == []
    kept = said(run("import", "statutes", path, "--format", "searchfiresafety", "--json"))
    assert kept["units"] == 5


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("name", [name for name in FORMATS if name != "legalize-kr"])
def test_every_format_has_a_preview_and_an_import(run: Run, name: str) -> None:
    path = str(
        next(file for file in sorted((FIXTURES / name).iterdir(), reverse=True) if fits(file, name))
    )
    named = ["import", "statutes", path, "--format", name, "--json"]
    seen = said(run(*named, "--preview"))
    assert seen["format"] == name and seen["units"] == sum(seen["levels"].values()) > 0
    kept = said(run(*named))
    assert (kept["statutes"], kept["units"]) == (seen["statutes"], seen["units"])


def fits(file: Path, name: str) -> bool:
    return file.suffix in FORMATS[name].endings and file.name != "queries.jsonl"


@pytest.mark.usefixtures("project")
def test_people_read_a_preview(run: Run) -> None:
    code, out, _ = run("import", "statutes", str(FIXTURES / "english" / "act.txt"), "--preview")
    assert code == 0
    assert "Format: english. 1 statutes, 2 units: 2 article." in out
    assert "Ferry-Lamps-Act_article-2-3  Article 2-3 Lamps" in out
    assert "Nothing was kept." in out


@pytest.mark.usefixtures("project")
def test_a_mapping_is_given_once(run: Run, tmp_path: Path) -> None:
    table, mapping = tmp_path / "t.csv", tmp_path / "rules.json"
    table.write_text("p,q\nArticle 1,Lamps.\n", encoding="utf-8")
    mapping.write_text(json.dumps({"columns": {"place": "p", "text": "q"}}), encoding="utf-8")
    given = ["--mapping", str(mapping), "--title", "Ferry Act", "--json"]
    assert said(run("import", "statutes", str(table), *given))["units"] == 1
    again = said(run("import", "statutes", str(table), "--preview", "--json"))
    assert again["first"][0]["id"] == "Ferry-Act_article-1"


@pytest.mark.usefixtures("project")
def test_a_pattern_reads_any_text(run: Run) -> None:
    path = str(FIXTURES / "text" / "handbook.txt")
    options = ["--format", "text", "--pattern", "Rule {number}: {heading}", "--preview", "--json"]
    seen = said(run("import", "statutes", path, *options))
    assert [unit["label"] for unit in seen["first"]] == ["Rule 1", "Rule 2"]


@pytest.mark.usefixtures("project")
def test_it_is_said_what_was_in_use_and_what_is_now(run: Run) -> None:
    sample = ROOT / "sample" / "statutes"
    one = str(sample / "ko" / "가온화재안전기본법" / "시행규칙.md")
    _, out, _ = run("import", "statutes", str(sample))
    assert "Snapshot 1 is in use now." in out and "before" not in out
    _, out, _ = run("import", "statutes", one, "--preview")
    assert "in use before: 8; after: 1 (7 are no longer in use, 1 are replaced, 0 are new)" in out
    assert "--add" in out
    _, out, _ = run("import", "statutes", one, "--preview", "--add")
    assert "in use before: 8; after: 8 (7 stay, 1 are replaced, 0 are new)" in out
    _, out, _ = run("import", "statutes", one)
    assert "in use before: 8; after: 1" in out
    assert "`touchstone.py snapshots --use 1` goes back" in out
    other = str(sample / "ko" / "가온화재안전기본법" / "법률.md")
    kept = said(run("import", "statutes", other, "--add", "--json"))
    assert kept["statutes"] == 2 and kept["meeting"] == {"common": 0, "new": 1, "others": 1}


def test_questions_have_a_preview_that_keeps_nothing(run: Run, project: None) -> None:
    path = str(ROOT / "sample" / "questions.jsonl")
    seen = said(run("import", "questions", path, "--preview", "--json"))
    assert seen["questions"] == 24
    code, out, _ = run("import", "questions", path, "--preview")
    assert code == 0
    assert out.startswith("24 questions: ") and out.endswith("Nothing was kept.\n")
    assert said(run("import", "questions", path, "--json"))["new"] == 24
