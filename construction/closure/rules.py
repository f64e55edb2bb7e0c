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

from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    Discriminator,
    Field,
    Tag,
    WrapValidator,
    model_validator,
)

from corpus.files.declarations import (
    ONCE_EACH,
    SOME,
    Declared,
    Label,
    Listed,
    Text,
    Yes,
    fault,
    key_form,
    longest,
    one_of,
    pick,
    read_declaration,
    unique,
)
from corpus.graph.model import Direction, EdgeType
from corpus.limits import FACTOR_BOOK
from corpus.model import Level, split_id

TEXT_LIMIT = FACTOR_BOOK
MOST_TERMS = 500  # of one list
_TERM_LIMIT, _UNIT_LIMIT = 100, 1_000
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


def _few(found: tuple[str, ...]) -> tuple[str, ...]:
    if len(found) > MOST_TERMS:
        raise fault("closure_many", limit=MOST_TERMS, count=len(found))
    return found


def _unit(unit: str) -> str:
    named = split_id(unit) if "_" in unit else (unit,)  # a document has no place
    if len(unit) > _UNIT_LIMIT or not all(named):
        raise fault("closure_unit", unit=unit[:100])
    return unit


def _any(value: Any, read: Any) -> Any:
    """Return no key for the word ``any``."""
    return () if value == "any" else read(value)


def _by_field(**kinds: str) -> Discriminator:
    """Choose a class by the one field that only it has."""

    def choose(value: Any) -> str | None:
        named = [kinds[name] for name in kinds if name in value]
        return named[0] if len(named) == 1 else None

    about: Any = {"at": (), "params": {"known": ", ".join(kinds)}}
    return Discriminator(choose, "closure_kind", "of no kind, or of two", about)


def _known(kind: Any) -> Any:
    return one_of(kind, "closure_unknown", "said")


Key = Annotated[Text, key_form("closure_key")]
ONE_KEY = unique("closure_key_twice", "key")
Terms = Annotated[Listed[Annotated[Text, longest(_TERM_LIMIT)]], AfterValidator(_few), ONCE_EACH]
Units = Annotated[Listed[Annotated[Text, AfterValidator(_unit)]], AfterValidator(_few), ONCE_EACH]
Keys = Annotated[Listed[Text], SOME, ONCE_EACH, WrapValidator(_any)]
Places = Annotated[
    Listed[Annotated[Place, _known(Place)]],
    ONCE_EACH,
    AfterValidator(lambda places: places or ASKED),
    Field(alias="in"),
]
EdgeTypes = Annotated[Listed[Annotated[EdgeType, _known(FOLLOWED)]], SOME, ONCE_EACH]
OneDirection = Annotated[Direction, _known(("out", "in", "both"))]
Levels = Annotated[Listed[Annotated[Level, _known(Level)]], ONCE_EACH]


@dataclass(frozen=True, slots=True)
class Words(Declared):
    """Fires where one of the terms stands in one of the places."""

    terms: Annotated[Terms, SOME, Field(alias="words")]
    places: Places = ASKED


@dataclass(frozen=True, slots=True)
class Edges(Declared):
    """Fires on a gold provision that has an edge of one of the types in that direction."""

    types: Annotated[EdgeTypes, Field(alias="edges")]
    direction: OneDirection = "out"


@dataclass(frozen=True, slots=True)
class InDomain(Declared):
    """Fires for each domain (of `keys`; any where empty) that the question is of, or names."""

    keys: Annotated[Keys, Field(alias="domain")]
    places: Places = ASKED


@dataclass(frozen=True, slots=True)
class Sanctions(Declared):
    """Fires for each sanction (of `keys`; any where empty) that is named in one of the places."""

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
    """Adds these provisions; the id of a document stands for all of its provisions."""

    units: Annotated[Units, Field(alias="articles")]


@dataclass(frozen=True, slots=True)
class ArticlesOf(Declared):
    """Adds the articles of the domain that fired; or those that fix the sanction that fired.

    An article fixes a sanction for a gold provision where its heading says so (`Sanction`) and an
    edge of one of `types` leads from it to the provision.
    """

    what: Annotated[
        Literal["domain", "sanction"], _known(("domain", "sanction")), Field(alias="articles_of")
    ]
    types: Annotated[EdgeTypes, Field(alias="edges")] = (EdgeType.REFERENCES,)


@dataclass(frozen=True, slots=True)
class Neighbours(Declared):
    """Adds what edges of the types join to the gold provision that fired.

    `headings`, where there are any, keeps the neighbours whose heading has one of these terms;
    `levels` those of these levels.
    """

    types: Annotated[EdgeTypes, Field(alias="neighbours")]
    direction: OneDirection = "out"
    headings: Terms = ()
    levels: Levels = ()


@dataclass(frozen=True, slots=True)
class Beside(Declared):
    """Adds the articles of the gold provision's own statute whose heading has one of the terms."""

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
    """A field of questions: the terms that tell of it, the articles cited in it by default.

    Every question is of the `default` domain, of which there is one at most.
    """

    key: Key
    label: Label = field(hash=False)
    words: Terms = ()
    articles: Units = ()
    default: Yes = False


@dataclass(frozen=True, slots=True)
class Sanction(Declared):
    """A kind of sanction: what texts call it, and how the articles are headed that fix it.

    A heading with one of the terms `other` says that the article does not fix it, but tells how it
    is imposed, or of something else (제재처분의 절차).
    """

    key: Key
    label: Label = field(hash=False)
    words: Annotated[Terms, SOME]
    headings: Annotated[Terms, SOME]
    other: Annotated[Terms, Field(alias="except")] = ()


@dataclass(frozen=True, slots=True)
class Rule(Declared):
    """A rule: it fires by `condition` of its triggers, and adds by each of its effects."""

    key: Key
    label: Label = field(hash=False)
    triggers: Annotated[tuple[Trigger, ...], SOME]
    adds: Annotated[tuple[Effect, ...], SOME, Field(alias="add")]
    condition: Annotated[Condition, _known(Condition)] = Condition.ANY

    @model_validator(mode="after")
    def _fired(self) -> Self:
        """Check that a trigger names the domain or sanction whose articles are added."""
        for n, effect in enumerate(self.adds):
            if isinstance(effect, ArticlesOf):
                wanted = InDomain if effect.what == "domain" else Sanctions
                if not any(isinstance(each, wanted) for each in self.triggers):
                    raise fault("closure_unfired", "add", n, "articles_of", what=effect.what)
        return self


def _one_default(domains: tuple[Domain, ...]) -> tuple[Domain, ...]:
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
                        pick(key, known[what], "closure_unknown", *at, shown="said")
        return self

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
    empty, listed = "closure_empty", "closure_list"
    return read_declaration(ClosureRules, text, file, limit=TEXT_LIMIT, empty=empty, listed=listed)
