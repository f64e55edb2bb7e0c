"""On-disk cache of embeddings, by model and text, so that no text is embedded twice.

A folder per model holds files that are written once and never changed. Each is renamed into place
when it is complete: several processes may add at the same time, and a killed one leaves
only a partial file that nobody reads. Where two processes embed the same text at once, both
vectors are stored and the file whose name sorts first counts. A file's name ends with the checksum
(CRC-32) of its content: a truncated or changed file is ignored.
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

_AT_ONCE = 256  # texts embedded before their vectors are stored
_ENDING = ".npy"

Embed = Callable[[Sequence[str]], NDArray[np.float32]]
Vector = NDArray[np.float32]


class EmbeddingCache:
    """The cached embeddings of one model. With `folder` None nothing outlives the call."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._known: dict[bytes, tuple[str, int]] = {}
        self._files: dict[str, NDArray[np.void]] = {}
        self._damaged: set[str] = set()
        self._lock = Lock()

    def get(
        self, texts: Sequence[str], embed: Embed, progress: Progress | None = None
    ) -> NDArray[np.float32]:
        """Return one vector per text; `embed` is called for those that are not cached.

        `progress` is called after each batch of them with (texts embedded, texts to embed).
        Raises UserError where vectors differ in length or are not finite, none of which is stored,
        and where nothing can be written: full disk, no permission.
        """
        keys = [_key(text) for text in texts]
        with self._lock:
            self._read_new_files()
            fresh = self._embed_missing(dict(zip(keys, texts, strict=True)), embed, progress)
            # In one thread at a time: models take one batch at a time anyway.
            rows = [fresh[key] if key in fresh else self._vector(key) for key in keys]
        return np.array(rows, dtype=np.float32)

    def kept(self, texts: Sequence[str]) -> list[NDArray[np.float32] | None]:
        """Return the cached vector of each text; None if it is not cached. Embeds nothing."""
        keys = [_key(text) for text in texts]
        with self._lock:
            self._read_new_files()
            return [
                np.array(self._vector(key), dtype=np.float32) if key in self._known else None
                for key in keys
            ]

    def _embed_missing(
        self, wanted: dict[bytes, str], embed: Embed, progress: Progress | None
    ) -> dict[bytes, Vector]:
        missing = [(key, text) for key, text in wanted.items() if key not in self._known]
        fresh: dict[bytes, Vector] = {}
        done = 0
        for part in _parts(missing):
            vectors = checked(embed([text for _, text in part]), len(part))
            self._require_equal_lengths(vectors, fresh)
            made = dict(zip((key for key, _ in part), vectors, strict=True))
            if self._folder is None:
                fresh |= made
            else:
                self._store(self._folder, made)
            done += len(part)
            if progress is not None:
                progress(done, len(missing))
        return fresh

    def _require_equal_lengths(
        self, vectors: NDArray[np.float32], fresh: dict[bytes, Vector]
    ) -> None:
        kept = [rows["vector"].shape[1] for rows in self._files.values()]
        lengths = {vectors.shape[1], *kept[:1], *map(len, list(fresh.values())[:1])}
        if len(lengths) > 1:
            raise UserError("vectors_of_two_lengths", sizes=", ".join(map(str, sorted(lengths))))

    def _vector(self, key: bytes) -> Vector:
        name, row = self._known[key]
        vector: Vector = self._files[name][row]["vector"]
        return vector

    def _store(self, folder: Path, made: dict[bytes, Vector]) -> None:
        width = len(next(iter(made.values())))
        rows = np.empty(len(made), dtype=[("key", "u1", (32,)), ("vector", "<f4", (width,))])
        rows["key"] = np.frombuffer(b"".join(made), dtype=np.uint8).reshape(-1, 32)
        rows["vector"] = np.array(list(made.values()))
        buffer = BytesIO()
        np.save(buffer, rows)
        name = f"{uuid4().hex}-{crc32(buffer.getbuffer()):08x}{_ENDING}"
        _write_atomically(folder, name, buffer.getbuffer())
        self._read_file(folder / name)

    def _read_new_files(self) -> None:
        """Read new files in the folder, including those of other processes."""
        if self._folder is not None and self._folder.is_dir():
            for file in sorted(self._folder.glob(f"*{_ENDING}")):
                if file.name not in self._files and file.name not in self._damaged:
                    self._read_file(file)

    def _read_file(self, file: Path) -> None:
        if not _is_intact(file):
            self._damaged.add(file.name)
            return
        rows = np.load(file, mmap_mode="r")
        self._files[file.name] = rows
        keys = np.ascontiguousarray(rows["key"]).tobytes()
        for row in range(len(rows)):
            self._known.setdefault(keys[32 * row : 32 * row + 32], (file.name, row))


def checked(vectors: NDArray[np.float32], texts: int) -> NDArray[np.float32]:
    """Validate `vectors`: one per text, all finite. Raises UserError otherwise."""
    if vectors.ndim != 2 or len(vectors) != texts or not vectors.shape[1]:
        raise UserError("vectors_not_one_each", texts=texts, given=list(vectors.shape))
    if not np.isfinite(vectors).all():
        raise UserError("vectors_not_numbers")
    return vectors


def _write_atomically(folder: Path, name: str, content: memoryview) -> None:
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


def _is_intact(file: Path) -> bool:
    """Return whether a file matches the checksum in its name; names without one pass."""
    said = file.stem.partition("-")[2]
    return not said or said == f"{crc32(file.read_bytes()):08x}"


def _key(text: str) -> bytes:
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _parts(items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
    # Sorted by length, so that a batch needs little padding.
    ordered = sorted(items, key=lambda item: (len(item[1]), item[0]))
    for start in range(0, len(ordered), _AT_ONCE):
        yield ordered[start : start + _AT_ONCE]
