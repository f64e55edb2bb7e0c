"""The citations of each claim of an answer: given with it, in its text, or of the whole answer.

A claim of an answer by provision has its provision. A claim cut out of a free answer cites what its
text names, as `construction.attribution.cited` reads it, a bare article belonging to the law named
before it; if it names nothing, the references of the whole answer are used.

The provisions that a reviewed answer rests on: those that its claims cite.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from sqlmodel import Session

from annotation.gold.resting import Resting, Rests, Scope, Via
from construction.attribution.cited import Law, cited_in_text
from corpus.citations.catalogue import Catalogue
from storage.attribution.review import ClaimsBeside, cited_provisions, claims_beside
from storage.law.catalogues import catalogue_in
from storage.mapping.candidates import newest_set_id, shown_set
from storage.tables.core import Item


@dataclass(frozen=True, slots=True)
class ClaimCites:
    """The ids or references of a claim, as written; without `own`, those of the whole answer."""

    written: tuple[str, ...]
    own: bool = True


class _Claim(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def cites(self) -> tuple[str, ...]: ...


def cites_of_claims(
    session: Session, snapshot_id: int, answer_claims: ClaimsBeside
) -> tuple[ClaimCites, ...]:
    """Return the citations of each claim of an answer, in the law of a snapshot, in order."""
    claims, row = answer_claims.predicted, answer_claims.answer
    if any(each.cites for each in claims):
        return tuple(ClaimCites(each.cites) for each in claims)
    return claims_cite(catalogue_in(session, snapshot_id), claims, row.answer, row.question)


def claims_cite(
    catalogue: Catalogue, claims: Sequence[_Claim], answer: str, question: str
) -> tuple[ClaimCites, ...]:
    """Return the citations of each claim of this answer, in the law of a catalogue, in order."""
    if any(each.cites for each in claims):
        return tuple(ClaimCites(each.cites) for each in claims)
    law = _law_of(catalogue)
    whole, before = _citations_in(answer, law, [question]), [question]
    cites = []
    for each in claims:
        own = _citations_in(each.text, law, before)
        cites.append(ClaimCites(own) if own or not whole else ClaimCites(whole, own=False))
        before.append(each.text)
    return tuple(cites)


def cites_in_item(session: Session, item_id: int, claims: ClaimsBeside) -> tuple[ClaimCites, ...]:
    """Return the citations of each claim in the law that the review item currently shows."""
    shown = shown_set(session, newest_set_id(session, item_id) or 0)
    return cites_of_claims(session, shown.snapshot_id, claims)


@lru_cache(maxsize=4)
def _law_of(catalogue: Catalogue) -> Law:
    return Law.of(catalogue)


def _citations_in(text: str, law: Law, before: Sequence[str]) -> tuple[str, ...]:
    """Return the provisions that a text cites, exact and invalid; `before` is the text above it."""
    cited = cited_in_text(text, law, "\n".join(before))
    return (*cited.exact, *cited.invalid)


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
