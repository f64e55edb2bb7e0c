"""Error rates of an OCR engine's draft of a page against its reference.

Error rates are those of jiwer, the Levenshtein distance over the length of the reference: of
characters (CER) and of words (WER), split at spaces for Korean too. Compared are the
texts of blocks and cells in reading order, in composed Unicode (NFC), with every run of white space
as one space. Over many pages errors are summed and divided by the sum of the references, so a long
page weighs more; intervals resample pages.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

import jiwer

from corpus.ocr.blocks import Block, BlockKind, Cell, Stretch
from evaluation.figure import Figure, ratio_figure, share_figure


@dataclass(frozen=True, slots=True)
class PageScore:
    """The errors of one draft against its reference.

    `characters`, `words` and `cells` are those of the reference; the errors are insertions,
    deletions and substitutions together. A cell is `placed` if the draft has one of the same
    row, column and spans, and `right` if its text is the same too. `marked` words of the draft
    were doubtful to the engine, `wrong` ones are not in the reference, `both` are marked and wrong.
    `confused` counts pairs of the character read and the right one, see `confusions`.
    """

    characters: int
    character_errors: int
    words: int
    word_errors: int
    cells: int = 0
    placed: int = 0
    right: int = 0
    marked: int = 0
    wrong: int = 0
    both: int = 0
    confused: Mapping[tuple[str, str], int] = field(default_factory=dict)

    @property
    def perfect(self) -> bool:
        """Whether the draft needed no correction."""
        return self.character_errors == 0 and self.right == self.cells


def score_page(draft: Sequence[Block], reference: Sequence[Block]) -> PageScore:
    """Compare the draft with the reference."""
    had, wanted = text_of_blocks(draft), text_of_blocks(reference)
    marked, wrong, both = _mark_counts(draft, wanted)
    confused = confusions(had, wanted)
    return PageScore(
        characters=len(wanted),
        character_errors=confused.total(),
        words=len(wanted.split()),
        word_errors=word_errors(had, wanted),
        **_cells(draft, reference),
        marked=marked,
        wrong=wrong,
        both=both,
        confused=confused,
    )


def text_of_blocks(blocks: Sequence[Block]) -> str:
    """Return the texts of blocks and cells in reading order, normalised for comparison."""
    return normalised(" ".join(text for block in blocks for text, _ in _texts(block)))


def normalised(text: str) -> str:
    """Normalise a text for comparison: composed (NFC), with single spaces."""
    return " ".join(unicodedata.normalize("NFC", text).split())


def character_errors(had: str, reference: str) -> int:
    """Return the character-level edit distance."""
    return confusions(had, reference).total()


def confusions(had: str, reference: str) -> Counter[tuple[str, str]]:
    """Count each character read in place of another; an empty one was added or left out."""
    if not (had and reference):
        return Counter([*((each, "") for each in had), *(("", each) for each in reference)])
    found = jiwer.process_characters(reference, had)
    return Counter(
        pair
        for chunk in found.alignments[0]
        if chunk.type != "equal"
        for pair in zip_longest(
            had[chunk.hyp_start_idx : chunk.hyp_end_idx],
            reference[chunk.ref_start_idx : chunk.ref_end_idx],
            fillvalue="",
        )
    )


def word_errors(had: str, reference: str) -> int:
    """Return the word-level edit distance."""
    if not (had and reference):
        return len(had.split()) + len(reference.split())
    found = jiwer.process_words(reference, had)
    return found.substitutions + found.deletions + found.insertions


def cer(scores: Sequence[PageScore]) -> Figure:
    """Return the character error rate over pages; n counts pages."""
    return ratio_figure("cer", [(s.character_errors, s.characters) for s in scores])


def wer(scores: Sequence[PageScore]) -> Figure:
    """Return the word error rate over pages; n counts pages."""
    return ratio_figure("wer", [(s.word_errors, s.words) for s in scores])


def cell_accuracy(scores: Sequence[PageScore]) -> Figure:
    """Return the share of cells with the right place, spans and text; n counts pages with cells."""
    return ratio_figure("cell_accuracy", [(s.right, s.cells) for s in scores if s.cells])


def cell_structure(scores: Sequence[PageScore]) -> Figure:
    """Return the share of cells with the right place and spans, whatever their text."""
    return ratio_figure("cell_structure", [(s.placed, s.cells) for s in scores if s.cells])


def perfect_pages(scores: Sequence[PageScore]) -> Figure:
    """Return the share of pages that needed no correction."""
    return share_figure("perfect_pages", sum(s.perfect for s in scores), len(scores))


def marked_of_wrong(scores: Sequence[PageScore]) -> Figure:
    """Return the share of wrong words that were marked; n counts pages with wrong words."""
    return ratio_figure("marked_of_wrong", [(s.both, s.wrong) for s in scores if s.wrong])


def wrong_of_marked(scores: Sequence[PageScore]) -> Figure:
    """Return the share of marked words that were wrong; n counts pages with marks."""
    return ratio_figure("wrong_of_marked", [(s.both, s.marked) for s in scores if s.marked])


def _cells(draft: Sequence[Block], reference: Sequence[Block]) -> dict[str, int]:
    """Count the reference's cells, those in the right place in the draft, and the right ones.

    Each table of the reference is compared with the draft's best matching one, and each table
    of the draft counts once.
    """
    left = [block for block in draft if block.kind is BlockKind.TABLE]
    cells = placed = right = 0
    for table in reference:
        if table.kind is not BlockKind.TABLE:
            continue
        cells += len(table.cells)
        best = max(left, key=lambda other: _matching_cells(other, table), default=None)
        if best is None:
            continue
        left.remove(best)
        both = _matching_cells(best, table)
        right, placed = right + both[0], placed + both[1]
    return {"cells": cells, "placed": placed, "right": right}


def _matching_cells(draft: Block, reference: Block) -> tuple[int, int]:
    """Count the cells with the same place and text, and those with the same place."""
    had = {_place(cell): normalised(cell.text) for cell in draft.cells}
    placed = [cell for cell in reference.cells if _place(cell) in had]
    return sum(had[_place(cell)] == normalised(cell.text) for cell in placed), len(placed)


def _place(cell: Cell) -> tuple[int, int, int, int]:
    """Return the place and span of a cell."""
    return cell.row, cell.column, cell.row_span, cell.column_span


def _mark_counts(draft: Sequence[Block], reference: str) -> tuple[int, int, int]:
    """Count the marked, the wrong, and the marked and wrong words of the draft."""
    words = [word for block in draft for word in _marked_words(block)]
    if not words:
        return 0, 0, 0
    wrong = _wrong_words([text for text, _ in words], reference)
    marked = {number for number, (_, is_marked) in enumerate(words) if is_marked}
    return len(marked), len(wrong), len(marked & wrong)


def _wrong_words(had: Sequence[str], reference: str) -> set[int]:
    """Return the indices of the words of `had` that the alignment inserts or substitutes."""
    if not reference:
        return set(range(len(had)))
    found = jiwer.process_words(reference, " ".join(had))
    return {
        place
        for chunk in found.alignments[0]
        if chunk.type in ("substitute", "insert")
        for place in range(chunk.hyp_start_idx, chunk.hyp_end_idx)
    }


def _marked_words(block: Block) -> Iterable[tuple[str, bool]]:
    """Yield the words of a block and whether the engine doubted them."""
    for text, doubt in _texts(block):
        at = 0
        for word in unicodedata.normalize("NFC", text).split():
            start = text.find(word, at)
            at = max(start, at) + len(word)
            yield word, any(first < at and start < last for first, last in doubt)


def _texts(block: Block) -> list[tuple[str, tuple[Stretch, ...]]]:
    """Return the texts of a block or of its cells."""
    return [(cell.text, cell.doubt) for cell in block.cells] or [(block.text, block.doubt)]
