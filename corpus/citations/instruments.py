"""The instrument that a citation means: by title, code, short name or context.

Also the units at a place of an instrument, even if typed in part. A reader who types "제12조" or
"안전 기본법 12조" wants that article, not the texts that mention it. That is for search boxes only:
unlike resolving, it guesses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from corpus.citations.antecedents import Antecedents, Named
from corpus.citations.bare_names import OLD, SPECIAL_ACT
from corpus.citations.catalogue import Catalogue, Instrument, sort_key
from corpus.citations.model import (
    Citation,
    CitedPlace,
    Former,
    Mention,
    NameKind,
    Reason,
    Resolution,
    Role,
    Status,
    family,
    normal,
    relative_title,
    without_code,
)
from corpus.model import Level
from corpus.section_numbers import range_ends, section_number


def units_at(one: Instrument, place: CitedPlace) -> list[str]:
    """Return the units at a place: none, one, those of a range, or all matches of a vague place."""
    if place.level is Level.ADDENDUM:
        return _addenda(one, place.number)
    if not place.number:
        return _annexes(one) if place.level is Level.ANNEX else []
    units = units_near(one, place)
    ends = [one.unit(place.level, number) for number in (place.number, place.last) if number]
    if place.level is not Level.SECTION:
        ends += [one.unit(place.level, number) for number in _whole_between(place)]
    return units if all(ends) else []


def units_near(one: Instrument, place: CitedPlace) -> list[str]:
    """Return the unit at a numbered place, or those of a range that exist."""
    absent = not place.number or place.level is Level.ADDENDUM
    if absent or (place.rule and one.role is Role.ACT):
        return []
    if not place.last:
        unit = one.unit(place.level, place.number)
        return [unit] if unit else []
    ends = [place.number, place.last]
    if place.level is Level.SECTION:
        held = (one.unit(place.level, number) for number in ends)
        ends = [section_number(unit.rpartition("_")[2]) for unit in held if unit]
        return one.sections(*ends) if len(ends) == 2 else []
    return one.between(place.level, *ends)


def _whole_between(place: CitedPlace) -> Iterator[str]:
    """Yield the numbers without a branch inside a range: 6 and 7 of 제5조의2부터 제8조까지."""
    if place.last:
        low, high = (sort_key(number)[0] for number in (place.number, place.last))
        yield from map(str, range(low + 1, high))


def as_range(one: Instrument, place: CitedPlace) -> CitedPlace:
    """Interpret hyphenated sections (§§ 5-7) as a range if no section has that number.

    Numbers with dots can be a range also after a word in the singular: 45 CFR 164.502-164.514.
    """
    if (
        place.level is not Level.SECTION
        or place.last
        or "-" not in place.number
        or one.unit(place.level, place.number)
    ):
        return place
    for low, high in range_ends(place.number):
        dotted = "." in low and "." in high
        if (place.several or dotted) and low in one.units and high in one.units:
            return replace(place, number=low, last=high, pinpoint="")
    return place


def _addenda(one: Instrument, number: str) -> list[str]:
    """Return the addenda of an instrument, or only those of the amending instrument `number`."""
    found = [(key, u) for key, u in one.units.items() if key.startswith(("부칙", "addend"))]
    if not number:
        return [unit for _, unit in found]
    return [u for key, u in found if re.search(rf"(?:제{number}호|no-{number})(?:-\d+)?$", key)]


def _annexes(one: Instrument) -> list[str]:
    """Return the annex without a number, else every annex."""
    sole = one.units.get("별표") or one.units.get("annex")
    return [sole] if sole else one.of_level(Level.ANNEX)


_PLACE_WORDS = re.compile(
    r"(?:제\s*+)?\d++(?:\.\d++)*+\s*+(?:조|항|호|목)?(?:\s*+의\s*+\d++)?"
    r"|별표|별지|(?:article|section|annex)s?\b",
    re.IGNORECASE,
)


def places_typed(
    text: str, resolutions: Sequence[Resolution], catalogue: Catalogue, limit: int
) -> list[str]:
    """Return up to `limit` units at the places in `text` whose instrument was not recognised.

    Instruments whose titles share more two-letter pieces with the rest of `text` come first, then
    those of higher authority, then by semantic id. If the rest is not empty, instruments that share
    nothing with it are left out.
    """
    places = [
        place
        for resolution in resolutions
        if resolution.status is not Status.RESOLVED
        for place in resolution.citation.places
        if place.number
    ]
    if not places:
        return []
    plain = normal(_PLACE_WORDS.sub(" ", text))
    pieces = frozenset(plain[at : at + 2] for at in range(len(plain) - 1))
    ranked = sorted(
        catalogue.instruments,
        key=lambda one: (-_count_shared_pieces(pieces, one), one.tier, one.statute_id),
    )
    near = [one for one in ranked if not pieces or _count_shared_pieces(pieces, one)]
    found = (unit for one in near for place in places for unit in units_at(one, place))
    return list(dict.fromkeys(found))[:limit]


def _count_shared_pieces(pieces: frozenset[str], one: Instrument) -> int:
    """Count the pieces that a title contains."""
    title = normal(one.title)
    return sum(piece in title for piece in pieces)


@dataclass(frozen=True, slots=True)
class Meaning:
    """The possible instruments of a citation.

    `reason` is why there is none. `title` is the instrument's title, or the name as written.
    `written` is the actual name within a bare name. `offered` are instruments whose places are
    candidates instead: successors, or possible meanings. `former` is set if they are meant as they
    were before an amendment.
    """

    instruments: tuple[Instrument, ...]
    title: str | None
    reason: Reason | None = None
    written: str = ""
    offered: tuple[Instrument, ...] = ()
    former: Former | None = None


_HANGUL = re.compile("[가-힣]")
_YEAR = re.compile(r"\b(?:1[6-9]|20)\d\d\b")
_LATER = ("시행령", "시행규칙")
_TITLE_REACH = 110  # no title is longer
_WORD_STARTS = re.compile(r"^|[\s「『｢(\[,]++")
_QUOTED_TITLE = re.compile(r"[「『｢][^「」『』｢｣\n]{2,120}[」』｣]\s?")
NOTHING = Meaning((), None, Reason.NO_ANTECEDENT)
_WORD_OF_ROLE = {Role.ACT: "법", Role.DECREE: "영", Role.RULE: "규칙"}


class Namer:
    """Determines the instruments of a text's citations, one after another."""

    def __init__(self, catalogue: Catalogue, antecedents: Antecedents) -> None:
        self._catalogue = catalogue
        self._antecedents = antecedents

    def meaning(self, citation: Citation, before: Meaning | None) -> Meaning:
        """Return the instruments that `citation` may mean; `before` is the previous citation's."""
        meaning = self._meaning(citation, before)
        former = citation.mention.former
        return replace(meaning, former=former) if former else meaning

    def _meaning(self, citation: Citation, before: Meaning | None) -> Meaning:
        """Return the instrument that a citation means, by the kind of its mention."""
        mention = citation.mention
        if mention.kind in (NameKind.LEVEL, NameKind.SAME) and not _HANGUL.search(mention.text):
            return self._english_pointed(mention)
        match mention.kind:
            case NameKind.TITLE:
                return self._titled(mention.name, mention.code)
            case NameKind.BARE:
                return self._whole_title(citation) or self._bare(citation)
            case NameKind.CODE:
                found = self._catalogue.by_code(mention.code)
                if found:
                    return meaning_of(found, mention.text)
                return self._missing(mention.text, mention.code)
            case NameKind.LEVEL:
                return self._whole_title(citation) or self._by_pointer(citation)
            case NameKind.SAME:
                return self._by_pointer(citation)
            case NameKind.CONTINUED | NameKind.SAME_PLACE | NameKind.RELATIVE:
                return before or NOTHING
            case NameKind.NONE | NameKind.PART:
                return self._unnamed(citation)

    def annex_holders(self, meaning: Meaning, place: CitedPlace) -> Meaning | None:
        """Return the decrees or rules with the annex cited of an act without any, else None."""
        if place.level is not Level.ANNEX or len(meaning.instruments) != 1:
            return None
        act = meaning.instruments[0]
        if act.role is not Role.ACT or act.of_level(Level.ANNEX):
            return None
        roles = (Role.DECREE, Role.RULE)
        family_members = [i for r in roles for i in self._catalogue.in_family(act.base, r)]
        holders = tuple(i for i in family_members if i.unit(place.level, place.number))
        headed = tuple(i for i in holders if _is_headed(i, place))
        return replace(meaning, instruments=headed or holders) if holders else None

    def _titled(self, name: str, code: str) -> Meaning:
        """Return the instrument with a code or name; if none, what the corpus lacks."""
        if code and (found := self._catalogue.by_code(code)):
            return meaning_of(found, name)
        return self._by_name(without_code(name)) or self._missing(name, code)

    def _missing(self, name: str, code: str = "") -> Meaning:
        """Return the meaning of an instrument that the corpus lacks."""
        return missing(name, self._catalogue, code)

    def _by_name(self, name: str) -> Meaning | None:
        """Return the instrument of a name: defined, by title, short or similar; else None."""
        if short := self._abbreviated(name):
            return short
        if exact := self._by_title(name):
            return exact
        known = self._catalogue
        if known.successors.of(name)[0] or not _HANGUL.search(name):
            return None
        if name[:1] in OLD and (old := known.by_title(name[1:]) or known.by_short_name(name[1:])):
            return replace(meaning_of(old, name[1:]), former=Former())  # 구건축법
        found = known.by_short_name(name) or known.by_similar_title(name)
        return meaning_of(found, name) if found else None

    def _by_title(self, name: str) -> Meaning | None:
        """Return the instruments of exactly that title; None without any."""
        found = self._catalogue.by_title(name)
        return meaning_of(found, name) if found else None

    def _abbreviated(self, name: str) -> Meaning | None:
        """Return what the text itself has abbreviated by a name; None if nothing."""
        cited, known = family(name), self._antecedents.abbreviations
        short = known.get(cited.base)
        if short is None and not self._catalogue.by_title(name):
            short = known.get(OLD[0] + cited.base)  # (이하 "구 조특법"이라 한다)
        if short is None:
            return None
        own = cited.role is Role.ACT and short.instrument
        found = (own,) if own else self._catalogue.derived(short.base, cited.role)
        return replace(meaning_of(found, name), former=short.former) if found else None

    def _whole_title(self, citation: Citation) -> Meaning | None:
        """Return the instrument with the longest full title that ends where the name ends.

        The words before a place cannot distinguish the end of a title from a title: 군인사법,
        개인정보 보호 규칙.
        """
        end = citation.start + len(citation.mention.text)
        before = self._antecedents.text[max(0, end - _TITLE_REACH) : end]
        own = len(before) - len(citation.mention.text)
        for start in _WORD_STARTS.finditer(before):
            at = start.end()
            if at > own:
                return None
            if found := self._catalogue.by_title(before[at:]):
                return replace(meaning_of(found, before[at:]), written=before[max(at, own) :])
        return None

    def _bare(self, citation: Citation) -> Meaning:
        """Return the instrument of the longest suffix that is a title, or else resembles one."""
        name = citation.mention.name
        words = name.split(" ")
        tails = [" ".join(words[i:]) for i in range(len(words))]
        for lookup in (self._by_title, self._by_name):
            for tail in tails:
                if found := lookup(tail):
                    return replace(found, written=tail)
        for tail in tails:
            replaced = self._missing(tail)
            superseded = replaced.reason is Reason.SUPERSEDED and replaced.offered
            if replaced.reason is Reason.PREDECESSOR or superseded:
                return replace(replaced, written=tail)
        return self._special_act(citation) or self._missing(name)

    def _special_act(self, citation: Citation) -> Meaning | None:
        """Interpret the last word of a name that is no title as a pointer: 따라서 특별법 제9조."""
        if citation.mention.name.rpartition(" ")[2] != SPECIAL_ACT:
            return None
        pointer = Mention(NameKind.LEVEL, SPECIAL_ACT, role=Role.ACT)
        found = self._by_pointer(replace(citation, mention=pointer))
        return replace(found, written=SPECIAL_ACT) if found.instruments else None

    def _by_pointer(self, citation: Citation) -> Meaning:
        """Resolve 같은 법 시행령, 법, 영 to the most recent naming in which the place exists."""
        role = citation.mention.role
        if citation.mention.kind is NameKind.LEVEL and (own := self._defined(citation.mention)):
            return own
        if beside := self._beside(citation):
            return self._relative(beside, role)
        asked_only = not self._antecedents.names_something
        if asked_only and (headed := self._by_heading(citation, role)):
            return headed  # more certain than an instrument named only in the question
        options = [self._relative(named, role) for named in self._possible_antecedents(citation)]
        for option in options:
            if not option.instruments or option.former:
                return option  # law that the corpus lacks hides earlier namings
            if headed := self._by_family_heading(citation, option.instruments[0]):
                return headed
            if any(_has_places(one, citation.places) for one in option.instruments):
                return option
        return options[0] if options else NOTHING

    def _beside(self, citation: Citation) -> Named | None:
        """Return the naming whose title is right before (「건축법」 시행령 제3조), else None."""
        if citation.mention.kind is not NameKind.LEVEL or not self._antecedents.names_something:
            return None
        last = self._antecedents.recent()[0]
        gap = self._antecedents.text[last.at : citation.start]
        later = citation.mention.text.endswith(_LATER)
        return last if later and _QUOTED_TITLE.fullmatch(gap) else None

    def _possible_antecedents(self, citation: Citation) -> list[Named]:
        """Return the namings that a mention can point to, most recent first."""
        mention, recent = citation.mention, self._antecedents.recent()
        if mention.role is Role.STANDARD:
            return [n for n in recent if n.role is Role.STANDARD]
        legal = [n for n in recent if n.role is not Role.STANDARD]
        if mention.kind is NameKind.SAME and mention.direct:
            own = [n for n in legal if n.role is mention.role or mention.role is Role.ANY]
            return own or legal
        if mention.kind is NameKind.LEVEL and recent and recent[0].role is Role.STANDARD:
            return []  # 법 in a quoted standard is the act above it, which the text does not name
        if mention.text == SPECIAL_ACT:
            return [n for n in legal if n.base.endswith(("특별법", "특별조치법"))]
        later = mention.text.endswith(_LATER)  # of decrees too: 임용령 시행규칙
        headed = [n for n in legal if n.role is Role.ACT or family(n.title).role is not Role.ACT]
        if not later:
            return headed
        return [n for n in legal if n in headed or self._catalogue.derived(n.base, mention.role)]

    def _defined(self, mention: Mention) -> Meaning | None:
        """Return the instrument that the text defined as "the Act" or the like, else None."""
        words = (_WORD_OF_ROLE.get(mention.role, ""), "법", "act")
        for word in (SPECIAL_ACT,) if mention.text == SPECIAL_ACT else words:
            if short := self._antecedents.abbreviations.get(word):
                return self._relative(short, mention.role)
        return None

    def _relative(self, named: Named, role: Role) -> Meaning:
        """Return the instrument of `role` in the family of `named`, itself if it has the role."""
        if role is Role.ANY or named.role is role:
            found: tuple[Instrument, ...] = (named.instrument,) if named.instrument else ()
        else:
            found = self._catalogue.in_family(named.base, role)
        if found:
            return replace(meaning_of(found, named.title), former=named.former)
        same = role is Role.ANY or named.role is role
        return self._missing(named.title if same else relative_title(named.title, role))

    def _english_pointed(self, mention: Mention) -> Meaning:
        """Resolve that Act and thereof to the last naming, the Act only to a unique one.

        If several were named, the Act is ambiguous: nothing is guessed.
        """
        if mention.name == "another":  # section 5 of the lease, of the answer itself
            reason = Reason.NO_SUCH_INSTRUMENT if mention.text else Reason.NO_ANTECEDENT
            return Meaning((), mention.text or None, reason)
        word = mention.text.rpartition(" ")[2]
        for short in (re.sub(r"^the\s", "", mention.text, flags=re.I), word):
            if defined := self._antecedents.abbreviations.get(normal(short)):
                return self._relative(defined, mention.role)
        year = _YEAR.search(mention.text)
        named = [n for n in self._antecedents.recent() if not year or year[0] in n.title]
        if mention.role is not Role.ANY:
            kind = [n for n in named if re.search(rf"\b{word}\b", n.title, re.I)]
            others = [n for n in named if n.role is Role.ANY or _HANGUL.search(n.title)]
            named = kind or (others if mention.role is Role.ACT else named)
        options = [self._relative(n, mention.role) for n in named]
        if not options:
            return NOTHING
        held = {i.statute_id: i for option in options for i in option.instruments}
        last = mention.kind is NameKind.SAME or len({o.title for o in options}) == 1
        return (
            options[0]
            if last
            else Meaning((), None, Reason.SEVERAL_MATCH, offered=tuple(held.values()))
        )

    def _unnamed(self, citation: Citation) -> Meaning:
        """Return the instrument of a citation without a name: by context, else by its places."""
        place = citation.places[0]
        section = place.level is Level.SECTION
        decimal = section and re.fullmatch(r"\d+(?:\.\d+)+", place.number) is not None
        named = self._antecedents.sole(citation.start, decimal=decimal)
        if named is not None:
            return self._relative(named, Role.ANY)
        known = [n.instrument for n in self._antecedents.recent() if n.instrument]
        beside = known or self._catalogue.instruments if section else ()
        nothing = replace(NOTHING, offered=tuple(beside))
        return self._by_heading(citation, Role.ANY) or nothing

    def _by_family_heading(self, citation: Citation, one: Instrument) -> Meaning | None:
        """Return the only relative with the heading cited, if `one` lacks it; else None.

        "같은 법 제31조(방염대상물품…)" after a decree often means the decree's article 31.
        """
        place = citation.places[0]
        if not place.heading or _is_headed(one, place):
            return None
        roles = (Role.ACT, Role.DECREE, Role.RULE)
        relatives = [i for r in roles for i in self._catalogue.in_family(one.base, r)]
        return _single(i for i in relatives if _is_headed(i, place))

    def _by_heading(self, citation: Citation, role: Role) -> Meaning | None:
        """Return the only instrument with this article number and heading, else None."""
        place = citation.places[0]
        if place.level is not Level.ARTICLE or not place.heading:
            return None
        fits = self._catalogue.with_heading(place.number, place.heading)
        return _single(i for i in fits if role in (Role.ANY, i.role))


