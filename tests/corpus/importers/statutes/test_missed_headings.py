"""A line that begins like a heading and was read as text is told, whatever the format."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.importers.registry import read_statutes
from corpus.importers.statutes.missed_headings import missed_headings
from corpus.model import Level, Statute, Tier, Unit

ENGLISH = "Title: Lamp Act\nKind: Act\n\n§ 5 Duty\n(a) A lamp.\n{line}\nMore.\n"
KOREAN = "등대법\n\n제1조(목적) 목적이다.\n{line}\n제4조(과태료) 과태료.\n"
DASHES = ("-", "‐", "‑", "‒", "–", "—", "−")


def told(folder: Path, name: str, text: str) -> list[str]:
    (folder / name).write_text(text, encoding="utf-8")
    _, reading = read_statutes(folder / name)
    return [note.render() for note in reading.notes if note.code == "heading_as_text"]


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("§ 6(a) attached", True),
        ("§ VII Penalties", True),
        ("Rule 8. Lamps", True),
        ("REGULATION 8 Lamps", True),
        ("Section 7(b) Lamps", False),
        ("Section 6 of the Pier Act applies.", False),
        ("§ 6 of the Pier Act applies.", False),
        ("A lamp, see § 6.", False),
        ("The rule 8. Lamps", False),
    ],
)
def test_in_english(tmp_path: Path, line: str, is_told: bool) -> None:
    found = told(tmp_path, "law.txt", ENGLISH.format(line=line))
    wanted = (
        f'law.txt, line 6: This line begins like a heading and was read as text of § 5: "{line}".'
    )
    assert found == ([wanted] if is_told else [])


@pytest.mark.parametrize(
    ("line", "is_told"),
    [
        ("제 2 조 (정의) 정의이다.", True),
        ("제２조(정의) 정의이다.", True),
        ("2조(벌칙) 벌칙이다.", True),
        ("제3조의 2(예외) 예외이다.", True),
        ("같은 법 제2조(정의)", False),
        ("제 2 조(정의)에 따른다.", False),
        ("2조 원을 넘는다.", False),
    ],
)
def test_in_korean(tmp_path: Path, line: str, is_told: bool) -> None:
    assert bool(told(tmp_path, "law.txt", KOREAN.format(line=line))) is is_told


def test_in_a_table_and_in_markdown(tmp_path: Path) -> None:
    table = 'statute,place,text\nLamp Act,§ 5,"Lamp.\n§ 6 Bell"\n'
    assert [note.partition(":")[0] for note in told(tmp_path, "law.csv", table)] == [
        "law.csv, line 3"
    ]
    rows = (
        '{"statute": "등대법", "place": "제1조", "text": "제1조(목적) 목적\\n제2조(정의) 정의"}\n'
    )
    assert ["제2조(정의) 정의" in note for note in told(tmp_path, "law.jsonl", rows)] == [True]
    page = ENGLISH.replace("§ 5 Duty", "## § 5 Duty").format(line="## § 6(a) attached")
    assert len(told(tmp_path, "law.md", page)) == 1


def test_a_unit_that_repeats_its_heading_and_addenda_are_passed_over(tmp_path: Path) -> None:
    own = Unit("A_5", "A", Level.ARTICLE, "제5조", "", "제5조(정의) 정의", 0)
    later = Unit("A_부칙", "A", Level.ADDENDUM, "부칙", "", "제1조(시행일) 시행", 1)
    law = Statute("A", "A", "act", Tier.ACT, "ko", (own, later))
    assert missed_headings([law], tmp_path) == ()


@pytest.mark.parametrize("dash", DASHES)
@pytest.mark.parametrize(
    "number",
    ["288-1", "960.3-1-4-1", "1.1031(a)-1", "1.401(a)(9)-1", "240.10b5-1", "1320d-2",
     "53.303-DD-254", "1.482-1T", "5A", "50.55a"],
)  # fmt: skip
def test_sections_of_united_states_law_are_units_of_their_own(
    tmp_path: Path, number: str, dash: str
) -> None:
    written = number.replace("-", dash)
    text = f"Title: 26 CFR Levies\nKind: Rule\n\n§ 1 First\nText.\n§ {written} Second\nText.\n"
    (tmp_path / "law.txt").write_text(text, encoding="utf-8")
    table = f"statute,kind,place,text\n26 CFR Levies,Rule,§ {written},Text.\n"
    (tmp_path / "law.csv").write_text(table, encoding="utf-8")
    for name in ("law.txt", "law.csv"):
        _, reading = read_statutes(tmp_path / name)
        unit = reading.statutes[0].units[-1]
        assert unit.semantic_id == f"26-CFR-Levies_{number}"
        assert (unit.level, unit.label) == (Level.SECTION, f"§ {number}")


@given(st.text(max_size=200))
def test_any_text(text: str) -> None:
    unit = Unit("A_5", "A", Level.ARTICLE, "제5조", "", text, 0)
    law = Statute("A", "A", "act", Tier.ACT, "ko", (unit,), file="law.txt")
    for note in missed_headings([law], Path("/nowhere")):
        assert note.render()
