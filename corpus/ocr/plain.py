"""A page's blocks as plain text: what a unit of the corpus holds and what error rates compare."""

from __future__ import annotations

from collections.abc import Sequence

from corpus.ocr.blocks import Block, BlockKind, Cell

BETWEEN_CELLS = " | "


def text_of(blocks: Sequence[Block]) -> str:
    """Return the text of blocks, one under the other; blocks without any are left out.

    A row of a table is a line whose cells are divided by bars. A cell that spans several places
    stands in the first and leaves the others empty, so every line has as many bars. Formulas are
    LaTeX between dollar signs.
    """
    return "\n".join(text for block in blocks if (text := block_text(block)))


def block_text(block: Block) -> str:
    """Return the text of one block; see `text_of`."""
    if block.kind is BlockKind.TABLE:
        return "\n".join(_lines(block))
    text = block.text.strip()
    return f"${text}$" if block.kind is BlockKind.FORMULA and text else text


def _lines(block: Block) -> list[str]:
    grid = [[""] * block.columns for _ in range(block.rows)]
    for cell in block.cells:
        grid[cell.row][cell.column] = _on_one_line(cell)
    return [BETWEEN_CELLS.join(row).rstrip() for row in grid]


def _on_one_line(cell: Cell) -> str:
    return " ".join(cell.text.split())
