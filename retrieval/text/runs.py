"""Runs of text: what a text falls into before any tokeniser cuts it further."""

from __future__ import annotations

import re
import unicodedata

# Scripts written without spaces between morphemes: Hangul, Han, Kana. Jamo are included so that
# letters standing alone stay with their run.
CJK = "가-힣ᄀ-ᇿㄱ-ㆎ㐀-䶿一-鿿豈-﫿ぁ-ヿ"

# A run of such characters, or a word or number of any other script; 2.1.1 is one number.
RUN = re.compile(rf"([{CJK}]+)|((?:(?![{CJK}_])\w)+(?:(?<=\d)\.\d+)*)")


def normal_form(text: str) -> str:
    """Return `text` composed (NFC) and in lower case, as every tokeniser reads it."""
    return unicodedata.normalize("NFC", text).lower()


def pairs_of(run: str) -> list[str]:
    """Return the overlapping pairs of a run of characters; one character alone is itself."""
    return [run] if len(run) == 1 else list(map(str.__add__, run, run[1:]))
