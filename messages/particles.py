"""Choice of Korean particles after a filled-in word: 은 or 는 for 은(는).

A word that ends in a consonant takes 은, 이, 을, 과, 으로; one that ends in a vowel takes 는, 가,
를, 와, 로; after ㄹ it is 로 too. Digits are read in Sino-Korean (3 is 삼), closing quotation
marks are ignored, and after a bracket the word before it counts. The reading of a word in Latin
letters cannot be derived from its letters, so there both forms stay.
"""

from __future__ import annotations

import re
from typing import Final

# As written in templates: the form after a consonant, then the one after a vowel.
_PAIRS: Final = {
    "은(는)": ("은", "는"),
    "이(가)": ("이", "가"),
    "을(를)": ("을", "를"),
    "과(와)": ("과", "와"),
    "와(과)": ("과", "와"),
    "(으)로": ("으로", "로"),
    "(이)": ("이", ""),
}
_WRITTEN = re.compile("|".join(re.escape(each) for each in _PAIRS))
# A placeholder for each until the words before it are filled in: private-use characters, which no
# template and no text contains, so particles in people's own text stay as they are.
_MARKS: Final = {each: chr(0xF5A0 + place) for place, each in enumerate(_PAIRS)}
_CHOICES: Final = {mark: each for each, mark in _MARKS.items()}
_MARKED = re.compile(f"[{''.join(_CHOICES)}]")
_PASSED_OVER = "\"'”’」』*`"
_BRACKET = re.compile(r"\s?\([^()]*\)$")
_FIRST, _LAST, _CONSONANTS, _RIEUL = 0xAC00, 0xD7A3, 28, 8
_DIGITS: Final = dict(zip("0123456789", (21, 8, 0, 16, 0, 0, 1, 8, 8, 0), strict=True))


def marked(template: str) -> str:
    """Return the template with a placeholder for each particle to choose."""
    return _WRITTEN.sub(lambda found: _MARKS[found[0]], template)


def chosen(text: str) -> str:
    """Return a filled-in text with each placeholder replaced by a particle."""
    return _MARKED.sub(_particle, text)


def _particle(match: re.Match[str]) -> str:
    written = _CHOICES[match[0]]
    final = _final_consonant(match.string[: match.start()])
    if final is None:
        return written
    after_consonant, after_vowel = _PAIRS[written]
    if final == _RIEUL and written == "(으)로":
        return after_vowel
    return after_consonant if final else after_vowel


def _final_consonant(before: str) -> int | None:
    """Return the index of the last syllable's final consonant, 0 for none; None if unknown."""
    word = _BRACKET.sub("", before.rstrip(_PASSED_OVER)).rstrip(_PASSED_OVER)
    last = word[-1:]
    if last in _DIGITS and last:
        return _DIGITS[last]
    if last and _FIRST <= ord(last) <= _LAST:
        return (ord(last) - _FIRST) % _CONSONANTS
    return None
