"""Korean words cut to the morphemes that carry content, with the analyser Kiwi (kiwipiepy).

Each run of Hangul is analysed by itself, not in its sentence. So a word is cut in one way wherever
it stands, in a question as in an article, and a corpus is done as soon as its distinct words are:
the whole of Korean law has 26 million runs and 640,000 distinct ones. What Kiwi says of a word is
kept in a file, so it is asked once.

Nouns, roots, and the stems of verbs and adjectives carry content; particles, endings, affixes,
adverbs, pronouns and bound nouns do not, nor does a run that is nothing but a function word or an
ending (the 의 of 2.1.1의, which by itself would be read as a noun).
Han and Kana are cut into pairs, words of other scripts to English stems.

The file has one line per word: the word, a tab, its morphemes with spaces between. Lines are added
under a lock, in whole; a line that a killed process left half written is cut off by whoever adds
the next, and passed over by readers. Two processes that add the same word say the same of it.
"""

from __future__ import annotations

import fcntl
import os
import re
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from itertools import islice
from pathlib import Path
from typing import Any

from retrieval.text.stemming import CJK, ENDINGS, FUNCTION_WORDS, pairs_of, stem_of

_TAIL = 65_536  # bytes read at a time when the end of the last whole line is looked for


class WordFile:
    """The words kept at `path`, which need not exist yet."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> dict[str, tuple[str, ...]]:
        """Return every word with its morphemes; nothing where there is no file."""
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
        """Add words with their morphemes; the folder is made when absent."""
        lines = "".join(f"{word}\t{' '.join(cut)}\n" for word, cut in words.items())
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # closing the file lets it go
            file.truncate(_end_of_last_line(file.fileno()))
            file.write(lines.encode("utf-8"))
            file.flush()


def _end_of_last_line(file: int) -> int:
    """Return where the last whole line of an open file ends."""
    end = os.fstat(file).st_size
    while end:
        start = max(0, end - _TAIL)
        found = os.pread(file, end - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


VERSION = 1  # raise it when a word would be cut in another way
CONTENT = frozenset({"NNG", "NNP", "NR", "XR", "VV", "VA"})
_EMPTY = FUNCTION_WORDS.union(ENDINGS)
_TURN = 2_000  # words analysed before somebody else, who may wait for an answer, gets a turn
_BATCH = 4_000  # texts whose words are analysed together
_WORDS_IN_MEMORY = 100_000  # of questions; those of a corpus are let go with it

# A run of Hangul, in stretches of 64 where nobody wrote a space (analysing takes more than twice as
# long for twice the length); one of Han, Kana and single letters; a word or number.
_PIECE = re.compile(
    rf"([가-힣]{{1,64}})|((?:(?![가-힣])[{CJK}])+)|((?:(?![{CJK}_])\w)+(?:(?<=\d)\.\d+)*)"
)
_Piece = tuple[str, str, str]
_guard = threading.Lock()
_memory: dict[str, tuple[str, ...]] = {}


def cut(text: str) -> list[str]:
    """Return the content morphemes of a text in normal form, in its order."""
    pieces = _PIECE.findall(text)
    return _joined(pieces, _remembered({hangul for hangul, _, _ in pieces if hangul}))


def cut_many(texts: Iterable[str], folder: Path | None = None) -> Iterator[list[str]]:
    """Yield what `cut` returns for each text; words are read from and kept in `folder`."""
    file = WordFile(folder / file_name()) if folder else None
    known = file.read() if file else {}
    left = iter(texts)
    while batch := [_PIECE.findall(text) for text in islice(left, _BATCH)]:
        new = sorted({piece[0] for each in batch for piece in each}.difference(known, [""]))
        found = dict(zip(new, analyse(new), strict=True))
        known.update(found)
        if file and found:
            file.append(found)
        for pieces in batch:
            yield _joined(pieces, known)


def file_name() -> str:
    """Return the name of the file of words: it says all that their morphemes depend on."""
    return f"morphemes-{VERSION}-kiwi-{version('kiwipiepy')}.tsv"


def analyse(words: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the content morphemes of each word; the words are cut on all processors."""
    asked = ["" if word in _EMPTY else word for word in words]
    found: list[tuple[str, ...]] = []
    for start in range(0, len(asked), _TURN):
        part = asked[start : start + _TURN]
        found += _analysed(part) if any(part) else [()] * len(part)
    return found


def _analysed(words: list[str]) -> list[tuple[str, ...]]:
    with _guard:
        analysed = list(_kiwi().tokenize(words))
    return [
        tuple(m.form.replace(" ", "") for m in each if m.tag.partition("-")[0] in CONTENT)
        for each in analysed
    ]


def _remembered(words: set[str]) -> dict[str, tuple[str, ...]]:
    """Return the morphemes of the words of a question; those of earlier ones are in memory."""
    found = {word: cut for word in words if (cut := _memory.get(word)) is not None}
    new = sorted(words - found.keys())
    asked = dict(zip(new, analyse(new), strict=True))
    if len(_memory) + len(asked) > _WORDS_IN_MEMORY:
        _memory.clear()
    _memory.update(asked)
    return found | asked


def _joined(pieces: Iterable[_Piece], known: Mapping[str, tuple[str, ...]]) -> list[str]:
    tokens: list[str] = []
    for hangul, other, word in pieces:
        if hangul:
            tokens += known[hangul]
        elif word:
            tokens += stem_of(word)
        else:
            tokens += pairs_of(other)
    return tokens


@lru_cache(maxsize=1)
def _kiwi() -> Any:
    """Return the one analyser of this process: two seconds and half a gigabyte."""
    from kiwipiepy import Kiwi

    return Kiwi()
