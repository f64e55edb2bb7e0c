"""Closure of a gold set under rules: the missing provisions, with rules and trigger words.

The rules are applied to all provisions of the set at once, then to those that were added, until
nothing is added (the least fixpoint), so that neither the order of the set nor that of the rules
makes a difference. No trigger requires an absence; so closure is monotone, and a closed set lacks
nothing. The one exception is the bound: a set that has not closed after MOST_ROUNDS rounds or
MOST_ADDED additions is reported as not complete.

This module completes a set. The validator of RegOps-Bench (001, section 3.2) is the same function:
a set passes if it lacks nothing.

The interface through which closure reads provisions and edges.

Search for rule terms in texts of any script.

Texts and terms are compared composed (NFC). A term in Latin letters matches whole words in any
case; a term in another script, whose words take endings (과태료를), matches anywhere. A space in a
term matches any white space, and in scripts other than Latin also none: ``사전 승인`` matches
사전승인.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal, Protocol

from construction.closure.rules import (
    Articles,
    ArticlesOf,
    Beside,
    ClosureRules,
    Condition,
    Edges,
    Effect,
    InDomain,
    Neighbours,
    Place,
    Rule,
    Sanctions,
    Trigger,
    Words,
)
from corpus.graph.model import Direction, Edge, EdgeType
from corpus.model import RETRIEVED_LEVELS, Unit
from normalization import composed


class LawView(Protocol):
    """A law for closure. All results use semantic ids, and are the same at every call."""

    def unit(self, unit_id: str) -> Unit | None:
        """Return a provision; None for an unknown id."""
        ...

    def edges(
        self, unit_id: str, types: Collection[EdgeType], direction: Direction
    ) -> Sequence[Edge]:
        """Return the edges of the types at a provision, without loops."""
        ...

    def beside(self, statute_id: str) -> Sequence[str]:
        """Return the ids of a statute's provisions in document order."""
        ...


_LATIN = "0-9A-Za-z\u00c0-\u024f"
_IS_LATIN = re.compile(f"[{_LATIN}]")


@dataclass(frozen=True, slots=True)
class Found:
    """A matched term: ``text[start:end]`` of the composed text; `term` as in the rule.

    Offsets are in characters, end exclusive.
    """

    term: str
    start: int
    end: int


def first_of(terms: Sequence[str], text: str) -> Found | None:
    """Return the first term in `text`, of two at one place the longer; None if there is none."""
    if not terms or not text:
        return None
    ordered = _ordered(tuple(terms))
    match = _pattern(ordered).search(composed(text))
    if match is None or match.lastindex is None:
        return None
    return Found(ordered[match.lastindex - 1], match.start(), match.end())


@lru_cache(maxsize=512)
def _ordered(terms: tuple[str, ...]) -> tuple[str, ...]:
    """Sort the terms, longest first: a pattern takes the first alternative that fits."""
    return tuple(sorted({composed(each) for each in terms}, key=lambda each: (-len(each), each)))


