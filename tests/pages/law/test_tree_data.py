from __future__ import annotations

from pages.law.tree_data import LISTED, snippet, tree_part
from storage.law.units import StatuteLine

LINES = [StatuteLine(f"s{n}", f"법률 {n}", 1 if n < 300 else 2, n) for n in range(500)]


def test_a_long_list_is_cut_and_said():
    told = tree_part(LINES, {}, "", "", "en")
    assert sum(len(tier["statutes"]) for tier in told["tiers"]) == LISTED
    assert told["note"].startswith("400 of 500 statutes")
    assert told["asks"]


def test_an_open_statute_is_listed_wherever_it_stands():
    told = tree_part(LINES, {"s499": []}, "s499_1조", "", "en")
    listed = [s["id"] for tier in told["tiers"] for s in tier["statutes"]]
    assert listed[LISTED:] == ["s499"]
    assert told["note"].startswith("401 of 500 statutes")


def test_typing_finds_what_the_list_leaves_out():
    told = tree_part(LINES, {}, "", "법률 499", "en")
    assert [s["id"] for tier in told["tiers"] for s in tier["statutes"]] == ["s499"]
    assert told["note"] == ""


def test_a_short_list_is_filtered_in_the_browser():
    assert not tree_part(LINES[:10], {}, "", "", "ko")["asks"]


def test_a_snippet_stands_around_the_first_match():
    text = "가" * 300 + " 방화문을 점검한다. " + "나" * 300
    pieces = snippet(text, "방화문")
    assert pieces[0] == ["…", False]
    assert "방화문" in "".join(part for part, marked in pieces if marked)
    assert len("".join(part for part, _ in pieces)) < 160


def test_a_snippet_without_a_match_begins_at_the_beginning():
    assert snippet("나룻배의 안전", "없음") == [["나룻배의 안전", False]]
