"""The order of units beside that of LightRAG itself, over the same graph and the same vectors.

It runs where the package lightrag-hku is importable; nothing is downloaded, no model is asked. The
reference keeps vectors in half precision, so these are whole numbers, which it keeps exactly.
"""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrieval.baselines.lightrag import MODES, GraphArrays, GraphSearch, Limits, Sought
from retrieval.baselines.lightrag_graph import Link, Node
from retrieval.baselines.text_vectors import PositionLists
from tests.retrieval.toys import ToyDense, corpus_of

lightrag = pytest.importorskip("lightrag", reason="lightrag-hku is a reference of tests only")

DIMENSIONS, UNITS, ENTITIES, RELATIONS = 6, 40, 60, 120
QUESTION, LOW, HIGH = "what is asked", "low, lower", "high, higher"
_CUT = {"tokens": 1, "chunk_order_index": 0}
ABOUT = {"file_path": "law", "full_doc_id": "law"}


class Bytes:
    """Counts a token for each byte."""

    def encode(self, content: str) -> list[int]:
        return list(content.encode())

    def decode(self, tokens: list[int]) -> str:
        return bytes(tokens).decode()


class Case:
    """A graph drawn at random: names, descriptions and units in the order that both sides have."""

    def __init__(self, seed: int) -> None:
        draw = random.Random(seed)
        names = [f"e{at:02}" for at in range(ENTITIES)]
        self.nodes = [
            Node(name, "t", f"about {name}", tuple(draw.sample(range(UNITS), draw.randint(1, 4))))
            for name in names
        ]
        pairs = sorted(draw.sample([(a, b) for b in range(ENTITIES) for a in range(b)], RELATIONS))
        self.links = [
            Link(
                (one, other),
                (names[one], names[other]),
                "k",
                f"joins {names[one]} {names[other]}",
                float(draw.randint(1, 3)),
                tuple(draw.sample(range(UNITS), draw.randint(1, 2))),
            )
            for one, other in pairs
        ]
        texts = [f"unit {at:02}" for at in range(UNITS)]
        texts += [*(each.text for each in self.nodes), *(each.text for each in self.links)]
        self.vectors: Mapping[str, Sequence[int]] = {
            text: [draw.randint(-200, 200) for _ in range(DIMENSIONS)]
            for text in (*texts, QUESTION, LOW, HIGH)
        }

    def unit(self, at: int) -> str:
        return f"unit {at:02}"

    def length_one(self, text: str) -> np.ndarray[Any, np.dtype[np.float32]]:
        row = np.array(self.vectors[text], float)
        made: np.ndarray[Any, np.dtype[np.float32]] = (row / np.linalg.norm(row)).astype(np.float32)
        return made


def ours(case: Case, limits: Sequence[Limits]) -> list[list[str]]:
    units = [case.unit(at) for at in range(UNITS)]
    base = ToyDense({unit: case.vectors[unit] for unit in units}, {})
    base.fit(corpus_of(*units))
    graph = GraphArrays(
        ends=np.array([link.ends for link in case.links]),
        weights=np.array([link.weight for link in case.links]),
        entity_sizes=np.array([node.size for node in case.nodes]),
        relation_sizes=np.array([link.size for link in case.links]),
        entity_units=PositionLists.of([node.units for node in case.nodes]),
        relation_units=PositionLists.of([link.units for link in case.links]),
        entity_vectors=np.array([case.length_one(node.text) for node in case.nodes]),
        relation_vectors=np.array([case.length_one(link.text) for link in case.links]),
    )
    sought = Sought(*(case.length_one(text) for text in (QUESTION, LOW, HIGH)))
    search = GraphSearch(graph, base)
    return [[units[at] for at in search.ranked([sought], each)[0]] for each in limits]


async def theirs(case: Case, limits: Sequence[Limits], folder: Path) -> list[list[str]]:
    from lightrag import LightRAG, QueryParam
    from lightrag.utils import EmbeddingFunc, Tokenizer, logger

    logger.setLevel("ERROR")

    async def embed(texts: Sequence[str], **_: Any) -> np.ndarray[Any, Any]:
        return np.array([case.vectors[text] for text in texts], np.float32)

    async def silent(*_: Any, **__: Any) -> str:
        raise AssertionError("no model is asked")

    rag = LightRAG(
        working_dir=str(folder),
        embedding_func=EmbeddingFunc(embedding_dim=DIMENSIONS, func=embed),
        llm_model_func=silent,
        tokenizer=Tokenizer("bytes", Bytes()),
    )
    await rag.initialize_storages()
    await fill(rag, case)
    found = []
    for each in limits:
        asked = QueryParam(
            mode=each.mode,
            ll_keywords=LOW.split(", "),
            hl_keywords=HIGH.split(", "),
            top_k=each.top_k,
            chunk_top_k=each.chunk_top_k,
            max_entity_tokens=4 * each.entity_tokens or 10**6,
            max_relation_tokens=4 * each.relation_tokens or 10**6,
            max_total_tokens=10**7,
            enable_rerank=False,
        )
        said = await rag.aquery_data(QUESTION, asked)
        found.append([chunk["chunk_id"] for chunk in said["data"]["chunks"]])
    await rag.finalize_storages()
    return found


async def fill(rag: Any, case: Case) -> None:
    """Write the graph straight into the storages; vectors are made of the texts."""

    def sources(thing: Node | Link) -> dict[str, Any]:
        units = "<SEP>".join(case.unit(at) for at in thing.units)
        return {"source_id": units, "description": thing.description, **ABOUT}

    graph = rag.chunk_entity_relation_graph
    entities, relations = {}, {}
    for node in case.nodes:
        about = sources(node) | {"entity_type": node.type}
        await graph.upsert_node(node.name, about | {"entity_id": node.name})
        entities[node.name] = {"content": node.text, "entity_name": node.name, **about}
    for link in case.links:
        about = sources(link) | {"keywords": link.keywords, "weight": link.weight}
        await graph.upsert_edge(*link.names, about)
        ends = dict(zip(("src_id", "tgt_id"), link.names, strict=True))
        relations[json.dumps(link.names)] = {"content": link.text, **ends, **about}
    units = {case.unit(at): {"content": case.unit(at), **ABOUT} for at in range(UNITS)}
    for storage, rows in (
        (rag.entities_vdb, entities),
        (rag.relationships_vdb, relations),
        (rag.chunks_vdb, units),
        (
            rag.text_chunks,
            {u: row | {"tokens": 1, "chunk_order_index": 0} for u, row in units.items()},
        ),
    ):
        await storage.upsert(rows)
        await storage.index_done_callback()


def limits(mode: str, **given: Any) -> Limits:
    standard: dict[str, Any] = {"top_k": 40, "chunk_top_k": 20, "cosine": 0.2, "related": 5}
    standard |= {"mode": mode, "entity_tokens": 0, "relation_tokens": 0}
    return Limits(**(standard | given))


@pytest.mark.parametrize("seed", range(8))
def test_units_stand_in_the_order_in_which_lightrag_has_them(seed: int, tmp_path: Path) -> None:
    case = Case(seed)
    asked = [limits(mode, **given) for mode in MODES for given in (
        {},
        {"chunk_top_k": 40},
        {"top_k": 3, "chunk_top_k": 40},
        *({"entity_tokens": 7 * n, "relation_tokens": 11 * n} for n in range(4, 40, 5)),
    )]  # fmt: skip
    found = ours(case, asked)
    assert found == asyncio.run(theirs(case, asked, tmp_path))
    assert all(found)
