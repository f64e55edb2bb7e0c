"""The instrument that a citation in a law means, relative to its place.

Unlike an answer, a law always has a context of its own: 제5조 is its own article, 법 in a decree is
the decree's act. Titles are exact here, so a title that the corpus lacks is never guessed.

The place of a reference, its unit's earlier citations, and the meaning of 전조 or 전항 there.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter

from corpus.citations.antecedents import Named, named_as
from corpus.citations.catalogue import Catalogue, Instrument, beside
from corpus.citations.instruments import NOTHING, Meaning, meaning_of, why_missing
from corpus.citations.model import (
    Citation,
    CitedPlace,
    NameKind,
    Role,
    Target,
    family,
    normal,
    relative_title,
    without_code,
)
from corpus.graph.application import without_asides
from corpus.model import Level, Statute, Tier, Unit

_START = attrgetter("start")
_ROLES = {Tier.ACT: Role.ACT, Tier.DECREE: Role.DECREE, Tier.RULE: Role.RULE}


_NOTE = re.compile(r"^[ \t]*\[[^\n]*\][ \t]*$|<[^<>\n]{0,200}>", re.MULTILINE)


def without_notes(text: str) -> str:
    """Return a text with blanks for the notes on its own history, which cite nothing in force."""
    return _NOTE.sub(lambda note: " " * len(note[0]), text)


def part_at(unit: Unit, offset: int) -> str:
    """Return the path of a unit's innermost part at an offset, "" outside every part."""
    parts = unit.parts
    for index in range(bisect_right(parts, offset, key=_START) - 1, -1, -1):
        if offset < parts[index].end:
            return parts[index].path
    return ""


@dataclass(slots=True)
class UnitLocation:
    """One unit as the reference point of relative references.

    `articles` are the ids of the statute's articles in document order.
    """

    unit: Unit
    articles: Sequence[str]

    def has_part(self, path: str) -> bool:
        """Return whether the unit has a part of this path."""
        return any(part.path == path for part in self.unit.parts)

    def parts_before(self, path: str) -> list[str]:
        """Return the paths of the parts before `path` under the same parent, in order."""
        parent = path.rpartition("/")[0]
        siblings = [p.path for p in self.unit.parts if p.path.rpartition("/")[0] == parent]
        return siblings[: siblings.index(path)] if path in siblings else []

    def around(self, offset: int) -> list[str]:
        """Return the paths of the parts around an offset, innermost first, then ""."""
        steps = part_at(self.unit, offset).split("/")
        return ["/".join(steps[:kept]) for kept in range(len(steps), -1, -1)]

    def below(self, spellings: Iterable[Sequence[str]], above: Sequence[str]) -> list[str]:
        """Return the path of each referenced part, below the first of the paths `above` with it.

        Each part comes in its spellings, the likeliest first. [] if a part is missing.
        """
        found: list[str] = []
        for spelled in spellings:
            paths = (joined(parent, path) for path in spelled for parent in above)
            path = next(filter(self.has_part, paths), "")
            if not path:
                return []
            found.append(path)
        return found


def article_ids(statute: Statute) -> list[str]:
    """Return the ids of a statute's articles and sections in document order."""
    levels = (Level.ARTICLE, Level.SECTION)
    return [unit.semantic_id for unit in statute.units if unit.level in levels]


def own_role(one: Instrument) -> Role:
    """Return the role of an instrument in its own words: 이 법, 이 영, 이 규칙."""
    return _ROLES.get(one.tier, Role.ANY)


