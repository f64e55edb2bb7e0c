"""Nearest-neighbour search in Milvus, a file (Milvus Lite) or a cluster, for very large corpora.

A collection belongs to one content (method, versions, corpus) and appears under its name when it is
complete. It is searched exhaustively (index FLAT), and results are scored again here as the
local engine scores. So both engines give the same results, to the last bit and in the same order.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit
from uuid import uuid4

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.engines.local import FoundRows, exact, longest

MOST = 16_384  # hits that Milvus returns at most
_ROWS_AT_ONCE = 1_000
_QUERIES_AT_ONCE = 16
_SPARE = 32  # extra hits, as ties may follow the last wanted one
_SLACK = 1e-4  # error bound of single precision, per unit of score
_ROW, _VALUE = "row", "value"
_Result = TypeVar("_Result")


class Raw(NamedTuple):
    """A raw hit of Milvus; `value` is the row's vector if it was requested."""

    row: int
    score: float
    value: Any


class Collection:
    """A Milvus collection. `dimension` 0 is for sparse vectors, given as {index: value}."""

    def __init__(self, uri: str, token: str, content: str, dimension: int = 0) -> None:
        self._uri, self._token, self._dimension = uri, token, dimension
        self._name = f"touchstone_{content[:48]}"
        self._loaded = False

    def require(self, rows: Callable[[], Iterable[tuple[int, Any]]]) -> None:
        """Create the collection of what `rows` yields, unless it exists; UserError if it fails."""
        if not self._loaded:
            self._call(lambda client: self._prepare(client, rows))
            self._loaded = True

    def search(
        self, queries: Sequence[Any], k: int, values: bool = False, scale: float = 1.0
    ) -> list[list[Raw]]:
        """Return every row that may be among the best `k` of each query, in no particular order.

        `scale` bounds the products: the error of single precision is proportional to it.
        """
        return [
            hits
            for start in range(0, len(queries), _QUERIES_AT_ONCE)
            for hits in self._search_until_complete(
                queries[start : start + _QUERIES_AT_ONCE], k, values, scale
            )
        ]

    def get(self, rows: Sequence[int]) -> dict[int, Any]:
        """Return the vectors of rows; missing ones are left out."""
        found = self._call(
            lambda client: client.get(self._name, ids=list(rows), output_fields=[_ROW, _VALUE])
        )
        return {int(each[_ROW]): each[_VALUE] for each in found}

    def _search_until_complete(
        self, queries: Sequence[Any], k: int, values: bool, scale: float
    ) -> list[list[Raw]]:
        """Search with a growing limit until no row beyond it may be among the best `k`."""
        limit = min(MOST, k + _SPARE)
        found = self._search(queries, limit, values)
        while limit < MOST and any(_cut_short(hits, k, limit, scale) for hits in found):
            limit = min(MOST, 4 * limit)
            found = self._search(queries, limit, values)
        return found

    def _search(self, queries: Sequence[Any], limit: int, values: bool) -> list[list[Raw]]:
        """Ask the server for up to `limit` rows of each query, with their vectors if `values`."""
        found = self._call(
            lambda client: client.search(
                self._name,
                data=list(queries),
                limit=limit,
                anns_field=_VALUE,
                output_fields=[_ROW, _VALUE] if values else [_ROW],
            )
        )
        return [
            [Raw(int(h["entity"][_ROW]), h["distance"], h["entity"].get(_VALUE)) for h in hits]
            for hits in found
        ]

    def _prepare(self, client: Any, rows: Callable[[], Iterable[tuple[int, Any]]]) -> None:
        """Create the collection with its rows, if it does not exist, and load it."""
        if not client.has_collection(self._name):
            part = f"{self._name}_{uuid4().hex[:8]}"
            self._create(client, part)
            for batch in _batches(rows()):
                client.insert(part, [{_ROW: row, _VALUE: value} for row, value in batch])
            # Renamed only when complete: a killed process leaves a part that nobody reads.
            if client.has_collection(self._name):  # another process was faster
                client.drop_collection(part)
            else:
                client.rename_collection(part, self._name)
        client.load_collection(self._name)

    def _create(self, client: Any, name: str) -> None:
        """Create an empty collection with its index."""
        from pymilvus import DataType

        schema = client.create_schema(auto_id=False, enable_dynamic_field=False)
        schema.add_field(_ROW, DataType.INT64, is_primary=True)
        index = client.prepare_index_params()
        if self._dimension:
            schema.add_field(_VALUE, DataType.FLOAT_VECTOR, dim=self._dimension)
            index.add_index(_VALUE, index_type="FLAT", metric_type="IP")
        else:
            schema.add_field(_VALUE, DataType.SPARSE_FLOAT_VECTOR)
            index.add_index(_VALUE, index_type="SPARSE_INVERTED_INDEX", metric_type="IP")
        client.create_collection(
            name, schema=schema, index_params=index, consistency_level="Strong"
        )

    def _call(self, work: Callable[[Any], _Result]) -> _Result:
        """Call the server. Raises UserError if that fails."""
        from pymilvus import MilvusException

        try:
            return work(_client(self._uri, self._token))
        except (MilvusException, OSError) as error:
            reason = str(getattr(error, "message", "") or error)[:200]
            raise UserError(
                "milvus_failed", uri=_without_credentials(self._uri), reason=reason
            ) from None


