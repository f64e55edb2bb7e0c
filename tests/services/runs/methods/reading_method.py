"""A method that asks a model about every unit when it is fitted, and about every question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from retrieval.core import registry
from retrieval.core.method import Method, ModelPrompt
from retrieval.core.model import Corpus, Hit, Parameter, Query

NAME = "reads_units"


class ReadsUnits(Method):
    """Ranks units as they stand; what the model says is thrown away."""

    NAME = NAME
    PARAMETERS = (Parameter("prompt", "text", "expand_paraphrase"),)
    KEEPS = True

    @property
    def calls_models(self) -> bool:
        """It does."""
        return True

    def _fit(self, corpus: Corpus) -> None:
        self._ask([document.text for document in corpus.documents])

    def _search(self, queries: Sequence[Query], k: int) -> Mapping[str, Sequence[Hit]]:
        self._ask([query.text for query in queries])
        return {query.id: [Hit(unit, 1.0) for unit in self.corpus.ids[:k]] for query in queries}

    def _ask(self, texts: list[str]) -> None:
        assert self.resources.ask is not None
        asked = [ModelPrompt(self.spec["prompt"], "en", {"question": text}) for text in texts]
        self.resources.ask(asked)

    def _save(self, folder: Path) -> None:
        (folder / "read").write_text("read", "utf-8")

    def _load(self, folder: Path, corpus: Corpus) -> None:
        (folder / "read").read_text("utf-8")


def register(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let specs name the method."""
    monkeypatch.setitem(registry._CLASSES, NAME, (__name__, "ReadsUnits"))
