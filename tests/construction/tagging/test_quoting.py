from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from construction.tagging.quoting import found

TEXT = "피고인은  피해자를\n칼로 찔렀다. The 𝔡efendant\tran.  被告人\n持刀。"


@pytest.mark.parametrize(
    ("quote", "there"),
    [
        ("피해자를 칼로 찔렀다", "피해자를\n칼로 찔렀다"),
        ("  피고인은 피해자를 ", "피고인은  피해자를"),
        ("被告人持刀", "被告人\n持刀"),
        ("The 𝔡efendant ran", "The 𝔡efendant\tran"),
        ("“The 𝔡efendant”", "The 𝔡efendant"),
        ("「持刀」", "持刀"),
    ],
)
def test_white_space_and_quotation_marks_do_not_count(quote: str, there: str) -> None:
    span = found(TEXT, quote)
    assert span is not None
    assert TEXT[slice(*span)] == there


@pytest.mark.parametrize(
    "quote", ["", " ", "칼", "칼로 쏘았다", "피해자를 … 찔렀다", "the 𝔡efendant"]
)
def test_what_is_not_in_the_text_is_not_found(quote: str) -> None:
    assert found(TEXT, quote) is None


def squeezed(text: str) -> str:
    return "".join(each for each in text if not each.isspace())


@given(st.text(min_size=2, max_size=40), st.data())
def test_every_stretch_of_a_text_is_found_and_is_its_own_words(text: str, data) -> None:
    start = data.draw(st.integers(0, len(text) - 2))
    quote = text[start : data.draw(st.integers(start + 2, len(text)))]
    bare = "".join(quote.split())
    assume(len(bare) >= 2 and all(not each.isspace() for each in bare))
    span = found(text, quote)
    assert span is not None
    there = text[slice(*span)]
    assert not there[0].isspace() and not there[-1].isspace()
    assert squeezed(there) == squeezed(quote)
