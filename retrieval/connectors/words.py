"""Splitting of texts into words, sentences and paragraphs, and base forms of words.

A run of Hangul is one word, so is a word or number of another script with its apostrophe
(``court's``), and so is each Chinese character and Kana, which are written without spaces. Every
word has a position; punctuation has none. A text has two fields, its title and its body.

A paragraph begins where the source marks one (항 of an article, line of a judgment), and a sentence
there too, where an item (호) or a line begins, and after the full stop of a sentence.

A word is indexed in its own form and under its *bases*, by which queries also find it:

* Hangul: the run without its particle or ending, and its morphemes that carry content;
* other words: the singular of a regular plural, without the possessive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from normalization import lowered
from retrieval.text.morphemes import CJK, ENDINGS

VERSION = 1  # raise it when texts are split or words are matched differently
FIELD, PARAGRAPH, SENTENCE = "\x1d", "\x1e", "\x1f"
STOPS = (SENTENCE, "\n", ".", "?", "!", "。", "！", "？")
"""The sentence ends among the results of `pieces`."""

_HANGUL = "가-힣ᄀ-ᇿㄱ-ㆎ"
_LETTERS = rf"[^\W_{CJK}]+"
WORD_PATTERN = rf"[{_HANGUL}]+|{_LETTERS}(?:(?<=\d)\.\d+)*(?:['’]{_LETTERS})?|[{CJK}]"
_SHORT = [
    "no",
    "art",
    "sec",
    "para",
    "v",
    "vs",
    "cf",
    "inc",
    "co",
    "ltd",
    "mr",
    "mrs",
    "dr",
    "st",
    "al",
    "etc",
]
_NOT_SHORT = "".join(rf"(?<!\b{each}\.)" for each in _SHORT) + r"(?<!\b[a-z]\.)"
_CLOSING = r")\]」』”\"'’"
# A full stop after a letter, not after a number (dates, items) or a short form, and before a space.
_STOP = rf"[.?!](?=[\s\x1d-\x1f{_CLOSING}]|$)(?<=[{_HANGUL}a-z{_CLOSING}].){_NOT_SHORT}"
# The lookahead rejects most characters quickly: they begin nothing.
_PIECE = re.compile(rf"(?=[\w\x1d-\x1f\n.?!。！？])(?:{WORD_PATTERN}|[\x1d-\x1f\n。！？]|{_STOP})")
_WORD = re.compile(WORD_PATTERN)
_ASKED_LETTERS = rf"(?:\*|[^\W_{CJK}])"
_ASKED_WORD = re.compile(
    rf"\*{{0,9}}(?:[{_HANGUL}][{_HANGUL}*]*"
    rf"|[^\W_{CJK}]{_ASKED_LETTERS}*(?:(?<=\d)\.\d+)*(?:['’]{_ASKED_LETTERS}+)?)|[{CJK}*]"
)
_SEPARATORS = str.maketrans(dict.fromkeys((FIELD, PARAGRAPH, SENTENCE), " "))
_HANGUL_RUN = re.compile("[가-힣]{1,64}")
_ENDING = re.compile(rf"(?<=..)(?:{'|'.join(ENDINGS)})$")
_POSSESSIVE = re.compile(r"['’]s?$")
_PLURAL = re.compile(r"(?<=[a-z]{3})ies$|(?<=ss|sh|ch)es$|(?<=[xz])es$|(?<=[a-z]{2}[^su'’i])s$")

Morphemes = Callable[[Sequence[str]], Sequence[Sequence[str]]]
"""Returns the morphemes of each run of Hangul of at most 64 characters."""


@dataclass(frozen=True, slots=True)
class SearchedText:
    """A text to be searched; `id` is unique within its collection.

    `paragraphs` and `sentences` are offsets into the body, ascending, at which one begins, beyond
    those marked by the body's own punctuation. Both are composed (NFC).
    """

    id: str
    title: str
    body: str
    paragraphs: Sequence[int] = ()
    sentences: Sequence[int] = ()


def pieces(text: SearchedText) -> list[str]:
    """Return the words of both fields in order, with the breaks between them.

    FIELD comes before each field, PARAGRAPH where a paragraph begins, one of STOPS where a
    sentence ends.
    """
    return _PIECE.findall(f"{FIELD}{_normalise(text.title)}{FIELD}{_body_with_breaks(text)}")


def words_of(query: str) -> list[tuple[int, int]]:
    """Return the spans of the words in part of a query, already in lower case.

    A star stands for a character of Hangul or of a word of letters.
    """
    return [found.span() for found in _ASKED_WORD.finditer(query)]


def word_offsets(text: SearchedText) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """Return the start and end of each word of the title, and of each word of the body."""
    title = [found.span() for found in _words(_normalise(text.title))]
    marks = sorted({*text.paragraphs, *text.sentences})
    body, passed = [], 0
    for found in _words(_body_with_breaks(text)):
        while passed < len(marks) and marks[passed] + passed < found.start():
            passed += 1
        body.append((found.start() - passed, found.end() - passed))
    return title, body


def _words(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of words in a text."""
    return (found for found in _PIECE.finditer(text) if _WORD.match(found[0]))


def _normalise(text: str) -> str:
    """Return a text in lower case with separators made uniform."""
    return lowered(text).translate(_SEPARATORS)


def _body_with_breaks(text: SearchedText) -> str:
    """Return the body with a separator before each paragraph and sentence."""
    body = _normalise(text.body)
    marks = dict.fromkeys(text.sentences, SENTENCE) | dict.fromkeys(text.paragraphs, PARAGRAPH)
    found, behind = [], 0
    for at in sorted(marks):
        found += [body[behind:at], marks[at]]
        behind = at
    return "".join([*found, body[behind:]])


def singular(word: str) -> str:
    """Return the singular of a regular English plural, without the possessive; else the word."""
    bare = _POSSESSIVE.sub("", word)
    return _PLURAL.sub(lambda found: "y" if found[0] == "ies" else "", bare)


def query_base_form(word: str) -> str:
    """Return the base form under which a query word is looked up."""
    return word if _HANGUL_RUN.match(word) else singular(word)


def bases_of(words: Sequence[str], morphemes: Morphemes) -> Iterator[set[str]]:
    """Yield the base forms of each word, itself included."""
    runs = [word for word in words if _HANGUL_RUN.fullmatch(word)]
    cut = dict(zip(runs, morphemes(runs), strict=True))
    for word in words:
        if _HANGUL_RUN.match(word):
            yield {word, _ENDING.sub("", word), *cut.get(word, ())}
        else:
            yield {word, singular(word)}


def breaks_of(parts: Iterable[tuple[str, int]]) -> tuple[list[int], list[int]]:
    """Return the offsets of paragraphs and sentences in a unit with these parts (path, start).

    Its parts of the first level are its paragraphs, unless they are items (호) or below (목); all
    others are sentences.
    """
    paragraphs: set[int] = set()
    sentences: set[int] = set()
    for path, start in parts:
        of_items = "/" in path or path.endswith(("호", "목"))
        (sentences if of_items else paragraphs).add(start)
    return sorted(paragraphs), sorted(sentences - paragraphs)


def lines_of(body: str) -> list[int]:
    """Return the offsets of the lines of a text, each of which is a paragraph."""
    return [found.end() for found in re.finditer(r"\n+", body)]
