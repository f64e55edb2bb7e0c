"""The methods that are measured on real questions: all that run without a download, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrieval.core.presets import RECOMMENDED

_BIGRAM: dict[str, Any] = {"method": "bm25"}
_MORPHEMES: dict[str, Any] = {"method": "bm25", "tokeniser": "morphemes"}
_LSA: dict[str, Any] = {"method": "lsa", "tokeniser": "morphemes"}
_BOTH = [_MORPHEMES, _LSA]

DENSE_BASE, OVER_DENSE = "lsa", "sar"
BEST = "best"

MEASURED: Mapping[str, dict[str, Any]] = {
    "bm25_whitespace": {"method": "bm25", "tokeniser": "whitespace"},
    "bm25_bigram": _BIGRAM,
    "bm25_char3": {"method": "bm25", "tokeniser": "char3"},
    "bm25_jamo3": {"method": "bm25", "tokeniser": "jamo3"},
    "bm25_morphemes": _MORPHEMES,
    "bm25_fields": {"method": "bm25", "fields": "bm25f", "path_weight": 1.0, "b": 0.4},
    "tfidf": {"method": "tfidf"},
    "keller": {"method": "keller"},
    "cited_as": {"method": "cited_as"},
    "headings": {"method": "headings"},
    "lsa_bigram": {"method": "lsa"},
    DENSE_BASE: _LSA,
    "rocchio": {"method": "rocchio", "base": _LSA},
    OVER_DENSE: {
        "method": "sar",
        "base": _LSA,
        "K": 100,
        "beta": 0.2,
        "pool": 200,
        "scale": "minmax",
    },
    "rrf": {"method": "rrf", "of": _BOTH},
    "wrrf": {"method": "wrrf", "of": _BOTH},
    "rrm": {"method": "rrm", "of": _BOTH},
    "minmax": {"method": "minmax", "of": _BOTH},
    BEST: RECOMMENDED,
}
