"""Resolution of the references in an English law's units, relative to their places.

Units at places of an English law: sections by number, divisions by outline.

Relative parts of English law are subsection (b), clause (ii), the preceding paragraph. The word
gives the depth: in sections subsection, paragraph, subparagraph, clause, subclause; in articles
paragraph, subparagraph or point. Federal regulations call every depth a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.citations.antecedents import named_as
from corpus.citations.catalogue import Instrument, beside
from corpus.citations.english_law import EnglishReference, Sort, Spot, Steps, find_english_law
from corpus.citations.english_names import short_name
from corpus.citations.find import find_cases, find_us
from corpus.citations.instruments import Meaning
from corpus.citations.model import Citation, CitedPlace, NameKind, Reason, Target, normal
from corpus.graph.model import Form, Found, Reference
from corpus.graph.namer import LawNamer, UnitLocation, joined, part_at, without_notes
from corpus.model import Level, Unit
from corpus.section_numbers import range_ends, roman_value

_IN_SECTIONS = ("section", "subsection", "paragraph", "subparagraph", "clause", "subclause", "item")
_IN_ARTICLES = {"article": 0, "section": 0, "paragraph": 1, "subsection": 1}


def own_parts(one: EnglishReference, standing: UnitLocation) -> list[str]:
    """Return the paths of a part without "of …", relative to its place; [] if one is missing."""
    article = standing.unit.level is Level.ARTICLE
    top = one.word == "subsection" or (article and one.word == "paragraph")
    return standing.below(map(_spellings, one.chains), [""] if top else standing.around(one.start))


def scoped_parts(one: EnglishReference, standing: UnitLocation) -> list[str]:
    """Return the paths of a part "of this section", "of this paragraph"; [] if one is missing."""
    word = one.scope.rpartition(" ")[2]
    if word in ("section", "article", "regulation", "rule"):
        return standing.below(map(_spellings, one.chains), [""])
    around = standing.around(one.start)[:-1]
    above = around[-1:] if word == "subsection" else around
    return standing.below(map(_spellings, one.chains), above)


def near_parts(one: EnglishReference, standing: UnitLocation) -> list[str]:
    """Return the paths of the parts before or after the current one; [] if they are missing."""
    here = part_at(standing.unit, one.start).split("/")
    own = "/".join(here[: depth(one.word, standing, len(here))])
    parent = own.rpartition("/")[0]
    row = [p.path for p in standing.unit.parts if p.path.rpartition("/")[0] == parent]
    if own not in row:
        return []
    return beside(row, own, one.steps) if one.steps else row[: row.index(own)]


def depth(word: str, standing: UnitLocation, deepest: int) -> int:
    """Return the depth of a path of the kind `word`, at most `deepest`."""
    unit = standing.unit
    if unit.level is Level.ARTICLE:
        return min(_IN_ARTICLES.get(word, 2), deepest)
    if word == "paragraph" and "." in unit.label:
        return deepest
    found = _IN_SECTIONS.index(word) if word in _IN_SECTIONS else deepest
    return min(found, deepest)


def _spellings(chain: Steps) -> list[str]:
    """Return a chain as written, and with its first number in or out of brackets."""
    number, written = chain[0].strip("()"), "/".join(chain)
    if not number[:1].isdigit():
        return [written]
    other = number if chain[0].startswith("(") else f"({number})"
    return [written, "/".join((other, *chain[1:]))]


MOST = 20  # the most sections of a named division; more would only clutter the graph
_NAMED = ("article-", "annex-", "form-")


def spot_targets(instrument: Instrument, word: str, spot: Spot) -> list[Target]:
    """Return the targets of a number in an instrument: none, one per chain, or those of a range."""
    first = _key(instrument, word, spot.number)
    if spot.last:
        return _range(instrument, first, _key(instrument, word, spot.last))
    if first:
        chains = ["/".join(chain) for chain in spot.chains] or [_decimal(spot.number)]
        return [Target(instrument.units[first], path) for path in chains]
    for low, high in range_ends(spot.number) if spot.several or "." in spot.number else ():
        if found := _range(instrument, _key(instrument, word, low), _key(instrument, word, high)):
            return found
    return []


def _key(one: Instrument, word: str, number: str) -> str:
    """Return the place id of a number in an instrument, empty if it has none."""
    kinds = {"section": [""], "article": ["article-"], "annex": ["annex-"], "form": ["form-"]}
    numbers = [number]
    if number.isupper() and number not in ("C", "L"):
        numbers.append(str(roman_value(number)))
    if _decimal(number):
        numbers.append(".".join(number.split(".")[:2]))
    keys = (kind + n for kind in kinds.get(word, ["", "article-"]) for n in numbers)
    return next((key for key in keys if key in one.units), "")


def _decimal(number: str) -> str:
    """Return a number below a unit of its own (2.1.1), else ""."""
    return number if re.fullmatch(r"\d+(?:\.\d+){2,}", number) else ""


def _range(one: Instrument, first: str, last: str) -> list[Target]:
    """Return the units of one kind from `first` to `last` in document order."""
    if not first or not last:
        return []
    keys = list(one.units)
    between = keys[keys.index(first) : keys.index(last) + 1]
    return [Target(one.units[key]) for key in between if _kind(key) == _kind(first)]


def _kind(key: str) -> str:
    """Return the kind of unit that a key names."""
    other = "section" if key[:1].isdigit() else key
    return next((kind for kind in _NAMED if key.startswith(kind)), other)


def division_units(units: Sequence[Unit], own: Unit, one: EnglishReference) -> list[str] | None:
    """Return the other units of the divisions that a reference names, in document order.

    None if the statute's outline has no such division.
    """
    wanted = _own_paths(own, one) if one.scope else _named_paths(units, own, one)
    if not wanted:
        return None
    found = [u for u in units if any(u.path[: len(head)] == head for head in wanted)]
    return [unit.semantic_id for unit in found if unit.semantic_id != own.semantic_id]


def _own_paths(own: Unit, one: EnglishReference) -> list[tuple[str, ...]]:
    """Return the path of the own division that "this subpart" means, the innermost; [] if none."""
    depths = [at for at, head in enumerate(own.path, 1) if _first_word(head) == one.word]
    return [own.path[: depths[-1]]] if depths else []


def _named_paths(units: Sequence[Unit], own: Unit, one: EnglishReference) -> list[tuple[str, ...]]:
    """Return the paths of the named divisions: of several, the closest to the own place."""
    paths = dict.fromkeys(u.path[:at] for u in units for at in range(1, len(u.path) + 1))
    rows = [path for path in paths if _first_word(path[-1]) == one.word]
    found: list[tuple[str, ...]] = []
    for spot in one.spots:
        first = _nearest([p for p in rows if _number_of(p[-1]) == spot.number.upper()], own.path)
        last = _nearest([p for p in rows if _number_of(p[-1]) == spot.last.upper()], own.path)
        if first is None or (spot.last and last is None):
            return []
        ends = rows.index(first), rows.index(last) if last else rows.index(first)
        found += rows[ends[0] : ends[1] + 1]
    return found


def _nearest(paths: Sequence[tuple[str, ...]], own: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return the path that shares most with the unit's own; None without paths."""

    def shared(path: tuple[str, ...]) -> int:
        """Return the number of common steps."""
        pairs = zip(path, own, strict=False)
        return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(path), len(own)))

    return max(paths, key=shared, default=None)


