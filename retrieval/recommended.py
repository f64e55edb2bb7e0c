"""The method to start from where nothing can be downloaded: everything in it runs on a processor.

It is a sum of what articles say (two ways of cutting Korean, titles and chapters as fields), what
others say when they cite them, latent semantic analysis, how much other law relies on them, and
their family as a whole. How the weights were chosen, and what it reaches, is told in
``docs/retrieval.md``; nothing in it knows a statute or a question.
"""

from __future__ import annotations

from typing import Any

_FIELDS = {"k1": 0.9, "b": 0.4}

RECOMMENDED: dict[str, Any] = {
    "method": "weighted",
    "of": [
        {"method": "bm25", "tokeniser": "bigram", **_FIELDS},
        {"method": "bm25", "tokeniser": "morphemes", **_FIELDS},
        {"method": "cited_as"},
        {"method": "cited_by"},
        {"method": "lsa", "tokeniser": "morphemes"},
        {"method": "family", "k1": 1.2, "b": 0.5},
    ],
    "weights": [1.0, 1.0, 0.7, 0.8, 0.3, 0.3],
}
