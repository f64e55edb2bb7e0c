"""The embedding model of a server that speaks the OpenAI protocol, as a retrieval method."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from errors import UserError
from retrieval.core.method import Embedder, Method, Resources
from retrieval.core.model import Parameter, Spec
from retrieval.dense.embedding_method import FROM_CARD, EmbeddedMethod, Side
from retrieval.dense.model_files import card_of


class Endpoint(EmbeddedMethod):
    """Embeds over the wire, through the role embed of the workspace's models.

    `model` names a model of that server, "" the one that the settings name. Servers put no prompt
    before a text, so prompts are put here: those of `retrieval.dense.model_files`, or the ones
    given. A text is cut after `characters` characters, 0 being no limit: most servers refuse a text
    that is longer than their model can read. `dimensions` keeps the first values of a vector.
    """

    NAME = "endpoint"
    PARAMETERS = (
        Parameter("model", "text", ""),
        Parameter("query_prompt", "text", FROM_CARD),
        Parameter("document_prompt", "text", FROM_CARD),
        Parameter("characters", "int", 0, 0, 1_000_000),
        Parameter("dimensions", "int", 0, 0, 65_536),
    )

    def __init__(
        self, spec: Spec, parts: Sequence[Method] = (), resources: Resources | None = None
    ) -> None:
        super().__init__(spec, parts, resources)
        if self.resources.embed is None:
            raise UserError("method_needs_embedder", method=self.NAME)
        self._embedder: Embedder = self.resources.embed(str(spec["model"]))

    @property
    def calls_models(self) -> bool:
        """It does, for every text that the cache lacks."""
        return True

    def _identity(self, side: Side) -> str:
        return repr((self._embedder.identity, side, self._prompt(side), self.spec["characters"]))

    def _embed(self, side: Side, texts: Sequence[str]) -> NDArray[np.float32]:
        prompt, limit = self._prompt(side), self.spec["characters"] or None
        return self._embedder([prompt + text[:limit] for text in texts])

    def _prompt(self, side: Side) -> str:
        said = str(self.spec[f"{side}_prompt"])
        if said != FROM_CARD:
            return said
        card = card_of(self._embedder.model)
        return (card.query_prompt if side == "query" else card.document_prompt) or ""