def _first_word(heading: str) -> str:
    """Return the first word of a heading in small letters."""
    return heading.split(None, 1)[0].lower() if heading.split() else ""


def _number_of(heading: str) -> str:
    """Return the number in a division's heading (E of Subpart E—Privacy), "" without one."""
    found = re.match(r"\w+\s+([0-9A-Za-z]+)", heading)
    return found[1].upper() if found else ""


_FORMS = {
    NameKind.TITLE: Form.TITLE,
    NameKind.CODE: Form.TITLE,
    NameKind.LEVEL: Form.LEVEL,
    NameKind.SAME: Form.SAME,
}
_OWN = {"section": Form.SECTION, "annex": Form.ANNEX, "form": Form.FORM}
_UNITS = ("section", "article", "regulation", "rule")


def read_english_unit(
    unit: Unit, units: Sequence[Unit], articles: Sequence[str], namer: LawNamer
) -> Iterator[Reference]:
    """Yield the references of one unit; `units` are all of its statute, `articles` the numbered."""
    text = without_notes(unit.text)
    namer.enter(text)
    reader = _Reader(text, UnitLocation(unit, articles), units, namer)
    beyond = [(one, Form.TITLE) for one in find_us(text)]
    beyond += [(one, Form.CASE) for one in find_cases(text)]
    found: list[tuple[int, EnglishReference | tuple[Citation, Form]]] = [
        (one.start, one)
        for one in find_english_law(text)
        if not any(each.start < one.end and one.start < each.end for each, _ in beyond)
    ]
    found += [(one.start, (one, form)) for one, form in beyond]
    for _, one in sorted(found, key=lambda each: each[0]):
        yield reader.beyond(*one) if isinstance(one, tuple) else reader.read(one)


