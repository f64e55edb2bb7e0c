"""Content terms of words: Korean morphemes (Kiwi, kiwipiepy), English stems.

Each run of Hangul is analysed by itself, not in its sentence. So a word is cut in one way wherever
it occurs, in a question as in an article, and a corpus is done as soon as its distinct words are:
the whole of Korean law has 26 million runs and 640,000 distinct ones. Kiwi's analyses are
cached in a file, one per word.

Nouns, roots, and the stems of verbs and adjectives carry content; particles, endings, affixes,
adverbs, pronouns and bound nouns do not, nor does a run that is nothing but a function word or an
ending (the 의 of 2.1.1의, which by itself would be read as a noun).

Han and Kana are cut into pairs, words of other scripts to English stems.

The file has one line per word: the word, a tab, its morphemes with spaces between. Whole lines are
appended under a lock; a line that a killed process left incomplete is cut off by the next
writer and skipped by readers. Two processes that add the same word add the same morphemes.

English stems (Snowball; Porter 2001), and the function words of both languages. Function words
carry grammar rather than subject. They decide what is marked on the screen, and the tokenisers that
stem English or cut morphemes leave them out. A change here changes search results: raise
`VERSION` with it.
"""

from __future__ import annotations

import fcntl
import os
import re
import threading
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

# Scripts written without spaces between morphemes: Hangul, Han, Kana. Jamo are included so that
# letters standing alone stay with their run.
CJK = "가-힣ᄀ-ᇿㄱ-ㆎ㐀-䶿一-鿿豈-﫿ぁ-ヿ"

# A run of such characters, or a word or number of any other script; 2.1.1 is one number.
_WORD = rf"(?:(?![{CJK}_])\w)+(?:(?<=\d)\.\d+)*"
RUN = re.compile(rf"([{CJK}]+)|({_WORD})")
RUN_PATTERN = rf"[{CJK}]+|{_WORD}"
"""`RUN` without groups: many times as fast for all of a text."""


def normal_form(text: str) -> str:
    """Return `text` composed (NFC) and in lower case, as every tokeniser reads it."""
    return unicodedata.normalize("NFC", text).lower()


def pairs_of(run: str) -> list[str]:
    """Return the overlapping character pairs of a run; a single character stays as it is."""
    return [run] if len(run) == 1 else list(map(str.__add__, run, run[1:]))


_KOREAN = """
경우 경우에는 경우에도 해당 해당하는 관련 관련하여 대한 대하여 대해 관한 관하여 따라 따른 따라서
의한 의하여 의해 위한 위하여 위해 통하여 또는 그리고 그러나 다만 및 등 것 것은 것이 것인지 수 때
하는 하여 하여야 합니다 한다 있는 있다 있습니다 있나요 있는지 없는 없습니다 되는 됩니다 되나요
된다 어떻게 무엇 무엇을 무엇인가요 어떤 여부 인지 이상 이하 미만 각각 모두 이를 해야 가능
가능한지 문의 질의
"""

_ENGLISH = """
an and any are as at be been but by can do does for from has have how if in into is it its may
must no not of on or shall should such than that the their then there these they this to under
was were what when where which who whom with within would
"""

_ENDINGS = """
은 는 이 가 을 를 의 에 와 과 도 로 만 까지 부터 에서 에게 으로 으로서 로서 에서는 에는 에도
에서의 에서도 으로는 로는 이나 이란 이라 이며 이고 인지 인가 인가요 인데 인 이다 입니다 하는 하여
하여야 하여서 하고 하며 하면 하기 하지 한 한다 할 함 해야 했을 합니다 하나요 하는지 하였을 하려는
하려면 되는 되어 되며 되면 된 된다 될 됨 됩니다 되나요 되는지 되지 시 등 등의 등을
"""

ENGLISH = frozenset(_ENGLISH.split())
FUNCTION_WORDS = frozenset(_KOREAN.split()) | ENGLISH

# Particles and verb endings that Korean glues to a stem, longest first.
ENDINGS = tuple(sorted(_ENDINGS.split(), key=lambda ending: (-len(ending), ending)))


_stemming = threading.Lock()
_analysing = threading.Lock()


@lru_cache(maxsize=65_536)
def stem_of(word: str) -> tuple[str, ...]:
    """Return the stem of a word or number, in a tuple; an empty one for an English function word.

    Numbers and words of other languages mostly stay unchanged.
    """
    if word in ENGLISH:
        return ()
    with _stemming:  # a stemmer has mutable state
        return (_stemmer().stemWord(word),)


@lru_cache(maxsize=1)
def _stemmer() -> Any:
    """Return the English stemmer."""
    import Stemmer

    return Stemmer.Stemmer("english")


_TAIL = 65_536  # bytes read at a time when looking for the end of the last whole line


