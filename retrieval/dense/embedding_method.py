"""Dense methods that use an embedding model, and the one that uses a model server.

On-disk cache of embeddings, by model and text, so that no text is embedded twice.

A folder per model holds files that are written once and never changed. Each is renamed into place
when it is complete: several processes may add at the same time, and a killed one leaves
only a partial file that nobody reads. Where two processes embed the same text at once, both
vectors are stored and the file whose name sorts first counts. A file's name ends with the checksum
(CRC-32) of its content: a truncated or changed file is ignored.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Literal
from uuid import uuid4
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from corpus.long_work import Progress
from errors import UserError, Where
from normalization.hashing import text_hash
from retrieval.core.method import Embedder, replacing
from retrieval.core.model import COMPARED, Corpus, Parameter, Query
from retrieval.dense.model_files import card_of
from retrieval.dense.vectors import VectorMethod, as_they_are, unit_length
from retrieval.text.passages import readable

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
        self, texts: dict[bytes, str], embed: Embed, progress: Progress | None
    ) -> dict[bytes, Vector]:
        """Embed uncached texts and keep them in the folder; without one return vectors by key."""
        missing = [(key, text) for key, text in texts.items() if key not in self._known]
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
        """Raise UserError for vectors of another length than those cached or just embedded."""
        kept = [rows["vector"].shape[1] for rows in self._files.values()]
        lengths = {vectors.shape[1], *kept[:1], *map(len, list(fresh.values())[:1])}
        if len(lengths) > 1:
            raise UserError("vectors_of_two_lengths", sizes=", ".join(map(str, sorted(lengths))))

    def _vector(self, key: bytes) -> Vector:
        """Return a cached vector."""
        name, row = self._known[key]
        vector: Vector = self._files[name][row]["vector"]
        return vector

    def _store(self, folder: Path, vectors: dict[bytes, Vector]) -> None:
        """Write vectors to a new file with its checksum in its name, and index it; or UserError."""
        width = len(next(iter(vectors.values())))
        rows = np.empty(len(vectors), dtype=[("key", "u1", (32,)), ("vector", "<f4", (width,))])
        rows["key"] = np.frombuffer(b"".join(vectors), dtype=np.uint8).reshape(-1, 32)
        rows["vector"] = np.array(list(vectors.values()))
        buffer = BytesIO()
        np.save(buffer, rows)
        name = f"{uuid4().hex}-{crc32(buffer.getbuffer()):08x}{_ENDING}"
        try:
            with replacing(folder / name) as file:
                file.write(buffer.getbuffer())
        except OSError as error:
            reason = error.strerror or str(error)
            raise UserError("index_unwritten", Where(file=str(folder)), reason=reason) from error
        self._read_file(folder / name)

    def _read_new_files(self) -> None:
        """Read new files in the folder, including those of other processes."""
        if self._folder is not None and self._folder.is_dir():
            for file in sorted(self._folder.glob(f"*{_ENDING}")):
                if file.name not in self._files and file.name not in self._damaged:
                    self._read_file(file)

    def _read_file(self, file: Path) -> None:
        """Index the vectors of a file, unless it is damaged."""
        if not _is_intact(file):
            self._damaged.add(file.name)
            return
        rows = np.load(file, mmap_mode="r")
        self._files[file.name] = rows
        keys = np.ascontiguousarray(rows["key"]).tobytes()
        for row in range(len(rows)):
            self._known.setdefault(keys[32 * row : 32 * row + 32], (file.name, row))


def checked(vectors: NDArray[np.float32], text_count: int) -> NDArray[np.float32]:
    """Validate `vectors`: one per text, all finite. Raises UserError otherwise."""
    if vectors.ndim != 2 or len(vectors) != text_count or not vectors.shape[1]:
        raise UserError("vectors_not_one_each", texts=text_count, given=list(vectors.shape))
    if not np.isfinite(vectors).all():
        raise UserError("vectors_not_numbers")
    return vectors


def _is_intact(file: Path) -> bool:
    """Return whether a file matches the checksum in its name; names without one pass."""
    said = file.stem.partition("-")[2]
    return not said or said == f"{crc32(file.read_bytes()):08x}"


def _key(text: str) -> bytes:
    """Return the hash that a text is cached under."""
    return sha256(text.encode("utf-8", "surrogatepass")).digest()


def _parts(items: list[tuple[bytes, str]]) -> Iterator[list[tuple[bytes, str]]]:
    """Yield batches of texts of similar length."""
    # Sorted by length, so that a batch needs little padding.
    ordered = sorted(items, key=lambda item: (len(item[1]), item[0]))
    for start in range(0, len(ordered), _AT_ONCE):
        yield ordered[start : start + _AT_ONCE]


Side = Literal["query", "document"]
COSINE, DOT = "cosine", "dot"
SIMILARITY = Parameter("similarity", "choice", COSINE, choices=(COSINE, DOT))
"""Whether vectors are normalised to length one, or multiplied as the model gives them.

