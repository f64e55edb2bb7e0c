"""KELLER's max-sum over facts of the question (Deng, Mao and Dou 2024).

  score(d) = sum over the facts f of the question of max over the passages p of d of s(f, p)

s is the score that the base gives a passage; a negative one counts 0, and so does a fact for which
no passage of d is among the first `depth`. Facts are the sentences of the question, or
extracted by a language model; where the model gives none, the sentences are used, which is counted.
Each fact counts once, and only the first `most`. A document without any of these passages is not
ranked: there is no order of documents below them.

Citations join documents and not passages, so methods that follow them can build on this one, but
not the other way round.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from math import fsum

from errors import UserError
from normalization import composed_value
from retrieval.core.model import Corpus, Parameter, Query, Spec
from retrieval.fusion.rank_fusion import Fused, Rankings
from retrieval.graph.cited import Citing
from retrieval.rewriting.llm_method import LANGUAGE, Asking
from retrieval.text.passages import document_id, passage_corpus, sentences

PROMPT = "query_facts"
SENTENCES, MODEL = "sentences", "model"


def max_sum(rankings: Rankings) -> dict[str, float]:
    """Return the sum over facts of each document's best passage score, one ranking per fact."""
    found: dict[str, list[float]] = {}
    for ranking in rankings:
        highest: dict[str, float] = {}
        for hit in ranking:  # best first
            highest.setdefault(document_id(hit.unit_id), max(hit.score, 0.0))
        for document, score in highest.items():
            found.setdefault(document, []).append(score)
    return {document: fsum(scores) for document, scores in found.items()}


class Keller(Asking, Fused):
    """Max-sum of any base over the passages of documents; `passage` is their minimum length.

    It fuses the rankings of the facts, as fusions do those of methods: it scores any unit.
    """

    NAME = "keller"
    VERSION = 3
    POOL = ""
    PARAMETERS = (
        Parameter("base", "method", {"method": "bm25"}),
        Parameter("facts", "choice", SENTENCES, choices=(SENTENCES, MODEL)),
        Parameter("most", "int", 10, 1, 100),
        Parameter("passage", "int", 200, 1, 100_000),
        Parameter("depth", "int", 1000, 1, 100_000),
        replace(LANGUAGE, when=("facts", (MODEL,))),
    )

    def _set_up(self) -> None:
        """Do as `Asking`; UserError also for a base that follows citations: passages have none."""
        super()._set_up()
        for each in (inner for part in self.parts for inner in part._with_parts()):
            if isinstance(each, Citing):
                raise UserError("method_among_passages", method=self.NAME, base=each.NAME)

    @classmethod
    def part_corpus(cls, spec: Spec, corpus: Corpus) -> Corpus:
        """Return the corpus of the passages of `corpus`."""
        return passage_corpus(corpus, spec["passage"])

    @property
    def prompts(self) -> tuple[str, ...]:
        """The facts prompt, if a model extracts the facts."""
        return (PROMPT,) if self.spec["facts"] == MODEL else ()

    def fuse(self, rankings: Rankings) -> dict[str, float]:
        """Return the max-sum of each document, given a ranking of passages for each fact."""
        return max_sum(rankings)

    def rankings(self, queries: Sequence[Query], depth: int) -> dict[str, Rankings]:
        """Return, by query, a ranking of passages per fact, cut at `depth` and the spec's depth."""
        said: Sequence[str | None] = [None] * len(queries)
        if self.prompts:
            said = self.ask(PROMPT, queries, most=str(self.spec["most"]))
        facts = [self._facts(query, text) for query, text in zip(queries, said, strict=True)]
        # Numbered, since ids of queries may be anything.
        asked = [Query(f"{at}/{n}", fact) for at, some in enumerate(facts) for n, fact in some]
        run = self.parts[0].search(asked, min(depth, self.spec["depth"]))
        return {
            query.id: [run[f"{at}/{n}"] for n, _ in facts[at]] for at, query in enumerate(queries)
        }

    def _facts(self, query: Query, reply: str | None) -> list[tuple[int, str]]:
        """Return a reply's facts, numbered, `most` at most; without any the query's sentences."""
        facts = [] if reply is None else composed_value(json.loads(reply))["facts"]
        found = [fact.strip() for fact in facts]
        wanted = [fact for fact in found if fact] or sentences(query.text) or [query.text]
        return list(enumerate(dict.fromkeys(wanted)))[: self.spec["most"]]
