"""Presets: methods worth starting from, by name, for the form on screen and the command line.

`RECOMMENDED` is the one to start from where nothing can be downloaded: all of it runs on a
processor. It is a sum of what articles say (cut in two ways), what others say when they cite them,
how much other law relies on them, what they are called, latent semantic analysis, and their family
as a whole. How the weights were chosen, and what it reaches, is told in ``docs/retrieval.md``;
nothing in it knows a statute or a question.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_SHORT = {"k1": 0.9, "b": 0.4}

RECOMMENDED: dict[str, Any] = {
    "method": "weighted",
    "of": [
        {"method": "bm25", "tokeniser": "bigram", **_SHORT},
        {"method": "bm25", "tokeniser": "morphemes", **_SHORT},
        {"method": "cited_as"},
        {"method": "cited_by"},
        {"method": "headings"},
        {"method": "lsa", "tokeniser": "morphemes"},
        {"method": "family", "k1": 1.2, "b": 0.5},
    ],
    "weights": [1.0, 1.0, 0.75, 0.75, 0.5, 0.5, 0.5],
}


Preset = Mapping[str, Any]

_BM25: Preset = {"method": "bm25"}
_LSA: Preset = {"method": "lsa"}

_ALL: dict[str, Preset] = {
    "bm25": _BM25,
    "bm25_whitespace": {"method": "bm25", "tokeniser": "whitespace"},
    "bm25_morphemes": {"method": "bm25", "tokeniser": "morphemes"},
    "rank_bm25": {"method": "rank_bm25"},
    "recommended": RECOMMENDED,
    "tfidf": {"method": "tfidf"},
    "lsa": _LSA,
    "rocchio": {"method": "rocchio", "base": _LSA},
    "sar": {"method": "sar", "base": _LSA},
    "rrf": {"method": "rrf", "of": [_BM25, _LSA]},
    "wrrf": {"method": "wrrf", "of": [_BM25, _LSA]},
    "rrm": {"method": "rrm", "of": [_BM25, _LSA]},
    "minmax": {"method": "minmax", "of": [_BM25, _LSA]},
    "keller": {"method": "keller", "base": _BM25},
    "dense": {"method": "dense", "model": "sentence-transformers/all-MiniLM-L6-v2"},
    "rerank": {"method": "rerank", "base": _BM25, "model": "BAAI/bge-reranker-v2-m3"},
    "expand": {"method": "expand", "base": _BM25},
    "decompose": {"method": "decompose", "base": _BM25},
    "refwalk": {"method": "refwalk", "base": _LSA},
}


PRESETS: Mapping[str, Preset] = _ALL

_OF_MODELS = frozenset({"dense", "rerank", "expand", "decompose", "refwalk"})

DOWNLOAD_FREE = tuple(name for name in PRESETS if name not in _OF_MODELS)
"""The presets that need neither a model's files nor a server."""
