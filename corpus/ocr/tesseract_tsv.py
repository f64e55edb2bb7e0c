"""Parser of Tesseract's output as lines of words.

Its TSV divides Hangul into syllables and keeps no spaces; its plain text of the same run has the
spaces (with ``preserve_interword_spaces``). So each line of the one is matched with the line of the
other, and a word is the text between spaces: its box encloses its pieces, and its confidence is
that of its least certain piece.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from corpus.ocr.blocks import Word, WordLine, bounding_box

_WORD = "5"  # the level of word rows
_FIELDS = 12


def read_tsv(tsv: str, text: str, images: int) -> list[list[WordLine]]:
    """Return the lines of each of the images that one run of Tesseract read.

    `tsv` and `text` are its two outputs. Invalid rows are skipped, as are words without text or
    with an empty box, which is Tesseract's output for ruled lines.
    """
    pieces = [row for line in tsv.splitlines() if (row := _row(line)) is not None]
    pages = _text_lines(text, images)
    found: list[list[WordLine]] = [[] for _ in range(images)]
    for (page, *place), group in groupby(pieces, key=lambda row: row[0]):
        if not 1 <= page <= images:
            continue
        words = [word for _, word in group]
        whole = "".join(word.text for word in words)
        spaced = _matching(pages[page - 1], whole)
        found[page - 1].append(WordLine(tuple(_as_spaced(words, spaced)), tuple(place[:2])))
    return found


def _row(line: str) -> tuple[tuple[int, ...], Word] | None:
    """Parse a row: page, block, paragraph and line, and the word piece."""
    fields = line.split("\t")
    if len(fields) != _FIELDS or fields[0] != _WORD or not fields[11].strip():
        return None
    try:
        page, block, paragraph, number = (int(field) for field in fields[1:5])
        left, top, width, height = (int(field) for field in fields[6:10])
        confidence = float(fields[10])
    except ValueError:
        return None
    if width <= 0 or height <= 0 or left < 0 or top < 0:
        return None
    box = (left, top, left + width, top + height)
    return (page, block, paragraph, number), Word("".join(fields[11].split()), box, confidence)


def _text_lines(text: str, images: int) -> list[list[str]]:
    pages = [
        [line for line in page.splitlines() if line.strip()]
        for page in text.replace("\r\n", "\n").split("\f")
    ]
    return (pages + [[] for _ in range(images)])[:images]


def _matching(lines: list[str], whole: str) -> list[str]:
    """Return the next line of the plain text with these characters, as its words.

    The lines before it are consumed. If none matches, the pieces stay separate.
    """
    for number, line in enumerate(lines):
        words = line.split()
        if "".join(words) == whole:
            del lines[: number + 1]
            return words
    return []


def _as_spaced(pieces: Sequence[Word], spaced: Sequence[str]) -> Iterator[Word]:
    """Yield the words of a line: pieces joined as in the plain text."""
    if not spaced:
        yield from pieces
        return
    ends, at = set(), 0
    for word in spaced:
        at += len(word)
        ends.add(at)
    at, held = 0, []
    for piece in pieces:
        held.append(piece)
        at += len(piece.text)
        if at in ends:
            yield _joined_word(held)
            held = []
    if held:
        yield _joined_word(held)


def _joined_word(pieces: Sequence[Word]) -> Word:
    """Return the pieces of a word as one, with the least confidence."""
    known = [piece.confidence for piece in pieces if piece.confidence is not None]
    box = bounding_box([piece.box for piece in pieces])
    return Word("".join(piece.text for piece in pieces), box, min(known, default=None))
