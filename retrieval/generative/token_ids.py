"""Cache of a corpus's token ids, by tokeniser and corpus: tokenising takes longer than indexing.

So other beam or weighting settings with the same tokeniser need not tokenise the law again.
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
_RULE = 1  # raise it when other texts of a unit are tokenised
_PARTS = ("token", "vocab", "merges")  # in the names of a tokeniser's files

Ids = NDArray[np.int32]


def tokeniser_identity(folder: Path) -> str:
    """Return a hash of a tokeniser's files, "" if none is recognised by its name.

    Weights are not included: models that were trained from one another share a tokeniser.
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
    """Return token ids from the cache, or else from `cut`.

    `named` is all that they depend on; with an empty name, or no `cache`, nothing is cached. A
    file that is damaged, or has not `pieces` pieces, is replaced.
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
    with suppress(OSError):  # a cache: without it only time is lost
        _write_atomically(file, made)
    return made


def _write_atomically(file: Path, ids: Ids) -> None:
    """Write the file atomically."""
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(suffix=".part", dir=file.parent)
    try:
        with os.fdopen(handle, "wb") as part:
            np.save(part, ids)
        Path(name).replace(file)
    finally:
        Path(name).unlink(missing_ok=True)
