"""Query expansion by a language model (Zheng et al. 2025, §5.3).

What the model makes of the question is appended to it, and both are searched for together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from retrieval.core.model import Corpus, Hit, Query
from retrieval.core.parameters import Parameter
from retrieval.rewriting.llm_method import LANGUAGE, Asking

KINDS = {
    "paraphrase": "expand_paraphrase",  # the question in other words
    "chain_of_thought": "expand_chain_of_thought",  # an answer with its reasons
    "structured": "expand_structured",  # the issues, and the rule for each
}


class Expand(Asking):
    """The base method, asked the question followed by what a model makes of it.

    A question that the model does not expand is asked as it is, and counted in `notes`.
    """

    NAME = "expand"
    PARAMETERS = (
        Parameter("base", "method"),
        Parameter("kind", "choice", "structured", choices=tuple(KINDS)),
        LANGUAGE,
    )

    @property
    def prompts(self) -> tuple[str, ...]:
        """The prompt of its kind."""
        return (KINDS[self.spec["kind"]],)

    def _fit(self, corpus: Corpus) -> None:
        """Have nothing to learn."""

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        said = self.ask(self.prompts[0], queries)
        expanded = [
            Query(query.id, f"{query.text}\n{text}" if text else query.text)
            for query, text in zip(queries, said, strict=True)
        ]
        return self.parts[0].search(expanded, k)
