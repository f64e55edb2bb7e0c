from __future__ import annotations

import pytest

from llm.reply import option_said

OPTIONS = ("1", "2", "3", "4", "5")


@pytest.mark.parametrize("token", ["2", " 2", "\n2", "(2", "2)", "2.", "**2", "[2]", '"2"'])
def test_white_space_and_brackets_do_not_matter(token: str) -> None:
    assert option_said(token, OPTIONS) == "2"


@pytest.mark.parametrize("token", ["", " ", "22", "6", "two", ".", "2 3"])
def test_what_is_no_option_says_none(token: str) -> None:
    assert option_said(token, OPTIONS) is None


def test_case_counts_only_where_options_differ_in_nothing_else() -> None:
    assert option_said(" b", ("A", "B")) == "B"
    assert option_said("b", ("B", "b")) == "b"
    assert option_said("YES", ("Yes", "yes")) is None
