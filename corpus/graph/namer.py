"""The instrument that a citation in a law means, relative to its place.

Unlike an answer, a law always has a context of its own: 제5조 is its own article, 법 in a decree is
the decree's act. Titles are exact here, so a title that the corpus lacks is never guessed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from corpus.citations.antecedents import Named, named_as
from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.instruments import Meaning, why_missing
from corpus.citations.model import (
    Citation,
    NameKind,
    Reason,
    Role,
    family,
    normal,
    relative_title,
    without_code,
)
from corpus.graph.location import own_role

_ABBREVIATION = re.compile(
    r"\s?\(\s?(?:이하|약칭)[:\s]?(?:\s?이\s?(?:조|항|장|절|법|영|규칙)(?:에서)?(?:는)?)?\s?"
    r"[\"“”'‘’「]?([가-힣A-Za-z][가-힣A-Za-zㆍ· ]{0,38}?)[\"“”'‘’」]{0,2}"
    r"\s?(?:이?라고?\s?|으로\s?|로\s?)(?:한다|함|칭한다|칭함|부른다|약칭)"
    r"|\s?\((?:hereinafter|hereafter)[,\s]*(?:referred to as\s+)?(?:the\s+)?[\"“”']?(?:the\s+)?"
    r"([A-Za-z][A-Za-z ]{0,38}?)[\"“”',]{0,2}\)"
)
# Between a code and its articles: 「형법」 제2편제33장 명예에 관한 죄 중 제307조.
_PARTS_OF_CODE = re.compile(r"\s?제\s?\d{1,3}\s?[편장절관][^「」\n.]*")
_QUOTED = re.compile(r"중\s?[\"“]$")
_GAP = 120
_OWN_WORD = re.compile(r"(?:이|본)\s?(?:법률?|영|규칙|규정|기준|고시|령)")
_LATER_RULES = ("시행령", "시행규칙")
_NOTHING = Meaning((), None, Reason.NO_ANTECEDENT)


@dataclass(slots=True)
class LawNamer:
    """Determines the instruments of one statute's citations, one after another.

    `aliases` are the short names that the statute has defined so far: they apply from there on. The
    antecedents of 같은 법 are reset with :meth:`enter` at every unit.
    """

    catalogue: Catalogue
    own: Instrument
    aliases: dict[str, Named] = field(default_factory=dict)
    _text: str = ""
    _named: list[Named] = field(default_factory=list)
    _open: Citation | None = None  # a title without a place yet
    _last: Meaning = _NOTHING

    def enter(self, text: str) -> None:
        """Begin a unit with this text."""
        self._text = text
        self._named, self._open, self._last = [], None, _NOTHING

    def meaning(self, citation: Citation) -> Meaning:
        """Return the instrument that `citation` means, and record it for later ones."""
        found = self._meaning(citation)
        if citation.mention.former:
            found = replace(found, former=citation.mention.former)
        self._remember(citation, found)
        return found

    def goes_on(self, meaning: Meaning) -> None:
        """Record that the last citation read continued `meaning`."""
        self._last = meaning

    def is_alias(self, citation: Citation) -> bool:
        """Return whether a citation names its instrument by one of the statute's short names."""
        return normal(citation.mention.text) in self.aliases

    def _meaning(self, citation: Citation) -> Meaning:
        mention = citation.mention
        match mention.kind:
            case NameKind.TITLE:
                return self._titled(mention.name, mention.code)
            case NameKind.BARE:
                return self._bare(mention.name)
            case NameKind.CODE:
                found = self.catalogue.by_code(mention.code)
                known = _meaning_of(found, mention.text) if found else None
                return known or self._missing(mention.text, mention.code)
            case NameKind.SAME:
                return self._same(citation)
            case NameKind.LEVEL:
                return self._level(citation)
            case NameKind.CONTINUED | NameKind.SAME_PLACE:
                return self._last
            case NameKind.NONE:
                return self._unnamed(citation)
            case NameKind.PART | NameKind.RELATIVE:
                return self.itself()

    def _remember(self, citation: Citation, meaning: Meaning) -> None:
        """Record a naming, an abbreviation after it, and what a list would continue."""
        mention = citation.mention
        if mention.text and mention.kind not in (NameKind.SAME_PLACE, NameKind.RELATIVE):
            one = meaning.instruments[0] if len(meaning.instruments) == 1 else None
            title = meaning.title or mention.name or mention.text
            named = named_as(citation.start, title, one, former=meaning.former)
            self._named.append(named)
            self._define(citation, named)
            self._open = citation if not citation.places else None
        if citation.places:
            self._last = meaning

    def _define(self, citation: Citation, named: Named) -> None:
        end = citation.start + len(citation.mention.text)
        found = _ABBREVIATION.match(self._text, end)
        if found:
            self.aliases[normal(found[1] or found[2])] = named

    def itself(self) -> Meaning:
        """Return the statute being read."""
        return _meaning_of((self.own,), self.own.title)

    def _titled(self, name: str, code: str = "") -> Meaning:
        found = self.catalogue.by_code(code) if code else ()
        found = found or self.catalogue.by_title(without_code(name))
        if found:
            return _meaning_of(found, name)
        return self._aliased(name) or self._missing(name)

    def _aliased(self, name: str) -> Meaning | None:
        """Look a name up among the statute's own short names: 소방법, 소방법 시행령, 법."""
        if short := self.aliases.get(normal(name)):
            return self._relative(short, short.role)
        cited = family(name)
        if cited.role is not Role.ACT and (short := self.aliases.get(cited.base)):
            return self._relative(short, cited.role)
        return None

    def _missing(self, name: str, code: str = "") -> Meaning:
        return Meaning((), name, why_missing(name, self.catalogue, code))

    def _bare(self, name: str) -> Meaning:
        """Return the longest suffix of the words before a place that is a title or a short name."""
        words = name.split(" ")
        tails = [" ".join(words[i:]) for i in range(len(words))]
        for tail in tails:
            found = self.catalogue.by_title(tail)
            meaning = _meaning_of(found, tail) if found else self._aliased(tail)
            if meaning:
                return replace(meaning, written=tail)
        if _OWN_WORD.fullmatch(tails[-1]):
            return Meaning((self.own,), self.own.title, None, tails[-1])
        return replace(self._missing(tails[-1]), written=tails[-1])

    def _same(self, citation: Citation) -> Meaning:
        mention = citation.mention
        if _OWN_WORD.match(mention.text):
            return self._itself_as(mention.text, mention.role)
        for named in reversed(self._named):
            if mention.direct and mention.role is not Role.ANY:
                if _role(named) is mention.role:
                    return self._relative(named, named.role)
            elif mention.role is Role.ANY or _has_family(named):
                return self._relative(named, mention.role)
        return _NOTHING

    def _itself_as(self, written: str, role: Role) -> Meaning:
        """Return the own instrument for 이 법; in a decree 이 법 is a quotation from elsewhere."""
        if written.endswith(_LATER_RULES):  # 이 법 시행령
            return self._in_family(self.own.base, role, self.own.title)
        return (
            _NOTHING if role is Role.ACT and own_role(self.own) is not Role.ACT else self.itself()
        )

    def _level(self, citation: Citation) -> Meaning:
        """Resolve 법, 영, 규칙: as the statute defined them, else to the own family."""
        mention = citation.mention
        if (before := self._open) and not self._text[before.end : citation.start].strip():
            return self._relative(self._named[-1], mention.role)  # 「건축법」 시행령 제3조
        written = re.sub(r"^the\s+", "", mention.text, flags=re.IGNORECASE)
        if found := self._aliased(written):
            return found
        if mention.role is own_role(self.own):
            return self.itself()
        base = self.above().base
        return self._in_family(base, mention.role, self.own.title)

    def above(self) -> Named:
        """Return the act of the statute's family: the one it calls 법, else by its title."""
        own = named_as(0, self.own.title, self.own)
        return self.aliases.get("법") or self.aliases.get("act") or own

    def _relative(self, named: Named, role: Role) -> Meaning:
        """Return the instrument of `role` in the family of `named`, itself if it has the role."""
        if role is Role.ANY or role in (named.role, _role(named)):
            one = named.instrument
            found = _meaning_of((one,), named.title) if one else self._missing(named.title)
        else:
            found = self._in_family(named.base, role, named.title)
        return replace(found, former=named.former)

    def _in_family(self, base: str, role: Role, title: str) -> Meaning:
        found = self.catalogue.derived(base, role)
        return _meaning_of(found, title) if found else self._missing(relative_title(title, role))

    def _unnamed(self, citation: Citation) -> Meaning:
        """Return the own statute, or the code whose parts are listed right before.

        A place right after a title belongs to that title, as 별표 without a number: 「건축법」
        별표. Text quoted for replacement ("제40조 중 "제5조"는 …) is the wording of the previous
        one.
        """
        if _QUOTED.search(self._text, max(0, citation.start - 4), citation.start):
            return self._last if self._last.title else self.itself()
        before = self._open
        if before and citation.start - before.end <= _GAP:
            gap = self._text[before.end : citation.start]
            if gap in ("", " ") or _PARTS_OF_CODE.fullmatch(gap):
                return self._relative(self._named[-1], self._named[-1].role)
        return self.itself()


def _role(named: Named) -> Role:
    return own_role(named.instrument) if named.instrument else named.role


def _has_family(named: Named) -> bool:
    """Return whether 같은 법 can refer to a naming: an act, or an act's decree or rule."""
    return _role(named) is Role.ACT or family(named.title).role is not Role.ACT


def _meaning_of(found: Sequence[Instrument], written: str) -> Meaning:
    return Meaning(tuple(found), found[0].title if len(found) == 1 else written)
