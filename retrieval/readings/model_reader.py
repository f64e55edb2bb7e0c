"""The reader that asks a language model, in batches, with cached replies.

graph     `read_graph`, then once more for what was missed (gleaning), as LightRAG does (Guo et al.
          2024, §3.1): a second call that is shown what the first one found
phrases   `read_phrases`, and
triples   `read_triples`, given the phrases (HippoRAG 2, Gutiérrez et al. 2025, §3.1)
atoms     `read_atoms`: as many questions as the text answers (PIKE-RAG, Wang et al. 2025)

The `Asker` caches replies by prompt; so readings are shared between methods,
and an interrupted reading continues where it stopped.
"""

from __future__ import annotations

from collections.abc import Sequence

from corpus.progress import Progress
from errors import UserError
from retrieval.core.method import Asker, ModelCall
from retrieval.core.model import Document
from retrieval.readings.model import Kind, Reading, ReadingCost
from retrieval.readings.replies import (
    LONGEST,
    PROMPTS,
    asked_of,
    joined,
    of_kind,
    reading_of,
    usable,
)

VERSION = 1
PIECE = 128  # units asked about together; progress is reported between batches


class ModelReader:
    """Reads units by asking a model; see the module."""

    def __init__(self, ask: Asker) -> None:
        """Take the function that asks the model."""
        self._ask = ask
        self._calls: dict[str, ModelCall] = {}
        self._failed: list[str] = []

    @property
    def cost(self) -> ReadingCost:
        """The cost of the readings given so far, each call once, made now or cached."""
        return cost_of(list(self._calls.values()))

    def identity(self, kind: Kind) -> str:
        """Return the model, its settings and the wordings. Raises UserError where none is set."""
        return f"model{VERSION}/{LONGEST}:{self._ask.identity(PROMPTS[kind])}"

    def __call__(
        self, kind: Kind, documents: Sequence[Document], progress: Progress | None = None
    ) -> list[Reading]:
        """Return one reading per document, in order.

        Raises UserError where no model is set or it takes no calls, and, after everything was
        asked, where calls failed that may succeed later.
        """
        readings: list[Reading] = []
        self._failed = []
        for start in range(0, len(documents), PIECE):
            readings += self._read_batch(kind, documents[start : start + PIECE])
            if progress:
                progress(len(readings), len(documents))
        if self._failed:
            total, reason = len(documents), self._failed[0]
            raise UserError("readings_failed", failed=len(self._failed), total=total, reason=reason)
        return readings

    def _read_batch(self, kind: Kind, documents: Sequence[Document]) -> list[Reading]:
        first, *later = PROMPTS[kind]
        read = self._ask_prompt(first, documents, [None] * len(documents))
        for prompt in later:
            again = [at for at, each in enumerate(read) if usable(each)]
            more = self._ask_prompt(
                prompt, [documents[at] for at in again], [read[at] for at in again]
            )
            for at, each in zip(again, more, strict=True):
                read[at] = joined(read[at], each)
        return [of_kind(kind, each) for each in read]

    def _ask_prompt(
        self, prompt: str, documents: Sequence[Document], before: Sequence[Reading | None]
    ) -> list[Reading]:
        pairs = list(zip(documents, before, strict=True))
        told = self._ask([asked_of(prompt, *each) for each in pairs]) if pairs else []
        for reply in told:
            self._calls |= {call.key: call for call in reply.calls}
        self._failed += [each.reason or each.problem for each in told if each.passing]
        return [
            reading_of(prompt, document, reply)
            for document, reply in zip(documents, told, strict=True)
        ]


def cost_of(calls: Sequence[ModelCall]) -> ReadingCost:
    """Return the total cost of calls."""
    return ReadingCost(
        len(calls),
        sum(each.tokens_in or 0 for each in calls),
        sum(each.tokens_out or 0 for each in calls),
        round(sum(each.seconds for each in calls), 3),
        sum(each.tokens_in is None or each.tokens_out is None for each in calls),
    )
