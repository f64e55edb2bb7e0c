from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.importers.english.reader import (
    DEEPEST,
    division_rank,
    parse_english,
    read_english,
    segment_english,
    unit_heading,
)
from corpus.importers.statutes.records import Notes
from corpus.model import Level, Statute, Tier
from tests.conftest import ROOT
from tests.support.refusals import refusal

FIXTURES = ROOT / "tests" / "fixtures" / "english"


def parse(text: str) -> Statute:
    return parse_english(text, "a.txt", Notes())


def test_sections_of_a_regulation() -> None:
    statute = read_english(FIXTURES / "privacy.txt").statutes[0]
    assert (statute.title, statute.tier) == ("Ferry Records Privacy Regulations", Tier.RULE)
    found = [(u.semantic_id, u.level, u.label, u.heading, u.deleted) for u in statute.units]
    name = "Ferry-Records-Privacy-Regulations"
    general = "Uses and disclosures: general rules"
    assert found == [
        (f"{name}_164.502", Level.SECTION, "§ 164.502", general, False),
        (f"{name}_164.514", Level.SECTION, "§ 164.514", "Other requirements", False),
        (f"{name}_164.520", Level.SECTION, "§ 164.520", "[Reserved]", True),
    ]
    assert statute.units[0].path == ("PART 164—RECORDS OF PASSENGERS", "Subpart E—Privacy")


def test_nested_markers_have_addresses() -> None:
    unit = read_english(FIXTURES / "privacy.txt").statutes[0].units[0]
    texts = {part.path: unit.text[part.start : part.end] for part in unit.parts}
    assert list(texts) == [
        *("(a)", "(a)/(1)", "(a)/(1)/(i)", "(a)/(1)/(ii)"),
        *("(a)/(2)", "(a)/(2)/(i)", "(a)/(2)/(ii)", "(a)/(2)/(ii)/(A)", "(a)/(2)/(ii)/(B)"),
        *("(b)", "(b)/(1)", "(b)/(2)", "(h)", "(i)", "(j)", "(j)/(1)"),
    ]
    assert texts["(a)/(1)/(ii)"] == "(ii) For the crossing itself."
    assert texts["(i)"] == ("(i) Standard: uses consistent with notice. See §§ 164.502–164.514.")
    assert texts["(b)"].startswith("(b)(1) Standard") and texts["(b)"].endswith("rescues.")
    assert texts["(j)/(1)"] == "(1) Disclosures by whistleblowers are allowed."


def test_text_on_the_line_of_the_heading_is_text() -> None:
    unit = read_english(FIXTURES / "privacy.txt").statutes[0].units[1]
    assert unit.text.startswith("(a) A record without a name is no record.\n(b) Section 5")
    assert [part.path for part in unit.parts] == ["(a)", "(b)"]


def test_articles_of_an_act_with_stated_fields() -> None:
    statute = read_english(FIXTURES / "act.txt").statutes[0]
    assert (statute.kind, statute.number, statute.effective) == ("Act", "12", date(2026, 1, 1))
    purpose, lamps = statute.units
    assert (purpose.semantic_id, purpose.heading) == ("Ferry-Lamps-Act_article-1", "Purpose")
    assert purpose.text == "This Act keeps ferries lit."
    assert lamps.semantic_id == "Ferry-Lamps-Act_article-2-3"
    assert [part.path for part in lamps.parts] == ["(1)", "(2)", "(2)/(a)", "(2)/(b)"]
    assert lamps.path == ("Chapter I General",)


def test_a_folder_gives_one_statute_for_each_file() -> None:
    assert [s.file for s in read_english(FIXTURES).statutes] == ["act.txt", "privacy.txt"]


@pytest.mark.parametrize(
    ("line", "number", "heading", "rest"),
    [
        ("Sec. 5. Scope", "5", "Scope", ""),
        ("SEC. 101. SHORT TITLE.", "101", "SHORT TITLE", ""),
        ("Section 1. Title. This Act is short.", "1", "Title", "This Act is short."),
        ("§ 1320d-2. Standards", "1320d-2", "Standards", ""),
        ("§ 107", "107", "", ""),
        ("§ 164.514 (a) Text here", "164.514", "", "(a) Text here"),
        ("Art. 4 — Liability", "4", "Liability", ""),
    ],
)
def test_headings(line: str, number: str, heading: str, rest: str) -> None:
    found = unit_heading(line)
    assert found is not None
    assert (found.number, found.heading, found.rest) == (number, heading, rest)


@pytest.mark.parametrize(
    "line", ["Section 5 of the Act applies.", "§ 5(a) applies.", "Sections 5 and 6", "Art 5"]
)
def test_sentences_are_no_headings(line: str) -> None:
    assert unit_heading(line) is None


@pytest.mark.parametrize(
    ("line", "rank"),
    [("TITLE II", 0), ("Subpart E—Privacy", 6), ("CHAPTER 5 Lamps", 3), ("Part 164 of this", None)],
)
def test_divisions(line: str, rank: int | None) -> None:
    assert division_rank(line) == rank


def test_the_united_states_code_order_of_levels() -> None:
    text = "X Act\n§ 1. A\n(a) a\n(1) b\n(A) c\n(i) d\n(I) e\n(II) f\n(ii) g\n(B) h\n(2) i\n(b) j"
    paths = [part.path for part in parse(text).units[0].parts]
    deep = "(a)/(1)/(A)/(i)"
    assert paths == [
        *("(a)", "(a)/(1)", "(a)/(1)/(A)", deep, f"{deep}/(I)", f"{deep}/(II)"),
        *("(a)/(1)/(A)/(ii)", "(a)/(1)/(B)", "(a)/(2)", "(b)"),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Only a title", "no_section"),
        ("X Act\n§ 1. A\nx\n§ 1. B\ny", "place_repeated"),
        ("( )\n§ 1. A", "title_unusable"),
        ("Title: X\nKind: Song\n§ 1. A", "kind_unknown"),
        ("Title: X\nEffective: soon\n§ 1. A", "field_not_date"),
        ("Kind: Act\n§ 1. A", "field_missing"),
    ],
)
def test_what_is_wrong_is_named(text: str, code: str) -> None:
    error = refusal(parse, text)
    assert (error.code, error.where.file) == (code, "a.txt")


def test_two_files_of_one_title_are_refused(tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("X Act\n§ 1. A\nx\n", encoding="utf-8")
    error = refusal(read_english, tmp_path)
    assert (error.code, error.where.file) == ("title_repeated", "b.txt")


MARKERS = st.sampled_from([*"abchij123vxABI", "ii", "iii", "iv", "II", "aa"])


@given(st.lists(st.lists(MARKERS, min_size=1, max_size=3), max_size=20))
def test_parts_nest_and_lie_where_their_markers_stand(lines: list[list[str]]) -> None:
    body = "\n".join("".join(f"({m})" for m in line) + " words" for line in lines)
    unit = parse(f"X Act\n§ 1. Heading\n{body}\n").units[0]
    parts = {part.path: part for part in unit.parts}
    assert len(parts) == len(unit.parts)
    for path, part in parts.items():
        marker = path.rpartition("/")[2]
        assert unit.text[part.start : part.end].startswith(marker)
    starts = [part.start for part in unit.parts]
    assert starts == sorted(starts)


def test_a_marker_that_begins_again_and_again_goes_no_deeper_than_any_law() -> None:
    text, parts = segment_english(["(a) Lamps."] * 500)
    assert text.count("(a) Lamps.") == 500
    assert max(part.path.count("/") + 1 for part in parts) == DEEPEST
    assert len(parts) == DEEPEST
