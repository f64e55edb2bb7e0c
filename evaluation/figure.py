"""A published number: its value, how many observations it rests on, and its interval."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure with its n and its 95 % interval.

    `value` is None when nothing could be scored (law: unscored is missing, never zero).
    `low` and `high` are None where no interval applies.
    """

    name: str
    value: float | None
    n: int
    low: float | None = None
    high: float | None = None

    def as_json(self) -> dict[str, object]:
        """Return ``{"value", "n", "ci"}`` as every ``--json`` output prints it."""
        ci = None if self.low is None or self.high is None else [self.low, self.high]
        return {"value": self.value, "n": self.n, "ci": ci}

    def text(self) -> str:
        """Return e.g. ``0.713 [0.650, 0.771]``; a dash where nothing was scored."""
        if self.value is None:
            return "–"
        interval = "" if self.low is None else f" [{self.low:.3f}, {self.high:.3f}]"
        return f"{self.value:.3f}{interval}"
