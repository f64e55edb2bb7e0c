"""The method to start from where nothing can be downloaded: everything in it runs on a processor.

It is a sum of what articles say (cut in two ways), what others say when they cite them, how much
other law relies on them, what they are called, latent semantic analysis, and their family as a
whole. How the weights were chosen, and what it reaches, is told in
``docs/retrieval.md``; nothing in it knows a statute or a question.
"""

from __future__ import annotations

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
