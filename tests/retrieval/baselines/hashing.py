"""A dense method whose vectors are drawn from the text, and what methods over it find."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from retrieval.baselines.lightrag import LightRAG
from retrieval.baselines.pikerag import PikeRAG
from retrieval.core.method import Method, ModelPrompt, Resources
from retrieval.core.model import Corpus, Document, Query
from retrieval.dense.vectors import VectorMethod, unit_length
from tests.retrieval.talking import Talker
from tests.retrieval.toys import made

WORDS = ("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta")


class Drawn(VectorMethod):
    """A word has the vector that its hash says, a text the sum of its words'."""

    NAME = "drawn"

    def __init__(self) -> None:
        super().__init__({"method": "drawn"})

    def encode(self, queries: Sequence[Query]) -> NDArray[np.float32]:
        rows = [sum(map(_drawn, query.text.split()), np.zeros(16)) for query in queries]
        return unit_length(np.array(rows))

    def _fit(self, corpus: Corpus) -> None:
        self._set_vectors(
            self.encode([Query(each.id, each.text) for each in corpus.documents]), corpus
        )


def _drawn(word: str) -> NDArray[np.float64]:
    said = sha256(word.encode()).digest()[:16]
    return np.frombuffer(said, np.uint8).astype(np.float64) - 127.5


def model(asked: ModelPrompt) -> str:
    """Read the words of a text as entities in a chain, and as atoms; choose what comes first."""
    words = asked.values.get("text", "").split()
    if asked.prompt.startswith("read_graph"):
        chain = [
            {"source": a, "target": b, "keywords": f"{a}, {b}", "description": f"{a} to {b}"}
            for a, b in pairwise(words)
        ]
        first = f"of {words[0]}"
        things = [{"name": each, "type": each[0], "description": first} for each in words]
        return json.dumps({"entities": things, "relations": chain})
    if asked.prompt == "read_atoms":
        return json.dumps({"questions": [f"what is {each}" for each in words]})
    said: Mapping[str, object] = {
        "query_keywords": {"high": ["alpha beta"], "low": ["gamma", "delta"]},
        "atoms_propose": {"questions": ["what is eta", "what is zeta"]},
        "atoms_choose": {"choice": 1},
    }
    return json.dumps(said[asked.prompt]) if asked.prompt in said else "a summary"


def digest() -> str:
    """Return a hash of what LightRAG and PIKE-RAG keep and find, to the last bit."""
    law = Corpus.of(
        Document(f"u{at:02}", body=" ".join(WORDS[(at * step) % 8] for step in (1, 3, 5, 2)))
        for at in range(20)
    )
    queries = [Query(word, f"{word} {other}") for word in WORDS for other in WORDS[:3]]
    queries = list({query.id: query for query in queries}.values())
    found: list[object] = []
    ways: list[tuple[type[Method], dict[str, object]]] = [
        (LightRAG, {"summarise": 3, "top_k": 3, "cosine": -1, "related": 2, "mode": "hybrid"}),
        (PikeRAG, {"loop": True, "loop_cosine": 0.1, "k": 3}),
    ]
    for kind, given in ways:
        base = Drawn()
        base.fit(law)
        method = made(kind, [base], Resources(ask=Talker(model)), reader="model", **given)
        method.fit(law)
        run = method.search(queries, 20)
        found += [(query, [(h.unit_id, h.score.hex()) for h in run[query]]) for query in run]
        with TemporaryDirectory() as name:
            method.save(Path(name))
            found += [(each.name, each.read_bytes()) for each in sorted(Path(name).iterdir())]
    return sha256(repr(found).encode()).hexdigest()
