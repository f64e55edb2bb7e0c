"""How tables of figures make room for what is said about a figure."""

from __future__ import annotations

import pytest

from normalization import text_width


@pytest.mark.parametrize(("text", "width"), [("", 0), ("few", 3), ("일치", 4), ("n = 6건", 7)])
def test_a_syllable_is_as_wide_as_two_letters(text: str, width: int):
    assert text_width(text) == width
