"""Query rewriting by a language model: decomposition and expansion.

Where the model refuses, fails or gives an unreadable reply, the method uses the plain
query. That is counted, and the counts go with the run.

Query expansion by a language model (Zheng et al. 2025, §5.3): the model's text
is appended to the question, and both are searched for together.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Mapping, Sequence

from errors import UserError
from normalization import composed_value
from retrieval.core.method import Asker, Method, ModelPrompt
from retrieval.core.model import Corpus, Hit, Parameter, Query
from retrieval.fusion.rank_fusion import (
    DEFAULT_K,
    asked_depth,
    depth,
    fused_to,
    reciprocal_rank_max,
    reciprocal_rank_sum,
)
from retrieval.text.passages import readable

_HANGUL = re.compile(r"[가-힣ᄀ-ᇿ]")  # syllables, and the letters that they decompose into
AUTO = "auto"
LANGUAGE = Parameter("language", "choice", AUTO, choices=(AUTO, "en", "ko"))
"""The language of the prompt; auto is Korean for a query with Hangul, else English."""


class Asking(Method):
    """Base class of methods that ask a language model about queries."""

    def _set_up(self) -> None:
        """Raise UserError if a model is needed and missing, otherwise as `Method`."""
        super()._set_up()
        if self.prompts:
            self._asker  # noqa: B018  (said at once, not in the middle of a run)

    @property
    @abstractmethod
    def prompts(self) -> tuple[str, ...]:
        """The names of the prompts in use; none if the parameters require no model."""

    @property
    def calls_models(self) -> bool:
        """Whether it or a part of it asks a model."""
        return bool(self.prompts) or super().calls_models

    @property
    def versions(self) -> str:
        """The versions of `Method`, with the model and the wordings.

        Raises UserError where no model is set.
        """
        if not self.prompts:
            return super().versions
        return f"{super().versions}@{self._asker.identity(self.prompts)}"

    def ask(self, prompt: str, queries: Sequence[Query], **values: str) -> list[str | None]:
        """Return the model's reply to each query, None without a usable one.

        The prompt gets the query as ``question``, its jurisdiction as ``jurisdiction``, and
        `values`.
        """
        return self.ask_each(prompt, [(query, values) for query in queries])

    def ask_each(
        self, prompt: str, queries: Sequence[tuple[Query, Mapping[str, str]]]
    ) -> list[str | None]:
        """Return the model's reply to each (query, prompt values); None without a usable one."""
        chosen = self.spec.get("language", AUTO)
        told = self._asker(
            [
                ModelPrompt(
                    prompt,
                    language_of(query.text, chosen),
                    {"question": readable(query.text), **_about(query), **values},
                )
                for query, values in queries
            ]
        )
        self._counts["asked"] += len(told)
        self._counts.update(each.problem for each in told if each.problem)
        return [None if each.problem else each.text for each in told]

    @property
    def _asker(self) -> Asker:
        """The generating model. Raises UserError without one."""
        if self.resources.ask is None:
            raise UserError("method_needs_model", method=self.NAME)
        return self.resources.ask


def _about(query: Query) -> dict[str, str]:
    """Return the values that a prompt gets about a query."""
    return {"jurisdiction": query.jurisdiction} if query.jurisdiction else {}


def language_of(text: str, chosen: str = AUTO) -> str:
    """Return `chosen`, or if that is AUTO the language for `text`: ko with Hangul, else en."""
    if chosen != AUTO:
        return chosen
    return "ko" if _HANGUL.search(text) else "en"


PROMPT = "query_decompose"


class Decompose(Asking):
    """Fuses the base's rankings of the sub-questions that a model makes of a question.

    At most `most` sub-questions count; `original` adds the question itself.
    `fusion` is rrf (Σ 1/(k + rank)) or rrm (max 1/(k + rank)) over the first `depth` units of
    each; units further down follow as in `retrieval.fusion.rank_fusion`. A question that the
    model does not decompose is its own only sub-question, and counted in `notes`.
    """

    NAME = "decompose"
    POOL = "depth"
    VERSION = 2
    PARAMETERS = (
        Parameter("base", "method"),
        Parameter("most", "int", 5, 1, 20),
        Parameter("original", "bool", True),
        Parameter("fusion", "choice", "rrf", choices=("rrf", "rrm")),
        Parameter("k", "float", DEFAULT_K, 0, 1e6, when=("fusion", ("rrf",))),
        depth(),
        LANGUAGE,
    )

    @property
    def prompts(self) -> tuple[str, ...]:
        """The decomposition prompt."""
        return (PROMPT,)

    def _fit(self, corpus: Corpus) -> None:
        """Do nothing, as nothing is learnt."""

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Search for each sub-question and fuse the rankings."""
        said = self.ask(PROMPT, queries, most=str(self.spec["most"]))
        texts = [self._texts(query, text) for query, text in zip(queries, said, strict=True)]
        # Numbered, since ids of queries may be anything.
        asked = [Query(f"{at}/{n}", each) for at, some in enumerate(texts) for n, each in some]
        run = self.parts[0].search(asked, asked_depth(self.spec["depth"], k))
        found = {}
        for at, query in enumerate(queries):
            rankings = [run[f"{at}/{n}"] for n, _ in texts[at]]
            _, found[query.id] = fused_to(rankings, self._fused, self.spec["depth"], k)
        return found

    def _texts(self, query: Query, reply: str | None) -> list[tuple[int, str]]:
        """Return a reply's sub-questions, numbered; the query first if `original`, or alone."""
        queries = [] if reply is None else composed_value(json.loads(reply))["queries"]
        found = queries[: self.spec["most"]]
        wanted = [text for text in map(str.strip, found) if text]
        if self.spec["original"] or not wanted:
            wanted.insert(0, query.text)
        return list(enumerate(dict.fromkeys(wanted)))

    def _fused(self, rankings: Sequence[Sequence[Hit]]) -> Mapping[str, float]:
        """Fuse the rankings of sub-questions."""
        if self.spec["fusion"] == "rrm":
            return reciprocal_rank_max(rankings, self.spec["k"])
        return reciprocal_rank_sum(rankings, self.spec["k"], [1.0] * len(rankings))


KINDS = {
    "paraphrase": "expand_paraphrase",  # the question in other words
    "chain_of_thought": "expand_chain_of_thought",  # an answer with its reasons
    "structured": "expand_structured",  # the issues, and the rule for each
}


class Expand(Asking):
    """Searches the base with the question followed by a model's text about it.

    A question that the model does not expand is asked unchanged, and counted in `notes`.
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
        """Do nothing, as nothing is learnt."""

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        """Search for the query with the model's text appended."""
        said = self.ask(self.prompts[0], queries)
        expanded = [
            Query(query.id, f"{query.text}\n{text}" if text else query.text)
            for query, text in zip(queries, said, strict=True)
        ]
        return self.parts[0].search(expanded, k)
