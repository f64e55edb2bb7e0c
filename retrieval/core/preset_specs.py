"""The presets as plain specs by name, independent of the registry.

`RECOMMENDED` is the one to start from where nothing can be downloaded: all of it runs on a
processor. It is a weighted sum of BM25 over the articles (tokenised in two ways), over the
texts that cite them and over their headings, a citation prior, latent semantic analysis, and
BM25 of the family of statutes. ``docs/recommended.md`` describes how the weights were chosen and
the figures reached; nothing in it is specific to a statute or question.
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


BEST: dict[str, Any] = {
    "method": "weighted",
    "of": [
        *RECOMMENDED["of"],
        {"method": "similar_questions"},
        {"method": "gold_prior", "level": "unit"},
        {"method": "gold_prior", "level": "family"},
    ],
    "weights": [*RECOMMENDED["weights"], 1.0, 0.5, 0.5],
}
"""The recommended method plus gold of other questions: it improves with more gold."""


Preset = Mapping[str, Any]

_BM25: Preset = {"method": "bm25"}
_LSA: Preset = {"method": "lsa"}

# The encoder shared by all systems of paper 001 (A.1).
_QWEN3: Preset = {"method": "dense", "model": "Qwen/Qwen3-Embedding-0.6B"}

_ALL: dict[str, Preset] = {
    "bm25": _BM25,
    "bm25_jamo": {"method": "bm25", "tokeniser": "jamo3"},
    "bm25_whitespace": {"method": "bm25", "tokeniser": "whitespace"},
    "bm25_morphemes": {"method": "bm25", "tokeniser": "morphemes"},
    "rank_bm25": {"method": "rank_bm25"},
    "recommended": RECOMMENDED,
    "best": BEST,
    "tfidf": {"method": "tfidf"},
    "lsa": _LSA,
    "rocchio": {"method": "rocchio", "base": _LSA},
    "rocchio_paper": {
        **{"method": "rocchio", "base": _LSA, "alpha": 0.9, "beta": 0.1, "K": 15, "pool": 100}
    },
    "sar": {"method": "sar", "base": _LSA},
    "sar_paper": {
        **{"method": "sar", "base": _LSA, "K": 15, "beta": 0.3, "pool": 100},
        **{"outside": False, "frozen": 5},
    },
    "rrf": {"method": "rrf", "of": [_BM25, _LSA]},
    "wrrf": {"method": "wrrf", "of": [_BM25, _LSA]},
    "rrm": {"method": "rrm", "of": [_BM25, _LSA]},
    "minmax": {"method": "minmax", "of": [_BM25, _LSA]},
    "keller": {"method": "keller", "base": _BM25},
    "dense": {"method": "dense", "model": "sentence-transformers/all-MiniLM-L6-v2"},
    "dense_contriever": {"method": "dense", "model": "facebook/contriever", "similarity": "dot"},
    "dense_dpr": {
        "method": "dense",
        "model": "sentence-transformers/facebook-dpr-ctx_encoder-single-nq-base",
        "similarity": "dot",
    },
    "rerank": {"method": "rerank", "base": _BM25, "model": "BAAI/bge-reranker-v2-m3"},
    "expand": {"method": "expand", "base": _BM25},
    "decompose": {"method": "decompose", "base": _BM25},
    "refwalk": {"method": "refwalk", "base": _LSA},
    "nativerag": {"method": "nativerag", "base": _LSA},
    "nativerag_paper": {
        "method": "nativerag",
        "base": _QWEN3,
        "rerank": True,
        "model": "Qwen/Qwen3-Reranker-0.6B",
    },
    "hipporag2": {"method": "hipporag2", "base": _LSA},
    "hipporag2_paper": {
        "method": "hipporag2",
        "base": _QWEN3,
        "reader": "model",
        "recognition": "model",
    },
    "lightrag": {"method": "lightrag", "base": _LSA},
    "pikerag": {"method": "pikerag", "base": _LSA},
    "pikerag_loop": {"method": "pikerag", "base": _LSA, "loop": True},
    "lightrag_paper": {"method": "lightrag", "base": _QWEN3, "reader": "model"},
    "pikerag_paper": {"method": "pikerag", "base": _QWEN3, "reader": "model"},
    "legalsearchlm": {"method": "legalsearchlm", "model": "google/mt5-base"},
}


PRESETS: Mapping[str, Preset] = _ALL

_OF_MODELS = frozenset(
    {
        *("dense", "dense_contriever", "dense_dpr", "rerank"),
        *("expand", "decompose", "refwalk", "pikerag_loop"),
        *("nativerag_paper", "lightrag_paper", "hipporag2_paper", "pikerag_paper"),
        "legalsearchlm",
    }
)

_OF_GOLD = frozenset({"best"})

DOWNLOAD_FREE = tuple(name for name in PRESETS if name not in _OF_MODELS | _OF_GOLD)
"""The presets that need neither a model's files, nor a server, nor gold to learn from."""