@lru_cache(maxsize=512)
def _pattern(terms: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of any of the terms."""
    return re.compile("|".join(f"({_written(each)})" for each in terms), re.IGNORECASE)


def _written(term: str) -> str:
    """Return the pattern of a term: blanks vary, and may be missing unless both ends are Latin."""
    latin = bool(_IS_LATIN.match(term[0])) and bool(_IS_LATIN.match(term[-1]))
    space = r"\s+" if latin else r"\s*"
    body = space.join(re.escape(word) for word in term.split())
    before = f"(?<![{_LATIN}])" if _IS_LATIN.match(term[0]) else ""
    after = f"(?![{_LATIN}])" if _IS_LATIN.match(term[-1]) else ""
    return before + body + after


MOST_ROUNDS, MOST_ADDED = 20, 300
How = Literal["articles", "domain", "sanction", "neighbours", "beside"]
Where = Literal["question", "answer", "heading", "text", "graph", "axes", "default"]


@dataclass(frozen=True, slots=True)
class GoldSet:
    """A question with its gold: semantic ids.

    `domain` is the key of its domain if known, else "".
    """

    units: tuple[str, ...]
    question: str
    answer: str = ""
    domain: str = ""


@dataclass(frozen=True, slots=True)
class Fired:
    """The trigger of a rule: the words, and their place.

    `where` is the kind of place: the question, its answer, a provision's heading or text (`unit`),
    the graph, where an edge has no words of its own (a declared group), the axes that a question
    was written by, or the default of the rules. `text` is the text from `start` to `end`; for the
    graph it is the type of the edge, for the axes and the default the domain, and the offsets are
    0. `term` is the rule's term.
    """

    where: Where
    text: str
    term: str
    unit: str = ""
    start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class Added:
    """A provision missing from a gold set: the rule that requires it, and the reason.

    `via` is the gold provision that triggered the rule ("" for the question alone), `how` the
    effect that adds the provision. `round` is 1 for additions due to the gold itself, n + 1 for
    those due to the additions of round n.
    """

    unit: str
    rule: str
    how: How
    fired: tuple[Fired, ...]
    via: str = ""
    round: int = 1


@dataclass(frozen=True, slots=True)
class Missing:
    """The provisions missing from a gold set, by round, then id, then rule.

    A provision that several rules require in its first round is listed once for each. `unknown` are
    gold provisions that the law lacks: they are not judged. `complete` is False where the bound was
    reached.
    """

    added: tuple[Added, ...]
    unknown: tuple[str, ...] = ()
    complete: bool = True

    @property
    def units(self) -> tuple[str, ...]:
        """The ids of the missing provisions, each once."""
        return tuple(dict.fromkeys(each.unit for each in self.added))


def missing(gold: GoldSet, rules: ClosureRules, law: LawView) -> Missing:
    """Compute the provisions that the gold set lacks under the rules."""
    reader = _Reader(gold, rules, law)
    have = set(gold.units)
    added: list[Added] = []
    fresh: list[str] = sorted(have)
    complete = False
    for number in range(1, MOST_ROUNDS + 1):
        found = {
            (each.unit, each.rule): each
            for each in reversed(list(reader.asked(fresh, first=number == 1)))
            if each.unit not in have
        }
        fresh = sorted({unit for unit, _ in found})
        if not fresh:
            complete = True
            break
        added += [replace(found[key], round=number) for key in sorted(found)]
        have.update(fresh)
        if len(added) >= MOST_ADDED:
            break
    unknown = tuple(each for each in sorted(set(gold.units)) if law.unit(each) is None)
    return Missing(tuple(added), unknown, complete)


def closed(gold: GoldSet, rules: ClosureRules, law: LawView) -> GoldSet:
    """Return the gold set with its missing provisions at the end."""
    units = dict.fromkeys((*gold.units, *missing(gold, rules, law).units))
    return replace(gold, units=tuple(units))


def unknown_units(rules: ClosureRules, law: LawView) -> list[tuple[str, str]]:
    """Return (key of the rule or domain, id) of each id that the law lacks or has deleted."""
    return [
        (key, named)
        for key, named in rules.named_units()
        if not any(_is_in_force(unit, law) for unit in _provisions(named, law))
    ]


def _is_in_force(unit_id: str, law: LawView) -> bool:
    """Return True for a unit that the law has and that is not deleted."""
    unit = law.unit(unit_id)
    return unit is not None and not unit.deleted


def _provisions(named: str, law: LawView) -> Sequence[str]:
    """Return the provision of that id, else all provisions of the document of that id."""
    if law.unit(named) is not None:
        return (named,)
    units = ((each, law.unit(each)) for each in law.beside(named))
    return [each for each, unit in units if unit is not None and unit.level in RETRIEVED_LEVELS]


@dataclass(frozen=True, slots=True)
class _Hit:
    """A trigger that fired; `key` is that of its domain or sanction, else ""."""

    fired: Fired
    trigger: Trigger
    key: str = ""


@dataclass(frozen=True, slots=True)
class _Lead:
    """A provision required by an effect: with its hit, and the words of its edge."""

    how: How
    unit: str
    hit: _Hit | None = None
    link: Fired | None = None


class _Reader:
    """Applies the rules to the provisions of one gold set."""

    def __init__(self, gold: GoldSet, rules: ClosureRules, law: LawView) -> None:
        self._gold, self._rules, self._law = gold, rules, law
        self._domains = {each.key: each for each in rules.domains}
        self._sanctions = {each.key: each for each in rules.sanctions}

    def asked(self, units: Iterable[str], *, first: bool) -> Iterator[Added]:
        """Yield the provisions that the rules require: per unit, and once for the question."""
        here: list[Unit | None] = [None] if first else []
        here += [unit for unit in map(self._law.unit, units) if unit is not None]
        for unit in here:
            for rule in self._rules.rules:
                hits = [list(self._hits(each, unit)) for each in rule.triggers]
                if all(hits) if rule.condition is Condition.ALL else any(hits):
                    yield from self._added(rule, unit, hits)

    def _hits(self, trigger: Trigger, unit: Unit | None) -> Iterator[_Hit]:
        """Yield each firing of a trigger on a provision, or on the question alone."""
        match trigger:
            case Words(terms, places):
                yield from self._first(trigger, terms, places, unit)
            case Edges(types, direction):
                edges = self._law.edges(unit.semantic_id, types, direction) if unit else ()
                yield from (_Hit(self._fired_by_edge(each), trigger) for each in edges)
            case InDomain():
                yield from self._domain_hits(trigger, unit)
            case Sanctions(keys, places):
                for key in keys or self._sanctions:
                    yield from self._first(trigger, self._sanctions[key].words, places, unit, key)

    def _domain_hits(self, trigger: InDomain, unit: Unit | None) -> Iterator[_Hit]:
        """Yield a hit for each domain that applies: stated, by its words, or by default."""
        for key in trigger.keys or self._domains:
            if key == self._gold.domain:
                yield _Hit(Fired("axes", key, key), trigger, key)
                continue
            domain = self._domains[key]
            hits = list(self._first(trigger, domain.words, trigger.places, unit, key))
            if domain.default and not hits:
                hits.append(_Hit(Fired("default", key, key), trigger, key))
            yield from hits

    def _first(
        self,
        trigger: Trigger,
        terms: Sequence[str],
        places: Iterable[Place],
        unit: Unit | None,
        key: str = "",
    ) -> Iterator[_Hit]:
        """Yield the first of the terms in the first of the places that has one."""
        for place in places:
            text, unit_id = self._text(place, unit)
            found = first_of(terms, text)
            if found is not None:
                span = found.start, found.end
                said = Fired(place.value, text[slice(*span)], found.term, unit_id, *span)
                yield _Hit(said, trigger, key)
                return

    def _text(self, place: Place, unit: Unit | None) -> tuple[str, str]:
        """Return the text of a place, and the id of its provision."""
        match place:
            case Place.QUESTION:
                return self._gold.question, ""
            case Place.ANSWER:
                return self._gold.answer, ""
            case Place.HEADING:
                return (unit.heading, unit.semantic_id) if unit else ("", "")
            case Place.TEXT:
                return (unit.text, unit.semantic_id) if unit else ("", "")

    def _added(self, rule: Rule, unit: Unit | None, hits: list[list[_Hit]]) -> Iterator[Added]:
        """Yield the provisions that a fired rule adds."""
        satisfied = [each for each in hits if each]
        chosen = [each[0] for each in satisfied]
        chosen = chosen[:1] if rule.condition is Condition.ANY else chosen
        via = unit.semantic_id if unit else ""
        every = [hit for each in satisfied for hit in each]
        for effect in rule.adds:
            for lead in self._leads(effect, unit, every):
                if lead.unit != via and _is_in_force(lead.unit, self._law):
                    yield Added(lead.unit, rule.key, lead.how, _reasons(chosen, lead, every), via)

    def _leads(self, effect: Effect, unit: Unit | None, hits: Sequence[_Hit]) -> Iterator[_Lead]:
        """Yield the provisions that an effect names, each with its origin."""
        match effect:
            case Articles(units):
                for named in units:
                    yield from (_Lead("articles", each) for each in _provisions(named, self._law))
            case ArticlesOf():
                yield from self._articles_of(effect, unit, hits)
            case Neighbours():
                yield from self._linked_units(unit, effect) if unit else ()
            case Beside(headings):
                for each in self._law.beside(unit.statute_id) if unit else ():
                    if self._headed(each, headings):
                        yield _Lead("beside", each)

    def _articles_of(
        self, effect: ArticlesOf, unit: Unit | None, hits: Sequence[_Hit]
    ) -> Iterator[_Lead]:
        """Yield the articles listed for the domain or sanction that fired."""
        for hit in hits:
            if effect.what == "domain" and isinstance(hit.trigger, InDomain):
                for named in self._domains[hit.key].articles:
                    for each in _provisions(named, self._law):
                        yield _Lead("domain", each, hit)
            elif effect.what == "sanction" and isinstance(hit.trigger, Sanctions) and unit:
                yield from self._sanctioning(unit, hit, effect.types)

    def _linked_units(self, unit: Unit, effect: Neighbours) -> Iterator[_Lead]:
        """Yield the units linked to a unit in the graph, filtered by level and heading."""
        for edge in self._law.edges(unit.semantic_id, effect.types, effect.direction):
            end = edge.target if edge.source == unit.semantic_id else edge.source
            other = self._law.unit(end)
            at_level = other is not None and (not effect.levels or other.level in effect.levels)
            if at_level and self._headed(end, effect.headings):
                yield _Lead("neighbours", end, link=self._fired_by_edge(edge))

    def _sanctioning(self, unit: Unit, hit: _Hit, types: Sequence[EdgeType]) -> Iterator[_Lead]:
        """Yield the articles that impose the sanction of `hit` for `unit`, with their edges."""
        sanction = self._sanctions[hit.key]
        for edge in self._law.edges(unit.semantic_id, types, "in"):
            fixes = self._headed(edge.source, sanction.headings)
            if fixes and not (sanction.other and self._headed(edge.source, sanction.other)):
                yield _Lead("sanction", edge.source, hit, self._fired_by_edge(edge))

    def _fired_by_edge(self, edge: Edge) -> Fired:
        """Return the evidence of an edge: the words that refer."""
        source = self._law.unit(edge.source)
        words = source.text[edge.start : edge.end] if source else ""
        if not words:
            return Fired("graph", edge.term or str(edge.type), str(edge.type), edge.source)
        return Fired("text", words, str(edge.type), edge.source, edge.start, edge.end)

    def _headed(self, unit_id: str, headings: Sequence[str]) -> bool:
        """Return whether the law has a provision whose heading has one of the terms, if any."""
        unit = self._law.unit(unit_id)
        return unit is not None and (not headings or first_of(headings, unit.heading) is not None)


def _reasons(chosen: Sequence[_Hit], lead: _Lead, every: Sequence[_Hit]) -> tuple[Fired, ...]:
    """Return the reasons for an addition: each necessary trigger, and the edge to the provision.

    The first hit of a trigger is replaced by the one that led to the provision, if another did.
    """
    bound, link = lead.hit, lead.link
    led = [hit for hit in every if hit is bound or (link is not None and hit.fired == link)]
    found = []
    for hit in chosen:
        same = [each for each in led if each.trigger == hit.trigger]
        found.append((same or [hit])[0].fired)
    if bound is not None and bound.fired not in found:
        found = [bound.fired]
    if link is not None:
        found.append(link)
    return tuple(dict.fromkeys(found))
