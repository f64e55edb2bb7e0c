"""Resolving citations to the units of one corpus, and marking up a text with them.

A citation resolves only when exactly one unit remains for every place it names. Everything else is
ambiguous or unresolved, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from corpus.citations.antecedents import Antecedents, Named, named_as
from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.instruments import Meaning, Namer, units_at
from corpus.citations.model import (
    Citation,
    CitedPlace,
    NameKind,
    Reason,
    Resolution,
    Status,
    Target,
)
from corpus.model import Level


@dataclass(slots=True)
class _Last:
    """What the citation before this one meant, for 및 제7조 and 같은 조."""

    meaning: Meaning | None = None
    place: CitedPlace | None = None


def resolve(
    citations: Sequence[Citation],
    text: str,
    catalogue: Catalogue,
    earlier: Sequence[Resolution] = (),
) -> list[Resolution]:
    """Return one resolution per citation of `text`, in order.

    `earlier` are the resolutions of a text that goes before this one, such as the question: what
    it names serves as antecedent as long as `text` itself names nothing.

    A bare title may carry words in front that do not belong to it; the citation in the resolution
    then starts later than the one given, never earlier.
    """
    antecedents = Antecedents(text, catalogue, _named_in(earlier, catalogue))
    namer = Namer(catalogue, antecedents)
    last = _Last()
    return [_resolve_one(c, namer, antecedents, last) for c in citations]


def _named_in(earlier: Sequence[Resolution], catalogue: Catalogue) -> list[Named]:
    """Return the instruments that resolutions name, each once, in the order of the last naming."""
    found: dict[str, Named] = {}
    for one in earlier:
        if one.instrument_title:
            known = catalogue.by_title(one.instrument_title)
            decimal = any(p.level is Level.SECTION for p in one.citation.places)
            found.pop(one.instrument_title, None)
            found[one.instrument_title] = named_as(
                0, one.instrument_title, known[0] if len(known) == 1 else None, decimal=decimal
            )
    return list(found.values())


def _resolve_one(
    citation: Citation, namer: Namer, antecedents: Antecedents, last: _Last
) -> Resolution:
    antecedents.advance(citation.start)
    citation = _with_article(citation, last)
    meaning = namer.meaning(citation, last.meaning)
    citation = _trimmed(citation, meaning)
    _take_note(citation, meaning, antecedents)
    if citation.places:
        last.meaning, last.place = meaning, citation.places[-1]
    resolution = _in_instruments(citation, meaning)
    if resolution.reason is Reason.NO_SUCH_PLACE:
        holders = namer.annex_holders(meaning, citation.places[0])
        return _in_instruments(citation, holders) if holders else resolution
    return resolution


def _with_article(citation: Citation, last: _Last) -> Citation:
    """Fill in the article that 같은 조 and 같은 항 stand for."""
    if citation.mention.kind is not NameKind.SAME_PLACE or last.place is None:
        return citation
    before = last.place
    prefix = ""
    if citation.mention.name == "항":
        prefix = next((s for s in before.pinpoint.split("/") if s.endswith(("항", ")"))), "")
    places = tuple(
        replace(before, pinpoint="/".join(p for p in (prefix, one.pinpoint) if p), last="")
        for one in citation.places
    )
    return replace(citation, places=places)


def _trimmed(citation: Citation, meaning: Meaning) -> Citation:
    """Drop the words in front of a bare title that resolving found not to belong to it."""
    if citation.mention.kind is not NameKind.BARE or not meaning.written:
        return citation
    cut = citation.mention.text.rfind(meaning.written)
    if cut <= 0:
        return citation
    mention = replace(citation.mention, text=citation.mention.text[cut:], name=meaning.written)
    return Citation(
        citation.text[cut:], citation.start + cut, citation.end, mention, citation.places
    )


def _take_note(citation: Citation, meaning: Meaning, antecedents: Antecedents) -> None:
    """Remember the instrument that a citation names itself or points at."""
    mention = citation.mention
    own = mention.kind in (NameKind.TITLE, NameKind.BARE, NameKind.CODE)
    if own or (mention.text and meaning.instruments):
        one = meaning.instruments[0] if len(meaning.instruments) == 1 else None
        decimal = any(p.level is Level.SECTION for p in citation.places)
        title = mention.name or mention.text
        antecedents.note(named_as(citation.start, title, one, decimal=decimal))
    if own:
        antecedents.define(citation.start, citation.end + 40)
    antecedents.advance(citation.end)


def _in_instruments(citation: Citation, meaning: Meaning) -> Resolution:
    if meaning.reason is not None:
        return _failed(citation, meaning.reason, meaning.title, _namesakes(citation, meaning))
    if not citation.places:
        if len(meaning.instruments) > 1:
            return _failed(citation, Reason.SEVERAL_MATCH, meaning.title)
        return _failed(citation, Reason.NAMES_INSTRUMENT_ONLY, meaning.title)
    fitting = [(i, t) for i in meaning.instruments if (t := targets_of(citation, i))]
    if not fitting:
        return _failed(citation, Reason.NO_SUCH_PLACE, meaning.title)
    units = tuple(dict.fromkeys(t.unit_id for _, ts in fitting for t in ts))
    ambiguous = len(fitting) > 1 or any(t.unit_id == "" for t in fitting[0][1])
    if ambiguous:
        return _several(citation, fitting[0][0], meaning, units)
    one, targets = fitting[0]
    return Resolution(citation, Status.RESOLVED, tuple(targets), None, one.title)


def targets_of(
    citation: Citation,
    one: Instrument,
    units_of: Callable[[Instrument, CitedPlace], Sequence[str]] = units_at,
) -> list[Target]:
    """Return the targets of every place; an empty list when some place is missing.

    A place with several units (별표 without a number) gives a target without unit.
    """
    targets: list[Target] = []
    for place in citation.places:
        units = units_of(one, place)
        if not units:
            return []
        if len(units) > 1 and not place.last:
            return [Target("")]
        targets += [Target(unit, _pinpoint(place)) for unit in units]
    return list(dict.fromkeys(targets))


def _pinpoint(place: CitedPlace) -> str:
    """Return the part path below the unit: a decimal number is one of its own (2.1.1.3)."""
    if place.level is Level.SECTION and not place.last and place.number.count(".") > 1:
        return place.number
    return place.pinpoint


def _several(
    citation: Citation, one: Instrument, meaning: Meaning, units: tuple[str, ...]
) -> Resolution:
    remaining = tuple(u for u in units if u) or tuple(
        u for place in citation.places for u in units_at(one, place)
    )
    return Resolution(
        citation, Status.AMBIGUOUS, (), Reason.SEVERAL_MATCH, meaning.title, remaining
    )


def _namesakes(citation: Citation, meaning: Meaning) -> tuple[str, ...]:
    """Return the units of a predecessor's successors that have the numbers cited."""
    units = (u for i in meaning.successors for p in citation.places for u in units_at(i, p))
    return tuple(dict.fromkeys(units))


def _failed(
    citation: Citation, reason: Reason, title: str | None, unit_ids: tuple[str, ...] = ()
) -> Resolution:
    status = Status.AMBIGUOUS if reason is Reason.SEVERAL_MATCH else Status.UNRESOLVED
    return Resolution(citation, status, (), reason, title, unit_ids)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text; `citation_index` and `status` are None outside citations."""

    text: str
    citation_index: int | None = None
    status: Status | None = None


def annotate(text: str, resolutions: Sequence[Resolution]) -> list[Segment]:
    """Cut `text` into segments, one per citation and one per stretch between.

    The segments join to the text exactly. `resolutions` are in order of their citations, as
    :func:`resolve` returns them.
    """
    segments: list[Segment] = []
    at = 0
    for index, one in enumerate(resolutions):
        if one.citation.start > at:
            segments.append(Segment(text[at : one.citation.start]))
        segments.append(Segment(text[one.citation.start : one.citation.end], index, one.status))
        at = one.citation.end
    if at < len(text):
        segments.append(Segment(text[at:]))
    return segments
