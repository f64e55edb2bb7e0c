"""Texts as models can read them."""

from __future__ import annotations

import re

_HALF = re.compile("[\ud800-\udfff]")


def readable(text: str) -> str:
    """Return `text` with � for each half of a surrogate pair, which is no character of Unicode.

    A damaged conversion leaves such halves; tokenisers of models refuse them, and so does UTF-8.
    """
    return _HALF.sub("\N{REPLACEMENT CHARACTER}", text)
