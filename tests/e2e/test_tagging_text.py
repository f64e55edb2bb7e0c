"""The rules that the browser holds about a judgment: places, marks, search, sentences, answers."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page

from annotation.tagging.codebook import checked, options_in
from construction.tagging.codebook import asked_sub_factors
from construction.tagging.likely import sentences as sentences_of
from construction.tagging.reading import parse
from pages.shell.bundle import KEY_SCRIPTS, joined
from pages.tagging.factor_tagging import RULES
from tests.projects.tagging_project import BOOK
from tests.support.examples import scaled

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
# Characters of two units, combining marks, Hangul in parts, a sequence that is joined.
TEXTS = st.text("가나a1 .\n𠮷𝑥\u0301\u1100\u1161👩\u200d⚖️。다", max_size=40)
FEW = settings(max_examples=scaled(40), deadline=None)
CODEBOOK = parse(BOOK)
SUBS = {sub.key: sub for factor in CODEBOOK.factors for sub in factor.sub_factors}


@pytest.fixture(scope="module")
def rules(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    page.goto("data:text/html,<!doctype html>")
    page.add_script_tag(content=joined((*KEY_SCRIPTS, "task/frontend/keyboard", *RULES), "js"))
    yield page
    page.close()


def units(text: str, start: int, end: int) -> str:
    """Return what the browser calls the stretch from one unit to another."""
    return text.encode("utf-16-le", "surrogatepass")[2 * start : 2 * end].decode("utf-16-le")


def js(sub: Any) -> dict[str, Any]:
    return {
        "key": sub.key,
        "when": {key: list(options) for key, options in sub.when.items()},
        "options": [{"key": option.key} for option in sub.options],
        "exclusive": sub.exclusive,
        "required": sub.required,
    }


@FEW
@given(text=TEXTS)
def test_places_are_those_of_characters_on_the_server(rules: Page, text: str) -> None:
    made = """(text) => {
      const offsets = new Offsets(text);
      const points = [...Array([...text].length + 2).keys()];
      return points.map((point) => offsets.toUnit(point)).map((at) => [at, offsets.toPoint(at)]);
    }"""
    for point, (unit, back) in enumerate(rules.evaluate(made, text)):
        here = min(point, len(text))
        assert units(text, 0, unit) == text[:here]
        assert back == here
    # within a wide character it is the one behind that
    assert rules.evaluate("new Offsets('a𠮷b').toPoint(2)") == 2
    assert rules.evaluate("new Offsets('a𠮷b').toPoint(99)") == 3


@FEW
@given(text=TEXTS, one=st.integers(0, 60), other=st.integers(0, 60))
def test_what_is_selected_is_evidence_that_the_server_takes(
    rules: Page, text: str, one: int, other: int
) -> None:
    told = rules.evaluate(
        """([text, one, other]) => {
          const stretch = tidied(text, one, other);
          if (!stretch) return null;
          const offsets = new Offsets(text);
          const [start, end] = stretch.map((unit) => offsets.toPoint(unit));
          return { option: "yes", start, end, quote: text.slice(...stretch) };
        }""",
        [text, one, other],
    )
    if told is None:
        low, high = sorted((one, other))
        encoded = text.encode("utf-16-le")[2 * low : 2 * high]
        assert not encoded.decode("utf-16-le", "replace").strip()
        return
    said = {"options": ["yes"], "evidence": [told]}
    assert checked(SUBS["deceived"], said, text)["evidence"] == [told]
    assert told["quote"] == told["quote"].strip() != ""


def test_letters_are_not_taken_apart(rules: Page) -> None:
    for text, start, end, quote in (
        ("  가 나 ", 0, 6, "가 나"),
        ("e\u0301clat", 1, 2, "e\u0301"),  # a mark alone takes its letter along
        ("e\u0301clat", 0, 1, "e\u0301"),
        ("𠮷田", 1, 3, "𠮷田"),
        ("👩\u200d⚖️ 씨", 2, 3, "👩\u200d"),
        ("\u1100\u1161다", 0, 1, "\u1100\u1161"),
    ):
        found = rules.evaluate("([t, s, e]) => t.slice(...tidied(t, s, e))", [text, start, end])
        assert found == quote


@FEW
@given(
    length=st.integers(0, 30),
    marks=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 12)), max_size=6),
)
def test_marks_cut_a_text_into_pieces_that_are_whole(
    rules: Page, length: int, marks: list[tuple[int, int]]
) -> None:
    spans = [{"start": start, "end": start + more} for start, more in marks]
    pieces = rules.evaluate("([n, m]) => piecesOf(0, n, m)", [length, spans])
    assert [each[0] for each in pieces[1:]] == [each[1] for each in pieces[:-1]]
    covered = {at for start, end, _ in pieces for at in range(start, end)}
    assert covered == set(range(length))
    for start, end, of in pieces:
        for at in range(start, end):
            inside = [each for each in spans if each["start"] <= at < each["end"]]
            assert of == inside


@FEW
@given(text=TEXTS)
def test_lines_and_sentences_lie_in_order_and_lose_no_word(rules: Page, text: str) -> None:
    lines = rules.evaluate("(t) => lineSpans(t, 0, t.length).map(([s, e]) => t.slice(s, e))", text)
    assert "\n".join(lines).rstrip("\n") == text.rstrip("\n")
    found = rules.evaluate("(t) => sentencesOf(t, 0, t.length)", text)
    assert all(one[1] <= other[0] for one, other in pairwise(found))
    kept = "".join("".join(units(text, *each).split()) for each in found)
    assert kept == "".join(text.split())
    # where the server begins a sentence, the browser has one
    told = rules.evaluate(
        """(text) => {
          const offsets = new Offsets(text);
          const points = (ends) => ends.map((at) => offsets.toPoint(at));
          return sentencesOf(text, 0, text.length).map(points);
        }""",
        text,
    )
    for place, _ in sentences_of(text):
        assert any(start <= place < end for start, end in told)


def test_sentences_of_three_languages(rules: Page) -> None:
    told = "(t) => sentencesOf(t, 0, t.length).map(([s, e]) => t.slice(s, e))"
    for text, sentences in (
        (
            "피고인은 2024. 3. 5. 돈을 빌렸다. 갚지 않았다.",
            ["피고인은 2024. 3. 5. 돈을 빌렸다.", "갚지 않았다."],
        ),
        (
            "被告人无罪。上诉人（张某）不服；本院审理。",
            ["被告人无罪。", "上诉人（张某）不服；", "本院审理。"],
        ),
        ('He said "no." Then J. Doe left!', ['He said "no."', "Then J. Doe left!"]),
    ):
        assert rules.evaluate(told, text) == sentences


def test_search_takes_either_case_and_goes_on_from_where_the_eye_is(rules: Page) -> None:
    text = "피해자 Mr. Kim은 피해자이다. 가\n나 𠮷田 abc"
    for wanted, found in (
        ("피해자", ["피해자", "피해자"]),
        ("MR. kim", ["Mr. Kim"]),
        ("가  나", ["가\n나"]),
        ("a.c", []),
        ("𠮷", ["𠮷"]),
        ("   ", []),
    ):
        told = "([t, w]) => matchesOf(t, w).map(([s, e]) => t.slice(s, e))"
        assert rules.evaluate(told, [text, wanted]) == found
    matches = [[3, 4], [10, 11], [20, 21]]
    steps = [(0, 1, 0), (4, 1, 1), (21, 1, 0), (20, -1, 1), (3, -1, 2)]
    for place, by, index in steps:
        assert rules.evaluate("([m, p, b]) => matchFrom(m, p, b)", [matches, place, by]) == index
    assert rules.evaluate("matchFrom([], 0, 1)") == -1


def digits(rules: Page, keys: list[str], counts: dict[str, int]) -> dict[str, str]:
    found = rules.evaluate("([k, c]) => [...digitsOf(k, c)]", [keys, counts])
    return dict(found)


def test_ten_options_have_a_digit_and_of_more_the_commonest(rules: Page) -> None:
    few = [f"o{number}" for number in range(1, 11)]
    assert digits(rules, few, {"o10": 5}) == dict(zip(few, "1234567890", strict=True))
    many = [f"o{number}" for number in range(1, 14)]
    counts = {"o13": 4, "o12": 4, "o2": 1}
    assert list(digits(rules, many, {})) == many[:10]
    assert digits(rules, many, counts) == dict(
        zip([*many[:8], "o12", "o13"], "1234567890", strict=True)
    )


ANSWERS = st.dictionaries(
    st.sampled_from(sorted(SUBS)),
    st.sampled_from(["yes", "no", "manner_01", "not_stated"]),
)


@FEW
@given(
    group=st.sampled_from(["fraud.fraud", "traffic.x", "other.other"]),
    said=ANSWERS,
)
def test_browser_and_server_ask_the_same(rules: Page, group: str, said: dict[str, str]) -> None:
    answers = {key: {"options": [option], "evidence": []} for key, option in said.items()}
    everything = asked_sub_factors(CODEBOOK, (group,), {"deceived": ("yes",)})
    subs = [js(sub) for sub in everything]
    told = rules.evaluate("([s, a]) => askedOf(s, a).map((each) => each.key)", [subs, answers])
    assert told == [sub.key for sub in asked_sub_factors(CODEBOOK, (group,), options_in(answers))]


def test_keys_are_known_by_their_place_when_hangul_is_on(rules: Page) -> None:
    for key, code, shift, letter in (
        ("j", "KeyJ", False, "j"),
        ("J", "KeyJ", True, "J"),
        ("ㅓ", "KeyJ", False, "j"),
        ("ㅓ", "KeyJ", True, "J"),
        ("Process", "KeyO", False, "o"),
        ("ㅊ", "BracketLeft", False, "["),
        ("1", "Digit1", False, "1"),
        ("ArrowDown", "ArrowDown", True, "ArrowDown"),
    ):
        event = {"key": key, "code": code, "shiftKey": shift}
        assert rules.evaluate("(event) => letterOf(event)", event) == letter


def test_conditions_in_a_chain_and_in_a_circle(rules: Page) -> None:
    subs = [
        {"key": "a", "when": {}},
        {"key": "b", "when": {"a": ["yes"]}},
        {"key": "c", "when": {"b": ["yes"]}},
        {"key": "d", "when": {"d": ["yes"]}},
    ]
    yes = {"options": ["yes"]}
    tell = "([s, a]) => askedOf(s, a).map((each) => each.key)"
    assert rules.evaluate(tell, [subs, {"a": yes, "b": yes, "d": yes}]) == ["a", "b", "c"]
    assert rules.evaluate(tell, [subs, {"b": yes}]) == ["a"]
    assert rules.evaluate("([s, a]) => idleOf(askedOf(s, a), a)", [subs, {"b": yes}]) == ["b"]


@FEW
@given(
    keys=st.lists(st.sampled_from([*(f"manner_{n:02d}" for n in range(1, 13)), "not_stated"])),
    several=st.booleans(),
)
def test_whatever_is_pressed_makes_an_answer_that_the_server_keeps_as_it_is(
    rules: Page, keys: list[str], several: bool
) -> None:
    text = "그 사실이 인정된다."
    sub = SUBS["manner"] if several else SUBS["deceived"]
    pressed = [key if several else {"manner_01": "yes"}.get(key, "no") for key in keys]
    told = rules.evaluate(
        """([sub, keys, quote]) => keys.reduce((given, key, index) => index % 3
          ? toggled(sub, given, key)
          : withEvidence(sub, given, key, quote), null)""",
        [js(sub), pressed, {"start": 2, "end": 4, "quote": text[2:4]}],
    )
    if told is not None:
        assert checked(sub, told, text) == told


def test_an_option_that_is_gone_and_evidence_leave_with_the_next_change(rules: Page) -> None:
    sub = js(SUBS["manner"])
    proof = {"option": "manner_99", "start": 0, "end": 1, "quote": "그"}
    given: dict[str, Any] = {"options": ["manner_01", "manner_99"], "evidence": [proof]}
    assert rules.evaluate("([s, g]) => goneOptions(s, g)", [sub, given]) == ["manner_99"]
    now = rules.evaluate("([s, g]) => toggled(s, g, 'manner_02')", [sub, given])
    assert now == {"options": ["manner_01", "manner_02"], "evidence": []}
    assert rules.evaluate("([s, g]) => toggled(s, g, 'manner_99')", [sub, now]) == now
    given = {
        "options": ["manner_01", "manner_02"],
        "evidence": [
            {"option": "manner_01", "start": 0, "end": 1, "quote": "그"},
            {"option": "manner_02", "start": 2, "end": 4, "quote": "사실"},
        ],
    }
    left = rules.evaluate("([s, g]) => toggled(s, g, 'manner_01')", [sub, given])
    assert [each["option"] for each in left["evidence"]] == ["manner_02"]
    gone = rules.evaluate("([s, g]) => withoutEvidence(s, g, g.evidence[0])", [sub, given])
    assert gone == {"options": given["options"], "evidence": given["evidence"][1:]}
    assert rules.evaluate("([s, g]) => toggled(s, g, 'manner_02')", [sub, left]) is None
