"""What a group would fall into, were one more sub-factor asked to be alike."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from construction.stricter.codes import Codes


@dataclass(frozen=True, slots=True)
class CodeRows:
    """The rows of a group that have one code in a column."""

    code: int
    rows: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Split:
    """A column with the parts that it tells apart, the largest first, then the earliest row."""

    column: int
    parts: tuple[CodeRows, ...]

    @property
    def whole(self) -> bool:
        """Whether the rows are alike in this column too."""
        return len(self.parts) == 1


def splits(codes: Codes, rows: Sequence[int], columns: Iterable[int]) -> tuple[Split, ...]:
    """Return for each of `columns` how it would part `rows`, in the order of `columns`."""
    return tuple(_split(codes, rows, column) for column in columns)


def _split(codes: Codes, rows: Sequence[int], column: int) -> Split:
    parts: dict[int, list[int]] = {}
    for row in sorted(rows):
        parts.setdefault(int(codes[row, column]), []).append(row)
    ordered = sorted(parts.items(), key=lambda item: (-len(item[1]), item[1][0]))
    return Split(column, tuple(CodeRows(code, tuple(found)) for code, found in ordered))
