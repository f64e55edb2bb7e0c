"""A language model for tests of methods: says what it is told to, and keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from retrieval.core.method import ModelPrompt, ModelReply


class Talker:
    """Answers each question with what `says` makes of it; a word of PROBLEMS is a problem."""

    PROBLEMS = ("refused", "invalid", "failed")

    def __init__(self, says: Callable[[ModelPrompt], str], model: str = "talker") -> None:
        self.says, self.model = says, model
        self.asked: list[ModelPrompt] = []

    def __call__(self, asked: Sequence[ModelPrompt]) -> list[ModelReply]:
        self.asked += asked
        said = [self.says(each) for each in asked]
        return [
            ModelReply(problem=each) if each in self.PROBLEMS else ModelReply(each) for each in said
        ]

    def identity(self, prompts: Sequence[str]) -> str:
        return f"{self.model}:{'+'.join(prompts)}"
