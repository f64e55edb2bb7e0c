"""Methods of a notebook's own, and a language model of its own for methods that ask one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llm.prompts.prompt_files import Prompt, prompt
from llm.reply import without_thought
from llm.structured.answers import read
from llm.structured.shapes import SHAPES
from messages import LANGUAGES
from normalization.hashing import text_hash
from retrieval.core import own
from retrieval.core.method import Method, ModelPrompt, ModelReply
from retrieval.core.presets import OURS

Model = Callable[[list[dict[str, str]]], str]
"""Takes the messages of a chat, each with its ``role`` and ``content``; returns the reply."""


class NotebookAsker:
    """Asks a function in the packaged wordings; what it said once it says again."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._replies: dict[tuple[tuple[str, str], ...], str] = {}

    def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
        """Return what the model says to each, in their order; what it raises is raised."""
        return [self._reply(each, prompt(each.prompt, each.language)) for each in asked]

    def identity(self, prompts: Sequence[str]) -> str:
        """Return the function's name with a hash of the wordings."""
        names = [prompt(each, language).name for each in prompts for language in LANGUAGES]
        name = getattr(self._model, "__qualname__", type(self._model).__qualname__)
        return f"{name}:{text_hash(repr(names))[:12]}"

    def _reply(self, prompt: ModelPrompt, wording: Prompt) -> ModelReply:
        """Return the model's reply, asked once per prompt."""
        said = tuple((each.speaker, each.text) for each in wording.messages(prompt.values))
        if said not in self._replies:
            chat = [{"role": speaker, "content": text} for speaker, text in said]
            self._replies[said] = str(self._model(chat))
        text = without_thought(self._replies[said]).strip()
        if wording.schema:
            value = read(text, SHAPES[wording.schema])
            text = "" if value is None else value.model_dump_json()
        return ModelReply(text, "" if text else "invalid")


def register(kind: type[Method]) -> type[Method]:
    """Make a method of this process known under its `NAME`; works as a decorator of its class.

    It takes the place of one that was registered under that name before, as when a cell of a
    notebook is run again. Raises UserError for a class that is no method, and for a name that is no
    name or is taken.
    """
    own.reserve(OURS)
    return own.register(kind)
