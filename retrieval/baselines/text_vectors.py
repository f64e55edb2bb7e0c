"""Dense vectors of texts that are not units, and lists and searches of their rows.

They are compared by cosine whatever the dense method ranks by: rows are normalised to length one
where the method's own are not.

Lists of positions of varying length, stored in two arrays.

Nearest rows of several vectors in one batched search.

What the methods share that read the corpus and search vectors of what was read.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from corpus.long_work import Progress
from errors import UserError
from retrieval.core.method import Dense
from retrieval.core.model import Corpus, Query
from retrieval.dense.vectors import unit_length
from retrieval.engines.local import FoundRows, LocalEngine
from retrieval.readings.model import Kind, Reading
from retrieval.readings.model_reader import MODEL, READER, reader_of
from retrieval.rewriting.llm_method import Asking

Vectors = NDArray[np.float32]
_AT_ONCE = 1_000  # texts: less than a second of a dense method that needs no model
_MADE = "made.json"


class ReadingMethod(Asking):
    """A method over a dense base and a reading of the corpus, by a model or by rule."""

    KEEPS = True
    KIND: ClassVar[Kind]

    def _set_up(self) -> None:
        """Raise UserError for a base that is not dense, and as `Asking`."""
        super()._set_up()
        if not isinstance(self.parts[0], Dense):
            raise UserError("method_base_dense", method=self.NAME, base=self.parts[0].NAME)
        self._base: Dense = self.parts[0]
        self._reader = reader_of(self.spec, self.resources, self.NAME)
        self._made: Counter[str] = Counter()

    @property
    def calls_models(self) -> bool:
        """Whether it, its reader or a part of it asks a model."""
        return self.spec[READER.name] == MODEL or super().calls_models

    @property
    def versions(self) -> str:
        """The versions of `Asking`, with the identity of the reader."""
        return f"{super().versions}/{self._reader.identity(self.KIND)}"

    @property
    def made(self) -> Mapping[str, int]:
        """Counts of units per reading state, and of what else fitting made."""
        return self._made

    def _readings(self, corpus: Corpus) -> list[Reading]:
        """Read the corpus, counting the states of its readings in `made`."""
        readings = self._reader(self.KIND, corpus.documents, self.resources.progress)
        self._made = Counter(f"read_{reading.state.value}" for reading in readings)
        return readings

    def _save_made(self, folder: Path) -> None:
        (folder / _MADE).write_text(json.dumps(self._made, sort_keys=True), encoding="utf-8")

    def _load_made(self, folder: Path) -> None:
        self._made = Counter(json.loads((folder / _MADE).read_text(encoding="utf-8")))


def vectors_of(base: Dense, texts: Sequence[str], progress: Progress | None) -> Vectors:
    """Return one row of length one per text; zeros for a text without known terms.

    Equal texts are encoded once. `progress` is called with (texts done, texts to do).
    """
    different = list(dict.fromkeys(texts))
    found: list[Vectors] = []
    for start in range(0, len(different), _AT_ONCE):
        some = different[start : start + _AT_ONCE]
        found.append(
            unit_length(base.encode([Query(str(at), text) for at, text in enumerate(some)]))
        )
        if progress:
            progress(start + len(some), len(different))
    if not found:
        return np.zeros((0, base.vectors.shape[1]), np.float32)
    place = {text: at for at, text in enumerate(different)}
    rows: Vectors = np.concatenate(found)[[place[text] for text in texts]]
    return rows


def vector_of(base: Dense, text: str) -> Vectors:
    """Return the vector of one text, of length one or zero.

    It is encoded by itself, so that it does not depend on other texts.
    """
    row: Vectors = unit_length(base.encode([Query("q", text)]))[0]
    return row


def unit_vectors(base: Dense) -> Vectors:
    """Return the vectors of the units at length one, in corpus order."""
    return base.vectors if base.unit_length else unit_length(base.vectors)


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


def all_nearest(
    engine: LocalEngine, vectors: Sequence[Vectors], k: int, least: float
) -> list[FoundRows]:
    """Return the rows of cosine `least` or more for each of `vectors`, independently of the others.

    They are at most `k`, best first, ties by ascending row.
    """
    if not vectors:
        return []
    return [
        FoundRows(found.rows[enough], found.scores[enough])
        for found in engine.search(np.stack(vectors), k)
        for enough in [found.scores >= least]
    ]
