"""Lists of positions of varying length, stored in two arrays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Positions = NDArray[np.int64]


class PositionLists:
    """The i-th list is ``ends[starts[i]:starts[i + 1]]``; its order is kept."""

    def __init__(self, starts: Positions, ends: Positions) -> None:
        """Take arrays as `of` makes them. Raises ValueError if they are inconsistent."""
        if (
            not len(starts)
            or starts[0] != 0
            or starts[-1] != len(ends)
            or (np.diff(starts) < 0).any()
        ):
            raise ValueError("lists that do not begin and end where they should")
        self.starts, self.ends = starts, ends

    @classmethod
    def of(cls, lists: Sequence[Sequence[int]]) -> PositionLists:
        """Pack `lists` into arrays."""
        starts = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        return cls(starts, np.array([at for each in lists for at in each], dtype=np.int64))

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, at: int) -> Positions:
        return self.ends[self.starts[at] : self.starts[at + 1]]

    def save(self, folder: Path, name: str) -> None:
        """Write two files whose names start with `name`."""
        np.save(folder / f"{name}_starts.npy", self.starts)
        np.save(folder / f"{name}_ends.npy", self.ends)

    @classmethod
    def load(cls, folder: Path, name: str, below: int) -> PositionLists:
        """Read what `save` wrote, memory-mapped. ValueError: position not under `below`."""
        starts = np.load(folder / f"{name}_starts.npy", mmap_mode="r")
        ends = np.load(folder / f"{name}_ends.npy", mmap_mode="r")
        if len(ends) and (ends.min() < 0 or ends.max() >= below):
            raise ValueError("positions of what is not there")
        return cls(starts, ends)