class MilvusEngine:
    """Searches the non-zero rows of `vectors` in Milvus, by inner product.

    That is the cosine where the method normalised them to length one, else the raw product: the
    collection is named by the method's content, which includes its `similarity`.
    """

    def __init__(self, uri: str, token: str, content: str, vectors: NDArray[np.float32]) -> None:
        self._vectors = vectors
        self._collection = Collection(uri, token, content, vectors.shape[1])

    def search(self, queries: NDArray[np.float32], k: int) -> list[FoundRows]:
        """Return the best `k` rows for each row of `queries`; rows of zeros are never found."""
        nothing = FoundRows(np.arange(0), np.zeros(0))
        asked = [at for at, query in enumerate(queries) if query.any()]
        if not asked or not len(self._vectors):
            return [nothing] * len(queries)
        self._collection.require(self._rows)
        scale = self._longest * longest(queries)
        hits = self._collection.search([queries[at] for at in asked], k, scale=scale)
        rows = {
            at: np.array(sorted(hit.row for hit in mine), dtype=np.int64)
            for at, mine in zip(asked, hits, strict=True)
        }
        return [
            exact(self._vectors, query, rows[at], k) if at in rows else nothing
            for at, query in enumerate(queries)
        ]

    @cached_property
    def _longest(self) -> float:
        """Length of the longest vector."""
        return longest(self._vectors)

    def _rows(self) -> Iterator[tuple[int, Any]]:
        """Yield the rows with a vector."""
        return ((row, vector) for row, vector in enumerate(self._vectors) if vector.any())


def _cut_short(hits: Sequence[Raw], k: int, limit: int, scale: float) -> bool:
    """Return whether rows beyond the limit may belong to the best `k`."""
    if len(hits) < limit:
        return False
    scores = sorted((hit.score for hit in hits), reverse=True)
    return scores[-1] >= scores[k - 1] - _SLACK * max(1.0, abs(scores[k - 1]), scale)


def _batches(rows: Iterable[tuple[int, Any]]) -> Iterator[list[tuple[int, Any]]]:
    """Yield rows in batches."""
    rest = iter(rows)
    while batch := list(islice(rest, _ROWS_AT_ONCE)):
        yield batch


def _without_credentials(uri: str) -> str:
    """Return an address's host name alone, which shows no credentials; a path unchanged."""
    parts = urlsplit(uri)
    return parts.hostname or uri if parts.scheme else uri


@lru_cache(maxsize=4)
def _client(uri: str, token: str) -> Any:
    """Return a client of a server."""
    from pymilvus import MilvusClient

    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)  # our own errors report failures
    return MilvusClient(uri=uri, token=token)


def close() -> None:
    """Close all connections; a Milvus Lite file is free once this process ends."""
    _client.cache_clear()
