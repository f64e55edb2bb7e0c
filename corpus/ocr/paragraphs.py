"""Lines put together to paragraphs and headings.

A paragraph begins where the engine says so, and at every line that begins with the number of a
provision or item. A heading is a short text in clearly larger letters than the rest of the page.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median

from corpus.ocr.blocks import Block, BlockKind
from corpus.ocr.words import WordLine, around, joined

_BEGINS = re.compile(
    r"""(?:
        제\d+(?:조|장|절|편|관)(?:의\d+)?          # 제3조의2
      | \d{1,3}\.(?!\d) | \d{1,3}\) | \(\d{1,3}\)  # 1.  1)  (1)
      | [가-하]\.\s | [가-하]\) | \([가-하]\)      # 가.  가)  (가)
      | [a-z]\.\s | [a-z]\) | \([a-z]\)
      | [①-⑳㉮-㉻] | [■□○●◆◇▶※*-]\s?
      | 비\s?고 | 주\s?: | Note | Article\ \d | Section\ \d
    )""",
    re.VERBOSE,
)
MOST_BLOCKS = 400  # of running text; what is beyond, on a page of specks, becomes one
_LARGER = 1.25  # times the usual height of a line
_HEADING_CHARACTERS = 80


def as_blocks(lines: Sequence[WordLine], width: int) -> list[Block]:
    """Return the blocks of lines in the engine's order; `width` is the page's, in pixels."""
    usual = median(_height(line) for line in lines) if lines else 0.0
    groups: list[list[WordLine]] = []
    for line in lines:
        if groups and _goes_on(groups[-1], line, width):
            groups[-1].append(line)
        else:
            groups.append([line])
    blocks = [_block(group, usual) for group in groups[:MOST_BLOCKS]]
    rest = [line for group in groups[MOST_BLOCKS:] for line in group]
    return [*blocks, *([_block(rest, usual)] if rest else [])]


def _goes_on(group: Sequence[WordLine], line: WordLine, width: int) -> bool:
    """Whether the line continues the paragraph that the group is so far.

    The line before must have run to the end of its column, as far as the page tells: one that
    ends much earlier than the longest of its paragraph was the last of it.
    """
    last = group[-1]
    if line.paragraph != last.paragraph or _BEGINS.match(line.text):
        return False
    if abs(_height(line) - _height(last)) > (_LARGER - 1) * _height(last):
        return False
    farthest = max(each.box[2] for each in (*group, line))
    return farthest - last.box[2] <= width * 0.12


def _block(group: Sequence[WordLine], usual: float) -> Block:
    text, doubt = joined(group)
    larger = min(_height(line) for line in group) >= _LARGER * usual
    heading = larger and len(text) <= _HEADING_CHARACTERS and len(group) <= 3
    kind = BlockKind.HEADING if heading else BlockKind.PARAGRAPH
    return Block(kind, text, box=around([line.box for line in group]), doubt=doubt)


def _height(line: WordLine) -> float:
    """The usual height of its words: one tall bracket does not make a line large."""
    return median(word.box[3] - word.box[1] for word in line.words)
