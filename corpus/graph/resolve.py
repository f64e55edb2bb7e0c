"""Resolution of the citations in a law's units, relative to their places.

Citations in the text of a law, as :func:`corpus.citations.find.find` does in answers.

A law also refers to itself: 제2항, 전조, 같은 항, 별지 서식. Those are found in the stretches that
no other citation covers. Notes on the unit's own history ([제3조에서 이동], <개정 2011.8.4>) cite
nothing in force, and are skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.english import find_english
from corpus.citations.find import find
from corpus.citations.instruments import Meaning, units_at
from corpus.citations.korean import find_korean
from corpus.citations.korean_places import read_pinpoints
from corpus.citations.model import (
    Citation,
    CitedPlace,
    Mention,
    NameKind,
    Reason,
    Role,
    Target,
    WrittenForm,
    is_plain,
)
from corpus.citations.relative import BEFORE, read_before, same_pattern
from corpus.citations.resolve import targets_of
from corpus.graph.english import read_english_unit
from corpus.graph.model import Form, Found, Reference
from corpus.graph.namer import (
    Before,
    Earlier,
    LawNamer,
    UnitLocation,
    article_ids,
    cut,
    joined,
    relative_targets,
    without_notes,
)
from corpus.model import Level, Statute, Unit, parse_place, split_id

_ANY_KOREAN = re.compile(
    r"제\s?\d|[「『｢]|별표|별지|부칙|[전본]\s?\d{0,2}\s?[조항호각]|다음\s?\d{0,2}\s?조|같은|동[법조항호영]|[가-하]목"
)
_LETTER = "[가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허]"
_AFTER = (
    r"(?=$|[\s,.)」\"”ㆍ·・]|의|에|및|와|과|는|은|을|를|로|이|부터|까지|내지|중|단서|본문|[전후]단|각"
    r"|제\s?\d|[가-하]목)"
)
# Skips most letters at once.
_BEGINS = r"(?=[같동제전본별다가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허])"
_OWN = re.compile(
    rf"{_BEGINS}(?:"
    rf"{same_pattern(_AFTER)}"
    r"|(?P<part>제\s?\d{1,3}\s?항|(?<![가-힣])제\s?\d{1,3}\s?호(?!\s?의?\d*\s?서식|선|차)"
    r"|(?<![가-힣제)])"
    + _LETTER
    + r"목(?=[의에및과와ㆍ,부까또)은는만]|\d{1,2}\)|\s(?:및|또는|이?외|내지)))"
    rf"|{BEFORE}"
    r"|(?P<own>(?<![가-힣])본\s?(?:조|항)(?=[의에제과와및을를은는에]))"
    r"|(?P<annex>별표(?=[와에의을를은는])|별지\s?(?:의\s?)?서식)"
    r"|(?P<named>(?:같은|(?<![가-힣])동)\s?법(?:률)?\s?(?P<tail>시행령|시행규칙)?(?=\s?\(이하)))"
)

# After these a number belongs to the thing named there: 별표 4 Ⅸ 제1호, 법률 제3074호, 부칙 제5항.
_NUMBERED = re.compile(
    r"(?:[\u2160-\u217f]|별지|별표|(?<![\"”])(?<![\"”]이)란의?|표의?|도식|서식|령|법률|규칙|조약|고시|예규|훈령|공고|부칙|제\d의\d)\s?$"
)
_PARTICLE = re.compile(r"[가-힣)\]\"”’]$")


def find_in_law(text: str, language: str) -> list[Citation]:
    """Return every citation of a unit's text, in order and without overlap.

    Besides the kinds of answers these are ``PART`` (제2항 alone) and ``RELATIVE`` (전조, 전항), and
    ``SAME_PLACE`` without anything below it (같은 항에 따라). Their places have no number.
    """
    if is_plain(text):
        return _find_in_law(text, language)
    form = WrittenForm(text)
    return [form.as_written(one) for one in _find_in_law(form.text, language)]


def _find_in_law(text: str, language: str) -> list[Citation]:
    """Find the citations in the text of a unit, notes left out."""
    masked = without_notes(text)
    if language != "ko":
        return find(masked)
    if not _ANY_KOREAN.search(masked):
        return find_english(masked)
    citations = [_without_particle(one, masked) for one in find_korean(masked)]
    return sorted([*citations, *_own_places(masked, citations)], key=lambda one: one.start)


def _own_places(text: str, citations: list[Citation]) -> list[Citation]:
    """Return the citations relative to the current place, outside those found already."""
    starts = [one.start for one in citations]
    found: list[Citation] = []
    at = 0
    while anchor := _OWN.search(text, at):
        before = bisect_left(starts, anchor.end()) - 1
        if before >= 0 and citations[before].end > anchor.start():
            at = max(citations[before].end, anchor.start() + 1)
            continue
        if anchor["part"] and _NUMBERED.search(text, max(0, anchor.start() - 8), anchor.start()):
            at = anchor.end()
            continue
        one = _read(text, anchor)
        found.append(one)
        at = max(one.end, anchor.end())
    return found


def _without_particle(one: Citation, text: str) -> Citation:
    """Read …한 자)이 법 제5조 as 법 제5조: 이 right after a word is its particle."""
    mention = one.mention
    written = re.match(r"이\s+", mention.text) if mention.kind is NameKind.SAME else None
    if not written or not _PARTICLE.search(text, max(0, one.start - 1), one.start):
        return one
    cut = written.end()
    level = Mention(NameKind.LEVEL, mention.text[cut:], role=mention.role)
    return Citation(one.text[cut:], one.start + cut, one.end, level, one.places)


def _read(text: str, anchor: re.Match[str]) -> Citation:
    """Return the citation that begins at an anchor."""
    match anchor.lastgroup:
        case "same":
            return _below(text, anchor, Mention(NameKind.SAME_PLACE, anchor["same"], anchor["of"]))
        case "part":
            return _below(text, anchor, Mention(NameKind.PART), from_start=True)
        case "before":
            return read_before(text, anchor)
        case "own":
            own = Mention(NameKind.RELATIVE, anchor[0], "본" + anchor[0][-1])
            return _below(text, anchor, own)
        case "annex":
            level = Level.ANNEX if anchor[0] == "별표" else Level.FORM
            start, end = anchor.span()
            places = (CitedPlace(level, ""),)
            return Citation(text[start:end], start, end, Mention(NameKind.NONE), places)
        case _:
            return _abbreviated_naming(anchor)


def _below(
    text: str, anchor: re.Match[str], mention: Mention, *, from_start: bool = False
) -> Citation:
    """Read the paragraphs and items at or after an anchor."""
    start = anchor.start()
    pinpoints, end = read_pinpoints(text, start if from_start else anchor.end())
    end = max(end, anchor.end())
    places = tuple(CitedPlace(Level.ARTICLE, "", pinpoint) for pinpoint in pinpoints)
    return Citation(text[start:end], start, end, mention, places)


def _abbreviated_naming(anchor: re.Match[str]) -> Citation:
    """Return the naming of an instrument before an abbreviation: 같은 법 시행령(이하 …)."""
    role = {"시행령": Role.DECREE, "시행규칙": Role.RULE}.get(anchor["tail"] or "", Role.ACT)
    written = anchor[0].rstrip()
    mention = Mention(NameKind.SAME, written, role=role)
    return Citation(written, anchor.start(), anchor.start() + len(written), mention)


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
            found += _references_of_unit(unit, statute.language, namer, articles)
    return Reading(found, namer.above().base)


def _references_of_unit(
    unit: Unit, language: str, namer: LawNamer, articles: list[str]
) -> Iterator[Reference]:
    """Yield a reference for each citation in a unit, resolved or with the reason."""
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
        found = self._found(citation, meaning)
        form = Form.SHORT if short else _form(citation)
        return Reference.of(self._standing.unit, (citation.start, citation.end), form, found)

    def _found(self, citation: Citation, meaning: Meaning) -> Found:
        """Return a citation's targets, or why it has none, by the kind of its mention."""
        match citation.mention.kind:
            case NameKind.PART:
                return self._part(citation)
            case NameKind.RELATIVE:
                return self._here(citation, relative_targets(citation, self._standing))
            case NameKind.SAME_PLACE:
                level = Level.ANNEX if citation.mention.name == "표" else None
                before = self._before.nearest(citation, level)
                return self._below(citation, before, citation.mention.name)
            case NameKind.NONE:
                return self._unnamed(citation, meaning)
            case _:
                return self._placed(citation, meaning)

    def _unnamed(self, citation: Citation, meaning: Meaning) -> Found:
        """Resolve 제7조: by the list or brackets that it continues, else in the own statute."""
        if before := self._before.in_list(citation):
            self._namer.goes_on(before.meaning)
            return self._placed(citation, before.meaning)
        holding = self._before.holding(citation)
        if holding and _fits(citation, holding.meaning):  # 법 제9조(제8조에서 준용하는 경우…)
            return self._placed(citation, holding.meaning)
        before = None if _fits(citation, meaning) else self._before.nearest(citation)
        if before and (before.meaning.reason or _fits(citation, before.meaning)):
            self._namer.goes_on(before.meaning)
            return self._placed(citation, before.meaning)
        return self._placed(citation, meaning)

    def _part(self, citation: Citation) -> Found:
        """Resolve 제2항: in a continued list, else in the own article, else in the last one.

        The own article's parts are known: one that it lacks is none, whatever was cited before.
        """
        before = self._before.in_list(citation) or self._before.holding(citation)
        own, unit = self._own_parts(citation), self._standing.unit.semantic_id
        if before is None and own:
            return self._here(citation, own)
        before = before or self._before.nearest(citation)
        if before and before.place.number:
            targets, reason = self._below(citation, before, _level_above(citation))
            here = [target.pinpoint for target in targets if target.unit_id == unit]
            if all(map(self._standing.has_part, here)):
                return targets, reason
            if own:
                return self._here(citation, own)
        return (), Reason.NO_SUCH_PLACE

    def _below(self, citation: Citation, before: Earlier | None, unit: str) -> Found:
        """Resolve a place below the one named before, cut to its 조, 항, 호 or 목."""
        if before is None:
            return (), Reason.NO_ANTECEDENT
        prefix = cut(before.place.pinpoint, unit)
        places = tuple(
            replace(before.place, pinpoint=joined(prefix, one.pinpoint), last="", heading="")
            for one in citation.places or (CitedPlace(before.place.level, ""),)
        )
        self._namer.goes_on(before.meaning)
        return self._placed(replace(citation, places=places), before.meaning)

    def _here(self, citation: Citation, targets: Sequence[Target]) -> Found:
        """Return these targets in the own statute, recording the last; without any, why."""
        if not targets:
            return (), Reason.NO_ANTECEDENT
        level, number = parse_place(split_id(targets[-1].unit_id)[1]) or (Level.ARTICLE, "")
        place = CitedPlace(level, number, targets[-1].pinpoint)
        self._before.note(citation, place, self._namer.itself())
        return targets, None

    def _placed(self, citation: Citation, meaning: Meaning) -> Found:
        """Resolve a citation by instrument and places, and record it."""
        if citation.places:
            self._before.note(citation, citation.places[-1], meaning)
        if meaning.reason is not None:
            return (), meaning.reason
        if meaning.former or citation.mention.former:
            return (), Reason.FORMER_VERSION
        if not citation.places:
            several = len(meaning.instruments) > 1
            return (), Reason.SEVERAL_MATCH if several else Reason.NAMES_INSTRUMENT_ONLY
        if not citation.places[0].number and citation.places[0].level is Level.ARTICLE:
            return (), Reason.NO_ANTECEDENT
        fitting = [t for one in meaning.instruments if (t := targets_of(citation, one, _units))]
        if not fitting:
            return (), Reason.NO_SUCH_PLACE
        if len(fitting) > 1 or any(not target.unit_id for target in fitting[0]):
            return (), Reason.SEVERAL_MATCH
        return fitting[0], None

    def _own_parts(self, citation: Citation) -> list[Target]:
        """Return the parts of this unit that a citation names: 제2호 in 1항 is 1항/2호."""
        standing, paths = self._standing, [[place.pinpoint] for place in citation.places]
        found = standing.below(paths, standing.around(citation.start))
        return [Target(standing.unit.semantic_id, path) for path in found]


def _form(citation: Citation) -> Form:
    """Return the written form of a citation."""
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
    """Return True if one of the instruments has the cited places."""
    return any(targets_of(citation, one, _units) for one in meaning.instruments)


def _units(one: Instrument, place: CitedPlace) -> list[str]:
    """Return the units at a cited place."""
    if place.level is Level.FORM and not place.number:  # 별지 서식: the only one
        sole = one.units.get("별지서식") or one.units.get("form")
        return [sole] if sole else one.of_level(Level.FORM)
    return units_at(one, place)


def _level_above(citation: Citation) -> str:
    """Return the level above 제2항 (조), 제3호 (항) or 가목 (호)."""
    first = citation.places[0].pinpoint.split("/")[0]
    return "조" if "항" in first else "항" if "호" in first else "호"
