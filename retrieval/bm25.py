"""BM25 over units, ranked with a rule for ties, kept in a folder and read back memory-mapped.

Scoring is the variant that Lucene uses, as bm25s computes it: term frequency
``tf / (tf + k1 (1 - b + b length / mean length))`` and inverse document frequency
``ln(1 + (N - df + 0.5) / (df + 0.5))``, which is never negative, so a common term cannot push a
matching unit below one that does not match.
"""

from __future__ import annotations

import json
import logging
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import bm25s
import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.method import DamagedIndexError
from retrieval.model import Hit
from retrieval.tokenise import DEFAULT, cut_all, tokeniser

DEFAULT_K1 = 1.5
DEFAULT_B = 0.75
MAX_K1 = 100
FORMAT = 1
_MANIFEST = "manifest.json"
_IDS = "ids.json"
_METHOD = "lucene"

logging.getLogger("bm25s").setLevel(logging.WARNING)  # the library sets itself to DEBUG


def check_parameters(k1: float, b: float) -> None:
    """Raise UserError unless 0 ≤ k1 ≤ 100 and 0 ≤ b ≤ 1."""
    if not (0 <= k1 <= MAX_K1 and 0 <= b <= 1):
        raise UserError("bm25_parameters", k1=k1, b=b, limit=MAX_K1)


