"""Closure rules as a project declares them, read from YAML.

A rule has triggers, which make it fire on a gold set, and effects, which are the provisions to add
to the set. The starter's four kinds are those of RegOps-Bench (001, section 3.2: domain anchor,
parallel and deemed application, pre-approval exception, sanction). Errors in the text are reported
with line and field::

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

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Discriminator, Field, Tag, WrapValidator, model_validator

from corpus.files.declarations import (
    ONCE_EACH,
    SOME,
    Declared,
    Label,
    Listed,
    Text,
    Yes,
    choice_of,
    fault,
    key_form,
    longest,
    pick,
    read_declaration,
    unique,
)
from corpus.graph.model import Direction, EdgeType
from corpus.limits import FACTOR_BOOK
from corpus.model import Level, split_id

TEXT_LIMIT = FACTOR_BOOK
MOST_TERMS = 500  # in one list
_TERM_LIMIT, _UNIT_LIMIT = 100, 1_000
FOLLOWED = tuple(str(kind) for kind in EdgeType if kind is not EdgeType.PART_OF)
"""The types of edges that rules may name: those between two units."""


class Place(StrEnum):
    """The place of a term: the question, its answer, or a gold provision."""

    QUESTION = "question"
    ANSWER = "answer"
    HEADING = "heading"
    TEXT = "text"


class Condition(StrEnum):
    """Whether one trigger is enough for a rule to fire, or all are needed."""

    ANY = "any"
    ALL = "all"


ASKED = (Place.QUESTION, Place.ANSWER)


def _require_few_terms(found: tuple[str, ...]) -> tuple[str, ...]:
    """Return the terms. Raises the fault of too many."""
    if len(found) > MOST_TERMS:
        raise fault("closure_many", limit=MOST_TERMS, count=len(found))
    return found


def _checked_unit(unit: str) -> str:
    """Return the id of a unit or statute. Raises the fault of what can be neither."""
    named = split_id(unit) if "_" in unit else (unit,)  # a document has no place
    if len(unit) > _UNIT_LIMIT or not all(named):
        raise fault("closure_unit", unit=unit[:100])
    return unit


def _any(value: Any, read: Any) -> Any:
    """Return () for the word ``any``, else what `read` makes of the value."""
    return () if value == "any" else read(value)


def _by_field(**kinds: str) -> Discriminator:
    """Return the discriminator that chooses a class by its distinctive field (name=kind)."""

    def choose(value: Any) -> str | None:
        """Return the kind whose field is there, None for none or several."""
        named = [kinds[name] for name in kinds if name in value]
        return named[0] if len(named) == 1 else None

    about: Any = {"at": (), "params": {"known": ", ".join(kinds)}}
    return Discriminator(choose, "closure_kind", "of no kind, or of two", about)


def _known_kind(kind: Any) -> Any:
    """Check the name of a kind."""
    return choice_of(kind, "closure_unknown", "said")


Key = Annotated[Text, key_form("closure_key")]
ONE_KEY = unique("closure_key_twice", "key")
Terms = Annotated[
    Listed[Annotated[Text, longest(_TERM_LIMIT)]], AfterValidator(_require_few_terms), ONCE_EACH
]
Units = Annotated[
    Listed[Annotated[Text, AfterValidator(_checked_unit)]],
    AfterValidator(_require_few_terms),
    ONCE_EACH,
]
Keys = Annotated[Listed[Text], SOME, ONCE_EACH, WrapValidator(_any)]
Places = Annotated[
    Listed[Annotated[Place, _known_kind(Place)]],
    ONCE_EACH,
    AfterValidator(lambda places: places or ASKED),
    Field(alias="in"),
]
EdgeTypes = Annotated[Listed[Annotated[EdgeType, _known_kind(FOLLOWED)]], SOME, ONCE_EACH]
OneDirection = Annotated[Direction, _known_kind(("out", "in", "both"))]
Levels = Annotated[Listed[Annotated[Level, _known_kind(Level)]], ONCE_EACH]


@dataclass(frozen=True, slots=True)
class Words(Declared):
    """A trigger that fires if one of the terms occurs in one of the places."""

    terms: Annotated[Terms, SOME, Field(alias="words")]
    places: Places = ASKED


@dataclass(frozen=True, slots=True)
class Edges(Declared):
    """A trigger that fires on a gold provision with an edge of these types in that direction."""

    types: Annotated[EdgeTypes, Field(alias="edges")]
    direction: OneDirection = "out"


@dataclass(frozen=True, slots=True)
class InDomain(Declared):
    """A trigger that fires for each domain (of `keys`; () for any) of or named in the question."""

    keys: Annotated[Keys, Field(alias="domain")]
    places: Places = ASKED


@dataclass(frozen=True, slots=True)
class Sanctions(Declared):
    """A trigger that fires for each sanction (of `keys`; () for any) named in one of the places."""

    keys: Annotated[Keys, Field(alias="sanction")]
    places: Places = ASKED


Trigger = Annotated[
    Annotated[Words, Tag("Words")]
    | Annotated[Edges, Tag("Edges")]
    | Annotated[InDomain, Tag("InDomain")]
    | Annotated[Sanctions, Tag("Sanctions")],
    _by_field(words="Words", edges="Edges", domain="InDomain", sanction="Sanctions"),
]


@dataclass(frozen=True, slots=True)
class Articles(Declared):
    """An effect that adds these provisions; a document's id stands for all its provisions."""

    units: Annotated[Units, Field(alias="articles")]


