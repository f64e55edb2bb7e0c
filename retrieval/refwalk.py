"""RefWalk (paper RefWalk, §4.1 and A.1): multi-view retrieval over the citation graph.

1. A language model extracts the anchor of the question; three views are made of it.
2. The base finds the pool: the N best documents for the view mid.
3. From the first M of the pool one step is taken along `edges`; documents found so get delta times
   the score, the best of several counting.
4. The reranker scores every candidate for each of `views`; the rankings are fused by Reciprocal
   Rank MAX, 1/(k + rank), or by another `fusion`.
5. Documents of the manual tier get mu times the fused score.
6. Units below the pool for the view mid follow in the base's order.

Left open in the paper, and chosen here:

* Links are followed both ways unless `undirected` is false, and a facet that the question does not
  mention is called "all" unless `unspecified` is "omit": both as in the authors' own code.
* At most `reach` documents are added by the step, the best first: a hub of a whole country's law is
  cited by thousands, and each candidate is reranked for each view.
* The reranker's scores replace the decayed ones, so by itself the decay decides
  nothing. With `decayed` "fusion" the order by decayed scores is one more ranking of the fusion.
* Equal fused scores follow the order of the view mid (of the first view, where mid is not among
  them) if `ties` is "mid", as in the authors' code: a billionth of that view's reciprocal rank
  is added. With "id" the formula stands alone and ties are broken by ascending unit id.
* So delta decides nothing by itself: all added documents have it as a common factor, so that
  `reach` selects the same ones (but at 0, where all tie).
  It acts where the decayed scores rank: with `decayed` "fusion", or without `rerank`.
* The paper reranks with a cross-encoder. It is the default where the environment names one in
  TOUCHSTONE_RERANKER (a model or its folder); else `lsa`, which needs no download. The spec of a
  run records the reranker either way.
* Without an anchor (the model gave none, or `anchor` is false) every view is the question.
* Without `rerank` the order by decayed scores is the only ranking.
* The paper compares other fusions of the three views: `fusion` is "rrf", a sum, or "wrrf" with one
  of `weights` per view (its wide = 2 is 0.25, 0.25, 0.5), or "minmax" of the reranker's scores.
  Views with equal text are one ranking with their weights together; the order by decayed scores,
  where it is one more ranking, weighs as much as the mean view.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from corpus.model import Tier
from errors import UserError
from normalization import composed_value
from retrieval.core.method import Scoring
from retrieval.core.model import Corpus, Hit, Parameter, Query, best, continued
from retrieval.fusion.rank_fusion import (
    RRM_K,
    as_written,
    checked_weights,
    minmax_sum,
    reciprocal_rank_max,
    reciprocal_rank_sum,
)
from retrieval.fusion.weighted import Scores, require_scoring
from retrieval.graph.citation_graph import CitationGraph
from retrieval.graph.cited import FROM, GRAPH, Citing
from retrieval.graph.noise import NOISE
from retrieval.rewriting.llm_method import LANGUAGE, Asking

PROMPT = "query_anchor"
FACETS = ("actor", "temporal", "magnitude", "situational")
VIEWS = ("narrow", "mid", "wide")
UNSPECIFIED = "unspecified"
ALL, OMIT = "all", "omit"


@dataclass(frozen=True, slots=True)
class Anchor:
    """The topic of a question, and the `facets` that it mentions."""

    topic: str
    facets: Mapping[str, str]


def read_anchor(text: str) -> Anchor:
    """Parse the anchor from a reply in the schema ``query_anchor``.

    A facet that is empty or "unspecified" is not mentioned. Raises ValueError for another form.
    """
    said = composed_value(json.loads(text))
    if not isinstance(said, dict):
        raise ValueError("no anchor")
    values = {name: " ".join(str(said.get(name, "")).split()) for name in ("topic", *FACETS)}
    facets = {
        name: values[name] for name in FACETS if values[name].lower() not in ("", UNSPECIFIED)
    }
    return Anchor(values["topic"], facets)


def views(question: str, anchor: Anchor | None, unspecified: str = ALL) -> dict[str, str]:
    """Return the text of each view; without an anchor each is the question.

    A facet that the question does not mention is "all", as in the authors' own code,
    or left out where `unspecified` is "omit". The question replaces a missing topic.
    """
    if anchor is None:
        return dict.fromkeys(VIEWS, question)
    topic = f"[TOPIC] {anchor.topic or question}"
    said = [
        f"[{name.upper()}] {anchor.facets.get(name, ALL)}"
        for name in FACETS
        if name in anchor.facets or unspecified == ALL
    ]
    conditions = [f"Conditions: {', '.join(said)}"] if said else []
    return {
        "narrow": question,
        "mid": "\n".join([topic, f"[Q] {question}", *conditions]),
        "wide": "\n".join([topic, *conditions]),
    }


_LEVELS = "/_"  # separators between an article's id and that of its parts


def walked(
    graph: CitationGraph,
    corpus: Corpus,
    pool: Sequence[tuple[int, float]],
    seeds: int,
    delta: float,
    most: int,
) -> dict[int, float]:
    """Return scores of the pool and of documents one link away from its first `seeds`.

    `pool` holds positions and scores, best first. A neighbour gets `delta` times the seed's score;
    documents found more than once keep the best of their scores, the pool's own among them. A
    score below 0 is passed on undecayed: decay must not raise it. Of documents beyond the pool the
    `most` best are added, ties by position.
    """
    found = dict(pool)
    for position, score in pool[:seeds]:
        _, ends = graph.out.of(np.array([standing(graph, corpus, position)], dtype=np.int64))
        passed = min(delta * score, score)
        for end in ends.tolist():
            if end != position:
                found[end] = max(found.get(end, passed), passed)
    inside = {position for position, _ in pool}
    beyond = sorted(found.keys() - inside, key=lambda at: (-found[at], at))
    return {at: found[at] for at in (*inside, *beyond[:most])}


def standing(graph: CitationGraph, corpus: Corpus, position: int) -> int:
    """Return the position from which a seed walks: its own, or that of the document it is part of.

    Citations belong to articles. A part of an article that is a document of its own and has no
    links takes those of the nearest document whose id is a prefix of its own.
    """
    unit = corpus.ids[position]
    here = position
    while not graph.out.degrees[here]:
        cut = max(unit.rfind(level) for level in _LEVELS)
        if cut <= 0:
            return position
        unit = unit[:cut]
        here = corpus.positions.get(unit, here)
    return here


_MANUALS = "manuals.npy"
_TIE = 1e-9  # far below the difference of two reciprocal ranks of any pool
RRM, RRF, WRRF, MINMAX = "rrm", "rrf", "wrrf", "minmax"
_Ranking = Sequence[Hit]
_WALKS, _RERANKS, _ASKS = (
    (step, (True,)) for step in ("expansion", "rerank", "anchor")
)  # effective only while a step is on
_EDGES = next(each for each in GRAPH if each.name == "edges")


RERANKER = "TOUCHSTONE_RERANKER"
"""The environment variable with the cross-encoder to rerank with, by name or folder."""


def default_reranker() -> dict[str, Any]:
    """Return the spec of the configured cross-encoder, else of a method without download."""
    model = os.environ.get(RERANKER, "").strip()
    return {"method": "rerank", "model": model} if model else {"method": "lsa"}


class RefWalk(Asking, Citing):
    """RefWalk over any base, reranked by any method that scores units; see the module."""

    NAME = "refwalk"
    POOL = "N"
    KEEPS = True
    PARAMETERS = (
        Parameter("base", "method", {"method": "lsa"}),
        Parameter("reranker", "method", {"method": "lsa"}),
        Parameter("N", "int", 50, 1, 1000),
        Parameter("M", "int", 10, 0, 1000, when=_WALKS),
        Parameter("delta", "float", 0.7, 0, 1, when=_WALKS),
        Parameter("reach", "int", 200, 0, 10_000, when=_WALKS),
        Parameter("fusion", "choice", RRM, choices=(RRM, RRF, WRRF, MINMAX)),
        Parameter("weights", "numbers", [], 0, 1, when=("fusion", (WRRF, MINMAX))),
        Parameter("k", "float", RRM_K, 0, 1e6, when=("fusion", (RRM, RRF, WRRF))),
        Parameter("mu", "float", 0.7, 0, 1),
        Parameter("views", "texts", VIEWS, choices=VIEWS, when=_RERANKS),
        Parameter("anchor", "bool", True),
        Parameter("expansion", "bool", True),
        Parameter("rerank", "bool", True),
        Parameter("unspecified", "choice", ALL, choices=(ALL, OMIT), when=_ASKS),
        Parameter("decayed", "choice", "pool", choices=("pool", "fusion"), when=_RERANKS),
        Parameter("ties", "choice", "mid", choices=("mid", "id")),
        replace(_EDGES, when=_WALKS),
        replace(FROM, when=_WALKS),
        Parameter("undirected", "bool", True, when=_WALKS),
        *(replace(each, when=each.when or _WALKS) for each in NOISE),
        replace(LANGUAGE, when=_ASKS),
    )
    _manuals: NDArray[np.bool_]

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """Return the parameters; the default reranker is the configured cross-encoder, if any."""
        return tuple(
            replace(each, default=default_reranker()) if each.name == "reranker" else each
            for each in cls.PARAMETERS
        )

    def _set_up(self) -> None:
        super()._set_up()
        require_scoring(self.NAME, self.parts[1])
        if not self.spec["views"]:
            raise UserError("refwalk_views", known=", ".join(VIEWS))
        if self.spec["weights"] and self.spec["fusion"] not in (WRRF, MINMAX):
            raise UserError("refwalk_weights", fusion=self.spec["fusion"])
        chosen = [each for each in VIEWS if each in self.spec["views"]]
        weights = checked_weights(self.NAME, self.spec["weights"], len(chosen))
        self._weights = dict(zip(chosen, weights, strict=True))

    @property
    def prompts(self) -> tuple[str, ...]:
        """The anchor prompt, if anchors are used."""
        return (PROMPT,) if self.spec["anchor"] else ()

    def _fit(self, corpus: Corpus) -> None:
        """Load the links and mark manuals."""
        tiers = [document.tier for document in corpus.documents]
        self._manuals = np.array(tiers, dtype=np.int64) == Tier.MANUAL
        self._fit_links(corpus)

    def _save(self, folder: Path) -> None:
        """Write which documents are manuals."""
        np.save(folder / _MANUALS, self._manuals)

    def _load(self, folder: Path, corpus: Corpus) -> None:
        """Read which documents are manuals, and the links."""
        self._manuals = np.load(folder / _MANUALS)
        self._fit_links(corpus)

    def _fit_links(self, corpus: Corpus) -> None:
        """Build the graph of links, if the method follows them."""
        if self.spec["expansion"]:
            self.fit_graph(corpus)

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Rank hits and the units that they refer to by views of the query."""
        said = self.ask(PROMPT, queries) if self.spec["anchor"] else [None] * len(queries)
        seen = [
            views(query.text, None if text is None else read_anchor(text), self.spec["unspecified"])
            for query, text in zip(queries, said, strict=True)
        ]
        middle = [Query(query.id, view["mid"]) for query, view in zip(queries, seen, strict=True)]
        pools = self.parts[0].search(middle, max(k, self.spec["N"]))
        return {
            query.id: self._ranking(query.id, view, pools[query.id], k)
            for query, view in zip(queries, seen, strict=True)
        }

    def _ranking(
        self, query: str, view: Mapping[str, str], pool: Sequence[Hit], k: int
    ) -> tuple[Hit, ...]:
        """Return the best `k` candidates for one question, then the units below the pool."""
        first, below = pool[: self.spec["N"]], pool[self.spec["N"] :]
        scores = self._candidates(first)
        if not scores:
            return ()
        decayed = self._sorted_hits([*scores], np.array([*scores.values()]))
        rankings, weights = [decayed], [1.0]
        if self.spec["rerank"]:
            rankings, weights = self._rankings_by_view(query, view, sorted(scores))
        if self.spec["rerank"] and self.spec["decayed"] == "fusion":
            rankings, weights = [*rankings, decayed], [*weights, 1 / len(self._weights)]
        return continued(best(self._fused(rankings, weights), len(scores)), below, k)

    def _candidates(self, pool: Sequence[Hit]) -> dict[int, float]:
        """Return the scores of the pool and, with `expansion`, of the units that its seeds cite."""
        known = self.corpus.positions
        found = [(known[hit.unit_id], hit.score) for hit in pool]
        if not self.spec["expansion"]:
            return dict(found)
        spec = self.spec
        return walked(self.graph, self.corpus, found, spec["M"], spec["delta"], spec["reach"])

    def _rankings_by_view(
        self, query: str, view: Mapping[str, str], positions: Sequence[int]
    ) -> tuple[list[_Ranking], list[float]]:
        """Return the reranked candidates for each view, and the views' weights.

        Mid comes first: its order breaks ties.
        """
        reranker = cast(Scoring, self.parts[1])  # validated in __init__
        weights: dict[str, float] = {}
        for name in sorted(self._weights, key=lambda each: (each != "mid", each)):
            weights[view[name]] = weights.get(view[name], 0.0) + self._weights[name]
        ids = [self.corpus.ids[at] for at in positions]
        rankings = []
        for text in weights:
            scores = _finite(reranker.NAME, reranker.score(Query(query, text), ids))
            rankings.append(self._sorted_hits(positions, scores))
        return rankings, list(weights.values())

    def _sorted_hits(self, positions: Sequence[int], scores: Scores) -> _Ranking:
        """Return the candidates by descending score, ties in corpus order."""
        ids = self.corpus.ids
        order = np.lexsort((np.array(positions), -scores)).tolist()
        return [Hit(ids[positions[at]], float(scores[at])) for at in order]

    def _fused(self, rankings: Sequence[_Ranking], weights: Sequence[float]) -> dict[str, float]:
        """Return fused scores, manuals' times mu; with `ties` mid the first ranking breaks ties."""
        spec, known = self.spec, self.corpus.positions
        match spec["fusion"]:
            case "rrf":
                fused = reciprocal_rank_sum(
                    rankings, spec["k"], [len(self._weights) * w for w in weights]
                )
            case "wrrf":
                fused = reciprocal_rank_sum(rankings, spec["k"], weights)
            case "minmax":
                fused = minmax_sum(rankings, weights)
            case _:
                fused = reciprocal_rank_max(rankings, spec["k"])
        over, under = as_written(spec["mu"])
        for rank, hit in enumerate(rankings[0], 1):
            if self._manuals[known[hit.unit_id]] and spec["fusion"] == "rrm":
                # rounded once: .7/63 is 1/90
                fused[hit.unit_id] = over / (under * round(1 / fused[hit.unit_id], 6))
            elif self._manuals[known[hit.unit_id]]:
                fused[hit.unit_id] *= spec["mu"]
            if spec["ties"] == "mid":
                fused[hit.unit_id] += _TIE / (spec["k"] + rank)
        return fused


def _finite(method: str, scores: Scores) -> Scores:
    """Return scores. Raises UserError for NaN or infinite ones."""
    if not np.isfinite(scores).all():
        raise UserError("method_scores_unfit", method=method)
    return scores
