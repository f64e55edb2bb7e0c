"""Query decomposition: a language model takes the question apart, and the rankings are fused."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from retrieval.core.model import Corpus, Hit, Query, best
from retrieval.core.parameters import Parameter
from retrieval.fusion.rank_fusion import DEFAULT_K, depth, reciprocal_rank_max, reciprocal_rank_sum
from retrieval.rewriting.llm_method import LANGUAGE, Asking

PROMPT = "query_decompose"


class Decompose(Asking):
    """The base method, asked each sub-question, and their rankings fused.

    At most `most` sub-questions count; `original` says whether the question itself is asked as
    well. `fusion` is rrf (Σ 1/(k + rank)) or rrm (max 1/(k + rank)) over the first `depth` units of
    each. A question that the model does not take apart is its own only sub-question, and counted
    in `notes`.
    """

    NAME = "decompose"
    PARAMETERS = (
        Parameter("base", "method"),
        Parameter("most", "int", 5, 1, 20),
        Parameter("original", "bool", True),
        Parameter("fusion", "choice", "rrf", choices=("rrf", "rrm")),
        Parameter("k", "float", DEFAULT_K, 0, 1e6),
        depth(),
        LANGUAGE,
    )

    @property
    def prompts(self) -> tuple[str, ...]:
        """The prompt that asks for sub-questions."""
        return (PROMPT,)

    def _fit(self, corpus: Corpus) -> None:
        """Have nothing to learn."""

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        said = self.ask(PROMPT, queries, most=str(self.spec["most"]))
        texts = [self._texts(query, text) for query, text in zip(queries, said, strict=True)]
        # Numbered through, since ids of queries may be anything.
        asked = [Query(f"{at}/{n}", each) for at, some in enumerate(texts) for n, each in some]
        run = self.parts[0].search(asked, self.spec["depth"])
        return {
            query.id: best(self._fused([run[f"{at}/{n}"] for n, _ in texts[at]]), k)
            for at, query in enumerate(queries)
        }

    def _texts(self, query: Query, said: str | None) -> list[tuple[int, str]]:
        """Return what is searched for in place of the query, each once and numbered."""
        found = [] if said is None else json.loads(said)["queries"][: self.spec["most"]]
        wanted = [text for text in map(str.strip, found) if text]
        if self.spec["original"] or not wanted:
            wanted.insert(0, query.text)
        return list(enumerate(dict.fromkeys(wanted)))

    def _fused(self, rankings: Sequence[Sequence[Hit]]) -> Mapping[str, float]:
        if self.spec["fusion"] == "rrm":
            return reciprocal_rank_max(rankings, self.spec["k"])
        return reciprocal_rank_sum(rankings, self.spec["k"], [1.0] * len(rankings))