class WordFile:
    """File cache of words and their morphemes at `path`, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, tuple[str, ...]]:
        """Return every word with its morphemes; empty if there is no file."""
        try:
            kept = self._path.read_bytes()
        except FileNotFoundError:
            return {}
        whole = kept[: kept.rfind(b"\n") + 1].decode("utf-8", "replace")
        known: dict[str, tuple[str, ...]] = {}
        for line in whole.split("\n"):
            word, tab, morphemes = line.partition("\t")
            if tab:
                known[word] = tuple(morphemes.split())
        return known

    def append(self, words: Mapping[str, tuple[str, ...]]) -> None:
        """Append words with their morphemes; creates the folder if absent."""
        lines = "".join(f"{word}\t{' '.join(cut)}\n" for word, cut in words.items())
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # closing the file releases the lock
            file.truncate(_end_of_last_line(file.fileno()))
            file.write(lines.encode("utf-8"))
            file.flush()


def _end_of_last_line(file: int) -> int:
    """Return the offset of the end of the last whole line of an open file."""
    end = os.fstat(file).st_size
    while end:
        start = max(0, end - _TAIL)
        found = os.pread(file, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


VERSION = 1  # raise it when words are cut differently
CONTENT = frozenset({"NNG", "NNP", "NR", "XR", "VV", "VA"})
_EMPTY = FUNCTION_WORDS.union(ENDINGS)
_TURN = 2_000  # words analysed per turn, so that a waiting user gets a turn
_FEW = 100  # up to this many words are analysed one after another
_WORDS_IN_MEMORY = 100_000  # of questions; those of a corpus are not kept

# A run of Hangul, in stretches of 64 where no space was written (analysing takes more than twice as
# long for twice the length); one of Han, Kana and single letters; a word or number.
_PIECE = re.compile(rf"[가-힣]{{1,64}}|(?:(?![가-힣])[{CJK}])+|{_WORD}")
_OTHER = re.compile(f"[{CJK}]")  # for text without Hangul
_memory: dict[str, tuple[str, ...]] = {}


def pieces(text: str) -> list[str]:
    """Split a text in normal form into pieces that are analysed separately."""
    return _PIECE.findall(text)


def kept_words(folder: Path) -> Callable[[Sequence[str]], list[Sequence[str]]]:
    """Return a function that cuts pieces into terms, with its Korean words cached in `folder`."""
    file = WordFile(folder / file_name())
    known = file.read()

    def terms_of(pieces: Sequence[str]) -> list[Sequence[str]]:
        """Return the terms of pieces, analysing new words."""
        new = sorted(set(filter(_is_hangul, pieces)).difference(known))
        cut = dict(zip(new, analyse(new), strict=True))
        known.update(cut)
        if cut:
            file.append(cut)
        return [_terms(piece, known) for piece in pieces]

    return terms_of


def cut_with_memory(pieces: Sequence[str]) -> list[Sequence[str]]:
    """Cut the pieces of a question into terms, with a cache of words in memory."""
    known = _cached_morphemes(set(filter(_is_hangul, pieces)))
    return [_terms(piece, known) for piece in pieces]


def _is_hangul(piece: str) -> bool:
    """Return True for a piece in Hangul."""
    return "가" <= piece[0] <= "힣"


def _terms(piece: str, known: Mapping[str, tuple[str, ...]]) -> Sequence[str]:
    """Return the terms of a piece: morphemes, character pairs or a stem."""
    if _is_hangul(piece):
        return known[piece]
    return pairs_of(piece) if _OTHER.match(piece) else stem_of(piece)


def file_name() -> str:
    """Return the name of the cache file: it names all that the morphemes depend on."""
    return f"morphemes-{VERSION}-kiwi-{version('kiwipiepy')}.tsv"


def analyse(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the content morphemes of each word; () for words that are known to have none."""
    asked = ["" if word in _EMPTY else word for word in words]
    found: list[tuple[str, ...]] = []
    for start in range(0, len(asked), _TURN):
        part = asked[start : start + _TURN]
        found += _content_morphemes(part) if any(part) else [()] * len(part)
    return found


def _content_morphemes(words: list[str]) -> list[tuple[str, ...]]:
    """Return the content morphemes of each word, as Kiwi analyses it."""
    with _analysing:
        kiwi = _kiwi()
        # Waking Kiwi's threads takes longer than the words of a question.
        few = len(words) <= _FEW
        analysed = list(map(kiwi.tokenize, words)) if few else list(kiwi.tokenize(words))
    return [
        tuple(m.form.replace(" ", "") for m in each if m.tag.partition("-")[0] in CONTENT)
        for each in analysed
    ]


def _cached_morphemes(words: set[str]) -> dict[str, tuple[str, ...]]:
    """Return the morphemes of a question's words, cached in memory."""
    found = {word: cut for word in words if (cut := _memory.get(word)) is not None}
    new = sorted(words - found.keys())
    asked = dict(zip(new, analyse(new), strict=True))
    if len(_memory) + len(asked) > _WORDS_IN_MEMORY:
        _memory.clear()
    _memory.update(asked)
    return found | asked


@lru_cache(maxsize=1)
def _kiwi() -> Any:
    """Return the process's one Kiwi analyser: two seconds and half a gigabyte."""
    from kiwipiepy import Kiwi

    return Kiwi()
