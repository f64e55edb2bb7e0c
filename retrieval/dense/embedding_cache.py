"""Vectors of texts on disk, by model and text, so that no text is embedded twice.

A folder per model holds files that are written once and never changed. Each appears under its name
in one step, when it is complete: several processes may add at the same time, and a kill leaves
nothing but a part that nobody reads. Where two processes embed the same text at once, both
vectors are kept and the file whose name comes first counts. A file's name ends with the sum
(CRC-32) of what is in it: one that was cut or changed since counts as absent.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import Lock
from uuid import uuid4
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from corpus.progress import Progress
from errors import UserError, Where

_AT_ONCE = 256  # texts that are embedded before their vectors are kept
_ENDING = ".npy"

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Vector = NDArray[np.float32]


class EmbeddingCache:
    """The vectors of one model. `folder` None keeps nothing beyond the call."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[bytes, tuple[str, int]] = {}
        self._files: dict[str, NDArray[np.void]] = {}
        self._damaged: set[str] = set()
        self._lock = Lock()

    def get(
        self, texts: Sequence[str], embed: Embed, progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """Return one vector per text; `embed` is called for those that are not kept.

        `progress` is told after each part of them: (texts embedded, texts to embed).

        Raises UserError where vectors differ in length or hold no numbers, none of which is kept,
        and where nothing can be kept: full disk, no permission.
        """
        keys = [_key(text) for text in texts]
        with self._lock:
            self._look()
            fresh = self._embedded(dict(zip(keys, texts, strict=True)), embed, progress)
            # One thread at a time: models take one batch at a time anyway.
            rows = [fresh[key] if key in fresh else self._vector(key) for key in keys]
        return np.array(rows, dtype=np.float32)

    def kept(self, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
        """Return the vector of each text that is kept; None of the others. Embeds nothing."""
        keys = [_key(text) for text in texts]
        with self._lock:
            self._look()
            return [
                np.array(self._vector(key), dtype=np.float32) if key in self._known else None
                for key in keys
            ]

    def _embedded(
        self, wanted: dict[bytes, str], embed: Embed, progress: Progress | None
    ) -> dict[bytes, Vector]:
        missing = [(key, text) for key, text in wanted.items() if key not in self._known]
        fresh: dict[bytes, Vector] = {}
        done = 0
        for part in _parts(missing):
            vectors = checked(embed([text for _, text in part]), len(part))
            self._require_length(vectors, fresh)
            made = dict(zip((key for key, _ in part), vectors, strict=True))
            if self._folder is None:
                fresh |= made
            else:
                self._keep(self._folder, made)
            done += len(part)
            if progress is not None:
                progress(done, len(missing))
        return fresh

    def _require_length(self, vectors: NDArray[np.float32], fresh: dict[bytes, Vector]) -> None:
        kept = [rows["vector"].shape[1] for rows in self._files.values()]
        lengths = {vectors.shape[1], *kept[:1], *map(len, list(fresh.values())[:1])}
        if len(lengths) > 1:
            raise UserError("vectors_of_two_lengths", sizes=", ".join(map(str, sorted(lengths))))

    def _vector(self, key: bytes) -> Vector:
        name, row = self._known[key]
        vector: Vector = self._files[name][row]["vector"]
        return vector

    def _keep(self, folder: Path, made: dict[bytes, Vector]) -> None:
        width = len(next(iter(made.values())))
        rows = np.empty(len(made), dtype=[("key", "u1", (32,)), ("vector", "<f4", (width,))])
        rows["key"] = np.frombuffer(b"".join(made), dtype=np.uint8).reshape(-1, 32)
        rows["vector"] = np.array(list(made.values()))
        buffer = BytesIO()
        np.save(buffer, rows)
        name = f"{uuid4().hex}-{crc32(buffer.getbuffer()):08x}{_ENDING}"
        _written(folder, name, buffer.getbuffer())
        self._read(folder / name)

    def _look(self) -> None:
        """Read what is new in the folder, also what other processes put there."""
        if self._folder is not None and self._folder.is_dir():
            for file in sorted(self._folder.glob(f"*{_ENDING}")):
                if file.name not in self._files and file.name not in self._damaged:
                    self._read(file)

    def _read(self, file: Path) -> None:
        if not _whole(file):
            self._damaged.add(file.name)
            return
        rows = np.load(file, mmap_mode="r")
        self._files[file.name] = rows
        keys = np.ascontiguousarray(rows["key"]).tobytes()
        for row in range(len(rows)):
            self._known.setdefault(keys[32 * row : 32 * row + 32], (file.name, row))


def checked(vectors: NDArray[np.float32], texts: int) -> NDArray[np.float32]:
    """Return `vectors` if there is one per text, all of numbers. Raises UserError otherwise."""
    if vectors.ndim != 2 or len(vectors) != texts or not vectors.shape[1]:
        raise UserError("vectors_not_one_each", texts=texts, given=list(vectors.shape))
    if not np.isfinite(vectors).all():
        raise UserError("vectors_not_numbers")
    return vectors


def _written(folder: Path, name: str, content: memoryview) -> None:
    part = folder / f"{name}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.rename(folder / name)
    except OSError as error:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        reason = error.strerror or str(error)
        raise UserError("index_unwritten", Where(file=str(folder)), reason=reason) from error


def _whole(file: Path) -> bool:
    """Return whether a file holds what its name says; one from before names said it does."""
    said = file.stem.partition("-")[2]
    return not said or said == f"{crc32(file.read_bytes()):08x}"


def _key(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _parts(items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
    # Texts of like length stand together, so that a batch is not padded to its longest by much.
    ordered = sorted(items, key=lambda item: (len(item[1]), item[0]))
    for start in range(0, len(ordered), _AT_ONCE):
        yield ordered[start : start + _AT_ONCE]