def missing(name: str, catalogue: Catalogue, code: str = "") -> Meaning:
    """Return the meaning of an instrument that the corpus lacks: its successors, if any.

    Else instruments that a short name may mean, none of them certain.
    """
    reason = why_missing(name, catalogue, code)
    if reason is Reason.NO_SUCH_INSTRUMENT:
        words = name.split(" ")
        last = " ".join(words[-2 if words[-1] in _LATER else -1 :])
        lookups = (
            catalogue.of_other_years(name),
            catalogue.resembling(name),
            catalogue.resembling(last),
        )
        likely = () if code else next(filter(None, lookups), ())
        return Meaning((), name, reason, offered=likely)
    names, standard = catalogue.successors.of(name, code)
    heirs = catalogue.heirs(name, code)
    titles = [one.title for one in heirs] if heirs and standard else names
    return Meaning((), ", ".join(titles), reason, offered=heirs)


def why_missing(name: str, catalogue: Catalogue, code: str = "") -> Reason:
    """Return the reason for which the corpus lacks an instrument; no search for alternatives."""
    names, standard = catalogue.successors.of(name, code)
    if not names:
        return Reason.NO_SUCH_INSTRUMENT
    return Reason.SUPERSEDED if standard else Reason.PREDECESSOR


def meaning_of(instruments: tuple[Instrument, ...], written: str) -> Meaning:
    """Return the meaning: one instrument, or several of one name."""
    return Meaning(instruments, instruments[0].title if len(instruments) == 1 else written)


def _single(candidates: Iterable[Instrument]) -> Meaning | None:
    """Return the only candidate as a meaning; None for none or several."""
    instruments = tuple(candidates)
    return meaning_of(instruments, "") if len(instruments) == 1 else None


def _is_headed(one: Instrument, place: CitedPlace) -> bool:
    """Return True if a place has the heading that the citation gives."""
    known, written = normal(one.heading(place.level, place.number)), normal(place.heading)
    if place.level is Level.ANNEX:  # 특정소방대상물(제5조 관련)
        return bool(written) and known.startswith(written)
    return bool(known) and known == written


def _has_places(one: Instrument, places: tuple[CitedPlace, ...]) -> bool:
    """Return True if an instrument has all cited places."""
    return all(not p.number or units_at(one, p) for p in places)
