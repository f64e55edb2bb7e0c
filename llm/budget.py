"""A budget for calls, tokens and money that is never exceeded.

Before a call, the most that it can use is reserved; afterwards its actual use is charged and
the rest is released. A call that does not fit is not made, so the sum charged never
exceeds the limit, however many calls are under way.
"""

from __future__ import annotations

from dataclasses import dataclass

from errors import UserError


@dataclass(frozen=True, slots=True)
class Limit:
    """Limits on total use; None is no limit. `money` is in the currency of the prices."""

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """Use of calls, tokens and money. `money` is None where a price is unknown."""

    calls: int = 0
    tokens: int = 0
    money: float | None = 0.0

    def plus(self, other: Use) -> Use:
        """Return the sum of both; its money is None unless both know theirs."""
        known = self.money is not None and other.money is not None
        money = (self.money or 0.0) + (other.money or 0.0) if known else None
        return Use(self.calls + other.calls, self.tokens + other.tokens, money)


class BudgetReachedError(UserError):
    """Raised instead of a call that could exceed the budget. `kind`: calls, tokens or money."""

    def __init__(self, kind: str, limit: float, used: float) -> None:
        self.kind = kind
        super().__init__("models_budget_reached", kind=kind, limit=f"{limit:g}", used=f"{used:g}")


class Budget:
    """The use of a limit, charged and reserved.

    `used` is the use of earlier calls, if the limit includes them. Belongs to
    one event loop.
    """

    def __init__(self, limit: Limit | None = None, used: Use | None = None) -> None:
        """Raise UserError if money is limited and earlier calls have no known price."""
        self.limit = limit or Limit()
        self._used = used or Use()
        self._aside = Use()
        self._require_price(self._used)

    @property
    def used(self) -> Use:
        """The use charged so far."""
        return self._used

    def reserve(self, most: Use) -> None:
        """Reserve `most`; BudgetReachedError, reserving nothing, if that could exceed the limit.

        Raises BudgetReachedError where that could exceed the limit, UserError where money is
        limited and the price is unknown.
        """
        self._require_price(most)
        if self.limit.money is None:  # money is not counted, so no price is needed
            most = Use(most.calls, most.tokens, 0.0)
        after = self._used.plus(self._aside).plus(most)
        for kind in ("calls", "tokens", "money"):
            limit, wanted = getattr(self.limit, kind), getattr(after, kind)
            if limit is not None and wanted > limit:
                raise BudgetReachedError(kind, limit, getattr(self._used, kind))
        self._aside = self._aside.plus(most)

    def settle(self, most: Use, used: Use) -> None:
        """Charge what a call used, and release `most`, what was reserved for it."""
        money = 0.0 if self.limit.money is None else -(most.money or 0.0)
        self._aside = self._aside.plus(Use(-most.calls, -most.tokens, money))
        self._used = self._used.plus(used)

    def _require_price(self, use: Use) -> None:
        """Raise UserError if money is limited and this use has no known price."""
        if self.limit.money is not None and use.money is None:
            raise UserError("models_price_unknown")
