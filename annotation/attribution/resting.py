"""The provisions that a reviewed answer rests on: those that its claims cite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from annotation.attribution.claim_cites import cites_of_claims
from annotation.gold.resting import Resting, Rests, Scope, Via
from storage.attribution.review import cited_provisions, claims_beside
from storage.tables.core import Item


class AttributionResting(Resting):
    """The reader of `annotation.gold.resting` for answers under attribution review."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> list[Rests]:
        """Return the provisions that each answer's claims cite, in the law they were judged by."""
        laws = scope.decided_on(items)
        return [
            Rests(each.id or 0, places=tuple(_places(scope, each, laws.get(each.id or 0, 0))))
            for each in items
        ]


def _places(scope: Scope, item: Item, law: int) -> Iterator[tuple[str, int, Via]]:
    """Yield (unit, snapshot, "cited") for the units that an answer's claims cite."""
    found = claims_beside(scope.session, scope.project_id, item.subject_id or 0)
    if not law:
        return
    written = [name for each in cites_of_claims(scope.session, law, found) for name in each.written]
    cited = cited_provisions(scope.session, law, found.answer, written)
    for unit in sorted({each.unit for each in cited.values() if each.unit}):
        yield unit, law, "cited"


RESTS = AttributionResting()
