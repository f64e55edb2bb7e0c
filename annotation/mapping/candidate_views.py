"""Views of an item's candidates: citations, units, and why each was suggested.

Plain values without references to database rows. Spans are (start, end) character offsets, end
exclusive. `unit_id` is the unit's id in the database, `semantic_id` its identifier across
snapshots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any, Literal

from sqlmodel import Session, col, select

from storage.db.columns import view_of
from storage.law.corpus import units_called
from storage.tables.core import CandidateRow, CandidateSet, StatuteRow, UnitRow

_MAX_QUESTION = 2_000  # characters of a question whose words are marked; no real one has more
_MAX_MARKED_TEXT = (
    20_000  # characters of a text in which they are: one article in ten thousand has more
)

_OF_CITATION = ("text", "start", "end", "status", "reason", "instrument_title")
Span = tuple[int, int]
Mark = Literal["", "amended", "moved", "brought", "gone"]
Shown = tuple[UnitRow, StatuteRow, CandidateRow | None]


@dataclass(frozen=True, slots=True)
class CitationView:
    """A citation in the answer and its resolution.

    `status` is resolved, ambiguous or unresolved; `reason` says why it is not resolved, None if it
    is. `unit_ids` are the units meant, or the remaining alternatives of an ambiguous one. `kept_in`
    is the snapshot with the former version cited, "" if there is none.
    """

    index: int
    text: str
    start: int
    end: int
    status: str
    reason: str | None
    instrument_title: str | None
    unit_ids: tuple[int, ...]
    kept_in: str = ""


@dataclass(frozen=True, slots=True)
class WhyView:
    """Why a unit is a candidate: source (citation, title or text), rank and BM25 score."""

    source: str
    rank: int | None
    score: float | None
    citation_text: str | None
    pinpoint: str


@dataclass(frozen=True, slots=True)
class CandidateView:
    """A candidate unit.

    `marks` are the matched terms in `text`, `pinpoints` the spans of the paragraphs and items that
    a citation names. `decision` is the viewer's own, None while undecided. `added` marks a unit
    added by a person; it has no `rank` and no `why`.

    `mark` is the amendment since a decision on the unit: amended (reworded), moved (it was at
    `former`), brought (unchanged; listed only because of the decision) or gone (absent from the law
    shown).
    """

    unit_id: int
    semantic_id: str
    statute: str
    kind: str
    tier: int
    level: str
    label: str
    heading: str
    path: tuple[str, ...]
    text: str
    deleted: bool
    text_missing: bool
    effective: date | None
    marks: tuple[Span, ...]
    pinpoints: tuple[Span, ...]
    why: tuple[WhyView, ...]
    decision: str | None
    added: bool
    rank: int | None
    mark: Mark
    former: str


def shown_units(session: Session, set_id: int, extra: Sequence[int]) -> list[Shown]:
    """Return the candidates of a set by rank, then the `extra` units in their order."""
    query = (
        select(UnitRow, StatuteRow, CandidateRow)
        .join(StatuteRow)
        .join(CandidateRow)
        .where(CandidateRow.candidate_set_id == set_id)
        .order_by(col(CandidateRow.rank))
    )
    found: list[Shown] = [(unit, statute, row) for unit, statute, row in session.exec(query)]
    missing = [number for number in extra if number not in {unit.id for unit, _, _ in found}]
    return found + _units(session, missing)


def candidate_views(
    candidates: CandidateSet,
    units: Iterable[Shown],
    question: str,
    decisions: Mapping[int, str],
    marks: Mapping[int, tuple[Mark, str]] | None,
) -> tuple[CandidateView, ...]:
    """Return the views of the units, each with its decision in `decisions` if it has one.

    `marks` gives a unit's mark and its former label, for those that have one.
    """
    found, marked = [], marks or {}
    for unit, statute, row in units:
        number = unit.id or 0
        mark, former = marked.get(number, ("", ""))
        why = () if row is None else tuple(_why_view(candidates, each) for each in row.why)
        named = {each.pinpoint for each in why}
        spans = {(start, end) for path, start, end in unit.parts if path in named}
        found.append(
            view_of(
                CandidateView,
                unit,
                unit_id=number,
                statute=statute.title,
                kind=statute.kind,
                tier=statute.tier,
                path=tuple(unit.path),
                effective=unit.effective or statute.effective,
                marks=_marks(question, unit.text),
                pinpoints=tuple(sorted(spans)),
                why=why,
                decision=decisions.get(number),
                added=row is None,
                rank=None if row is None else row.rank,
                mark=mark,
                former=former,
            )
        )
    return tuple(found)


def citation_views(
    session: Session, candidates: CandidateSet, units: Iterable[Shown]
) -> tuple[CitationView, ...]:
    """Return the views of the answer's citations, with the database ids of their units."""
    known = {unit.semantic_id: unit.id or 0 for unit, _, _ in units}
    named = [units_named(citation) for citation in candidates.citations]
    unknown = {each for units_of in named for each in units_of} - known.keys()
    known |= units_called(session, candidates.snapshot_id, unknown)
    return tuple(
        CitationView(
            index=index,
            **{name: citation[name] for name in _OF_CITATION},
            unit_ids=tuple(known[each] for each in units_of if each in known),
            kept_in=citation.get("kept_in", ""),
        )
        for index, (citation, units_of) in enumerate(zip(candidates.citations, named, strict=True))
    )


def units_named(citation: Mapping[str, Any]) -> list[str]:
    """Return the semantic ids of the units that a stored citation means or may mean."""
    names = [target["unit"] for target in citation["targets"]] + citation["remaining"]
    return list(dict.fromkeys(names))


def _units(session: Session, unit_ids: Sequence[int]) -> list[Shown]:
    """Return units by their ids, in that order."""
    if not unit_ids:
        return []
    query = select(UnitRow, StatuteRow).join(StatuteRow).where(col(UnitRow.id).in_(unit_ids))
    found = {unit.id: (unit, statute) for unit, statute in session.exec(query)}
    return [(*found[number], None) for number in unit_ids if number in found]


def _why_view(candidates: CandidateSet, why: dict[str, Any]) -> WhyView:
    index = why["citation"]
    return WhyView(
        source=why["source"],
        rank=why["rank"],
        score=why["score"],
        citation_text=None if index is None else candidates.citations[index]["text"],
        pinpoint=why["pinpoint"],
    )


# Views are rebuilt after every key press, and the texts never change.
@lru_cache(maxsize=4096)
def _marks(question: str, text: str) -> tuple[Span, ...]:
    """Return the spans of a provision's text that match words of the question."""
    from retrieval.text.highlight import matched_spans

    return tuple(matched_spans(question[:_MAX_QUESTION], text[:_MAX_MARKED_TEXT]))
