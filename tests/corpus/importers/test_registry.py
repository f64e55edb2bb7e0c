from __future__ import annotations

from pathlib import Path

import pytest

import touchstone  # noqa: F401  (registers the commands in their order)
from commands.law.importing import FORMAT_NAMES
from corpus.importers.registry import FORMATS, detect, read_statutes
from tests.conftest import ROOT
from tests.support.refusals import code_of, refusal

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
    error = refusal(detect, file)
    assert error.code == "format_unknown" and "searchfiresafety" in error.remedy()


ECFR = """<?xml version="1.0" encoding="UTF-8" ?>
<DLPSTEXTCLASS>
<HEADER><FILEDESC><TITLESTMT><TITLE>Title 45: Public Welfare</TITLE></TITLESTMT></FILEDESC></HEADER>
<TEXT><BODY><ECFRBRWS><DIV1 N="1" NODE="45:1" TYPE="TITLE"><HEAD>Title 45</HEAD>
<DIV8 N="§ 164.502" TYPE="SECTION"><HEAD>§ 164.502 Uses.</HEAD><P>(a) <I>Standard.</I> …</P></DIV8>
"""


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        (ECFR, "DLPSTEXTCLASS"),
        ('<DIV1 N="45" TYPE="TITLE"><HEAD>Title 45</HEAD></DIV1>', "DIV1"),
        ("\ufeff<CFRDOC><FMTR/></CFRDOC>", "CFRDOC"),
        ('<?xml version="1.0"?>\n<an:akomaNtoso xmlns:an="x"><an:act/></an:akomaNtoso>', "akoma"),
    ],
)
def test_xml_of_another_source_is_named_and_refused(tmp_path: Path, text: str, tag: str) -> None:
    folder = tmp_path / "law"
    folder.mkdir()
    file = folder / "title-45.xml"
    file.write_text(text, encoding="utf-8")
    for path in (folder, file):
        error = refusal(read_statutes, path)
        assert error.code == "xml_of_others" and tag in error.what()
        assert "National Law Information Center" in error.remedy() and "table" in error.remedy()
        assert "title-45.xml" in (error.where.file or "")


def test_asked_for_by_name_it_is_refused_alike(tmp_path: Path) -> None:
    file = tmp_path / "title-45.xml"
    file.write_text('<DIV1 N="45" TYPE="TITLE"><HEAD>Title 45</HEAD></DIV1>', encoding="utf-8")
    assert code_of(read_statutes, file, "drf") == "xml_of_others"


def test_beside_law_that_is_read_it_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "title-45.xml").write_text(ECFR, encoding="utf-8")
    law = (FIXTURES / "english" / "act.txt").read_text("utf-8")
    (tmp_path / "act.txt").write_text(law, encoding="utf-8")
    assert read_statutes(tmp_path)[0] == "english"


@pytest.mark.parametrize("text", ["", "no xml", "<", '<?xml encoding="x-none"?><a/>', "<법령"])
def test_what_shows_no_root_is_left_to_its_reader(tmp_path: Path, text: str) -> None:
    file = tmp_path / "a.xml"
    file.write_text(text or " ", encoding="utf-8")
    assert code_of(read_statutes, file) in ("xml_broken", "file_empty", "drf_other")


def test_an_unknown_format_is_refused(tmp_path: Path) -> None:
    assert code_of(read_statutes, tmp_path, "pdf") == "format_name"


def test_several_files_ask_for_one(tmp_path: Path) -> None:
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("law,text\nX,y\n", encoding="utf-8")
    assert code_of(read_statutes, tmp_path) == "files_several"


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
    # english reads c.txt too, and says what it lacks
    assert refusal(read_statutes, tmp_path).where.file == "c.txt"


def test_the_command_line_names_every_format() -> None:
    assert ("auto", *FORMATS) == FORMAT_NAMES
