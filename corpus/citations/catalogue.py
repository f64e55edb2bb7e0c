"""The instruments of a corpus for looking up citations: by name, with their places.

Built from one light entry per unit, without texts, so that 205,000 units take a second or two.

Short names of statutes follow a rule. Those in use (소방시설법, 화재예방법, 초고층재난관리법,
건축물방화구조규칙) are made of leading pieces of the title's words, in order and beginning with the
first word, with the type of the instrument at the end: 소방시설 설치 및 관리에 관한 법률 gives
소방시설|법. So a short name is matched against titles by that rule, never by a table. A run of
whole words is preferred to pieces, and the resolver accepts a rank only if exactly one title has
it.

A merely renamed act keeps its articles, so its old title is another name of it. A replaced one is
known by its :mod:`corpus.citations.successors`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import islice
from typing import TypeVar
from unicodedata import normalize

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from corpus.citations.model import (
    Role,
    canonical_code,
    family,
    normal,
    role_of,
    us_code,
    without_code,
)
from corpus.citations.successors import Successors, shipped
from corpus.model import Level, Statute, Tier, parse_place, place_id
from corpus.natural_order import natural_key
from corpus.section_numbers import is_section_number, section_number
from normalization.grouping import grouped

T = TypeVar("T")
_TYPES = ("특별조치법", "특별법", "기본법", "법률", "법", "규칙", "규정", "령")
_JOSA = re.compile(r"(?:에|의|로|을|를|과|와|으로)$")
_SPLIT = re.compile(r"[\s·ㆍ・･‧,()]+")
_FILLERS = {"및", "등", "관한", "위한", "인한", "대한", "따른", "의한", "둘", "두는"}
WHOLE_RUN, PIECES = 0, 1
_SHORTEST_NAME = 3  # syllables before the type: 소방법 could be anything


def type_of(name: str) -> str:
    """Return the type that ends a name: ``법`` for any act, else 규칙, 규정 or 령; "" for none."""
    if name.endswith("법령"):  # "legislation", written by mistake for an act
        return "법"
    found = next((t for t in _TYPES if name.endswith(t)), "")
    return "법" if found.endswith(("법", "법률")) else found


def stem_of(name: str) -> str:
    """Return a name without its type."""
    kind = "법령" if name.endswith("법령") else ""
    return name.removesuffix(kind or next((t for t in _TYPES if name.endswith(t)), ""))


@lru_cache(maxsize=20_000)
def title_words(title: str) -> tuple[str, ...]:
    """Return the content words of a title without particles, fillers and its type."""
    kind = next((t for t in _TYPES if title.endswith(t)), "")
    words = [w for w in _SPLIT.split(title.removesuffix(kind)) if w and w not in _FILLERS]
    return tuple(_JOSA.sub("", w) if len(w) > 2 else w for w in words)


def rank(short: str, title: str) -> int | None:
    """Return a rank of how well `short` abbreviates `title` (0 best), None if it does not.

    Both come without 시행령 and 시행규칙. 0: the first words of the title, whole. 1: leading pieces
    of at least two syllables of words in order, from the first.
    """
    kind = type_of(short)
    if (
        not kind
        or kind != type_of(title)
        or len(title) <= len(short)
        or _differs_in_kind(short, title)
    ):
        return None
    stem, words = stem_of(short), title_words(title)
    if len(stem) < _SHORTEST_NAME or not words:
        return None
    runs = range(1, len(words) + 1) if len(words) > 1 else ()
    if any(stem == "".join(words[:length]) for length in runs):
        return WHOLE_RUN
    return PIECES if _is_of_pieces(stem, words) else None


def _differs_in_kind(short: str, title: str) -> bool:
    """Return True if short name and title are of different kinds: 기본법 for 보호법.

    A plain 법 abbreviates every kind, and 특별법 both kinds of special acts.
    """
    special = ("특별법", "특별조치법")
    if short.endswith(special):
        return not title.endswith(special)
    return short.endswith("기본법") and not title.endswith("기본법")


def _is_of_pieces(stem: str, words: tuple[str, ...]) -> bool:
    """Return whether `stem` consists of leading pieces of words, in order from the first."""
    ends = _ends_after(stem, 0, words[0])
    for word in words[1:]:
        if len(stem) in ends:
            break
        ends |= {end for start in ends for end in _ends_after(stem, start, word)}
    return len(stem) in ends


def _ends_after(stem: str, start: int, word: str) -> set[int]:
    """Return the possible ends of a leading piece of `word` at `start` of `stem`."""
    longest = 0
    for written, meant in zip(stem[start:], word, strict=False):
        if written != meant:
            break
        longest += 1
    return {start + n for n in range(2, longest + 1)}


# Renamed without renumbering.
_RENAMED: dict[str, str] = {
    "매장문화재 보호 및 조사에 관한 법률": "매장유산 보호 및 조사에 관한 법률",
    "지진재해대책법": "지진ㆍ화산재해대책법",
    "풍수해보험법": "풍수해ㆍ지진재해보험법",
}

RENAMED = {normal(old): normal(new) for old, new in _RENAMED.items()}


_REMEMBERED = 4_096
_MOST_LIKELY = 4  # the most instruments that an unknown short name may mean
_ENGLISH = re.compile(r"[A-Za-z]")
_YEAR = re.compile(  # of the Ferry Act of 1950, 1950 Ferry Act
    r"(?<!\s)(?:\s+of|,)?\s+\(?((?:1[6-9]|20)\d\d)\)?$|^((?:1[6-9]|20)\d\d)\s"
)
_PARTICLES = frozenset("의에을를과와이가로및등")
_SHORTEST = 8  # the fewest letters of a title for comparison by similarity


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """One unit of a corpus: its statute, and its semantic id.

    `heading` distinguishes decree from act where a text writes the heading after the number; it may
    be empty.
    """

    statute_id: str
    title: str
    kind: str
    tier: Tier
    unit_id: str
    heading: str = ""


@dataclass(eq=False)
class Instrument:
    """One instrument of the corpus and its places (place half of the semantic id → unit id).

    `base` is the normal form of the title of its family's head; `standing` is whether the title is
    the head (``ACT``) or names the head's decree or rule. `role` is its role for 같은 법, 같은
    규칙: a rule that heads its own family (…에 관한 규칙) has the role ``RULE``.
    """

    statute_id: str
    title: str
    kind: str
    tier: Tier
    base: str
    standing: Role
    role: Role
    code: str
    units: dict[str, str] = field(default_factory=dict)
    headings: dict[str, str] = field(default_factory=dict)

    def unit(self, level: Level, number: str) -> str | None:
        """Return the unit at a place (a section: around it); None without one, and for addenda."""
        if level is Level.ADDENDUM:
            return None
        if level is Level.SECTION:
            return self._section(number)
        for language in ("ko", "en"):
            if unit := self.units.get(place_id(level, number, language)):
                return unit
        return None

    def heading(self, level: Level, number: str) -> str:
        """Return the heading of the unit at a place, "" if unknown."""
        unit = self.unit(level, number)
        return self.headings.get(unit, "") if unit else ""

    def between(self, level: Level, first: str, last: str) -> list[str]:
        """Return the units of a level from `first` to `last`, both included, in order."""
        low, high = sort_key(first), sort_key(last)
        return [unit for key, unit in self._in_order[level] if low <= key <= high]

    def beside(self, number: str, steps: int) -> list[str]:
        """Return the numbers of the `steps` articles before (negative) or after; [] if fewer.

        Deleted articles count.
        """
        keys = [key for key, _ in self._in_order[Level.ARTICLE]]
        return ["의".join(map(str, key)) for key in beside(keys, sort_key(number), steps)]

    def of_level(self, level: Level) -> list[str]:
        """Return every unit of a level, in order of number."""
        return [unit for _, unit in self._in_order[level]]

    @cached_property
    def _in_order(self) -> dict[Level, list[tuple[tuple[int, ...], str]]]:
        """The numbered units of each level with their sort keys, in order."""
        placed = ((parse_place(key), unit) for key, unit in self.units.items())
        keyed = ((place[0], (sort_key(place[1]), unit)) for place, unit in placed if place)
        return {level: [] for level in Level} | grouped(sorted(keyed))

    def sections(self, first: str, last: str) -> list[str]:
        """Return the section units from `first` to `last`, both included, in order."""
        low, high = natural_key(first), natural_key(last)
        keys = sorted(filter(is_section_number, self.units), key=natural_key)
        return [self.units[key] for key in keys if low <= natural_key(key) <= high]

    def _section(self, number: str) -> str | None:
        """Return the section unit that contains a decimal number: 2.1 for 2.1.1.3.

        A section with units of its own below it (2.1.1, 2.1.2) contains no other number, and one of
        a federal code (164.504) never does.
        """
        steps = number.split(".")
        if number in self.units or not all(map(str.isdecimal, steps)) or us_code(self.title):
            return self.units.get(number)
        for length in range(len(steps) - 1, min(1, len(steps) - 1), -1):
            place = ".".join(steps[:length])
            if unit := self.units.get(place):
                return None if place in self._divided else unit
        return None

    @cached_property
    def _divided(self) -> frozenset[str]:
        """The sections that have units below them."""
        return frozenset(p.rpartition(".")[0] for p in self.units if p.count(".") > 1)


def beside(row: Sequence[T], own: T, steps: int) -> list[T]:
    """Return the `steps` entries right before (negative) or after `own` in a row; [] if fewer.

    Empty unless it is in the row, with as many entries there as `steps` asks for.
    """
    if own not in row:
        return []
    at = row.index(own)
    low, high = (at + steps, at) if steps < 0 else (at + 1, at + 1 + steps)
    return list(row[low:high]) if low >= 0 and high <= len(row) else []


def sort_key(number: str) -> tuple[int, ...]:
    """Return a canonical number as integers, for sorting: ``2의2`` → (2, 2), ``2.10`` → (2, 10)."""
    return tuple(int(n) for n in number.replace("의", ".").split("."))


class Catalogue:
    """The instruments of one corpus, by every name under which they are cited.

    `successors` are those that the project declares, else the packaged ones.
    """

    def __init__(
        self, entries: Iterable[CatalogueEntry], successors: Successors | None = None
    ) -> None:
        self.successors = shipped() if successors is None else successors
        instruments: dict[str, Instrument] = {}
        for entry in entries:
            one = instruments.get(entry.statute_id)
            if one is None:
                one = instruments[entry.statute_id] = _instrument(entry)
            place = section_number(entry.unit_id.rpartition("_")[2])
            one.units[place] = entry.unit_id
            if entry.heading:
                one.headings[entry.unit_id] = entry.heading
        self._by_id = instruments
        self.instruments: tuple[Instrument, ...] = tuple(
            instruments[key] for key in sorted(instruments)
        )
        every = self.instruments
        self._by_name = grouped((name, one) for one in every for name in sorted(_titles(one)))
        english = (one for one in every if _ENGLISH.match(one.title))
        self._undated = grouped((normal(_YEAR.sub("", one.title)), one) for one in english)
        codes = ((code, one) for one in every for code in (one.code, us_code(one.title)))
        self._by_code = grouped((code, one) for code, one in codes if code)
        self._families = grouped((one.base, one) for one in every)
        # Answers repeat names: results of the slower look-ups are cached.
        self._short = lru_cache(maxsize=_REMEMBERED)(self._abbreviated)
        self._similar = lru_cache(maxsize=_REMEMBERED)(self._of_similar_title)
        self._likely = lru_cache(maxsize=_REMEMBERED)(self._likely_instruments)

    @classmethod
    def from_statutes(cls, statutes: Sequence[Statute]) -> Catalogue:
        """Build the catalogue of imported statutes."""
        return cls(
            CatalogueEntry(s.semantic_id, s.title, s.kind, s.tier, u.semantic_id, u.heading)
            for s in statutes
            for u in s.units
        )

    def by_id(self, statute_id: str) -> Instrument | None:
        """Return the instrument with a semantic id, None if unknown."""
        return self._by_id.get(statute_id)

    def by_title(self, name: str) -> tuple[Instrument, ...]:
        """Return the instruments with a present or former title `name`, up to spelling."""
        key = normal(name)
        found = self._by_name.get(key) or self._by_name.get(self._renamed(name))
        return tuple(found or self._by_year(name))

    def _by_year(self, name: str) -> list[Instrument]:
        """Return the English instruments of this title: of its year, or of any if it has none.

        A name without a year matches every year; another year is another instrument, and a name
        with a year does not match a title without one.
        """
        plain, year = _YEAR.sub("", name), _YEAR.search(name)
        if year is None:
            return self._undated.get(normal(name), [])
        return self._by_name.get(normal(plain + (year[1] or year[2])), [])

    def of_other_years(self, name: str) -> tuple[Instrument, ...]:
        """Return the English instruments with the title `name`, whatever its year and theirs."""
        return tuple(self._undated.get(normal(_YEAR.sub("", name)), ()))

    def by_code(self, code: str) -> tuple[Instrument, ...]:
        """Return the instruments whose title contains a code such as ``NFTC102`` or ``45CFR``."""
        return tuple(self._by_code.get(code, ()))

    def heirs(self, name: str, code: str = "") -> tuple[Instrument, ...]:
        """Return the instruments of the corpus that replaced the one named; () if none did."""
        names, _ = self.successors.of(name, code)
        found = [self.by_code(canonical_code(each)) or self.by_title(each) for each in names]
        return tuple(dict.fromkeys(one for some in found for one in some))

    def by_short_name(self, name: str) -> tuple[Instrument, ...]:
        """Return the instruments that `name` abbreviates best; several if it is not unique."""
        return self._short(name)

    def by_similar_title(self, name: str) -> tuple[Instrument, ...]:
        """Return the only instrument whose title is a typing error away from `name`, or none.

        Only long titles of the same type and standing compete, without their types (법률 for 특별법
        is a common error). The winner may differ by one eighth of its letters, and the next best
        must be at least two further letters away.
        """
        return self._similar(name)

    def resembling(self, name: str) -> tuple[Instrument, ...]:
        """Return the instruments of its kind that a name may be short for, the likeliest first.

        Its letters occur in their titles in order (소방공사업법 for 소방시설공사업법). Unlike
        `by_short_name` this does not resolve: such names are checked by hand.
        """
        return self._likely(name)

    def _likely_instruments(self, name: str) -> tuple[Instrument, ...]:
        """Return the instruments whose title has the name's letters in order, closest first."""
        cited = family(name)
        stem, kind = stem_of(cited.base), type_of(cited.base)
        if len(stem) < 2 or not kind:
            return ()
        inside = [b for b in self._bases.get(kind, []) if _is_subsequence(stem, stem_of(b))]
        inside.sort(key=lambda base: (base[0] != stem[0], len(base), base))
        found = (one for base in inside for one in self.derived(base, cited.role))
        return tuple(islice(found, _MOST_LIKELY))

    def with_heading(self, number: str, heading: str) -> list[Instrument]:
        """Return the instruments whose article `number` has `heading` (both up to spelling)."""
        wanted = normal(heading)
        found = []
        for one in self.instruments:
            unit = one.unit(Level.ARTICLE, number)
            if unit and normal(one.headings.get(unit, "")) == wanted:
                found.append(one)
        return found

    def in_family(self, base: str, role: Role) -> tuple[Instrument, ...]:
        """Return the instruments of the family `base` (a normal form) with `role`."""
        return tuple(i for i in self._families.get(base, ()) if i.role is role)

    def derived(self, base: str, standing: Role) -> tuple[Instrument, ...]:
        """Return the head of the family `base` (``ACT``), or its decree or rule by title."""
        return tuple(i for i in self._families.get(base, ()) if i.standing is standing)

    @cached_property
    def _bases(self) -> dict[str, list[str]]:
        """Base names by type, ascending."""
        return grouped((type_of(base), base) for base in sorted(self._families))

    @cached_property
    def _stems(self) -> dict[str, dict[str, str]]:
        """Return, by type, each family's base with its stem; short stems are left out."""
        return {
            kind: {base: stem for base in bases if len(stem := stem_of(base)) >= _SHORTEST}
            for kind, bases in self._bases.items()
        }

    def _renamed(self, name: str) -> str:
        """Return the present name of a renamed instrument, else its ending alone."""
        cited = family(name)
        tail = {Role.DECREE: "시행령", Role.RULE: "시행규칙"}.get(cited.role, "")
        return RENAMED.get(cited.base, "") + tail

    def _of_similar_title(self, name: str) -> tuple[Instrument, ...]:
        """Return the instruments of the closest similar title; () if none or no clear one."""
        cited = family(name)
        stem, kind = stem_of(cited.base), type_of(cited.base)
        if len(stem) < _SHORTEST:
            return ()
        limit = max(1, len(cited.base) // 8)
        close = process.extract(
            stem,
            self._stems.get(kind, {}),
            scorer=Levenshtein.distance,
            score_cutoff=limit + 2,
            limit=2,
        )
        if not close or close[0][1] > limit or (close[1:] and close[1][1] < close[0][1] + 2):
            return ()
        if not _is_slip(stem, close[0][0]):
            return ()
        return self.derived(close[0][2], cited.role)

    def _abbreviated(self, name: str) -> tuple[Instrument, ...]:
        """Return the instruments that a name abbreviates best."""
        cited = family(name)
        ranked: dict[int, list[Instrument]] = defaultdict(list)
        for base in self._bases.get(type_of(cited.base), []):
            if base[:1] != cited.base[:1]:
                continue
            members = self._families[base]
            root = next((i for i in members if i.standing is Role.ACT), members[0])
            head = root.title.removesuffix("시행령").removesuffix("시행규칙").strip()
            found = rank(cited.base, head)
            if found is not None:
                ranked[found] += members
        # The best name decides, even if its family lacks the decree or rule in the corpus.
        best = ranked[min(ranked)] if ranked else []
        return tuple(one for one in best if one.standing is cited.role)


def _titles(one: Instrument) -> set[str]:
    """Return the title of an instrument in normal form, with its code and without."""
    return {normal(one.title), normal(without_code(one.title))}


def _is_subsequence(letters: str, title: str) -> bool:
    """Return True if the letters occur in the title in order."""
    rest = iter(title)
    return all(letter in rest for letter in letters)


def _is_slip(written: str, meant: str) -> bool:
    """Return True for a typing error (설지 for 설치), False for another word (군무원, 공무원).

    A replaced letter is a particle, or differs in one Jamo. Added or missing letters (관리,
    안전관리) may be a word, but not one at the beginning of the title.
    """
    for step in Levenshtein.opcodes(written, meant):
        here = written[step.src_start : step.src_end]
        there = meant[step.dest_start : step.dest_end]
        if step.tag == "replace" and not all(map(_is_alike, here, there)):
            return False
        if step.tag in ("insert", "delete") and step.src_start == 0 and len(here + there) > 1:
            return False
    return True


def _is_alike(one: str, other: str) -> bool:
    """Return True for two syllables that are both particles or differ in one Jamo at most."""
    left, right = normalize("NFD", one), normalize("NFD", other)
    return {one, other} <= _PARTICLES or Levenshtein.distance(left, right) <= 1


def _instrument(entry: CatalogueEntry) -> Instrument:
    """Return an entry of the catalogue as an instrument."""
    name = family(without_code(entry.title))
    return Instrument(
        statute_id=entry.statute_id,
        title=entry.title,
        kind=entry.kind,
        tier=entry.tier,
        base=name.base,
        standing=name.role,
        role=role_of(entry.title),
        code=canonical_code(entry.title),
    )
