from __future__ import annotations

import pytest

from corpus.citations.english_steps import read_steps


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
