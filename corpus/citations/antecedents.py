"""Instruments named so far in a text: antecedents of 같은 법, 영, 제5조, and abbreviations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import islice

from corpus.citations.bare_names import ends_in_former
from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.english_names import names_alone, short_name
from corpus.citations.model import Former, NameKind, Role, family, normal, role_of

_ABBREVIATION = re.compile(
    r"(?:이하|hereinafter|hereafter)[,\s]*(?:referred to as\s+)?(?:the\s+)?"
    r"[\"“”'‘’「]?(?:the\s+)?([가-힣A-Za-z][가-힣A-Za-z ]{0,28}?)[\"“”'‘’」]{0,2}\s?"
    r"(?:이?라고?\s?(?:한다|함|칭한다|칭함|부른다)|로\s?약칭|\)|,)",
    re.IGNORECASE,
)
_BARE_NAME = re.compile(
    r"(?<![가-힣「『｢])[가-힣ㆍ·]{2,20}[법칙령](?:\s?시행령|\s?시행규칙)?+"
    r"(?=[에의을를은는이상과와도만중로\s,.;:()\[\]/ㆍ·’”'\"-]|및|$)"
)
_SENTENCE_END = re.compile(
    r"[다요음함]\.(?!\d)|\n|※|○|(?<=[.\s])- |(?<=[a-z)\d])[.;?!]\s(?=[A-Z§])"
)
_SENTENCE = 2_000  # the longest sentence considered
_CAPITALISED = re.compile("[A-Z][A-Za-z]{2}")
_NO_MARKS = dict.fromkeys(map(ord, '*"“”'), " ")  # “Ferry Act”
_REACH = 40  # "the same Act" is searched for among this many instruments, most recent first


@dataclass(frozen=True, slots=True)
class Named:
    """One naming of an instrument: offset, family, and the instrument if the corpus has it.

    `decimal` is whether the naming cited a decimal section, as those of technical standards do;
    `former` is set for the instrument as it was before an amendment.
    """

    at: int
    base: str
    role: Role
    title: str
    instrument: Instrument | None
    decimal: bool
    former: Former | None

    @property
    def key(self) -> tuple[str, Role, bool]:
        """The key of the instrument; a former version has another one than today's law."""
        return self.base, self.role, self.former is not None


@dataclass(slots=True)
class Antecedents:
    """The instruments named up to a point of one text, most recent last.

    `earlier` holds those of the previous text (the question); it is used as long as this text has
    named nothing that fits.
    """

    text: str
    catalogue: Catalogue
    earlier: list[Named] = field(default_factory=list)
    abbreviations: dict[str, Named] = field(default_factory=dict)
    _named: list[Named] = field(default_factory=list)
    _latest: dict[tuple[str, Role, bool], Named] = field(default_factory=dict)
    _scanned: int = 0
    _unmarked: str = ""

    def note(self, one: Named) -> None:
        """Record a naming; namings come in text order."""
        self._named.append(one)
        self._latest.pop(one.key, None)
        self._latest[one.key] = one

    def advance(self, to: int) -> None:
        """Record the bare titles (건축법에 따라) between the last point and `to`."""
        start, self._scanned = self._scanned, max(self._scanned, to)
        self._note_english(start, to)
        for found in _BARE_NAME.finditer(self.text, start, to):
            if known := self._only_instrument(found[0]):
                former = Former() if ends_in_former(self.text, found.start()) else None
                self.note(named_as(found.start(), known.title, known, former=former))

    def _note_english(self, start: int, to: int) -> None:
        """Record the English names in a stretch, and the short names defined for them."""
        if not _CAPITALISED.search(self.text, start, to):
            return
        if not self._unmarked:
            self._unmarked = self.text.translate(_NO_MARKS)
        for mention, at, end in names_alone(self._unmarked, start, to):
            if mention.kind is NameKind.TITLE:
                found = self.catalogue.by_title(mention.name)
                self.note(named_as(at, mention.name, found[0] if len(found) == 1 else None))
                closed = end + (self.text[end : end + 1] in tuple(map(chr, _NO_MARKS)))
                if short := short_name(self.text, closed):
                    self.abbreviations[normal(short)] = self._named[-1]

    def define(self, start: int, end: int) -> None:
        """Record an abbreviation (이하 "법"이라 한다) defined in a stretch right after a naming."""
        found = _ABBREVIATION.search(self.text, start, end)
        if found and self._named:
            self.abbreviations[normal(found[1])] = self._named[-1]

    @property
    def names_something(self) -> bool:
        """Whether this text itself has named an instrument yet."""
        return bool(self._named)

    def recent(self) -> list[Named]:
        """Return the latest naming of each instrument, last first; if none, those of `earlier`."""
        own = list(islice(reversed(self._latest.values()), _REACH))
        return own or list(reversed(self.earlier[-_REACH:]))

    def sole(self, at: int, *, decimal: bool) -> Named | None:
        """Return the single instrument that a bare place at `at` can belong to, else None.

        That is the only instrument named so far, or else the only one named in its sentence. For a
        decimal section only instruments count that were cited by decimal sections before.
        """
        if not self._named:
            return _only([n for n in self.earlier if n.decimal or not decimal])
        everything = [n for n in self.recent() if n.decimal or not decimal]
        return _only(everything) or _only(self._in_sentence(at, decimal))

    def _in_sentence(self, at: int, decimal: bool) -> list[Named]:
        """Return the namings before `at` in its sentence, latest first."""
        start = max(0, at - _SENTENCE)
        for end in _SENTENCE_END.finditer(self.text, start, at):
            start = end.end()
        found = []
        for one in reversed(self._named):
            if one.at < start:
                break
            if one.decimal or not decimal:
                found.append(one)
        return found

    def _only_instrument(self, name: str) -> Instrument | None:
        """Return the instrument of a title or short name; None unless there is exactly one."""
        found = self.catalogue.by_title(name) or self.catalogue.by_short_name(name)
        return found[0] if len(found) == 1 else None


def named_as(
    at: int,
    title: str,
    instrument: Instrument | None,
    *,
    decimal: bool = False,
    former: Former | None = None,
) -> Named:
    """Return the record of an instrument's naming in a text; by title if the corpus lacks it."""
    if instrument:
        role = instrument.role
        return Named(at, instrument.base, role, instrument.title, instrument, decimal, former)
    return Named(at, family(title).base, role_of(title), title, None, decimal, former)


def _only(group: list[Named]) -> Named | None:
    """Return the first of namings that are all of one instrument, else None."""
    return group[0] if len({n.key for n in group}) == 1 else None


def defined_in(text: str, name: str, before: int) -> str:
    """Return the words (이하 "법"이라 한다) before `before` that define `name`, else ""."""
    found = _ABBREVIATION.finditer(text, 0, before)
    return next((each[0] for each in found if normal(each[1]) == normal(name)), "")