@dataclass(frozen=True, slots=True)
class ArticlesOf(Declared):
    """An effect that adds the articles of the domain that fired, or those that impose its sanction.

    An article imposes a sanction for a gold provision if its heading is one of the sanction's
    (`Sanction`) and an edge of one of `types` leads from it to the provision.
    """

    what: Annotated[
        Literal["domain", "sanction"],
        _known_kind(("domain", "sanction")),
        Field(alias="articles_of"),
    ]
    types: Annotated[EdgeTypes, Field(alias="edges")] = (EdgeType.REFERENCES,)


@dataclass(frozen=True, slots=True)
class Neighbours(Declared):
    """An effect that adds the neighbours of the gold provision along edges of the types.

    `headings`, if not empty, keeps only neighbours with one of these terms in their heading;
    `levels` those of these levels.
    """

    types: Annotated[EdgeTypes, Field(alias="neighbours")]
    direction: OneDirection = "out"
    headings: Terms = ()
    levels: Levels = ()


@dataclass(frozen=True, slots=True)
class Beside(Declared):
    """An effect that adds articles of the gold provision's statute with a term in their heading."""

    headings: Annotated[Terms, SOME, Field(alias="beside")]


Effect = Annotated[
    Annotated[Articles, Tag("Articles")]
    | Annotated[ArticlesOf, Tag("ArticlesOf")]
    | Annotated[Neighbours, Tag("Neighbours")]
    | Annotated[Beside, Tag("Beside")],
    _by_field(
        articles="Articles", articles_of="ArticlesOf", neighbours="Neighbours", beside="Beside"
    ),
]


@dataclass(frozen=True, slots=True)
class Domain(Declared):
    """A field of questions: the terms that indicate it, and the articles cited in it by default.

    Every question is in the `default` domain, of which there is at most one.
    """

    key: Key
    label: Label = field(hash=False)
    words: Terms = ()
    articles: Units = ()
    default: Yes = False


@dataclass(frozen=True, slots=True)
class Sanction(Declared):
    """A kind of sanction: its names in texts, and the headings of articles that impose it.

    A heading with one of the terms `other` excludes an article: it regulates the procedure, or
    something else (제재처분의 절차).
    """

    key: Key
    label: Label = field(hash=False)
    words: Annotated[Terms, SOME]
    headings: Annotated[Terms, SOME]
    other: Annotated[Terms, Field(alias="except")] = ()


@dataclass(frozen=True, slots=True)
class Rule(Declared):
    """A rule: fires by the `condition` on its triggers, and adds by each of its effects."""

    key: Key
    label: Label = field(hash=False)
    triggers: Annotated[tuple[Trigger, ...], SOME]
    adds: Annotated[tuple[Effect, ...], SOME, Field(alias="add")]
    condition: Annotated[Condition, _known_kind(Condition)] = Condition.ANY

    @model_validator(mode="after")
    def _check_trigger(self) -> Self:
        """Check that a trigger names the domain or sanction whose articles are added."""
        for n, effect in enumerate(self.adds):
            if isinstance(effect, ArticlesOf):
                wanted = InDomain if effect.what == "domain" else Sanctions
                if not any(isinstance(each, wanted) for each in self.triggers):
                    raise fault("closure_unfired", "add", n, "articles_of", what=effect.what)
        return self


def _one_default(domains: tuple[Domain, ...]) -> tuple[Domain, ...]:
    """Check that one domain at most is the default."""
    found = [n for n, each in enumerate(domains) if each.default]
    if len(found) > 1:
        raise fault("closure_default_twice", found[1], "default", first=(found[0], "default"))
    return domains


@dataclass(frozen=True, slots=True)
class ClosureRules(Declared):
    """The domains, sanctions and rules of a project, in the order of its text."""

    domains: Annotated[tuple[Domain, ...], ONE_KEY, AfterValidator(_one_default)] = ()
    sanctions: Annotated[tuple[Sanction, ...], ONE_KEY] = ()
    rules: Annotated[tuple[Rule, ...], ONE_KEY] = ()

    @model_validator(mode="after")
    def _known_keys(self) -> Self:
        """Check that rules name declared domains and sanctions."""
        known = {
            "domain": [each.key for each in self.domains],
            "sanction": [each.key for each in self.sanctions],
        }
        for n, rule in enumerate(self.rules):
            for m, trigger in enumerate(rule.triggers):
                if isinstance(trigger, InDomain | Sanctions):
                    what = "domain" if isinstance(trigger, InDomain) else "sanction"
                    for i, key in enumerate(trigger.keys):
                        at = ("rules", n, "triggers", m, what, i)
                        pick(key, known[what], "closure_unknown", *at, parameter="said")
        return self

    def named_units(self) -> list[tuple[str, str]]:
        """Return (key of the rule or domain, id) of each unit or document named in the text."""
        found = [(each.key, unit) for each in self.domains for unit in each.articles]
        for rule in self.rules:
            for effect in rule.adds:
                if isinstance(effect, Articles):
                    found += [(rule.key, unit) for unit in effect.units]
        return found


FILE = Path(__file__).parent / "starter.yaml"


def starter() -> str:
    """Return the packaged text: the paper's four kinds of rules, in terms of any corpus."""
    return FILE.read_text(encoding="utf-8")


@lru_cache(maxsize=8)
def parse(text: str, file: str | None = None) -> ClosureRules:
    """Parse the rules; `file` is the text's name in messages.

    Raises UserError, with line and field, for invalid YAML, an unknown, missing or empty field, a
    key that is repeated or not in small letters, a label that lacks a language, an unknown place,
    edge type, level, direction, condition, domain or sanction, a trigger or an effect of no kind or
    of two, an id that neither a provision nor a document can have, and a second default domain.
    """
    empty, listed = "closure_empty", "closure_list"
    return read_declaration(ClosureRules, text, file, limit=TEXT_LIMIT, empty=empty, listed=listed)
