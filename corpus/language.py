"""The language of a text or of a judgment, told by its script."""

from __future__ import annotations

import re

_HANGUL = re.compile("[가-힣]")


def language_of(text: str) -> str:
    """Return "ko" for a text with Hangul in it, else "en"."""
    return "ko" if _HANGUL.search(text) else "en"


_HAN = re.compile("[㐀-䶿一-鿿豈-﫿]")
_LATIN = re.compile("[A-Za-zÀ-ɏ]")
_LATIN_LETTERS_OF_A_WORD = 5
_KOREAN_WITH_ONE_IN = 10  # letters of East Asia that is Hangul


def judgment_language(text: str) -> str:
    """Return ``ko``, ``zh`` or ``en``.

    Letters are counted, for a Chinese judgment may hold a stray Hangul syllable and a Korean one
    quotes in Chinese characters; a word of Latin letters counts as one of theirs.
    """
    hangul, han = len(_HANGUL.findall(text)), len(_HAN.findall(text))
    if len(_LATIN.findall(text)) > _LATIN_LETTERS_OF_A_WORD * (hangul + han):
        return "en"
    if hangul or han:
        return "ko" if hangul * _KOREAN_WITH_ONE_IN >= hangul + han else "zh"
    return "en"
