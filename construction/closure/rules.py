"""Rules of closure as a project declares them, read from YAML.

A rule says what makes it fire on a gold set (its triggers) and which provisions then belong to the
set (what it adds). The starter's four kinds are those of RegOps-Bench (001, section 3.2: domain
anchor, parallel and deemed application, pre-approval exception, sanction). What is wrong in the
text is refused with its line and field::

    domains:
    - key: costs
      label: {en: Use of research funds, ko: 연구개발비}
      words: [연구개발비, research funds]
      articles: [연구개발비-사용-기준_20조]   # or a whole document: 연구개발비-사용-기준
    default: yes                            # every question is of it
    sanctions:
    - key: fine
      label: {en: Administrative fine, ko: 과태료}
      words: [과태료, administrative fine]
      headings: [과태료]
    rules:
    - key: r4_sanction
      label: {en: Sanction, ko: 제재}
      condition: all
      triggers:
      - {sanction: [fine], in: [question, answer]}
      add:
      - {articles_of: sanction}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeVar

from corpus.files.yaml_fields import Fields, read_value
from corpus.graph.model import Direction, EdgeType
from corpus.limits import FACTOR_BOOK
from corpus.model import Level, split_id
from errors import UserError, Where
from messages import LANGUAGES

TEXT_LIMIT = FACTOR_BOOK
MOST_TERMS = 500  # of one list
_LABEL_LIMIT, _TERM_LIMIT, _UNIT_LIMIT, _DEEPEST = 300, 100, 1_000, 12
_KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")
_TRIGGERS, _EFFECTS = (
    ("words", "edges", "domain", "sanction"),
    ("articles", "articles_of", "neighbours", "beside"),
)
_DIRECTIONS: tuple[Direction, ...] = ("out", "in", "both")
FOLLOWED = tuple(str(kind) for kind in EdgeType if kind is not EdgeType.PART_OF)
"""The types of edges that rules may name: those between two units."""


class Place(StrEnum):
    """Where a term can stand: in the question, its answer, or a gold provision."""

    QUESTION = "question"
    ANSWER = "answer"
    HEADING = "heading"
    TEXT = "text"


class Condition(StrEnum):
    """Whether one trigger is enough for a rule to fire, or all of them are needed."""

    ANY = "any"
    ALL = "all"


ASKED = (Place.QUESTION, Place.ANSWER)


@dataclass(frozen=True, slots=True)
class Words:
    """Fires where one of the terms stands in one of the places."""

    terms: tuple[str, ...]
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Edges:
    """Fires on a gold provision that has an edge of one of the types in that direction."""

    types: tuple[EdgeType, ...]
    direction: Direction = "out"


@dataclass(frozen=True, slots=True)
class InDomain:
    """Fires for each domain (of `keys`; any where empty) that the question is of, or names."""

    keys: tuple[str, ...] = ()
    places: tuple[Place, ...] = ASKED


@dataclass(frozen=True, slots=True)
class Sanctions:
    """Fires for each sanction (of `keys`; any where empty) that is named in one of the places."""

    keys: tuple[str, ...] = ()
    places: tuple[Place, ...] = ASKED


Trigger = Words | Edges | InDomain | Sanctions


@dataclass(frozen=True, slots=True)
class Articles:
    """Adds these provisions; the id of a document stands for all of its provisions."""

    units: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ArticlesOf:
    """Adds the articles of the domain that fired; or those that fix the sanction that fired.

    An article fixes a sanction for a gold provision where its heading says so (`Sanction`) and an
    edge of one of `types` leads from it to the provision.
    """

    what: Literal["domain", "sanction"]
    types: tuple[EdgeType, ...] = (EdgeType.REFERENCES,)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Adds what edges of the types join to the gold provision that fired.

    `headings`, where there are any, keeps the neighbours whose heading has one of these terms;
    `levels` those of these levels.
    """

    types: tuple[EdgeType, ...]
    direction: Direction = "out"
    headings: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()


@dataclass(frozen=True, slots=True)
class Beside:
    """Adds the articles of the gold provision's own statute whose heading has one of the terms."""

    headings: tuple[str, ...]


Effect = Articles | ArticlesOf | Neighbours | Beside


@dataclass(frozen=True, slots=True)
class Domain:
    """A field of questions: the terms that tell of it, the articles cited in it by default.

    Every question is of the `default` domain, of which there is one at most.
    """

    key: str
    label: Mapping[str, str] = field(hash=False)
    words: tuple[str, ...] = ()
    articles: tuple[str, ...] = ()
    default: bool = False


