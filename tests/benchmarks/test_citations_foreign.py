"""Citations marked by hand: nothing resolves wrong, and hardly anything is missed."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from benchmarks import citations_foreign
from benchmarks.citations_foreign import DATA, figures, pairs
from corpus.citations.resolve import resolve

SETS = {folder.name: list(pairs(folder)) for folder in sorted(DATA.iterdir())}


@pytest.mark.parametrize("name", ["acts", "code", "korean"])
def test_each_set_is_large_enough_and_read_right(name: str) -> None:
    found = {figure.name: figure for figure in figures({name: SETS[name]})}
    assert found["n"].n >= 120
    assert (found["precision"].value or 0) >= 0.98
    assert (found["recall"].value or 0) >= 0.95
    assert found["wrong_resolved"].value == 0


def test_a_reader_that_guesses_is_found_out() -> None:
    def guess(citations, text, catalogue):
        return resolve(citations, "Pier Safety Act 2003 § 5", catalogue)[:1] * len(citations)

    with patch.object(citations_foreign, "resolve", guess):
        wrong = {figure.name: figure for figure in figures({"acts": list(pairs(DATA / "acts"))})}
    assert (wrong["wrong_resolved"].value or 0) > 0.3
