"""Resolution of the citations in a law's units, relative to their places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.instruments import Meaning, units_at
from corpus.citations.model import Citation, CitedPlace, NameKind, Reason, Status, Target
from corpus.citations.resolve import targets_of
from corpus.graph.english import read_english_unit
from corpus.graph.find import find_in_law
from corpus.graph.location import (
    Before,
    Earlier,
    UnitLocation,
    article_ids,
    cut,
    joined,
    part_at,
    relative_targets,
)
from corpus.graph.model import Form, Reference
from corpus.graph.namer import LawNamer
from corpus.model import Level, Statute, Unit, parse_place, split_id

READ = (Level.ARTICLE, Level.SECTION)
_BY_LEVEL = {Level.ANNEX: Form.ANNEX, Level.FORM: Form.FORM, Level.ADDENDUM: Form.ADDENDUM}
_BY_KIND = {
    NameKind.TITLE: Form.TITLE,
    NameKind.BARE: Form.TITLE,
    NameKind.CODE: Form.TITLE,
    NameKind.SAME: Form.SAME,
    NameKind.LEVEL: Form.LEVEL,
    NameKind.CONTINUED: Form.CONTINUED,
    NameKind.SAME_PLACE: Form.SAME_PLACE,
    NameKind.NONE: Form.OWN,
    NameKind.PART: Form.PART,
    NameKind.RELATIVE: Form.RELATIVE,
}


@dataclass(frozen=True, slots=True)
class Reading:
    """The references read in one statute, and the family that it belongs to.

    `family` is the normal title of the act of its family: the one that it calls 법, else the one in
    its title (건축법 시행령), else itself.
    """

    references: list[Reference]
    family: str


def read_statute(statute: Statute, catalogue: Catalogue) -> Reading:
    """Return the references of a statute's articles and sections, in document order.

    Annexes and forms come without text; addenda are about other times and are not read. Raises
    KeyError for a statute that the catalogue lacks.
    """
    own = catalogue.by_id(statute.semantic_id)
    if own is None:
        raise KeyError(statute.semantic_id)
    namer, articles = LawNamer(catalogue, own), article_ids(statute)
    found: list[Reference] = []
    for unit in statute.units:
        if unit.level not in READ or not unit.text:
            continue
        if statute.language == "en":
            found += read_english_unit(unit, statute.units, articles, namer)
        else:
            found += _of_unit(unit, statute.language, namer, articles)
    return Reading(found, namer.above().base)


def _of_unit(
    unit: Unit, language: str, namer: LawNamer, articles: list[str]
) -> Iterator[Reference]:
    citations = find_in_law(unit.text, language)
    if not citations:
        return
    namer.enter(unit.text)
    reader = _UnitReader(UnitLocation(unit, articles), namer)
    for citation in citations:
        yield reader.read(citation)


class _UnitReader:
    """Resolves the citations of one unit in order."""

    def __init__(self, standing: UnitLocation, namer: LawNamer) -> None:
        self._standing = standing
        self._namer = namer
        self._before = Before(standing.unit.text)

    def read(self, citation: Citation) -> Reference:
        """Resolve a citation to a reference."""
        short = self._namer.is_alias(citation)
        meaning = self._namer.meaning(citation)
        citation = _without_words_before(citation, meaning)
        form = Form.SHORT if short else _form(citation)
        match citation.mention.kind:
            case NameKind.PART:
                return self._part(citation, form)
            case NameKind.RELATIVE:
                return self._relative(citation, form)
            case NameKind.SAME_PLACE:
                return self._same_place(citation, form)
            case NameKind.NONE:
                return self._unnamed(citation, meaning, form)
            case _:
                return self._placed(citation, meaning, form)

    def _unnamed(self, citation: Citation, meaning: Meaning, form: Form) -> Reference:
        """Resolve 제7조: by the list or brackets that it continues, else in the own statute."""
        if before := self._before.in_list(citation):
            self._namer.goes_on(before.meaning)
            return self._placed(citation, before.meaning, form)
        holding = self._before.holding(citation)
        if holding and _fits(citation, holding.meaning):  # 법 제9조(제8조에서 준용하는 경우…)
            return self._placed(citation, holding.meaning, form)
        before = None if _fits(citation, meaning) else self._before.nearest(citation)
        if before and (before.meaning.reason or _fits(citation, before.meaning)):
            self._namer.goes_on(before.meaning)
            return self._placed(citation, before.meaning, form)
        return self._placed(citation, meaning, form)

    def _part(self, citation: Citation, form: Form) -> Reference:
        """Resolve 제2항: in a continued list, else in the own article, else in the last one."""
        before = self._before.in_list(citation) or self._before.holding(citation)
        if before is None and (targets := self._own_parts(citation)):
            return self._here(citation, form, targets)
        before = before or self._before.nearest(citation)
        if before is None or not before.place.number:
            return self._failed(citation, form, Reason.NO_SUCH_PLACE)
        return self._below(citation, form, before, _level_above(citation))

    def _same_place(self, citation: Citation, form: Form) -> Reference:
        before = self._before.nearest(citation, self._required_level(citation))
        if before is None:
            return self._failed(citation, form, Reason.NO_ANTECEDENT)
        return self._below(citation, form, before, citation.mention.name)

    @staticmethod
    def _required_level(citation: Citation) -> Level | None:
        return Level.ANNEX if citation.mention.name == "표" else None

    def _below(self, citation: Citation, form: Form, before: Earlier, unit: str) -> Reference:
        """Resolve a place below the one named before, cut to its 조, 항, 호 or 목."""
        prefix = cut(before.place.pinpoint, unit)
        places = tuple(
            replace(before.place, pinpoint=joined(prefix, one.pinpoint), last="", heading="")
            for one in citation.places or (CitedPlace(before.place.level, ""),)
        )
        self._namer.goes_on(before.meaning)
        return self._placed(replace(citation, places=places), before.meaning, form)

    def _relative(self, citation: Citation, form: Form) -> Reference:
        targets = relative_targets(citation, self._standing)
        if not targets:
            return self._failed(citation, form, Reason.NO_ANTECEDENT)
        return self._here(citation, form, targets)

    def _here(self, citation: Citation, form: Form, targets: list[Target]) -> Reference:
        """Return a reference inside the own statute, and record it."""
        level, number = parse_place(split_id(targets[-1].unit_id)[1]) or (Level.ARTICLE, "")
        place = CitedPlace(level, number, targets[-1].pinpoint)
        self._before.note(citation, place, self._namer.itself())
        return self._resolved(citation, form, tuple(targets))

    def _placed(self, citation: Citation, meaning: Meaning, form: Form) -> Reference:
        if citation.places:
            self._before.note(citation, citation.places[-1], meaning)
        if meaning.reason is not None:
            return self._failed(citation, form, meaning.reason)
        if meaning.former or citation.mention.former:
            return self._failed(citation, form, Reason.FORMER_VERSION)
        if not citation.places:
            several = len(meaning.instruments) > 1
            reason = Reason.SEVERAL_MATCH if several else Reason.NAMES_INSTRUMENT_ONLY
            return self._failed(citation, form, reason)
        if not citation.places[0].number and citation.places[0].level is Level.ARTICLE:
            return self._failed(citation, form, Reason.NO_ANTECEDENT)
        fitting = [t for one in meaning.instruments if (t := targets_of(citation, one, _units))]
        if not fitting:
            return self._failed(citation, form, Reason.NO_SUCH_PLACE)
        if len(fitting) > 1 or any(not target.unit_id for target in fitting[0]):
            return self._failed(citation, form, Reason.SEVERAL_MATCH)
        return self._resolved(citation, form, tuple(fitting[0]))

    def _own_parts(self, citation: Citation) -> list[Target]:
        here = part_at(self._standing.unit, citation.start)
        found = [self._own_part(place.pinpoint, here) for place in citation.places]
        own = self._standing.unit.semantic_id
        return [Target(own, path) for path in found if path] if all(found) else []

    def _own_part(self, pinpoint: str, here: str) -> str:
        """Return the path of a part relative to `here`: 제2호 in 1항 is 1항/2호; "" if none."""
        steps = here.split("/") if here else []
        for kept in range(len(steps), -1, -1):
            path = joined("/".join(steps[:kept]), pinpoint)
            if self._standing.has_part(path):
                return path
        return ""

    def _resolved(self, citation: Citation, form: Form, targets: tuple[Target, ...]) -> Reference:
        return self._reference(citation, form, Status.RESOLVED, None, targets)

    def _failed(self, citation: Citation, form: Form, reason: Reason) -> Reference:
        status = Status.AMBIGUOUS if reason is Reason.SEVERAL_MATCH else Status.UNRESOLVED
        return self._reference(citation, form, status, reason, ())

    def _reference(
        self,
        citation: Citation,
        form: Form,
        status: Status,
        reason: Reason | None,
        targets: tuple[Target, ...],
    ) -> Reference:
        own = self._standing.unit.semantic_id
        start, end = citation.start, citation.end
        text = self._standing.unit.text[start:end]
        return Reference(own, start, end, text, status, reason, targets, form)


def _form(citation: Citation) -> Form:
    level = citation.places[0].level if citation.places else Level.ARTICLE
    if level is Level.SECTION and citation.mention.kind is NameKind.NONE:
        return Form.SECTION
    return _BY_LEVEL.get(level) or _BY_KIND[citation.mention.kind]


def _without_words_before(citation: Citation, meaning: Meaning) -> Citation:
    """Drop the words before a bare title that do not belong to it."""
    if citation.mention.kind is not NameKind.BARE or not meaning.written:
        return citation
    cut = citation.text.find(meaning.written)
    if cut <= 0:
        return citation
    start = citation.start + cut
    return replace(citation, text=citation.text[cut:], start=start)


def _fits(citation: Citation, meaning: Meaning) -> bool:
    return any(targets_of(citation, one, _units) for one in meaning.instruments)


def _units(one: Instrument, place: CitedPlace) -> list[str]:
    if place.level is Level.FORM and not place.number:  # 별지 서식: the only one
        sole = one.units.get("별지서식") or one.units.get("form")
        return [sole] if sole else one.of_level(Level.FORM)
    return units_at(one, place)


def _level_above(citation: Citation) -> str:
    """Return the level above 제2항 (조), 제3호 (항) or 가목 (호)."""
    first = citation.places[0].pinpoint.split("/")[0]
    return "조" if "항" in first else "항" if "호" in first else "호"