@dataclass(frozen=True, slots=True)
class Sanction:
    """A kind of sanction: what texts call it, and how the articles are headed that fix it.

    A heading with one of the terms `other` says that the article does not fix it, but tells how it
    is imposed, or of something else (제재처분의 절차).
    """

    key: str
    label: Mapping[str, str] = field(hash=False)
    words: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    other: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule: it fires by `condition` of its triggers, and adds by each of its effects."""

    key: str
    label: Mapping[str, str] = field(hash=False)
    condition: Condition = Condition.ANY
    triggers: tuple[Trigger, ...] = ()
    adds: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class ClosureRules:
    """The domains, sanctions and rules of a project, in the order of its text."""

    domains: tuple[Domain, ...] = ()
    sanctions: tuple[Sanction, ...] = ()
    rules: tuple[Rule, ...] = ()

    def named_units(self) -> list[tuple[str, str]]:
        """Return (key of the rule or domain, id) of each unit or document that the text names."""
        found = [(each.key, unit) for each in self.domains for unit in each.articles]
        for rule in self.rules:
            for effect in rule.adds:
                if isinstance(effect, Articles):
                    found += [(rule.key, unit) for unit in effect.units]
        return found


FILE = Path(__file__).parent / "starter.yaml"


def starter() -> str:
    """Return the text to start from: the paper's four kinds of rules, in terms of any corpus."""
    return FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=8)
def parse(text: str, file: str | None = None) -> ClosureRules:
    """Return the rules that the text says; `file` stands for it in messages.

    Raises UserError, with line and field, for what is no YAML, an unknown, missing or empty field,
    a key that is repeated or not in small letters, a label that lacks a language, an unknown place,
    edge type, level, direction, condition, domain or sanction, a trigger or an effect of no kind or
    of two, an id that neither a provision nor a document can have, and a second default domain.
    """
    if len(text) > TEXT_LIMIT:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=TEXT_LIMIT, length=len(text))
    value = read_value(text, file, deepest=_DEEPEST)
    if not isinstance(value.content, dict):
        raise UserError("closure_empty", Where(file, value.line))
    fields = Fields(file, value.line, value.content, at="")
    fields.only(("domains", "sanctions", "rules"))
    wanted = ("key", "label", "words", "articles", "default")
    domains = _keyed(fields, "domains", wanted, _domain)
    _refuse_two_defaults(fields, domains)
    sanctions = _keyed(
        fields, "sanctions", ("key", "label", "words", "headings", "except"), _sanction
    )
    known = _Known([each.key for each in domains], [each.key for each in sanctions])
    wanted = ("key", "label", "condition", "triggers", "add")
    return ClosureRules(domains, sanctions, _keyed(fields, "rules", wanted, known.rule))


_Kind = TypeVar("_Kind")


def _keyed(
    fields: Fields, name: str, known: Sequence[str], read: Callable[[Fields, str], _Kind]
) -> tuple[_Kind, ...]:
    """Return the entries of a list of things with keys; a key stands once in it."""
    seen: dict[str, int] = {}
    found = []
    for row in fields.rows(name, "closure_list"):
        row.only(known)
        key = row.text("key")
        if not _KEY.fullmatch(key):
            raise UserError("closure_key", row.where("key"), key=key)
        if key in seen:
            raise UserError("closure_key_twice", row.where("key"), shown=key, first=seen[key])
        seen[key] = row.where("key").line or 0
        found.append(read(row, key))
    return tuple(found)


def _domain(row: Fields, key: str) -> Domain:
    articles = _units(row, "articles")
    return Domain(key, _label(row), _terms(row, "words"), articles, row.yes("default"))


def _refuse_two_defaults(fields: Fields, domains: Sequence[Domain]) -> None:
    rows = [row for row, each in zip(fields.rows("domains"), domains, strict=True) if each.default]
    if len(rows) > 1:
        first = rows[0].where("default").line
        raise UserError("closure_default_twice", rows[1].where("default"), first=first)


def _sanction(row: Fields, key: str) -> Sanction:
    words = _terms(row, "words", needed=True)
    headings, other = _terms(row, "headings", needed=True), _terms(row, "except")
    return Sanction(key, _label(row), words, headings, other)


@dataclass(frozen=True, slots=True)
class _Known:
    """What rules may name: the keys of the domains and of the sanctions."""

    domains: Sequence[str]
    sanctions: Sequence[str]

    def rule(self, row: Fields, key: str) -> Rule:
        """Return the rule of a row."""
        said = row.optional_text("condition") or str(Condition.ANY)
        condition = Condition(_one(row, "condition", said, list(Condition)))
        triggers = tuple(map(self._trigger, row.rows("triggers", "closure_list")))
        adds = tuple(map(_effect, row.rows("add", "closure_list")))
        for name, those in (("triggers", triggers), ("add", adds)):
            if not those:
                raise UserError("field_missing", row.where(name))
        for effect, entry in zip(adds, row.rows("add"), strict=True):
            _refuse_unfired(entry, effect, triggers)
        return Rule(key, _label(row), condition, triggers, adds)

    def _trigger(self, row: Fields) -> Trigger:
        match _kind(row, _TRIGGERS):
            case "words":
                row.only(("words", "in"))
                return Words(_terms(row, "words", needed=True), _places(row))
            case "edges":
                row.only(("edges", "direction"))
                return Edges(_edges(row, "edges"), _direction(row))
            case "domain":
                row.only(("domain", "in"))
                return InDomain(_keys(row, "domain", self.domains), _places(row))
            case _:
                row.only(("sanction", "in"))
                return Sanctions(_keys(row, "sanction", self.sanctions), _places(row))


