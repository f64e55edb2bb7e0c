"""Choice of Korean particles after a filled-in word: 은 or 는 for 은(는).

A word that ends in a consonant takes 은, 이, 을, 과, 으로; one that ends in a vowel takes 는, 가,
를, 와, 로; after ㄹ it is 로 too. Digits are read in Sino-Korean (3 is 삼) and % as 퍼센트. Closing
quotation marks are ignored, and after a bracket what stands before it counts.

Latin capitals are read by their names (LLM is 엘엘엠). Of other Latin words only endings whose
sound in Korean is certain are read: ‑l, ‑m, ‑n and ‑ng end in a consonant, ‑t or ‑k after a vowel
may or may not (넷, 노트), the rest end in a vowel. Where the sound is not known, both forms stay.
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
_PASSED_OVER = "\"'”’」』*`….,: "
_BRACKET = re.compile(r"(?<=\S)\s?(?:\([^()]*\)|\[[^\[\]]*\])$")
_CLOSED = ")]"
_FIRST, _LAST, _CONSONANTS, _RIEUL = 0xAC00, 0xD7A3, 28, 8
_SOUNDS: Final = dict(zip("0123456789", (21, 8, 0, 16, 0, 0, 1, 8, 8, 0), strict=True)) | {"%": 0}
_LETTERS: Final = {
    "L": 8,
    "M": 16,
    "N": 4,
    "R": 8,
}  # 엘, 엠, 엔, 알; the other names end in a vowel
_LONGEST = 40  # letters of a Latin word that are looked at
_LATIN = re.compile(r"[A-Za-z]+$")
_ENDINGS: Final = (  # of Latin words, the first that fits
    (re.compile(r"le?$"), 8),
    (re.compile(r"m[be]?$"), 16),
    (re.compile(r"ng$"), 21),
    (re.compile(r"ne?$"), 4),
    (re.compile(r"[aeiouyhwrsxzfvdgjq]$|[^aeiouc][tkpc]$|ct$"), 0),
)


def marked(template: str) -> str:
    """Return the template with a placeholder for each particle to choose."""
    return _WRITTEN.sub(lambda found: _MARKS[found[0]], template)


def chosen(text: str) -> str:
    """Return a filled-in text with each placeholder replaced by a particle."""
    return _MARKED.sub(_particle, text)


def _particle(match: re.Match[str]) -> str:
    """Return the Korean particle that fits the word before it; both forms if none is known."""
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
    word = _without_brackets(before.rstrip(_PASSED_OVER))
    last = word[-1:]
    if last in _SOUNDS:
        return _SOUNDS[last]
    if last and _FIRST <= ord(last) <= _LAST:
        return (ord(last) - _FIRST) % _CONSONANTS
    latin = _LATIN.search(word[-_LONGEST:])
    return _latin_sound(latin[0]) if latin else None


def _without_brackets(word: str) -> str:
    """Return the word before closing brackets; what they enclose if there is none."""
    while (shorter := _BRACKET.sub("", word).rstrip(_PASSED_OVER)) not in ("", word):
        word = shorter
    return word.rstrip(_CLOSED + _PASSED_OVER)


def _latin_sound(word: str) -> int | None:
    """Return the final consonant's number of a Latin word when read; 0 for none, None unknown."""
    if word.isupper() or len(word) == 1:
        return _LETTERS.get(word[-1].upper(), 0)
    return next((final for ending, final in _ENDINGS if ending.search(word.lower())), None)