The length carries part of the score in models that were trained so, such as DPR and Contriever.
"""
FROM_CARD = "card"
"""Parameter value that leaves a setting to the model's card or files."""
_FOLDER = "embeddings"


class EmbeddedMethod(VectorMethod):
    """Base class: embeds whole units and queries with a model and caches the vectors."""

    def _set_up(self) -> None:
        super()._set_up()
        self._query_cache: EmbeddingCache | None = None

    @property
    def unit_length(self) -> bool:
        """Whether vectors are normalised to length one, by `similarity`."""
        return bool(self.spec.get("similarity", COSINE) == COSINE)

    @abstractmethod
    def _identity(self, side: Side) -> str:
        """Return the cache key of a side's vectors: model, prompt and settings."""

    @abstractmethod
    def _embed(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the model's raw vector of each text."""

    @property
    def versions(self) -> str:
        """The version with a hash of the models' identities: their files or server."""
        said = "\0".join((self._identity("query"), self._identity("document")))
        return f"{super().versions}-{text_hash(said)[:16]}"

    def encode(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        """Return one row per query; zero columns if no unit has any text."""
        if not self.vectors.shape[1]:
            return np.zeros((len(queries), 0), dtype=np.float32)
        return self._vectors_of("query", [query.text for query in queries])

    def _fit(self, corpus: Corpus) -> None:
        """Embed the documents."""
        texts = [document.compared(self.spec) for document in corpus.documents]
        filled = [at for at, text in enumerate(texts) if text.strip()]
        made = self._vectors_of("document", [texts[at] for at in filled])
        vectors = np.zeros((len(texts), made.shape[1]), dtype=np.float32)
        vectors[filled] = made  # a unit without any text has a zero vector, and is never found
        self._set_vectors(vectors, corpus)

    def _vectors_of(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return the vectors of texts of a side, from the cache if possible."""
        if not texts:
            return np.zeros((0, 0), dtype=np.float32)
        progress = self.resources.progress if side == "document" else None
        texts = [readable(text) for text in texts]
        made = self._cache_of(side).get(texts, lambda some: self._embed(side, some), progress)
        made = self._truncated(made)
        return unit_length(made) if self.unit_length else as_they_are(made)

    def _truncated(self, vectors: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cut vectors to the wanted dimensions. Raises UserError if they are shorter."""
        wanted = int(self.spec["dimensions"])
        if wanted > vectors.shape[1]:
            raise UserError("vectors_short", wanted=wanted, given=vectors.shape[1])
        return vectors[:, :wanted] if wanted else vectors

    def _cache_of(self, side: Side) -> EmbeddingCache:
        """Return a side's cache: the queries' is kept open, the documents' opened each time."""
        if side == "document":  # used once, to fit, and large: not kept in memory
            return self._cache(side)
        self._query_cache = self._query_cache or self._cache(side)
        return self._query_cache

    def _cache(self, side: Side) -> EmbeddingCache:
        """Open the cache of a side; it lies in memory if there is no folder."""
        folder = self.resources.folder
        if folder is None:
            return EmbeddingCache(None)
        name = text_hash(self._identity(side))[:32]
        return EmbeddingCache(folder / _FOLDER / name)


class Endpoint(EmbeddedMethod):
    """Embeddings from a model server, by the role embed of the workspace's models.

    `model` names a model of that server, "" the one of the settings. Servers put no prompt
    before a text, so prompts are added here: those of `retrieval.dense.model_files`, or the given
    ones. A text is truncated after `characters` characters, 0 being no limit: most servers refuse a
    text that is longer than their model can read. `dimensions` keeps the first values of a vector.
    """

    NAME = "endpoint"
    PARAMETERS = (
        Parameter("model", "text", ""),
        Parameter("query_prompt", "text", FROM_CARD),
        Parameter("document_prompt", "text", FROM_CARD),
        Parameter("characters", "int", 0, 0, 1_000_000),
        Parameter("dimensions", "int", 0, 0, 65_536),
        SIMILARITY,
        COMPARED,
    )

    def _set_up(self) -> None:
        super()._set_up()
        if self.resources.embed is None:
            raise UserError("method_needs_embedder", method=self.NAME)
        self._embedder: Embedder = self.resources.embed(str(self.spec["model"]))

    @property
    def calls_models(self) -> bool:
        """True: it embeds every text that is not cached."""
        return True

    def _identity(self, side: Side) -> str:
        """Return model, side, prompt and cut."""
        return repr((self._embedder.identity, side, self._prompt(side), self.spec["characters"]))

    def _embed(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        """Embed texts by the server's model."""
        prompt, limit = self._prompt(side), self.spec["characters"] or None
        return self._embedder([prompt + text[:limit] for text in texts])

    def _prompt(self, side: Side) -> str:
        """Return the prefix of a side's texts, by default the model card's."""
        said = str(self.spec[f"{side}_prompt"])
        if said != FROM_CARD:
            return said
        card = card_of(self._embedder.model)
        return (card.query_prompt if side == "query" else card.document_prompt) or ""
