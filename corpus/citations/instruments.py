"""Which instrument a citation means: by its title, code or short name, or by what came before."""

from __future__ import annotations

from dataclasses import dataclass, replace

from corpus.citations.antecedents import Antecedents, Named, role_of
from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.model import Citation, Kind, Place, Reason, Role
from corpus.citations.names import family, normal, without_code
from corpus.citations.predecessors import REPLACED
from corpus.model import Level


@dataclass(frozen=True, slots=True)
class Meaning:
    """The instruments a citation can mean.

    `reason` says why there is none. `title` is the instrument's title, or the name as written.
    `written` is the part of a bare name that is the name. `successors` are the instruments that
    replaced an obsolete one.
    """

    instruments: tuple[Instrument, ...]
    title: str | None
    reason: Reason | None = None
    written: str = ""
    successors: tuple[Instrument, ...] = ()


_NOTHING = Meaning((), None, Reason.NO_ANTECEDENT)


class Namer:
    """Finds the instrument of one citation after another of a text."""

    def __init__(self, catalogue: Catalogue, antecedents: Antecedents) -> None:
        self._catalogue = catalogue
        self._antecedents = antecedents

    def meaning(self, citation: Citation, before: Meaning | None) -> Meaning:
        """Return what the mention of `citation` means; `before` is the previous citation's."""
        match citation.mention.kind:
            case Kind.TITLE:
                return self._titled(citation.mention.name, citation.mention.code)
            case Kind.BARE:
                return self._bare(citation.mention.name)
            case Kind.CODE:
                return self._coded(citation.mention.code)
            case Kind.SAME | Kind.LEVEL:
                return self._pointed(citation)
            case Kind.CONTINUED | Kind.SAME_PLACE:
                return before or _NOTHING
            case Kind.NONE:
                return self._unnamed(citation)

    def _titled(self, name: str, code: str) -> Meaning:
        found = self._catalogue.by_code(code) if code else ()
        if not found:
            found = self._by_name(without_code(name))
        if found:
            return Meaning(found, found[0].title if len(found) == 1 else name)
        return self._missing(name)

    def _missing(self, name: str) -> Meaning:
        cited = family(name)
        if successors := REPLACED.get(cited.base):
            tail = {Role.DECREE: " 시행령", Role.RULE: " 시행규칙"}.get(cited.role, "")
            heirs = tuple(i for s in successors for i in self._catalogue.by_title(s + tail))
            title = ", ".join(s + tail for s in successors)
            return Meaning((), title, Reason.PREDECESSOR, successors=heirs)
        return Meaning((), name, Reason.NO_SUCH_INSTRUMENT)

    def _by_name(self, name: str) -> tuple[Instrument, ...]:
        if found := self._abbreviated(name):
            return found
        if found := self._catalogue.by_title(name):
            return found
        if family(name).base in REPLACED:
            return ()
        return self._catalogue.by_short_name(name) or self._catalogue.by_similar_title(name)

    def _abbreviated(self, name: str) -> tuple[Instrument, ...]:
        """Look a name up among the abbreviations that the text itself defines."""
        cited = family(name)
        short = self._antecedents.abbreviations.get(cited.base)
        if short is None:
            return ()
        if cited.role is Role.ACT and short.instrument:
            return (short.instrument,)
        return self._catalogue.in_family(short.base, cited.role)

    def _bare(self, name: str) -> Meaning:
        """Find the longest end of a bare name that is a title; else what its last word abbreviates."""
        words = name.split(" ")
        tails = [" ".join(words[i:]) for i in range(len(words))]
        for lookup in (self._catalogue.by_title, self._by_name):
            for tail in tails:
                if found := lookup(tail):
                    title = found[0].title if len(found) == 1 else tail
                    return Meaning(found, title, written=tail)
        for tail in tails:
            missing = self._missing(tail)
            if missing.reason is Reason.PREDECESSOR:
                return replace(missing, written=tail)
        return Meaning((), name, Reason.NO_SUCH_INSTRUMENT)

    def _coded(self, code: str) -> Meaning:
        found = self._catalogue.by_code(code)
        if not found:
            return Meaning((), code, Reason.NO_SUCH_INSTRUMENT)
        return Meaning(found, found[0].title if len(found) == 1 else code)

    def _pointed(self, citation: Citation) -> Meaning:
        """Follow 같은 법 시행령, 동법, 법, 영 to the most recent naming in which the place exists."""
        role = citation.mention.role
        if citation.mention.kind is Kind.LEVEL and (own := self._defined(role)):
            return own
        options = [self._relative(named, role) for named in self._antecedents.last(role)]
        if not options:
            return self._by_heading(citation, role) or _NOTHING
        for option in options:
            if len(option.instruments) == 1 and _has(option.instruments[0], citation.places):
                return self._by_family_heading(citation, option.instruments[0]) or option
        return options[0]

    def _defined(self, role: Role) -> Meaning | None:
        words = {Role.ACT: "법", Role.DECREE: "영", Role.RULE: "규칙"}
        for word in (words.get(role, ""), "법"):
            if short := self._antecedents.abbreviations.get(word):
                return self._relative(short, role)
        return None

    def _relative(self, named: Named, role: Role) -> Meaning:
        """Return the instrument of `role` in the family of `named`, itself where it plays it."""
        if role is Role.ANY or (named.role is role and role_of(named.title) is role):
            found: tuple[Instrument, ...] = (named.instrument,) if named.instrument else ()
        else:
            found = self._catalogue.in_family(named.base, role)
        if found:
            return Meaning(found, found[0].title if len(found) == 1 else named.title)
        return Meaning((), named.title, Reason.NO_SUCH_INSTRUMENT)

    def _unnamed(self, citation: Citation) -> Meaning:
        named = self._antecedents.sole(citation.start)
        if named is None:
            return self._by_heading(citation, Role.ANY) or _NOTHING
        if named.instrument is None:
            return Meaning((), named.title, Reason.NO_SUCH_INSTRUMENT)
        return Meaning((named.instrument,), named.title)

    def _by_family_heading(self, citation: Citation, one: Instrument) -> Meaning | None:
        """Prefer the family member whose heading is the one written beside the number.

        "같은 법 제31조(방염대상물품…)" after a decree often means the decree's article 31.
        """
        place = citation.places[0]
        if not place.heading or same_heading(one.heading(place.level, place.number), place.heading):
            return None
        roles = (Role.ACT, Role.DECREE, Role.RULE)
        family_members = [i for r in roles for i in self._catalogue.in_family(one.base, r)]
        fits = [
            i
            for i in family_members
            if same_heading(i.heading(place.level, place.number), place.heading)
        ]
        return Meaning((fits[0],), fits[0].title) if len(fits) == 1 else None

    def _by_heading(self, citation: Citation, role: Role) -> Meaning | None:
        """Find the one article of the corpus with this number and this heading."""
        place = citation.places[0]
        if place.level is not Level.ARTICLE or not place.heading:
            return None
        fits = [
            i
            for i in self._catalogue.with_heading(place.number, place.heading)
            if role is Role.ANY or role_of(i.title) is role
        ]
        return Meaning((fits[0],), fits[0].title) if len(fits) == 1 else None


def same_heading(known: str, written: str) -> bool:
    """Tell whether a heading as written is the known one up to spelling."""
    return bool(known) and normal(known) == normal(written)


def _has(one: Instrument, places: tuple[Place, ...]) -> bool:
    return all(not p.number or one.unit(p.level, p.number) for p in places)
