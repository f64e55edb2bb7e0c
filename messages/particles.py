"""Korean particles after a word that is filled in: of 은(는) the one that the word asks for.

A word that ends in a consonant takes 은, 이, 을, 과, 으로; one that ends in a vowel takes 는, 가,
를, 와, 로; after ㄹ it is 로 too. Digits are read in Sino-Korean (3 is 삼), closing quotation marks
are passed over, and after a bracket the word before it counts. How a word in Latin letters is
read nobody can tell by its letters, so there both forms stay.
"""

from __future__ import annotations

import re
from typing import Final

# As templates write them: the form after a consonant, then the one after a vowel.
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
# What stands for each until the words before it are filled in: no template and no text has these
# (private use), so what people write is never taken for a particle of ours.
_MARKS: Final = {each: chr(0xF5A0 + place) for place, each in enumerate(_PAIRS)}
_CHOICES: Final = {mark: each for each, mark in _MARKS.items()}
_MARKED = re.compile(f"[{''.join(_CHOICES)}]")
_PASSED_OVER = "\"'”’」』*`"
_BRACKET = re.compile(r"\s?\([^()]*\)$")
_FIRST, _LAST, _CONSONANTS, _RIEUL = 0xAC00, 0xD7A3, 28, 8
_DIGITS: Final = dict(zip("0123456789", (21, 8, 0, 16, 0, 0, 1, 8, 8, 0), strict=True))


def marked(template: str) -> str:
    """Return the template with a mark for each particle that the word before it decides."""
    return _WRITTEN.sub(lambda found: _MARKS[found[0]], template)


def chosen(text: str) -> str:
    """Return what was filled in with a particle in place of each mark."""
    return _MARKED.sub(_form, text)


def _form(found: re.Match[str]) -> str:
    written = _CHOICES[found[0]]
    final = _final(found.string[: found.start()])
    if final is None:
        return written
    after_consonant, after_vowel = _PAIRS[written]
    if final == _RIEUL and written == "(으)로":
        return after_vowel
    return after_consonant if final else after_vowel


def _final(before: str) -> int | None:
    """Return the number of the last syllable's final consonant, 0 for none; None if unknown."""
    word = _BRACKET.sub("", before.rstrip(_PASSED_OVER)).rstrip(_PASSED_OVER)
    last = word[-1:]
    if last in _DIGITS and last:
        return _DIGITS[last]
    if last and _FIRST <= ord(last) <= _LAST:
        return (ord(last) - _FIRST) % _CONSONANTS
    return None
