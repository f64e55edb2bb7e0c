"""Text to index terms, one function per way of cutting.

Korean glues particles and endings to words, so whole words match badly. Character bigrams need no
dictionary and reach nearly what a morphological analyser reaches. All tokenisers read text in
composed form (NFC) and lower case. The same function must cut the corpus and the question.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

from errors import UserError

DEFAULT = "bigram"

# Scripts written without spaces between morphemes: Hangul, Han, Kana. Jamo are included so that
# letters standing alone stay with their run.
CJK = "가-힣ᄀ-ᇿㄱ-ㆎ㐀-䶿一-鿿豈-﫿ぁ-ヿ"

# A run of such characters, or a word or number of any other script; 2.1.1 is one number.
RUN = re.compile(rf"([{CJK}]+)|((?:(?![{CJK}_])\w)+(?:(?<=\d)\.\d+)*)")


def bigrams(text: str) -> list[str]:
    """Cut runs of Hangul, Han and Kana into overlapping pairs; keep other words and numbers whole.

    A run of one character yields that character: ``제12조`` gives 제, 12, 조.
    """
    tokens: list[str] = []
    for run, word in RUN.findall(normal_form(text)):
        if word:
            tokens.append(word)
        elif len(run) == 1:
            tokens.append(run)
        else:
            tokens.extend(map(str.__add__, run, run[1:]))
    return tokens


def jamo_trigrams(text: str) -> list[str]:
    """Decompose runs of Hangul into letters (NFD) and cut these into overlapping triples.

    Runs shorter than three letters, and other words and numbers, stay whole.
    """
    tokens: list[str] = []
    for run, word in RUN.findall(normal_form(text)):
        letters = word or unicodedata.normalize("NFD", run)
        if word or len(letters) < 3:
            tokens.append(letters)
        else:
            tokens.extend(letters[i : i + 3] for i in range(len(letters) - 2))
    return tokens


def words(text: str) -> list[str]:
    """Split at white space, punctuation and all."""
    return normal_form(text).split()


TOKENISERS: dict[str, Callable[[str], list[str]]] = {
    "bigram": bigrams,
    "whitespace": words,
    "jamo3": jamo_trigrams,
}


def tokeniser(name: str) -> Callable[[str], list[str]]:
    """Return the tokeniser called `name`. Raises UserError for a name that is not offered."""
    if name not in TOKENISERS:
        raise UserError("unknown_tokeniser", name=name, known=", ".join(TOKENISERS))
    return TOKENISERS[name]


def normal_form(text: str) -> str:
    """Return `text` composed (NFC) and in lower case, as every tokeniser reads it."""
    return unicodedata.normalize("NFC", text).lower()
