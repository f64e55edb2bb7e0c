from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.guidelines.documents import TASK, packaged, without_number
from corpus.compare.diff import DiffKind, diff
from messages import LANGUAGES
from pages.task.documents import around, guideline_blocks, guideline_spans


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guideline_is_read_whole(language: str):
    found = packaged("guideline", TASK)
    assert found is not None
    text = without_number(found.texts[language])
    blocks = guideline_blocks(text)
    assert [block["kind"] for block in blocks].count("title") == 1
    points = [block["number"] for block in blocks if block["kind"] == "point"]
    assert points == [str(number) for number in range(1, len(points) + 1)]
    told = "".join(
        block["number"] + "".join(piece for piece, _ in block["pieces"]) for block in blocks
    )
    bare = text.replace("**", "").replace("# ", "")
    for number in points:
        bare = bare.replace(f"{number}. ", number)
    assert "".join(told.split()) == "".join(bare.split())
    assert any(strong for block in blocks for _, strong in block["pieces"])


def test_headings_points_and_html_are_told_apart():
    text = "# Title\nIntro <b>bold</b>\n## Part\n- one\n- **two**\n10. ten"
    found = [(each["kind"], each["number"], each["pieces"]) for each in guideline_blocks(text)]
    assert found == [
        ("title", "", [["Title", False]]),
        ("paragraph", "", [["Intro <b>bold</b>", False]]),
        ("heading", "", [["Part", False]]),
        ("point", "•", [["one", False]]),
        ("point", "•", [["two", True]]),
        ("point", "10", [["ten", False]]),
    ]
    spans = guideline_spans(text)
    assert "".join(each.text for each in spans).endswith("Part\n• one\n• two\n10. ten")
    assert [each.text for each in spans if "strong" in each.marks] == ["two"]


def test_what_stands_out_does_so_without_its_stars():
    def strong(text: str) -> list[str]:
        [block] = guideline_blocks(text)
        return [piece for piece, stands_out in block["pieces"] if stands_out]

    assert strong("Choose *not stated* or *one*.") == ["not stated", "one"]
    pleaded = "1. **Claims** are *pleaded*: *판결문에 없음*을 고릅니다."
    assert strong(pleaded) == ["Claims", "pleaded", "판결문에 없음"]
    assert strong("2 * 3 * 4, a*b*c, *) and ** stand") == []


def test_what_changed_is_shown_with_the_lines_around_it():
    old = "".join(f"line {number}\n" for number in range(40))
    new = old.replace("line 20\n", "line twenty\n")
    shown = around(diff(old, new))
    told = "".join(each.text for each in shown)
    assert "line 19" in told and "line 21" in told
    assert "line 10\n" not in told and "line 30\n" not in told
    assert told.count("⋯\n") == 2
    assert [each for each in shown if each.kind is not DiffKind.SAME] == [
        each for each in diff(old, new) if each.kind is not DiffKind.SAME
    ]


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_change_is_left_out(old: str, new: str):
    pieces = diff(old, new)
    kept = [each for each in around(pieces) if each.kind is not DiffKind.SAME]
    assert kept == [each for each in pieces if each.kind is not DiffKind.SAME]


@given(st.text(st.characters(exclude_characters="*#-.", codec="utf-8"), max_size=200))
def test_no_word_is_lost(text: str):
    told = "".join(piece for block in guideline_blocks(text) for piece, _ in block["pieces"])
    assert "".join(told.split()) == "".join(text.split())
