from __future__ import annotations

from pathlib import Path

import pytest

from commands.law.importing import FORMAT_NAMES
from corpus.importers.registry import FORMATS, detect, read_statutes
from errors import UserError
from tests.conftest import ROOT

FIXTURES = ROOT / "tests" / "fixtures"


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("searchfiresafety", "searchfiresafety"),
        ("searchfiresafety/documents.jsonl", "searchfiresafety"),
        ("regops", "regops"),
        ("beir", "beir"),
        ("beir/corpus.jsonl", "beir"),
        ("table", "table"),
        ("english", "english"),
        ("english/act.txt", "english"),
        ("text/rules.txt", "text"),
        ("drf/act.xml", "drf"),
        ("html", "html"),
        ("html/act.html", "html"),
        ("../../sample/statutes", "legalize-kr"),
    ],
)
def test_a_format_is_told_by_looking(path: str, name: str) -> None:
    assert detect(FIXTURES / path) == name
    used, reading = read_statutes(FIXTURES / path)
    assert used == name
    assert reading.statutes and all(statute.units for statute in reading.statutes)


def test_what_fits_nothing_names_the_formats(tmp_path: Path) -> None:
    file = tmp_path / "picture.png"
    file.write_bytes(b"\x89PNG")
    with pytest.raises(UserError) as caught:
        detect(file)
    assert caught.value.code == "format_unknown"
    assert "searchfiresafety" in caught.value.remedy()


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError) as caught:
        read_statutes(tmp_path, "pdf")
    assert caught.value.code == "format_name"


def test_several_files_ask_for_one(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("law,text\nX,y\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:
        read_statutes(tmp_path)
    assert caught.value.code == "files_several"


def test_files_of_other_formats_are_pointed_out(tmp_path: Path) -> None:
    page = (FIXTURES / "html" / "act.html").read_text(encoding="utf-8")
    (tmp_path / "act.html").write_text(page, encoding="utf-8")
    (tmp_path / "act.txt").write_text("X Act\n§ 1. A\nText.\n", encoding="utf-8")
    name, reading = read_statutes(tmp_path)
    assert (name, len(reading.statutes)) == ("html", 1)
    assert [note.code for note in reading.notes] == ["formats_mixed"]
    assert "english" in reading.notes[0].render() and "html" in reading.notes[0].render("ko")
    assert not read_statutes(tmp_path, "html")[1].notes


def test_files_that_the_format_reads_are_not_passed_over(tmp_path: Path) -> None:
    for name, text in (("a.txt", "X Act\n§ 1. A\nText.\n"), ("b.txt", "Y Act\n§ 1. B\nText.\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    (tmp_path / "c.txt").write_text("제1조(갑) 을\n", encoding="utf-8")
    with pytest.raises(UserError) as caught:  # english reads c.txt too, and says what it lacks
        read_statutes(tmp_path)
    assert caught.value.where.file == "c.txt"


def test_the_command_line_names_every_format() -> None:
    assert ("auto", *FORMATS) == FORMAT_NAMES
