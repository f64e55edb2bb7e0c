""""""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.citations.english_law import find_english_law, read_steps

WHOLE = [
    "section 5(a)", "section 5(a) or (b)", "section 2(a)(1)(i)(A)",
    "§ 164.502(a)(1)(ii)(A) and (B)", "§§ 164.502–164.514", "§§ 1–3", "ss. 5-7", "s. 5(1)",
    "sections 3 through 9", "subsection (b)", "paragraph (b)(1) of this section",
    "paragraphs (1) through (4) of this subsection", "clause (ii) of subparagraph (A)",
    "subparagraph (A) of paragraph (2) of section 5(a) of the Ferry Act",
    "paragraph (2) of the same Article", "paragraph (1) of the preceding section",
    "section 2 of this title", "section 5, subsection (b)", "chapter 3 of this title",
    "subpart E of this part", "parts 160 and 162 of this subchapter", "this subpart",
    "the preceding section", "the next section", "the preceding two sections",
    "the following paragraph", "Article 12(1)3 of the Act", "Section 5 of the Ferry Act of 1950",
    "section 5 of that Act", "section 1983 of title 42, United States Code",
    "Schedule 2, paragraph 3", "paragraph 3 of Schedule 2", "Annex I", "regulation 4(2)", "rule 5",
    "Article 6(1)(a) of Regulation (EU) 2016/679",
    "Regulation 4(2) of the Electricity at Work Regulations 1989",
    "Rule 12(b)(6) of the Federal Rules of Civil Procedure", "subparagraph (A) thereof",
    "items 1 and 2",
]  # fmt: skip


@pytest.mark.parametrize("written", WHOLE)
def test_a_reference_is_read_whole(written: str) -> None:
    text = f"As told in {written}, a ferry is lit."
    assert [text[one.start : one.end] for one in find_english_law(text)] == [written]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sections 5 and 7 apply.", ["Sections 5", "7"]),
        ("sections 5, 7 and 9(a) of the Lamp Act", ["sections 5", "7", "9(a) of the Lamp Act"]),
        ("Article 8(1), Article 9 or Article 10", ["Article 8(1)", "Article 9", "Article 10"]),
        ("Under the Ferry Act, section 5 holds.", ["Ferry Act, section 5"]),
        ("The Gaon Heritage Care Act applies.", ["Gaon Heritage Care Act"]),
        ("This Act, this section and this title hold.", []),
        ("prescribed by Presidential Decree or any other Act", []),
        ("Insert the following section: 5A.", []),
        ("It costs 5 percent, see the section on fees.", []),
        ("Made under the Lamp Rules 1989.", ["Lamp Rules 1989"]),
        ("See sections 1983 and 1985.", ["sections 1983", "1985"]),
        ("Article 5(3) of the Act for the next year", ["Article 5(3) of the Act"]),
    ],
)
def test_lists_names_and_what_is_none(text: str, expected: list[str]) -> None:
    assert [text[one.start : one.end] for one in find_english_law(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "paragraph (1) of " * 5_000,
        "section 5" + ", paragraph (1) and (2)" * 5_000,
        "The Big Ferry " * 5_000 + "Act",
        "§ 1, " * 5_000,
        "(a)(1)" * 5_000,
        "section 5" + "(a) through (z), " * 5_000,
    ],
)
def test_text_that_repeats_itself_is_read_all_the_same(text: str) -> None:
    for one in find_english_law(text):
        assert len(one.chains) <= 5_000


WORDS = st.lists(
    st.sampled_from(
        [*WHOLE, "(a)", "(1)", " and ", ", ", "–", "§", "of the Act", "Section", "5", "x"]
    )
)


@given(WORDS.map(" ".join) | WORDS.map("".join) | st.text())
def test_spans_are_in_order_and_apart_whatever_the_text(text: str) -> None:
    ends = [
        0,
        *(each for one in find_english_law(text) for each in (one.start, one.end)),
        len(text),
    ]
    assert ends == sorted(ends)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(a)(1)(ii)(A)", ["(a)/(1)/(ii)/(A)"]),
        ("(a)(1)(ii)(A) and (B)", ["(a)/(1)/(ii)/(A)", "(a)/(1)/(ii)/(B)"]),
        ("(a) or (b)(2)", ["(a)", "(b)/(2)"]),
        ("(1)3 of the Act", ["(1)/3"]),
        ("(1), (2), and (4)", ["(1)", "(2)", "(4)"]),
        ("(a)(1) through (4)", ["(a)/(1)", "(a)/(2)", "(a)/(3)", "(a)/(4)"]),
        ("(h) and (i)", ["(h)", "(i)"]),
        ("(i)–(iv)", ["(i)", "(ii)", "(iii)", "(iv)"]),
        ("(c) to (e)", ["(c)", "(d)", "(e)"]),
        ("(aa)", ["(aa)"]),
        ("(the ferry)", []),
        ("3 and 4", ["3", "4"]),
        ("3 percent and 4", ["3"]),
    ],
)
def test_steps(text: str, expected: list[str]) -> None:
    found, end = read_steps(text, 0, bare=True)
    assert ["/".join(chain) for chain in found] == expected
    assert text[:end].rstrip() == text[:end]


def test_numbers_without_brackets_only_where_they_may_stand() -> None:
    assert read_steps("3 and 4", 0) == ([], 0)
    assert read_steps("3 and 4", 0, bare=True, several=False) == ([("3",)], 1)
