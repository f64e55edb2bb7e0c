"""Resolution of citations to the units of one corpus, and annotation of a text.

A citation resolves only if exactly one unit remains for every place it names. Everything else is
ambiguous or unresolved, with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from corpus.citations.antecedents import Antecedents, Named, named_as
from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.instruments import Meaning, Namer, as_range, units_at, units_near
from corpus.citations.model import (
    Citation,
    CitedPlace,
    Former,
    NameKind,
    Reason,
    Resolution,
    Status,
    Target,
    WrittenForm,
    is_plain,
    normal,
)
from corpus.citations.relative import pinpoint_to, places_beside
from corpus.model import Level


@dataclass(slots=True)
class _Last:
    """The meaning of the previous citations, for 및 제7조, 같은 조 and 같은 표."""

    meaning: Meaning | None = None
    place: CitedPlace | None = None
    annex: tuple[Meaning, CitedPlace] | None = None

    def note(self, meaning: Meaning, place: CitedPlace) -> None:
        """Record a citation with a place."""
        self.meaning, self.place = meaning, place
        if place.level is Level.ANNEX:
            self.annex = meaning, place


def resolve(
    citations: Sequence[Citation],
    text: str,
    catalogue: Catalogue,
    earlier: Sequence[Resolution] = (),
) -> list[Resolution]:
    """Return one resolution per citation of `text`, in order.

    `earlier` are the resolutions of a previous text, such as the question: its instruments serve as
    antecedents as long as `text` itself names none. A bare title may begin with words that do not
    belong to it; the citation in the resolution then starts later than the one given, never
    earlier.
    """
    named = _named_in(earlier, catalogue)
    if is_plain(text):
        return _resolve(citations, text, catalogue, named)
    form = WrittenForm(text)
    found = _resolve([form.as_read(c) for c in citations], form.text, catalogue, named)
    return [replace(each, citation=form.as_written(each.citation)) for each in found]


def _resolve(
    citations: Sequence[Citation], text: str, catalogue: Catalogue, named: list[Named]
) -> list[Resolution]:
    """Resolve citations in order, each with the context before it."""
    antecedents = Antecedents(text, catalogue, named)
    namer = Namer(catalogue, antecedents)
    last = _Last()
    return [_resolve_one(c, namer, antecedents, last) for c in citations]


def _named_in(earlier: Sequence[Resolution], catalogue: Catalogue) -> list[Named]:
    """Return the instruments that resolutions name, each once, in order of the last naming."""
    found: dict[str, Named] = {}
    for one in earlier:
        if one.instrument_title:
            known = catalogue.by_title(one.instrument_title)
            decimal = _is_decimal(one.citation)
            found.pop(one.instrument_title, None)
            former = Former() if one.reason is Reason.FORMER_VERSION else None
            instrument = known[0] if len(known) == 1 else None
            found[one.instrument_title] = named_as(
                0, one.instrument_title, instrument, decimal=decimal, former=former
            )
    return list(found.values())


def _resolve_one(
    citation: Citation, namer: Namer, antecedents: Antecedents, last: _Last
) -> Resolution:
    """Resolve one citation and note it as context of the next."""
    antecedents.advance(citation.start)
    if citation.mention.name == "표" and last.annex:
        last.note(*last.annex)
    meaning = namer.meaning(citation, last.meaning)
    citation = _with_article(citation, last)
    citation = _trimmed(citation, meaning)
    _record_naming(citation, meaning, antecedents)
    if _points_nowhere(citation):
        return _unresolved(citation, Reason.NO_ANTECEDENT, meaning.title)
    if citation.places:
        last.note(meaning, citation.places[-1])
    resolution = _in_instruments(citation, meaning)
    if resolution.reason is Reason.NO_SUCH_PLACE:
        holders = namer.annex_holders(meaning, citation.places[0])
        return _in_instruments(citation, holders) if holders else resolution
    return resolution


def _with_article(citation: Citation, last: _Last) -> Citation:
    """Fill in the reference place of 같은 조, 같은 호, 전조 and 전항, if there is one."""
    kind, before = citation.mention.kind, last.place
    if before is None or kind not in (NameKind.SAME_PLACE, NameKind.RELATIVE):
        return citation
    if kind is NameKind.RELATIVE:
        known = last.meaning.instruments if last.meaning else ()
        places = places_beside(citation, before, known[0] if len(known) == 1 else None)
        return replace(citation, places=places or citation.places)
    wanted = Level.ANNEX if citation.mention.name == "표" else before.level
    prefix = pinpoint_to(before.pinpoint, citation.mention.name)
    if wanted is not before.level or prefix is None:
        return citation
    places = tuple(
        replace(before, pinpoint="/".join(p for p in (prefix, one.pinpoint) if p), last="")
        for one in citation.places
    )
    return replace(citation, places=places)


def _points_nowhere(citation: Citation) -> bool:
    """Return whether a relative reference has no place to refer to."""
    pointing = citation.mention.kind in (NameKind.SAME_PLACE, NameKind.RELATIVE)
    return pointing and any(p.level is Level.ARTICLE and not p.number for p in citation.places)


def _trimmed(citation: Citation, meaning: Meaning) -> Citation:
    """Drop the words before a bare title that do not belong to it."""
    if citation.mention.kind is not NameKind.BARE or not meaning.written or citation.mention.former:
        return citation
    cut = citation.mention.text.rfind(meaning.written)
    if cut <= 0:
        return citation
    mention = replace(citation.mention, text=citation.mention.text[cut:], name=meaning.written)
    return Citation(
        citation.text[cut:], citation.start + cut, citation.end, mention, citation.places
    )


def _record_naming(citation: Citation, meaning: Meaning, antecedents: Antecedents) -> None:
    """Record the instrument that a citation names or points to."""
    mention = citation.mention
    own = mention.kind in (NameKind.TITLE, NameKind.BARE, NameKind.CODE)
    if own or (mention.text and meaning.instruments):
        one = meaning.instruments[0] if len(meaning.instruments) == 1 else None
        decimal = _is_decimal(citation)
        title = mention.name or mention.text
        former = meaning.former
        antecedents.note(named_as(citation.start, title, one, decimal=decimal, former=former))
    if own:
        antecedents.define(citation.start, citation.end + 40)
    antecedents.advance(citation.end)


def _is_decimal(citation: Citation) -> bool:
    """Return True if a section has a decimal number."""
    return any(p.level is Level.SECTION and "." in p.number for p in citation.places)


def _in_instruments(citation: Citation, meaning: Meaning) -> Resolution:
    """Find the places of a citation in the instruments it may mean."""
    if meaning.reason is not None:
        namesakes = _namesakes(citation, meaning.offered)
        if meaning.reason is not Reason.NO_SUCH_INSTRUMENT:
            namesakes += _headed_alike(citation, meaning.offered, namesakes)
        return _unresolved(citation, meaning.reason, meaning.title, namesakes)
    if meaning.former:
        namesakes = _namesakes(citation, meaning.instruments)
        failed = _unresolved(citation, Reason.FORMER_VERSION, meaning.title, namesakes)
        return replace(failed, amended=meaning.former.amended)
    if not citation.places:
        if len(meaning.instruments) > 1:
            return _unresolved(citation, Reason.SEVERAL_MATCH, meaning.title)
        return _unresolved(citation, Reason.NAMES_INSTRUMENT_ONLY, meaning.title)
    fitting = [(i, t) for i in meaning.instruments if (t := targets_of(citation, i))]
    if not fitting:
        there = _namesakes(citation, meaning.instruments) if len(meaning.instruments) == 1 else ()
        return _unresolved(citation, Reason.NO_SUCH_PLACE, meaning.title, there)
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
    """Return the targets of every place; [] if some place is missing.

    A place with several units (별표 without a number) gives a target without unit.
    """
    targets: list[Target] = []
    for written in citation.places:
        place = as_range(one, written)
        units = units_of(one, place)
        if not units:
            return []
        if len(units) > 1 and not place.last:
            return [Target("")]
        targets += [Target(unit, _pinpoint(place, unit)) for unit in units]
    return list(dict.fromkeys(targets))


def _pinpoint(place: CitedPlace, unit: str) -> str:
    """Return the part path below the unit: a decimal number is a path itself (2.1.1.3)."""
    whole = place.last or unit.rpartition("_")[2] == place.number
    if place.level is Level.SECTION and place.number.count(".") > 1 and not whole:
        return place.number
    return place.pinpoint


def _several(
    citation: Citation, one: Instrument, meaning: Meaning, units: tuple[str, ...]
) -> Resolution:
    """Return the resolution of a citation that fits several units."""
    remaining = tuple(u for u in units if u) or tuple(
        u for place in citation.places for u in units_at(one, place)
    )
    return Resolution(
        citation, Status.AMBIGUOUS, (), Reason.SEVERAL_MATCH, meaning.title, remaining
    )


def _namesakes(citation: Citation, instruments: Iterable[Instrument]) -> tuple[str, ...]:
    """Return the units of these instruments with the numbers cited, to check by hand."""
    units = (u for i in instruments for p in citation.places for u in units_near(i, as_range(i, p)))
    return tuple(dict.fromkeys(units))


def _headed_alike(
    citation: Citation, instruments: Sequence[Instrument], units: Sequence[str]
) -> tuple[str, ...]:
    """Return the instruments' other units with a heading of `units` or of the citation."""
    known = {unit: normal(h) for one in instruments for unit, h in one.headings.items()}
    wanted = {known.get(unit, "") for unit in units}
    wanted |= {normal(place.heading) for place in citation.places}
    wanted.discard("")
    return tuple(unit for unit, heading in known.items() if heading in wanted and unit not in units)


def _unresolved(
    citation: Citation, reason: Reason, title: str | None, unit_ids: tuple[str, ...] = ()
) -> Resolution:
    """Return a resolution that failed: ambiguous or unresolved."""
    status = Status.AMBIGUOUS if reason is Reason.SEVERAL_MATCH else Status.UNRESOLVED
    return Resolution(citation, status, (), reason, title, unit_ids)


@dataclass(frozen=True, slots=True)
class Segment:
    """A stretch of text; `status` is None outside citations."""

    text: str
    status: Status | None = None


def annotate(text: str, resolutions: Sequence[Resolution]) -> list[Segment]:
    """Split `text` into segments with the status of their citation, None between citations.

    The segments join to the text exactly. `resolutions` are in order of their citations, as
    :func:`resolve` returns them.
    """
    segments: list[Segment] = []
    at = 0
    for one in resolutions:
        if one.citation.start > at:
            segments.append(Segment(text[at : one.citation.start]))
        segments.append(Segment(text[one.citation.start : one.citation.end], one.status))
        at = one.citation.end
    if at < len(text):
        segments.append(Segment(text[at:]))
    return segments
