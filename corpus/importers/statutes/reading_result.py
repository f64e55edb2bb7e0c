"""What a reader makes of a source: statutes, and notes on what a person should look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from corpus.model import Statute
from errors import Where
from messages import say

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Note:
    """Something in a source that can be imported but that a person should know of.

    `code` names an entry ``note.<code>`` of the word catalogue; `params` fill it.
    """

    code: str
    where: Where = field(default_factory=Where)
    params: tuple[tuple[str, object], ...] = ()

    def render(self, language: str = "en") -> str:
        """Return the note with its place, on one line."""
        place = self.where.render(language)
        words = say(f"note.{self.code}", language, **dict(self.params))
        return f"{place}: {words}" if place else words


@dataclass(frozen=True, slots=True)
class Reading:
    """The statutes of a source in its order, and the notes on them."""

    statutes: tuple[Statute, ...]
    notes: tuple[Note, ...] = ()


class Notes:
    """Collects notes and keeps the first few of each sort, so that a long file stays readable."""

    def __init__(self, per_code: int = 5) -> None:
        self._kept: list[Note] = []
        self._counts: Counter[str] = Counter()
        self._per_code = per_code

    def add(self, code: str, where: Where, **params: object) -> None:
        """Keep a note, or count it where there are enough of its sort."""
        self._counts[code] += 1
        if self._counts[code] <= self._per_code:
            self._kept.append(Note(code, where, tuple(params.items())))

    def all(self) -> tuple[Note, ...]:
        """Return the kept notes, then how many more of each sort there were."""
        more = [
            Note(f"more.{code}", params=(("count", count - self._per_code),))
            for code, count in sorted(self._counts.items())
            if count > self._per_code
        ]
        return (*self._kept, *more)