def _effect(row: Fields) -> Effect:
    match _kind(row, _EFFECTS):
        case "articles":
            row.only(("articles",))
            return Articles(_units(row, "articles"))
        case "articles_of":
            row.only(("articles_of", "edges"))
            what = _one(row, "articles_of", row.text("articles_of"), ("domain", "sanction"))
            types = _edges(row, "edges") if "edges" in row.values else (EdgeType.REFERENCES,)
            return ArticlesOf("domain" if what == "domain" else "sanction", types)
        case "neighbours":
            row.only(("neighbours", "direction", "headings", "levels"))
            levels = tuple(map(Level, _listed(row, "levels", list(Level))))
            about = (_direction(row), _terms(row, "headings"), levels)
            return Neighbours(_edges(row, "neighbours"), *about)
        case _:
            row.only(("beside",))
            return Beside(_terms(row, "beside", needed=True))


def _refuse_unfired(row: Fields, effect: Effect, triggers: Sequence[Trigger]) -> None:
    """Raise UserError for articles of a domain or sanction that no trigger of the rule names."""
    if isinstance(effect, ArticlesOf):
        wanted = InDomain if effect.what == "domain" else Sanctions
        if not any(isinstance(each, wanted) for each in triggers):
            raise UserError("closure_unfired", row.where("articles_of"), what=effect.what)


def _kind(row: Fields, kinds: Sequence[str]) -> str:
    named = [kind for kind in kinds if kind in row.values]
    if len(named) != 1:
        where = Where(row.file, row.line, row.at or None)
        raise UserError("closure_kind", where, known=", ".join(kinds))
    return named[0]


def _places(row: Fields) -> tuple[Place, ...]:
    said = _listed(row, "in", list(Place))
    return tuple(map(Place, said)) or ASKED


def _edges(row: Fields, name: str) -> tuple[EdgeType, ...]:
    found = tuple(map(EdgeType, _listed(row, name, FOLLOWED)))
    if not found:
        raise UserError("field_missing", row.where(name))
    return found


def _direction(row: Fields) -> Direction:
    said = row.optional_text("direction") or "out"
    _one(row, "direction", said, _DIRECTIONS)
    return next(each for each in _DIRECTIONS if each == said)


def _keys(row: Fields, name: str, known: Sequence[str]) -> tuple[str, ...]:
    """Return the keys that are named; none for the word ``any``."""
    if row.values[name].content == "any":
        return ()
    found = tuple(_listed(row, name, known))
    if not found:
        raise UserError("field_missing", row.where(name))
    return found


def _listed(row: Fields, name: str, known: Sequence[str]) -> list[str]:
    """Return a list of known words, each once."""
    found = row.texts(name)
    for said, line in found:
        if said not in known:
            where = Where(row.file, line, row.place(name))
            shown = ", ".join(map(str, known)) or "–"
            raise UserError("closure_unknown", where, said=said[:100], known=shown)
    return list(dict.fromkeys(said for said, _ in found))


def _one(row: Fields, name: str, said: str, known: Sequence[str]) -> str:
    if said not in known:
        shown = ", ".join(map(str, known))
        raise UserError("closure_unknown", row.where(name), said=said[:100], known=shown)
    return said


def _terms(row: Fields, name: str, *, needed: bool = False) -> tuple[str, ...]:
    found = row.texts(name)
    if needed and not found:
        raise UserError("field_missing", row.where(name))
    if len(found) > MOST_TERMS:
        raise UserError("closure_many", row.where(name), limit=MOST_TERMS, count=len(found))
    for said, line in found:
        if len(said) > _TERM_LIMIT:
            where = Where(row.file, line, row.place(name))
            raise UserError("text_too_long", where, limit=_TERM_LIMIT, length=len(said))
    return tuple(dict.fromkeys(said for said, _ in found))


def _units(row: Fields, name: str) -> tuple[str, ...]:
    found = row.texts(name)
    if len(found) > MOST_TERMS:
        raise UserError("closure_many", row.where(name), limit=MOST_TERMS, count=len(found))
    for unit, line in found:
        named = split_id(unit) if "_" in unit else (unit,)  # a document has no place
        if len(unit) > _UNIT_LIMIT or not all(named):
            where = Where(row.file, line, row.place(name))
            raise UserError("closure_unit", where, unit=unit[:100])
    return tuple(dict.fromkeys(unit for unit, _ in found))


def _label(row: Fields) -> Mapping[str, str]:
    said = row.inside("label")
    said.only(LANGUAGES)
    found = {language: said.text(language) for language in LANGUAGES}
    for language, label in found.items():
        if len(label) > _LABEL_LIMIT:
            where = said.where(language)
            raise UserError("text_too_long", where, limit=_LABEL_LIMIT, length=len(label))
    return found
