"""Search in Milvus, for corpora that outgrow this process: a file (Milvus Lite) or a cluster.

A collection belongs to one content (method, versions, corpus) and appears under its name when it is
complete. It is searched exhaustively (index FLAT), and what comes back is scored again here as the
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
_SPARE = 32  # hits asked for beyond the wanted ones, where equal scores may stand
_SLACK = 1e-4  # what a score in single precision may be off by, per unit of score
_ROW, _VALUE = "row", "value"
_Result = TypeVar("_Result")


class Raw(NamedTuple):
    """A hit as Milvus gives it; `value` is the vector of the row where it was asked for."""

    row: int
    score: float
    value: Any


class Collection:
    """The vectors of one content. `dimension` 0 is for sparse vectors, given as {place: value}."""

    def __init__(self, uri: str, token: str, content: str, dimension: int = 0) -> None:
        self._uri, self._token, self._dimension = uri, token, dimension
        self._name = f"touchstone_{content[:48]}"
        self._loaded = False

    def require(self, rows: Callable[[], Iterable[tuple[int, Any]]]) -> None:
        """Make the collection if it is not there. Raises UserError where Milvus fails."""
        if not self._loaded:
            self._try(lambda client: self._prepare(client, rows))
            self._loaded = True

    def search(
        self, queries: Sequence[Any], k: int, values: bool = False, scale: float = 1.0
    ) -> list[list[Raw]]:
        """Return every row of each query that can be among its best `k`, in no stated order.

        `scale` is about how large a product can be: single precision errs in proportion to it.
        """
        return [
            hits
            for start in range(0, len(queries), _QUERIES_AT_ONCE)
            for hits in self._deep_enough(
                queries[start : start + _QUERIES_AT_ONCE], k, values, scale
            )
        ]

    def get(self, rows: Sequence[int]) -> dict[int, Any]:
        """Return the vectors of rows; those that are not there are left out."""
        found = self._try(
            lambda client: client.get(self._name, ids=list(rows), output_fields=[_ROW, _VALUE])
        )
        return {int(each[_ROW]): each[_VALUE] for each in found}

    def _deep_enough(
        self, queries: Sequence[Any], k: int, values: bool, scale: float
    ) -> list[list[Raw]]:
        limit = min(MOST, k + _SPARE)
        found = self._search(queries, limit, values)
        while limit < MOST and any(_cut_short(hits, k, limit, scale) for hits in found):
            limit = min(MOST, 4 * limit)
            found = self._search(queries, limit, values)
        return found

    def _search(self, queries: Sequence[Any], limit: int, values: bool) -> list[list[Raw]]:
        found = self._try(
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
        if not client.has_collection(self._name):
            part = f"{self._name}_{uuid4().hex[:8]}"
            self._create(client, part)
            for batch in _batches(rows()):
                client.insert(part, [{_ROW: row, _VALUE: value} for row, value in batch])
            # Under its own name only now, in one step: a kill leaves a part that nobody reads.
            if client.has_collection(self._name):  # another process was faster
                client.drop_collection(part)
            else:
                client.rename_collection(part, self._name)
        client.load_collection(self._name)

    def _create(self, client: Any, name: str) -> None:
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

    def _try(self, work: Callable[[Any], _Result]) -> _Result:
        from pymilvus import MilvusException

        try:
            return work(_client(self._uri, self._token))
        except (MilvusException, OSError) as error:
            reason = str(getattr(error, "message", "") or error)[:200]
            raise UserError("milvus_failed", uri=_shown(self._uri), reason=reason) from None


class MilvusEngine:
    """Searches the rows of `vectors` that are not all zeros in Milvus, by their inner product.

    That is the cosine where the method brought them to length one, else the product as it is: the
    collection is named by the method's content, which holds its `similarity`.
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
        return longest(self._vectors)

    def _rows(self) -> Iterator[tuple[int, Any]]:
        return ((row, vector) for row, vector in enumerate(self._vectors) if vector.any())


def _cut_short(hits: Sequence[Raw], k: int, limit: int, scale: float) -> bool:
    """Whether rows that were not returned may belong to the best `k`."""
    if len(hits) < limit:
        return False
    scores = sorted((hit.score for hit in hits), reverse=True)
    return scores[-1] >= scores[k - 1] - _SLACK * max(1.0, abs(scores[k - 1]), scale)


def _batches(rows: Iterable[tuple[int, Any]]) -> Iterator[list[tuple[int, Any]]]:
    rest = iter(rows)
    while batch := list(islice(rest, _ROWS_AT_ONCE)):
        yield batch


def _shown(uri: str) -> str:
    """Return the address without a name and password that may stand in it."""
    parts = urlsplit(uri)
    return parts.hostname or uri if parts.scheme else uri


@lru_cache(maxsize=4)
def _client(uri: str, token: str) -> Any:
    from pymilvus import MilvusClient

    logging.getLogger("pymilvus").setLevel(logging.CRITICAL)  # what fails is said by our errors
    return MilvusClient(uri=uri, token=token)


def close() -> None:
    """Let go of all connections; a file is free for other processes once this one ends."""
    _client.cache_clear()
