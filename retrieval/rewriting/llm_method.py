"""What methods that ask a language model share: what is asked, what is counted, what is kept.

Where the model refuses, fails or says nothing that can be read, the method goes on with the plain
query. That is counted, and the counts go with the run.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Sequence

from errors import UserError
from retrieval.core.method import Asker, Method, ModelPrompt, Resources
from retrieval.core.model import Query
from retrieval.core.parameters import Parameter, Spec
from retrieval.text.passages import readable

_HANGUL = re.compile(r"[가-힣ᄀ-ᇿ]")  # syllables, and the letters that they decompose into
AUTO = "auto"
LANGUAGE = Parameter("language", "choice", AUTO, choices=(AUTO, "en", "ko"))
"""In which language the model is asked; auto is Korean for a query with Hangul, else English."""


class Asking(Method):
    """A method that asks a language model about its queries."""

    def __init__(
        self, spec: Spec, parts: Sequence[Method] = (), resources: Resources | None = None
    ) -> None:
        """As `Method`; raises UserError where it would ask and there is nobody to ask."""
        super().__init__(spec, parts, resources)
        if self.prompts:
            self._asker  # noqa: B018  (said at once, not in the middle of a run)

    @property
    @abstractmethod
    def prompts(self) -> tuple[str, ...]:
        """The names of the prompts that it uses; none where its parameters spare it the asking."""

    @property
    def calls_models(self) -> bool:
        """Whether it asks, or a part of it does."""
        return bool(self.prompts) or super().calls_models

    @property
    def versions(self) -> str:
        """As `Method.versions`, with the model and the wordings: another model, another run.

        Raises UserError where no model is set.
        """
        if not self.prompts:
            return super().versions
        return f"{super().versions}@{self._asker.identity(self.prompts)}"

    def ask(self, prompt: str, queries: Sequence[Query], **values: str) -> list[str | None]:
        """Return what the model says to each query, None where there is nothing to read.

        The prompt gets the query as ``question``, and `values`.
        """
        chosen = self.spec.get("language", AUTO)
        asked = [
            ModelPrompt(
                prompt, language_of(query.text, chosen), {"question": readable(query.text)} | values
            )
            for query in queries
        ]
        told = self._asker(asked)
        self._counts["asked"] += len(told)
        self._counts.update(each.problem for each in told if each.problem)
        return [None if each.problem else each.text for each in told]

    @property
    def _asker(self) -> Asker:
        if self.resources.ask is None:
            raise UserError("method_needs_model", method=self.NAME)
        return self.resources.ask


def language_of(text: str, chosen: str = AUTO) -> str:
    """Return the language in which a model is asked about `text`: the one chosen, or its own."""
    if chosen != AUTO:
        return chosen
    return "ko" if _HANGUL.search(text) else "en"
