"""docs/agreement.md: every statistic is in it, its recommendations are the code's, it runs."""

from __future__ import annotations

import re

import pytest

from evaluation.agreement.interpretation import STATISTICS, recommended
from evaluation.agreement.ratings import Reason, Scale
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "agreement.md").read_text(encoding="utf-8")
ROWS = {
    ("categories", "two, no gaps"): (Scale.NOMINAL, 2, False),
    ("categories", "more, no gaps"): (Scale.NOMINAL, 3, False),
    ("categories", "with gaps"): (Scale.NOMINAL, 3, True),
    ("ordered categories", "two, no gaps"): (Scale.ORDINAL, 2, False),
    ("ordered categories", "more, or with gaps"): (Scale.ORDINAL, 2, True),
    ("numbers", "any"): (Scale.INTERVAL, 3, True),
    ("sets of units", "any"): (Scale.SETS, 2, False),
}


@pytest.mark.parametrize(("row", "case"), ROWS.items())
def test_the_table_recommends_what_the_code_recommends(row, case) -> None:
    found = re.search(rf"\| {row[0]} \| {row[1]} \| (.*) \| (.*) \|", PAGE)
    assert found is not None
    advice = recommended(*case)
    assert found[1] == f"`{advice.main.key}`"
    assert re.findall(r"`(\w+)`", found[2]) == [each.key for each in advice.beside]


def test_every_statistic_is_described_and_every_reason_listed() -> None:
    assert [key for key in STATISTICS if f"`{key}`" not in PAGE] == []
    listed = re.search(r"The reasons: (.*?)\.\n", PAGE, re.DOTALL)
    assert listed is not None and len(listed[1].split(", ")) == len(Reason)


def test_the_example_runs(capsys) -> None:
    code = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert code is not None
    exec(code[1], {})  # noqa: S102
    assert "alpha_nominal" in capsys.readouterr().out
