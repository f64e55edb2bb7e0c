"""NativeRAG, the plain dense pipeline that serves as a baseline (paper 001, §5.1 and A.1).

The dense base finds `pool` units, a reranker reorders them if it is on, and the first
`top` are returned: nothing follows them, as nothing else would be shown to a model that answers.

The paper's text has a reranker ("Dense + Rerank"), its script has none: `rerank` chooses.
It is off by default, since it takes a model:

* with `model`, a cross-encoder or a language model of the kind of Qwen3-Reranker in files, read as
  `retrieval.rerank` reads it. The paper's is Qwen3-Reranker-0.6B, in its own yes/no frame;
* without, the workspace's language model is asked for each unit whether it helps to answer. Its
  reply is a word and no probability: units with yes (score 2) come before unjudged ones
  (1, counted in `notes`), and those before units with no (0), each in the order of the base. A
  fraction below 1 that falls with the base's rank is added, so that scores fall.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from retrieval.core.model import Corpus, Hit, Parameter, Query, best
from retrieval.core.registry import complete
from retrieval.rerank import FORMS, INSTRUCTION, Rerank
from retrieval.rewriting.llm_method import LANGUAGE, Asking
from retrieval.text.passages import readable

PROMPT = "rerank_yes_no"
_WORDS = {"yes": 2.0, "no": 0.0, "예": 2.0, "네": 2.0, "아니오": 0.0, "아니요": 0.0}
_WORD = re.compile(r"[^\W_]+")
_UNJUDGED = 1.0
_OF_RERANK = ("model", "form", "instruction", "max_length", "batch")


def judged(text: str) -> float | None:
    """Return 2 for a reply whose first word is yes, 0 for no, None for any other."""
    first = _WORD.search(text)
    return _WORDS.get(first.group().lower()) if first else None


_RERANKING = ("rerank", (True,))


class NativeRAG(Asking):
    """Dense retrieval with an optional reranker; see the module."""

    NAME = "nativerag"
    PARAMETERS = (
        Parameter("base", "method", {"method": "lsa"}),
        Parameter("pool", "int", 20, 1, 1000),
        Parameter("top", "int", 10, 1, 1000),
        Parameter("rerank", "bool", False),
        Parameter("model", "text", "", when=_RERANKING),
        Parameter("form", "choice", "auto", choices=FORMS, when=_RERANKING),
        Parameter("instruction", "text", INSTRUCTION, when=_RERANKING),
        Parameter("max_length", "int", 0, 0, 131_072, when=_RERANKING),
        Parameter("batch", "int", 16, 1, 4096, when=_RERANKING),
        replace(LANGUAGE, when=_RERANKING),
    )

    def _set_up(self) -> None:
        super()._set_up()
        self._cross: Rerank | None = None
        if self.spec["rerank"] and self.spec["model"]:
            own = {name: self.spec[name] for name in _OF_RERANK}
            asked = complete(
                {"method": "rerank", "base": self.spec["base"], "depth": self.spec["pool"]} | own
            )
            self._cross = Rerank(asked, self.parts, self.resources)

    @property
    def prompts(self) -> tuple[str, ...]:
        """The yes/no prompt, if a language model reranks."""
        return (PROMPT,) if self.spec["rerank"] and not self.spec["model"] else ()

    @property
    def versions(self) -> str:
        """The versions of `Asking`, with those of the reranking model, if there is one."""
        said = super().versions
        return said if self._cross is None else f"{said}+{self._cross.versions}"

    def _fit(self, corpus: Corpus) -> None:
        """Fit the reranking model, if there is one."""
        if self._cross is not None:
            self._cross.fit(corpus)

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Return the base's first hits, if `rerank` in the order of a cross-encoder or a model."""
        pool, top = self.spec["pool"], min(k, self.spec["top"])
        ranker = self.parts[0] if self._cross is None else self._cross
        found: Mapping[str, Sequence[Hit]] = ranker.search(queries, pool)
        if self.prompts:
            found = self._reranked_by_verdict(
                queries, {each: hits[:pool] for each, hits in found.items()}
            )
        return {query.id: found[query.id][: min(pool, top)] for query in queries}

    def _reranked_by_verdict(
        self, queries: Sequence[Query], pools: Mapping[str, Sequence[Hit]]
    ) -> dict[str, tuple[Hit, ...]]:
        """Rerank each pool by the model's yes and no."""
        pairs = [(query, hit.unit_id) for query in queries for hit in pools[query.id]]
        said = iter(self._verdicts(pairs))
        return {query.id: _ordered_by_verdict(pools[query.id], said) for query in queries}

    def _verdicts(self, pairs: Sequence[tuple[Query, str]]) -> list[float]:
        """Ask the model about each (query, unit id); return its verdicts as numbers."""
        documents, at = self.corpus.documents, self.corpus.positions
        asked = [
            (query, {"provision": readable(documents[at[unit]].text)}) for query, unit in pairs
        ]
        found = []
        for text in self.ask_each(PROMPT, asked):
            verdict = None if text is None else judged(text)
            if text is not None and verdict is None:
                self._counts["invalid"] += 1
            found.append(_UNJUDGED if verdict is None else verdict)
        return found


def _ordered_by_verdict(pool: Sequence[Hit], verdicts: Iterator[float]) -> tuple[Hit, ...]:
    """Order a pool by verdict, then by its present order."""
    shares = {
        hit.unit_id: next(verdicts) + (len(pool) - at) / (len(pool) + 1)
        for at, hit in enumerate(pool)
    }
    return best(shares, len(shares))
