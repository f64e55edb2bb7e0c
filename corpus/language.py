"""The language of a text, told by its script."""

from __future__ import annotations

import re

_HANGUL = re.compile("[가-힣]")


def language_of(text: str) -> str:
    """Return "ko" for a text with Hangul in it, else "en"."""
    return "ko" if _HANGUL.search(text) else "en"
