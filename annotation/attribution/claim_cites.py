"""What each claim of an answer cites: what stands at it, else what its words or the answer cite.

A claim of an answer by provision stands under a provision. One that was cut out of a free answer
cites what it names itself, as `construction.attribution.cited` reads it, a bare article being of
the law named before it; where it names nothing, the references of the whole answer are all that
there is to hold it against.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from sqlmodel import Session

from construction.attribution.cited import Law, cited_in_text
from corpus.citations.catalogue import Catalogue
from storage.attribution.review import ClaimsBeside
from storage.law.catalogues import catalogue_in
from storage.mapping.candidates import newest_set_id, shown_set


@dataclass(frozen=True, slots=True)
class ClaimCites:
    """The ids or references at a claim, as written; not `own` are those of the whole answer."""

    written: tuple[str, ...]
    own: bool = True


class _Claim(Protocol):
    @property
    def text(self) -> str: ...
    @property
    def cites(self) -> tuple[str, ...]: ...


def cites_of_claims(
    session: Session, snapshot_id: int, found: ClaimsBeside
) -> tuple[ClaimCites, ...]:
    """Return what each claim of an answer cites in the law of a snapshot, in their order."""
    claims, row = found.predicted, found.answer
    if any(each.cites for each in claims):
        return tuple(ClaimCites(each.cites) for each in claims)
    return claims_cite(catalogue_in(session, snapshot_id), claims, row.answer, row.question)


def claims_cite(
    catalogue: Catalogue, claims: Sequence[_Claim], answer: str, question: str
) -> tuple[ClaimCites, ...]:
    """Return what each claim of this answer cites in the law of a catalogue, in their order."""
    if any(each.cites for each in claims):
        return tuple(ClaimCites(each.cites) for each in claims)
    law = _law(catalogue)
    whole, before = _read(answer, law, [question]), [question]
    cites = []
    for each in claims:
        own = _read(each.text, law, before)
        cites.append(ClaimCites(own) if own or not whole else ClaimCites(whole, own=False))
        before.append(each.text)
    return tuple(cites)


def cites_in_item(session: Session, item_id: int, found: ClaimsBeside) -> tuple[ClaimCites, ...]:
    """Do it in the law that an item of review shows now."""
    shown = shown_set(session, newest_set_id(session, item_id) or 0)
    return cites_of_claims(session, shown.snapshot_id, found)


@lru_cache(maxsize=4)
def _law(catalogue: Catalogue) -> Law:
    return Law.of(catalogue)


def _read(text: str, law: Law, before: Sequence[str]) -> tuple[str, ...]:
    cited = cited_in_text(text, law, "\n".join(before))
    return (*cited.exact, *cited.invalid)
