"""How tables of figures make room for what is said about a figure."""

from __future__ import annotations

from normalization import text_width


def test_a_syllable_is_as_wide_as_two_letters():
    assert [text_width(text) for text in ("", "few", "일치", "n = 6건")] == [0, 3, 4, 7]
