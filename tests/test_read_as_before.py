"""Expressions that were rewritten to take time with the length find what the plain ones find.

The plain expression is the easier to read; it is kept here as what is meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from construction.cases import charges
from corpus.citations import instruments
from corpus.importers.statutes import blocks
from evaluation.replies import outcomes
from llm import reply
from tests.support.examples import scaled

_HAN = "[0-9零〇一二两三四五六七八九十百千]+"
PROVISIONS = {
    "조": re.compile(
        r"(?P<statute>[^\d,;、]*?)제\s*(?P<article>\d+)\s*조(?:의\s*(?P<branch>\d+))?"
        r"(?:\s*제\s*(?P<paragraph>\d+)\s*항)?(?:\s*제\s*(?P<item>\d+)\s*호)?"
    ),
    "条": re.compile(
        rf"(?P<statute>[^\d,;、]*?)第\s*(?P<article>{_HAN})\s*条(?:之(?P<branch>{_HAN}))?"
        rf"(?:\s*第?\s*(?P<paragraph>{_HAN})\s*款)?(?:\s*第?\s*\(?(?P<item>{_HAN})\)?\s*项)?"
    ),
    "": re.compile(
        r"(?P<statute>[^\d,;、]*?)\b(?:Articles?|Art\.?|Sections?|Sec\.?|§)\s*(?P<article>\d+)"
        r"(?:-(?P<branch>\d+))?(?:,?\s*(?:paragraph\s*)?\((?P<paragraph>\d+)\))?"
        r"(?:,?\s*(?:(?:item|subparagraph)\s*)?\((?P<item>\d+)\))?"
        r"(?:\s+of\s+(?P<of>[^\d,;]+?)(?=$|[,;]|\s+and\b))?",
        re.IGNORECASE,
    ),
}
CUT = re.compile(
    r"[,;、,;\n/]|\s+(?:및|and)\s+|(?:^|(?<=[\s,;、]))(?:[가-하]|\d{1,2}|[a-z])[.)]\s",
    re.IGNORECASE,
)
FOUND = re.compile(
    r"[^,;()\[\]]*(?:\([^()]*\))?[(\[]\s*(?:인정된|변경된)\s*죄명\s*:?\s*"
    r"((?:[^()\[\]]+|\([^()]*\))*)[)\]]"
)
HEADING = re.compile(r"(#{1,5}) +(.*\S)")
AROUND = re.compile(r"^[\s\"'“‘(\[]+|[\s\"'”’.)\]]+$")
AROUND_TOKEN = re.compile(r"^[\s\"'`(\[*]+|[\s\"'`)\].:*]+$")
PLACE = re.compile(
    r"제?\s*\d+(?:\.\d+)*\s*(?:조|항|호|목)?(?:\s*의\s*\d+)?|별표|별지|(?:article|section|annex)s?\b",
    re.IGNORECASE,
)


def _read(text: str, mark: str) -> list[tuple[str, str, dict[str, str | None]]]:
    """Read provisions of a language as the product does: statute, what it is of, and places."""
    done, found = 0, []
    for match in charges._PATTERNS[mark].finditer(text):
        said = match.groupdict()
        before = charges._APART.split(text[done : match.start()])[-1]
        found.append((before, (said.pop("of", "") or "").strip(), said))
        done = match.end()
    return found


def _plain(text: str, mark: str) -> list[tuple[str, str, dict[str, str | None]]]:
    said = [each.groupdict() for each in PROVISIONS[mark].finditer(text)]
    return [(each.pop("statute") or "", (each.pop("of", "") or "").strip(), each) for each in said]


def _pieces(pattern: re.Pattern[str]) -> Callable[[str], object]:
    """Cut where an expression fits; that a blank line is cut once or twice does not count."""
    return lambda text: [each.strip() for each in pattern.split(text) if each.strip()]


def _cuts(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: [(each.span(), each[0]) for each in pattern.finditer(text)]


def _words(pattern: re.Pattern[str]) -> Callable[[str], object]:
    return lambda text: "".join(pattern.sub(" ", text).split())


SAME: dict[str, tuple[Callable[[str], object], Callable[[str], object]]] = {
    "korean": (lambda text: _read(text, "조"), lambda text: _plain(text, "조")),
    "chinese": (lambda text: _read(text, "条"), lambda text: _plain(text, "条")),
    "english": (lambda text: _read(text, ""), lambda text: _plain(text, "")),
    "cut": (_pieces(charges._CUT), _pieces(CUT)),
    "found": (
        lambda text: charges._FOUND.sub(r"<\1>", text),
        lambda text: FOUND.sub(r"<\1>", text),
    ),
    "heading": (_cuts(blocks._HEADING), _cuts(HEADING)),
    "verdict": (outcomes._stripped, lambda text: AROUND.sub("", text)),
    "token": (
        lambda text: reply._AFTER.sub("", reply._BEFORE.sub("", text)),
        lambda text: AROUND_TOKEN.sub("", text),
    ),
    "place": (_words(instruments._PLACE_WORDS), _words(PLACE)),
}
PIECES = (
    "제", "조", "항", "호", "의", "第", "条", "款", "项", "之", "一", "Article ", "Sec. ", "§", "1",
    "2", "12", "1950", " ", "  ", "\n", ",", ";", "、", ".", ")", "(", "[", "]", '"', "'", "*",
    " of ", "and ", " 및 ", "가. ", "법", "Act", "인정된 죄명", ":", "# ", "-", "##### ", "###### ",
    "법 제12조의12 제13항 제14호", "第十二条之三第四款第(五)项", "Act, Section 12-13(14) of the ",
)  # fmt: skip


@pytest.mark.parametrize("name", SAME)
@settings(max_examples=scaled(500))
@given(pieces=st.lists(st.sampled_from(PIECES), max_size=14))
def test_made_up_texts_are_read_the_same(name: str, pieces: list[str]) -> None:
    ours, plain = SAME[name]
    text = "".join(pieces)
    assert ours(text) == plain(text)


@pytest.mark.real_data
@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("name", SAME)
def test_real_texts_are_read_the_same(name: str, step: int, shared_data: Path) -> None:
    ours, plain = SAME[name]
    texts = _texts(shared_data)
    assert len(texts) > 20_000
    assert [text for text in texts[::step] if ours(text) != plain(text)] == []


@cache
def _texts(shared: Path) -> list[str]:
    """Return lines of Korean and American law, and sentences of Chinese judgments."""
    found: list[str] = []
    for file in sorted((shared / "korean-law" / "criminal" / "kr").rglob("*.md")):
        found += file.read_text("utf-8").splitlines()
    for file in sorted((shared / "other-law" / "us").glob("*-uslm.xml")):
        words = re.sub(r"<[^<>]*>", " ", file.read_text("utf-8"))
        found += (line for line in words.splitlines() if len(line) < 3_000)
    for line in (shared / "lecardv2" / "cases.jsonl").read_text("utf-8").splitlines()[:120]:
        found += json.loads(line)["query"].split("。")
    return found
