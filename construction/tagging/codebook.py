"""A codebook of factors: what lawyers are asked about a court case (002, section 2.3 and Table 17).

A factor holds sub-factors that belong together and apply to the same standard groups; a sub-factor
is one question with its options. `order` is the lawyers' order of all sub-factors, which decides
what counts first when court cases are grouped. A case is asked the questions of its groups whose
conditions hold (`asked`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from graphlib import TopologicalSorter
from typing import Annotated, Any, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from construction.cases.typology import Typology
from corpus.files.declarations import (
    LANGUAGE_FIELDS,
    Declared,
    Reading,
    Text,
    fault,
    key_form,
    longest,
    one_of,
    pick,
    some,
)

EVERYWHERE = "*"  # the scope of a factor that applies to every group
NOT_STATED = "not_stated"  # the judgment does not say: an answer to whatever is no claim
CLAIM_OPTIONS = ("not_mentioned", "claimed_not_accepted", "claimed_accepted")
T = TypeVar("T")
LONGEST = {"label": 120, "help": 2_000}  # characters in one language
_TRUTH = {"true": True, "false": False}
_SCOPE = re.compile(r"\*|[a-z][a-z0-9_]{0,63}(?:\.[a-z0-9][a-z0-9_]{0,63}){0,2}")


def _given(key: str) -> str:
    if key == NOT_STATED:
        raise fault("factors_key")
    return key


def _several(value: Any) -> Any:
    return value if isinstance(value, list | tuple) else [value]


def _standing(value: Any, info: Reading) -> Any:
    """Return the sub-factors as they stand, for an order that is left out."""
    factors = info.data.get("factors", ()) if value == () else ()
    return value or tuple(each.key for factor in factors for each in factor.sub_factors)


def _some(options: Mapping[str, Any]) -> Mapping[str, Any]:
    if not options:
        raise fault("factors_when_empty")
    return options


Entries = Annotated[tuple[T, ...], some("factors_empty"), Field(validate_default=True)]
Truth = Annotated[bool, one_of(_TRUTH, "factors_word")]
Source = Annotated[str, one_of(("paper", "written"), "factors_word")]
Key = Annotated[Text, key_form("factors_key")]
NewKey = Annotated[Key, AfterValidator(_given)]
Keys = Annotated[tuple[Key, ...], BeforeValidator(_several)]
Scope = Annotated[
    tuple[Annotated[Text, key_form("factors_key", _SCOPE)], ...], BeforeValidator(_several)
]
Label = Annotated[Mapping[str, Annotated[Text, longest(LONGEST["label"])]], LANGUAGE_FIELDS]
Help = Annotated[Mapping[str, Annotated[Text, longest(LONGEST["help"])]], LANGUAGE_FIELDS]


@dataclass(frozen=True, slots=True)
class Option(Declared):
    """One answer to a sub-factor: its key, and per language what it is called and when it fits."""

    key: NewKey
    label: Label
    help: Help


_SAID = {  # the options are the paper's (002, Table 17), the explanations written here
    "not_mentioned": (
        {"en": "Not mentioned", "ko": "주장 없음"},
        {
            "en": "The judgment does not show that the defendant or counsel made this claim.",
            "ko": "피고인이나 변호인이 이러한 주장을 하였다는 내용이 판결문에 없습니다.",
        },
    ),
    "claimed_not_accepted": (
        {"en": "Claimed, not accepted", "ko": "주장하였으나 배척"},
        {
            "en": "The defendant or counsel made this claim and the court rejected it, "
            "expressly or by a finding that cannot stand beside it.",
            "ko": "피고인이나 변호인이 주장하였고, 법원이 명시적으로 또는 이와 양립할 수 없는 "
            "판단으로 배척하였습니다.",
        },
    ),
    "claimed_accepted": (
        {"en": "Claimed, accepted", "ko": "주장하여 인정"},
        {
            "en": "The court accepted the claim, wholly or in the part that concerns this count.",
            "ko": "법원이 주장의 전부 또는 해당 공소사실에 관한 부분을 받아들였습니다.",
        },
    ),
}

CLAIM_ANSWERS = tuple(Option(key, *_SAID[key]) for key in CLAIM_OPTIONS)


@dataclass(frozen=True, slots=True)
class SubFactor(Declared):
    """One question about a court case.

    `claim` says that it is about what the defendant pleads, with the three fixed options.
    `exclusive` allows one option, otherwise several may hold; `ordered` says that the options are a
    scale. `when` are the conditions, all of which must hold: another sub-factor and the options of
    it, one of which is answered. `source` tells a question of the paper from one written here,
    `options_source` the same of its options.
    """

    key: NewKey
    label: Label
    help: Help
    options: Entries[Option] = ()
    claim: Truth = False
    required: Truth = True
    exclusive: Truth = True
    ordered: Truth = False
    when: Annotated[Mapping[str, Keys], AfterValidator(_some)] = field(default_factory=dict)
    source: Source = "written"
    options_source: Source = "written"

    @model_validator(mode="before")
    @classmethod
    def _with_claim_answers(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        if not pick(value.get("claim", "false"), _TRUTH, "factors_word", "claim"):
            return value
        for name in ("options", "exclusive", "ordered"):
            if name in value:
                raise fault("factors_claim", name)
        return {"options_source": "paper"} | value | {"options": CLAIM_ANSWERS}

    @model_validator(mode="after")
    def _scale_of_one(self) -> Self:
        if self.ordered and not self.exclusive:
            raise fault("factors_scale", "ordered")
        return self

    @property
    def givable(self) -> tuple[str, ...]:
        """Every answer that it takes, in order; "not stated" is the last of what is no claim."""
        options = tuple(option.key for option in self.options)
        return options if self.claim else (*options, NOT_STATED)


@dataclass(frozen=True, slots=True)
class Factor(Declared):
    """Sub-factors that belong together; `scope` are keys of categories, charges or groups."""

    key: NewKey
    label: Label
    help: Help
    scope: Annotated[Scope, some("factors_empty")]
    sub_factors: Entries[SubFactor] = ()


@dataclass(frozen=True, slots=True)
class Codebook(Declared):
    """All factors, and the lawyers' order of all sub-factors."""

    factors: Entries[Factor] = ()
    order: Annotated[Keys, BeforeValidator(_standing), Field(validate_default=True)] = ()

    def __hash__(self) -> int:
        """Equal codebooks have an equal order; labels, as mappings, have no hash."""
        return hash(self.order)


