"""The token ids of a corpus, kept by tokeniser and corpus: cutting takes longer than indexing.

So other beams, and other weights with the same tokeniser, need not cut the law again.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from normalization.hashing import text_hash
from retrieval.generative.suffix_array import SEPARATOR

_FOLDER = "token_ids"
_RULE = 1  # raise it when what is cut of a unit changes
_PARTS = ("token", "vocab", "merges")  # in the names of a tokeniser's files

Ids = NDArray[np.int32]


def tokeniser_identity(folder: Path) -> str:
    """Return a hash of the files that a tokeniser consists of, "" where none is known by its name.

    Weights are none of them: models that were trained from one another share a tokeniser.
    """
    files = [
        file
        for file in sorted(folder.iterdir())
        if file.is_file() and (file.suffix == ".model" or any(part in file.name for part in _PARTS))
    ]
    said = sha256()
    for file in files:
        content = file.read_bytes()
        said.update(f"{file.name}\0{len(content)}\0".encode("utf-8", "surrogateescape"))
        said.update(content)
    return said.hexdigest() if files else ""


def kept_ids(cache: Path | None, named: Sequence[str], pieces: int, cut: Callable[[], Ids]) -> Ids:
    """Return the ids that `cut` makes, from the cache where they are there.

    `named` is all that they depend on; with an empty name in it, or no `cache`, nothing is kept. A
    file that is damaged, or is not of so many `pieces`, is made anew.
    """
    if cache is None or not all(named):
        return cut()
    said = text_hash(repr([_RULE, *named]))
    file = cache / _FOLDER / f"{said[:32]}.npy"
    with suppress(OSError, ValueError):
        ids: Ids = np.load(file)
        if ids.dtype == np.int32 and int((ids == SEPARATOR).sum()) == pieces:
            return ids
    made = cut()
    with suppress(OSError):  # it is a cache: where it cannot be written only time is lost
        _write(file, made)
    return made


def _write(file: Path, ids: Ids) -> None:
    """Put the file in place whole."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(suffix=".part", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as part:
            np.save(part, ids)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)
