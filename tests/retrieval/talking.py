"""A language model for tests of methods: says what it is told to, and keeps what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from retrieval.core.method import Asked, Told


class Talker:
    """Answers each question with what `says` makes of it; a word of PROBLEMS is a problem."""

    PROBLEMS = ("refused", "invalid", "failed")

    def __init__(self, says: Callable[[Asked], str], model: str = "talker") -> None:
        self.says, self.model = says, model
        self.asked: list[Asked] = []

    def __call__(self, asked: Sequence[Asked]) -> list[Told]:
        self.asked += asked
        said = [self.says(each) for each in asked]
        return [Told(problem=each) if each in self.PROBLEMS else Told(each) for each in said]

    def identity(self, prompts: Sequence[str]) -> str:
        return f"{self.model}:{'+'.join(prompts)}"