def in_scope(book: Codebook, groups: Iterable[str]) -> tuple[SubFactor, ...]:
    """Return the sub-factors that apply to any of the standard groups, in the lawyers' order.

    Conditions are not looked at. A scope names a category, a charge or a group and takes in
    whatever stands below it; a case of no group is asked only what applies everywhere.
    """
    return _scoped(book, tuple(groups))[0]


@lru_cache(maxsize=1024)  # many cases share their groups
def _scoped(
    book: Codebook, named: tuple[str, ...]
) -> tuple[tuple[SubFactor, ...], tuple[str, ...]]:
    """Return what applies to the groups, and all keys, conditions before what hangs on them."""
    found = {
        sub_factor.key: sub_factor
        for factor in book.factors
        if applies(factor.scope, named)
        for sub_factor in factor.sub_factors
    }
    applying = tuple(found[key] for key in book.order if key in found)
    conditions = TopologicalSorter({each.key: each.when for each in applying})
    return applying, tuple(conditions.static_order())


def asked(
    book: Codebook, groups: Iterable[str], answers: Mapping[str, tuple[str, ...]]
) -> tuple[SubFactor, ...]:
    """Return those of :func:`in_scope` whose conditions all hold under the answers.

    A condition on a sub-factor that is itself not asked does not hold, whatever was once answered
    to it: an answer that no question stands behind any more moves nothing.
    """
    found, conditions_first = _scoped(book, tuple(groups))
    by_key = {each.key: each for each in found}
    holding: set[str] = set()
    for key in conditions_first:
        each = by_key.get(key)
        if each is not None and _holds(each, holding, answers):
            holding.add(key)
    return tuple(each for each in found if each.key in holding)


def applies(scope: Iterable[str], groups: Iterable[str]) -> bool:
    """Return whether a scope takes in any of the groups."""
    named = tuple(groups)
    return any(within(group, each) for each in scope for group in named or (EVERYWHERE,))


def within(group: str, part: str) -> bool:
    """Return whether a group is, or stands below, that part of the typology."""
    return part == EVERYWHERE or group == part or group.startswith(f"{part}.")


def _holds(each: SubFactor, holding: set[str], answers: Mapping[str, tuple[str, ...]]) -> bool:
    return all(
        other in holding and not set(options).isdisjoint(answers.get(other, ()))
        for other, options in each.when.items()
    )


Labels = Mapping[str, Mapping[str, str]]  # key of a part → language → label


def parts(typology: Typology) -> dict[str, Mapping[str, str]]:
    """Return every category, charge and group by the key that a scope names it by."""
    found: dict[str, Mapping[str, str]] = {}
    for category in typology.categories:
        found[category.key] = category.label
        for charge in category.charges:
            found[f"{category.key}.{charge.key}"] = charge.label
            found |= {group.key: group.label for group in charge.groups if group.key not in found}
    return found


def unknown_parts(book: Codebook, known: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return the factors with each part of their scope that the typology does not have.

    That is no fault of a codebook: a typology may be saved later. But nothing is asked for it.
    """
    names = {*known, EVERYWHERE}
    return tuple(
        (factor.key, part) for factor in book.factors for part in factor.scope if part not in names
    )


def by_category(scope: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the parts of a scope by category, in its order; none for a category as a whole."""
    found: dict[str, tuple[str, ...]] = {}
    for part in scope:
        category, _, rest = part.partition(".")
        found[category] = (*found.get(category, ()), part) if rest else ()
    return found


Found = tuple[tuple[Factor, tuple[SubFactor, ...]], ...]


def matching(book: Codebook, words: str = "", part: str = "", claims: bool = False) -> Found:
    """Return the factors with those of their sub-factors that fit, as they stand.

    Every one of `words` stands in a key, label or help of the sub-factor, its options or its
    factor, in any language, upper or lower case. `part` is a part of a typology, part of whose
    cases are asked; `claims` leaves out what is none.
    """
    wanted = _folded(words).split()
    found = []
    for factor in book.factors:
        if part and not any(meets(part, each) for each in factor.scope):
            continue
        inner = tuple(
            sub_factor
            for sub_factor in factor.sub_factors
            if (sub_factor.claim or not claims) and _says(factor, sub_factor, wanted)
        )
        if inner:
            found.append((factor, inner))
    return tuple(found)


def meets(part: str, scope: str) -> bool:
    """Return whether a scope takes in that part of a typology or something within it."""
    return scope == EVERYWHERE or within(part, scope) or within(scope, part)


def _says(factor: Factor, each: SubFactor, wanted: list[str]) -> bool:
    if not wanted:
        return True
    named: list[Factor | SubFactor] = [factor, each]
    text = " ".join(word for one in named for word in _words(one.key, one.label, one.help))
    if not each.claim:
        text += " ".join(w for one in each.options for w in _words(one.key, one.label, one.help))
    folded = _folded(text)
    return all(word in folded for word in wanted)


def _words(key: str, label: Mapping[str, str], said: Mapping[str, str]) -> Iterator[str]:
    yield key
    yield from label.values()
    yield from said.values()


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