class BM25Index:
    """An immutable BM25 index. Make one with :meth:`fit` or :meth:`load`."""

    def __init__(
        self, ids: list[str], engine: bm25s.BM25 | None, tokeniser_name: str, k1: float, b: float
    ) -> None:
        """Wrap a built `engine` whose document order is that of `ids`; None if it has no term."""
        self._ids = ids
        self._engine = engine
        self._tokenise = tokeniser(tokeniser_name)
        self.tokeniser = tokeniser_name
        self.k1 = k1
        self.b = b

    def __len__(self) -> int:
        return len(self._ids)

    @classmethod
    def fit(
        cls,
        ids: Sequence[str],
        texts: Sequence[str],
        tokeniser: str = DEFAULT,
        k1: float = DEFAULT_K1,
        b: float = DEFAULT_B,
        folder: Path | None = None,
    ) -> BM25Index:
        """Index `texts`, the i-th under the i-th of `ids`.

        `k1` (0 or more) says how slowly repeated terms stop counting, `b` (0 to 1) how strongly
        long texts are discounted. What is dear about cutting texts is kept in `folder`. Raises
        ValueError when the two lists differ in length or an id repeats, UserError for an unknown
        tokeniser and parameters out of range.
        """
        check_parameters(k1, b)
        if len(ids) != len(texts) or len(set(ids)) != len(ids):
            raise ValueError("every text needs one id of its own")
        index = cls([], None, tokeniser, k1, b)
        # Documents stand in order of id, so a document's position settles ties.
        order = sorted(range(len(ids)), key=ids.__getitem__)
        index._ids = [ids[i] for i in order]
        index._engine = index._build(cut_all(tokeniser, (texts[i] for i in order), folder))
        return index

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the best `k` units, best first; only units that share a term with `query`.

        Equal scores stand in ascending order of unit id, at the cut-off too. A term that `query`
        repeats counts as often as it stands there.
        """
        scores = self._scores(query)
        if scores is None or k < 1:
            return []
        return [Hit(self._ids[i], float(scores[i])) for i in _best(scores, k)]

    def ranks(self, query: str, unit_ids: Iterable[str]) -> dict[str, int]:
        """Return the rank (from 1) at which `search` has each unit when it goes deep enough.

        Units that it never finds are left out.
        """
        scores = self._scores(query)
        found: dict[str, int] = {}
        for unit_id in unit_ids:
            at = bisect_left(self._ids, unit_id)
            if scores is None or at == len(self) or self._ids[at] != unit_id or scores[at] <= 0:
                continue
            better = np.count_nonzero(scores > scores[at])
            found[unit_id] = int(better + np.count_nonzero(scores[:at] == scores[at])) + 1
        return found

    def score(self, query: str, unit_ids: Sequence[str]) -> NDArray[np.float64]:
        """Return the score of each unit on the scale of `search`; 0 where no term is shared.

        Raises KeyError for a unit that is not indexed.
        """
        places = [self._place(unit_id) for unit_id in unit_ids]
        scores = self._scores(query)
        if scores is None:
            return np.zeros(len(places))
        return scores[places].astype(np.float64)

    def save(self, folder: Path) -> None:
        """Write the index into `folder`, which is created; the manifest comes last.

        Raises FileExistsError when the folder holds anything: another process may have it mapped.
        """
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise FileExistsError(folder)
        if self._engine is not None:
            self._engine.save(folder, show_progress=False)
        (folder / _IDS).write_text(json.dumps(self._ids, ensure_ascii=False), encoding="utf-8")
        manifest = {
            "format": FORMAT,
            "method": _METHOD,
            "tokeniser": self.tokeniser,
            "k1": self.k1,
            "b": self.b,
            "documents": len(self._ids),
            "empty": self._engine is None,
            "bytes": {file.name: file.stat().st_size for file in sorted(folder.iterdir())},
        }
        (folder / _MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> BM25Index:
        """Read an index that :meth:`save` wrote; its arrays stay on disk, memory-mapped.

        Raises DamagedIndexError when it is missing, incomplete or of another format.
        """
        try:
            return cls._read(folder)
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise DamagedIndexError(f"{folder}: {error}") from error

    @classmethod
    def _read(cls, folder: Path) -> BM25Index:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT:
            raise ValueError(f"format {manifest['format']}")
        for name, size in manifest["bytes"].items():
            if (folder / name).stat().st_size != size:
                raise ValueError(f"{name} has not the size it was written with")
        ids = json.loads((folder / _IDS).read_text(encoding="utf-8"))
        engine = None
        if not manifest["empty"]:
            engine = bm25s.BM25.load(folder, mmap=True, show_progress=False)
        if len(ids) != manifest["documents"]:
            raise ValueError("ids are missing")
        return cls(ids, engine, manifest["tokeniser"], manifest["k1"], manifest["b"])

    def _build(self, cut: Iterable[list[str]]) -> bm25s.BM25 | None:
        vocabulary: dict[str, int] = {}
        documents = [_numbers(tokens, vocabulary) for tokens in cut]
        if not vocabulary:
            return None
        engine = bm25s.BM25(k1=self.k1, b=self.b, method=_METHOD, backend="numpy")
        engine.index((documents, vocabulary), create_empty_token=False, show_progress=False)
        return engine

    def _place(self, unit_id: str) -> int:
        at = bisect_left(self._ids, unit_id)
        if at == len(self._ids) or self._ids[at] != unit_id:
            raise KeyError(unit_id)
        return at

    def _scores(self, query: str) -> NDArray[np.float32] | None:
        if self._engine is None:
            return None
        terms = self._engine.get_tokens_ids(self._tokenise(query))
        if not terms:
            return None
        scores: NDArray[np.float32] = self._engine.get_scores_from_ids(terms)
        return scores


def _numbers(tokens: list[str], vocabulary: dict[str, int]) -> array[int]:
    # Four bytes a token instead of a list's eight: the whole of Korean law has 10^8 tokens.
    return array("i", [vocabulary.setdefault(token, len(vocabulary)) for token in tokens])


def _best(scores: NDArray[np.float32], k: int) -> NDArray[Any]:
    """Return the positions of the `k` highest positive scores; equal scores by position."""
    found = np.flatnonzero(scores > 0)
    if found.size > k:
        values = scores[found]
        least = np.partition(values, found.size - k)[found.size - k]
        found = found[values >= least]  # every unit tied at the cut-off is still in
    order = np.argsort(-scores[found], kind="stable")
    best: NDArray[Any] = found[order][:k]
    return best
