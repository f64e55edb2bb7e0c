"""BM25 over units, ranked with a rule for ties, kept in a folder and read back memory-mapped.

Scoring is the variant that Lucene uses: term frequency ``tf / (tf + k1 (1 - b + b length / mean
length))`` and inverse document frequency ``ln(1 + (N - df + 0.5) / (df + 0.5))``, which is never
negative, so a common term cannot push a matching unit below one that does not match.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from retrieval.core.kept_files import described, require_sound
from retrieval.core.method import DamagedIndexError
from retrieval.core.model import Hit
from retrieval.core.progress import telling
from retrieval.lexical.bm25_weights import DEFAULT_B, DEFAULT_K1, Field, bm25f, check_parameters
from retrieval.lexical.postings import Postings, best_positions
from retrieval.lexical.term_counts import TermCounter
from retrieval.text.tokenise import DEFAULT, cut_all, tokeniser

FORMAT = 3
_MANIFEST = "manifest.json"
_IDS = "ids.json"
_METHOD = "lucene"


class BM25Index:
    """An immutable BM25 index. Make one with :meth:`fit` or :meth:`load`."""

    def __init__(
        self, ids: list[str], postings: Postings, tokeniser_name: str, k1: float, b: float
    ) -> None:
        """Wrap `postings` whose document order is that of `ids`."""
        self._ids = ids
        self._postings = postings
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
        told: Callable[[int, int], None] | None = None,
    ) -> BM25Index:
        """Index `texts`, the i-th under the i-th of `ids`.

        `k1` (0 or more) says how slowly repeated terms stop counting, `b` (0 to 1) how strongly
        long texts are discounted. What is dear about cutting texts is kept in `folder`, and `told`
        hears how far it has come: (texts done, texts). Raises ValueError when the two lists differ
        in length or an id repeats, UserError for an unknown tokeniser and parameters out of range.
        """
        check_parameters(k1, b)
        if len(ids) != len(texts) or len(set(ids)) != len(ids):
            raise ValueError("every text needs one id of its own")
        # Documents stand in order of id, so a document's position settles ties.
        order = sorted(range(len(ids)), key=ids.__getitem__)
        cut = cut_all(tokeniser, (texts[i] for i in order), folder)
        terms, counts = TermCounter.counted(telling(cut, len(texts), told))
        postings = Postings.of(terms, bm25f([Field(counts, b=b)], k1))
        return cls([ids[i] for i in order], postings, tokeniser, k1, b)

    def search(self, query: str, k: int) -> list[Hit]:
        """Return the best `k` units, best first; only units that share a term with `query`.

        Equal scores stand in ascending order of unit id, at the cut-off too. A term that `query`
        repeats counts as often as it stands there.
        """
        scores = self._scores(query)
        if scores is None or k < 1:
            return []
        return [Hit(self._ids[i], float(scores[i])) for i in best_positions(scores, k)]

    def save(self, folder: Path) -> None:
        """Write the index into `folder`, which is created; the manifest comes last.

        Raises FileExistsError when the folder holds anything: another process may have it mapped.
        """
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise FileExistsError(folder)
        self._postings.save(folder)
        (folder / _IDS).write_text(json.dumps(self._ids, ensure_ascii=False), encoding="utf-8")
        manifest = {
            "format": FORMAT,
            "method": _METHOD,
            "tokeniser": self.tokeniser,
            "k1": self.k1,
            "b": self.b,
            "documents": len(self._ids),
            "files": described(folder),
        }
        (folder / _MANIFEST).write_text(json.dumps(manifest, indent=2), encoding="utf-8")

    @classmethod
    def load(cls, folder: Path) -> BM25Index:
        """Read an index that :meth:`save` wrote; its arrays stay on disk, memory-mapped.

        Raises DamagedIndexError when it is missing, damaged or of another format.
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
        require_sound(folder / _MANIFEST, manifest["files"])
        ids = json.loads((folder / _IDS).read_text(encoding="utf-8"))
        if len(ids) != manifest["documents"]:
            raise ValueError("ids are missing")
        postings = Postings.load(folder, len(ids))
        return cls(ids, postings, manifest["tokeniser"], manifest["k1"], manifest["b"])

    def _scores(self, query: str) -> NDArray[np.float64] | None:
        return self._postings.scores(Counter(self._tokenise(query)))
