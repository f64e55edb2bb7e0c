"""Words as an engine read them: where each lies and how sure the engine was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from corpus.ocr.blocks import Box, Stretch

DOUBTFUL = 80.0  # percent of confidence below which a word is marked; see docs/ocr.md


@dataclass(frozen=True, slots=True)
class Word:
    """A word with its box; `confidence` is in percent, None where the engine does not say."""

    text: str
    box: Box
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class WordLine:
    """Words in a line. Lines of equal `paragraph` belong together."""

    words: tuple[Word, ...]
    paragraph: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """The words with a space between each two."""
        return " ".join(word.text for word in self.words)

    @property
    def box(self) -> Box:
        """The box around all the words."""
        return around([word.box for word in self.words])


def around(boxes: Sequence[Box]) -> Box:
    """Return the box around all of them. Raises ValueError for none."""
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return left, top, max(box[2] for box in boxes), max(box[3] for box in boxes)


def joined(lines: Sequence[WordLine], between: str = " ") -> tuple[str, tuple[Stretch, ...]]:
    """Return the text of lines and which stretches of it are doubtful.

    Neighbouring doubtful words of a line are one stretch each: a person looks at words.
    """
    text, doubt = "", []
    for line in lines:
        text += between if text else ""
        for number, word in enumerate(line.words):
            text += " " if number else ""
            if word.confidence is not None and word.confidence < DOUBTFUL:
                doubt.append((len(text), len(text) + len(word.text)))
            text += word.text
    return text, tuple(doubt)


def words_as_json(words: Sequence[Word]) -> list[list[Any]]:
    """Return words as they are kept: [text, left, top, right, bottom, confidence or None]."""
    return [
        [word.text, *word.box, None if word.confidence is None else round(word.confidence, 1)]
        for word in words
    ]