_OUTLINE = re.compile(r"(?<=\s)(?:\d{1,2}|[가-힣])\)")  # 제3호나목의 신고기준란 4)
_TAIL = (
    r"(?:\s?(?:본문|단서|전단|후단|각\s?호(?:\s?외의\s?부분)?|각\s?목(?:\s?외의\s?부분)?"
    r"|까지의\s?규정|까지))*"
)
_LIST = re.compile(_TAIL + r"\s*(?:,|ㆍ|·|및|또는|이나|나|와|과)\s*(?:제외한\s?)?")
_OPEN = re.compile(_TAIL + r"\s?\(")
_REACH = 6  # how many citations back a list can continue from, over asides


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier citation: its end, its last place, and its instruments."""

    end: int
    place: CitedPlace
    meaning: Meaning


@dataclass(slots=True)
class Before:
    """The last few citations of a unit that named a place."""

    text: str
    _earlier: deque[Earlier] = field(default_factory=lambda: deque(maxlen=_REACH))

    def note(self, citation: Citation, place: CitedPlace, meaning: Meaning) -> None:
        """Record a citation; they come in text order."""
        self._earlier.append(Earlier(citation.end, place, meaning))

    def in_list(self, citation: Citation) -> Earlier | None:
        """Return the citation before this one in its list (제1항 후단이나 제5항), over asides."""
        for one in reversed(self._earlier):
            gap = self._gap(one, citation)
            if gap is not None:
                return one if _LIST.fullmatch(gap) else None
        return None

    def holding(self, citation: Citation) -> Earlier | None:
        """Return the last citation if this begins an aside to it: 제72조제1항(제2호는 제외한다)."""
        if not self._earlier:
            return None
        one = self._earlier[-1]
        return one if _OPEN.fullmatch(self.text, one.end, citation.start) else None

    def nearest(self, citation: Citation, level: Level | None = None) -> Earlier | None:
        """Return the last citation outside closed asides, of `level` if given.

        Without `level` it is the very last one if all are inside.
        """
        for one in reversed(self._earlier):
            if level in (None, one.place.level) and self._gap(one, citation) is not None:
                return one
        return self._earlier[-1] if self._earlier and level is None else None

    def _gap(self, one: Earlier, citation: Citation) -> str | None:
        """Return the text between without asides, None if `one` is in a closed aside."""
        gap = self.text[one.end : citation.start]
        if "(" in gap or ")" in gap:
            gap = without_asides(_OUTLINE.sub("", gap))
        return None if ")" in gap else gap


_DEPTH = {"조": 0, "표": 0, "항": 1, "호": 2, "목": 3}


def relative_targets(citation: Citation, standing: UnitLocation) -> list[Target]:
    """Return the targets of a citation of kind ``RELATIVE``; [] if there are none.

    Its mention's name is the number of steps back ("*" for all, "본" for none, "+1" for one ahead)
    and the unit.
    """
    own = standing.unit.semantic_id
    steps, unit = citation.mention.name[:-1], citation.mention.name[-1]
    below = [place.pinpoint for place in citation.places] or [""]
    here = cut(part_at(standing.unit, citation.start), unit)
    if steps == "본":
        return [Target(own, joined(here, pinpoint)) for pinpoint in below]
    if unit == "조":
        count = int(steps) if "+" in steps else -int(steps)
        articles = beside(standing.articles, own, count)
        return [Target(article, pinpoint) for article in articles for pinpoint in below]
    before = standing.parts_before(here)
    count = len(before) if steps == "*" else int(steps)
    if not before or len(before) < count:
        return []
    paths = before[len(before) - count :]
    return [Target(own, joined(path, pinpoint)) for path in paths for pinpoint in below]


def cut(path: str, unit: str) -> str:
    """Cut a part path to the level of 항, 호 or 목; "" for 조 and 표."""
    steps = path.split("/") if path else []
    return "/".join(step for step in steps if _depth(step) <= _DEPTH[unit])


def joined(*paths: str) -> str:
    """Join part paths, one below the other, without the empty ones."""
    return "/".join(path for path in paths if path)


def _depth(step: str) -> int:
    """Return the depth of a step: article, paragraph, item."""
    return next((depth for mark, depth in _DEPTH.items() if mark in step), 4)


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
    _last: Meaning = NOTHING

    def enter(self, text: str) -> None:
        """Begin a unit with this text: forget what the one before named."""
        self._text = text
        self._named, self._open, self._last = [], None, NOTHING

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
        """Return the instrument that a citation means, by the kind of its mention."""
        mention = citation.mention
        match mention.kind:
            case NameKind.TITLE:
                return self._titled(mention.name, mention.code)
            case NameKind.BARE:
                return self._bare(mention.name)
            case NameKind.CODE:
                found = self.catalogue.by_code(mention.code)
                known = meaning_of(found, mention.text) if found else None
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
        """Note the abbreviation that a citation introduces: (이하 "법"이라 한다)"""
        end = citation.start + len(citation.mention.text)
        found = _ABBREVIATION.match(self._text, end)
        if found:
            self.aliases[normal(found[1] or found[2])] = named

    def itself(self) -> Meaning:
        """Return the statute being read."""
        return meaning_of((self.own,), self.own.title)

    def _titled(self, name: str, code: str = "") -> Meaning:
        """Return the instrument with a code, title or alias; if none, what the corpus lacks."""
        found = self.catalogue.by_code(code) if code else ()
        found = found or self.catalogue.by_title(without_code(name))
        if found:
            return meaning_of(found, name)
        return self._aliased(name) or self._missing(name)

    def _aliased(self, name: str) -> Meaning | None:
        """Return what the statute itself calls so (소방법, 소방법 시행령, 법), else None."""
        if short := self.aliases.get(normal(name)):
            return self._relative(short, short.role)
        cited = family(name)
        if cited.role is not Role.ACT and (short := self.aliases.get(cited.base)):
            return self._relative(short, cited.role)
        return None

    def _missing(self, name: str, code: str = "") -> Meaning:
        """Return the meaning of an instrument that the corpus lacks."""
        return Meaning((), name, why_missing(name, self.catalogue, code))

    def _bare(self, name: str) -> Meaning:
        """Return the instrument of the longest suffix that is a title or a short name."""
        words = name.split(" ")
        tails = [" ".join(words[i:]) for i in range(len(words))]
        for tail in tails:
            found = self.catalogue.by_title(tail)
            meaning = meaning_of(found, tail) if found else self._aliased(tail)
            if meaning:
                return replace(meaning, written=tail)
        if _OWN_WORD.fullmatch(tails[-1]):
            return Meaning((self.own,), self.own.title, None, tails[-1])
        return replace(self._missing(tails[-1]), written=tails[-1])

    def _same(self, citation: Citation) -> Meaning:
        """Return the instrument of "the same Act": the last that was named."""
        mention = citation.mention
        if _OWN_WORD.match(mention.text):
            return self._itself_as(mention.text, mention.role)
        for named in reversed(self._named):
            if mention.direct and mention.role is not Role.ANY:
                if _role(named) is mention.role:
                    return self._relative(named, named.role)
            elif mention.role is Role.ANY or _has_family(named):
                return self._relative(named, mention.role)
        return NOTHING

    def _itself_as(self, written: str, role: Role) -> Meaning:
        """Return the own instrument for 이 법; in a decree 이 법 is a quotation from elsewhere."""
        if written.endswith(_LATER_RULES):  # 이 법 시행령
            return self._in_family(self.own.base, role, self.own.title)
        return NOTHING if role is Role.ACT and own_role(self.own) is not Role.ACT else self.itself()

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
            found = meaning_of((one,), named.title) if one else self._missing(named.title)
        else:
            found = self._in_family(named.base, role, named.title)
        return replace(found, former=named.former)

    def _in_family(self, base: str, role: Role, title: str) -> Meaning:
        """Return the decree or rule of a family of statutes."""
        found = self.catalogue.derived(base, role)
        return meaning_of(found, title) if found else self._missing(relative_title(title, role))

    def _unnamed(self, citation: Citation) -> Meaning:
        """Return the instrument named right before, in a quotation the last one, else the own.

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
    """Return the role of a named instrument."""
    return own_role(named.instrument) if named.instrument else named.role


def _has_family(named: Named) -> bool:
    """Return whether 같은 법 can refer to a naming: an act, or an act's decree or rule."""
    return _role(named) is Role.ACT or family(named.title).role is not Role.ACT