class _Reader:
    """Resolves the references of one unit in order."""

    def __init__(
        self, text: str, standing: UnitLocation, units: Sequence[Unit], namer: LawNamer
    ) -> None:
        self._text = text
        self._standing = standing
        self._units = units
        self._namer = namer
        self._last: Target | None = None

    def read(self, one: EnglishReference) -> Reference:
        """Resolve the reference at one place of the text."""
        if one.sort is Sort.NAME:
            one = self._titled(one)
        found = self._targets(one)
        if found[0]:
            self._last = found[0][-1]
        return Reference.of(self._standing.unit, (one.start, one.end), _form(one), found)

    def beyond(self, one: Citation, form: Form) -> Reference:
        """Return an unresolved reference to another law of the United States, or to a case."""
        known = form is Form.TITLE and self._namer.meaning(one).instruments
        reason = Reason.NO_SUCH_PLACE if known else Reason.NO_SUCH_INSTRUMENT
        return Reference.of(self._standing.unit, (one.start, one.end), form, ((), reason))

    def _targets(self, one: EnglishReference) -> Found:
        """Return the targets of a reference by its sort."""
        match one.sort:
            case Sort.UNIT:
                return self._unit(one)
            case Sort.PART:
                return self._part(one)
            case Sort.NEAR:
                return _or(self._near(one), Reason.NO_ANTECEDENT)
            case Sort.DIVISION:
                return self._division(one)
            case Sort.NAME:
                meaning = self._meaning(one)
                return (), meaning.reason or Reason.NAMES_INSTRUMENT_ONLY

    def _unit(self, one: EnglishReference) -> Found:
        """Resolve section 5(a), of the own statute or the named one."""
        meaning = self._meaning(one)
        if meaning.reason is not None:
            return (), meaning.reason
        fitting = [
            found
            for instrument in meaning.instruments
            if (found := [t for s in one.spots for t in spot_targets(instrument, one.word, s)])
        ]
        if len(fitting) > 1:
            return (), Reason.SEVERAL_MATCH
        return _or(fitting[0] if fitting else [], Reason.NO_SUCH_PLACE)

    def _part(self, one: EnglishReference) -> Found:
        """Resolve subsection (b): in the place named, else relative to the current one."""
        if one.mention is not None:
            return (), self._meaning(one).reason or Reason.NO_SUCH_PLACE
        if one.within is not None:
            above, reason = self._targets(one.within)
            return (tuple(self._below(one, above)), None) if above else ((), reason)
        if one.scope.startswith("same"):
            return self._same(one)
        paths = (scoped_parts if one.scope else own_parts)(one, self._standing)
        return _or(self._here(paths), Reason.NO_SUCH_PLACE)

    def _below(self, one: EnglishReference, above: Sequence[Target]) -> Iterator[Target]:
        """Yield the parts that chains name below targets."""
        own = self._standing.unit.semantic_id
        for target in above:
            for chain in one.chains:
                known = self._standing.below([_spellings(chain)], [target.pinpoint])
                path = known[0] if known and target.unit_id == own else ""
                yield Target(target.unit_id, path or joined(target.pinpoint, *chain))

    def _same(self, one: EnglishReference) -> Found:
        """Resolve paragraph (2) of the same Article, of that subsection."""
        if self._last is None:
            return (), Reason.NO_ANTECEDENT
        word, steps = one.scope.rpartition(" ")[2], self._last.pinpoint.split("/")
        kept = 0 if word in _UNITS else depth(word, self._standing, len(steps))
        kept = len(steps) if word == "place" else kept  # subparagraph (A) thereof
        above = Target(self._last.unit_id, "/".join(steps[:kept]))
        return tuple(self._below(one, [above])), None

    def _near(self, one: EnglishReference) -> list[Target]:
        """Return the targets of "the preceding section" and the like."""
        if one.word not in _UNITS:
            return self._here(near_parts(one, self._standing))
        articles, own = self._standing.articles, self._standing.unit.semantic_id
        return [Target(article) for article in beside(articles, own, one.steps)]

    def _division(self, one: EnglishReference) -> Found:
        """Resolve this subpart, subpart E of this part to their other sections if they are few."""
        if one.mention is not None and one.mention.name != "this":
            return (), self._meaning(one).reason or Reason.NO_SUCH_PLACE
        found = division_units(self._units, self._standing.unit, one)
        if found is not None and len(found) > MOST:
            return (), Reason.SEVERAL_MATCH
        return _or([Target(unit) for unit in found or []], Reason.NO_SUCH_PLACE)

    def _here(self, paths: Sequence[str]) -> list[Target]:
        """Return parts of this unit as targets."""
        return [Target(self._standing.unit.semantic_id, path) for path in paths]

    def _meaning(self, one: EnglishReference) -> Meaning:
        """Return the instrument of a reference, and record a short name after it."""
        mention = one.mention
        if mention is None or mention.name == "this":
            return self._namer.itself()
        if mention.name == "another":
            return Meaning((), None, Reason.NO_ANTECEDENT)
        places = (CitedPlace(Level.ARTICLE, "1"),) if one.sort is not Sort.NAME else ()
        citation = Citation(mention.text, one.start, one.end, mention, places)
        meaning = self._namer.meaning(citation)
        if short := short_name(self._text, one.end):
            sole = meaning.instruments[0] if len(meaning.instruments) == 1 else None
            named = named_as(one.start, meaning.title or mention.name or mention.text, sole)
            self._namer.aliases[normal(short)] = named
        return meaning

    def _titled(self, one: EnglishReference) -> EnglishReference:
        """Drop the words before a bare name that do not belong to it."""
        mention = one.mention
        if mention is None or mention.kind is not NameKind.TITLE or not mention.name:
            return one
        words = mention.name.split(" ")
        tails = [" ".join(words[at:]) for at in range(len(words) - 1)]
        known = self._namer.catalogue.by_title
        tail = next((t for t in tails if known(t)), "")
        tail = tail or re.split(r"\sthe\s(?=[A-Z])", mention.name)[-1]
        cut = replace(mention, text=tail, name=tail)
        return replace(one, start=one.end - len(tail), mention=cut)


def _or(targets: Sequence[Target], reason: Reason) -> Found:
    """Return the targets, or the reason if there are none."""
    return (tuple(dict.fromkeys(targets)), None) if targets else ((), reason)


def _form(one: EnglishReference) -> Form:
    """Return the written form of an English reference."""
    if one.sort is Sort.PART and one.within is not None:
        return _form(one.within) if one.within.sort is not Sort.NEAR else Form.RELATIVE
    if one.sort is Sort.PART:
        return Form.SAME_PLACE if one.scope.startswith("same") else Form.PART
    if one.sort in (Sort.NEAR, Sort.DIVISION):
        return Form.RELATIVE
    if one.mention is None or one.mention.name == "this":
        return _OWN.get(one.word, Form.OWN)
    return (
        _OWN.get(one.word, Form.OWN) if one.word in ("annex", "form") else _FORMS[one.mention.kind]
    )
