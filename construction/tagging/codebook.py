"""A codebook of factors: lawyers' questions about a court case (002, section 2.3 and Table 17).

A factor groups sub-factors that apply to the same standard groups; a sub-factor is one question
with its options. `order` is the lawyers' order of all sub-factors, which decides their priority
when court cases are grouped. A case gets the questions of its groups whose conditions hold
(`asked_sub_factors`).
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

from construction.cases.typology import Typology, group_name
from corpus.files.declarations import (
    LANGUAGE_FIELDS,
    Declared,
    Reading,
    Text,
    at_least_one,
    choice_of,
    fault,
    key_form,
    longest,
    pick,
)

EVERYWHERE = "*"  # the scope of a factor that applies to every group
NOT_STATED = "not_stated"  # the judgment is silent: an answer to every sub-factor that is no claim
CLAIM_OPTIONS = ("not_mentioned", "claimed_not_accepted", "claimed_accepted")
T = TypeVar("T")
LONGEST = {"label": 120, "help": 2_000}  # characters in one language
_TRUTH = {"true": True, "false": False}
_SCOPE = re.compile(r"\*|[a-z][a-z0-9_]{0,63}(?:\.[a-z0-9][a-z0-9_]{0,63}){0,2}")


def _unreserved_key(key: str) -> str:
    """Return the key. Raises the fault of the one reserved for "not stated"."""
    if key == NOT_STATED:
        raise fault("factors_key")
    return key


def _several(value: Any) -> Any:
    """Return a value in a list, but a list or tuple as it is."""
    return value if isinstance(value, list | tuple) else [value]


def _default_order(value: Any, info: Reading) -> Any:
    """Return the sub-factors in document order, if no order is given."""
    factors = info.data.get("factors", ()) if value == () else ()
    return value or tuple(each.key for factor in factors for each in factor.sub_factors)


def _require_options(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the options. Raises the fault of none."""
    if not options:
        raise fault("factors_when_empty")
    return options


Entries = Annotated[tuple[T, ...], at_least_one("factors_empty"), Field(validate_default=True)]
Truth = Annotated[bool, choice_of(_TRUTH, "factors_word")]
Source = Annotated[str, choice_of(("paper", "written"), "factors_word")]
Key = Annotated[Text, key_form("factors_key")]
NewKey = Annotated[Key, AfterValidator(_unreserved_key)]
Keys = Annotated[tuple[Key, ...], BeforeValidator(_several)]
Scope = Annotated[
    tuple[Annotated[Text, key_form("factors_key", _SCOPE)], ...], BeforeValidator(_several)
]
Label = Annotated[Mapping[str, Annotated[Text, longest(LONGEST["label"])]], LANGUAGE_FIELDS]
Help = Annotated[Mapping[str, Annotated[Text, longest(LONGEST["help"])]], LANGUAGE_FIELDS]


@dataclass(frozen=True, slots=True)
class Option(Declared):
    """One answer to a sub-factor: its key, and per language its label and when to choose it."""

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

    `claim` is whether it is about a plea of the defendant, with the three fixed options.
    `exclusive` allows one option, otherwise several may hold; `ordered` is whether the options are
    a scale. `when` are the conditions, all of which must hold: another sub-factor and options of
    it, one of which is answered. `source` is whether the question is the paper's or written here,
    `options_source` the same for its options.
    """

    key: NewKey
    label: Label
    help: Help
    options: Entries[Option] = ()
    claim: Truth = False
    required: Truth = True
    exclusive: Truth = True
    ordered: Truth = False
    when: Annotated[Mapping[str, Keys], AfterValidator(_require_options)] = field(
        default_factory=dict
    )
    source: Source = "written"
    options_source: Source = "written"

    @model_validator(mode="before")
    @classmethod
    def _with_claim_answers(cls, value: Any) -> Any:
        """Give a claim its fixed options."""
        if not isinstance(value, dict):
            return value
        if not pick(value.get("claim", "false"), _TRUTH, "factors_word", "claim"):
            return value
        for name in ("options", "exclusive", "ordered"):
            if name in value:
                raise fault("factors_claim", name)
        return {"options_source": "paper"} | value | {"options": CLAIM_ANSWERS}

    @model_validator(mode="after")
    def _check_scale(self) -> Self:
        """Check that an ordered sub-factor takes one option."""
        if self.ordered and not self.exclusive:
            raise fault("factors_scale", "ordered")
        return self

    @property
    def givable(self) -> tuple[str, ...]:
        """Every possible answer, in order; "not stated" comes last unless it is a claim."""
        options = tuple(option.key for option in self.options)
        return options if self.claim else (*options, NOT_STATED)

    def option_label(self, key: str, language: str) -> str:
        """Return the label of an option; its key if the sub-factor has none of that key."""
        return next((each.label[language] for each in self.options if each.key == key), key)


@dataclass(frozen=True, slots=True)
class Factor(Declared):
    """Sub-factors with a common scope; `scope` are keys of categories, charges or groups."""

    key: NewKey
    label: Label
    help: Help
    scope: Annotated[Scope, at_least_one("factors_empty")]
    sub_factors: Entries[SubFactor] = ()


@dataclass(frozen=True, slots=True)
class Codebook(Declared):
    """All factors, and the lawyers' order of all sub-factors."""

    factors: Entries[Factor] = ()
    order: Annotated[Keys, BeforeValidator(_default_order), Field(validate_default=True)] = ()

    @property
    def places(self) -> dict[str, tuple[Factor, SubFactor]]:
        """Every sub-factor with its factor, by the sub-factor's key, in document order."""
        return {each.key: (factor, each) for factor in self.factors for each in factor.sub_factors}

    def __hash__(self) -> int:
        """Hash by order; labels, as mappings, have no hash."""
        return hash(self.order)


def in_scope(book: Codebook, groups: Iterable[str]) -> tuple[SubFactor, ...]:
    """Return the sub-factors that apply to any of the standard groups, in the lawyers' order.

    Conditions are ignored. A scope names a category, a charge or a group and includes everything
    below it; a case without a group only gets sub-factors of scope "*".
    """
    return _scoped(book, tuple(groups))[0]


@lru_cache(maxsize=1024)  # many cases share their groups
def _scoped(
    book: Codebook, named: tuple[str, ...]
) -> tuple[tuple[SubFactor, ...], tuple[str, ...]]:
    """Return the sub-factors of the groups, and all keys, conditions before their dependents."""
    found = {key: each for key, (home, each) in book.places.items() if applies(home.scope, named)}
    applying = tuple(found[key] for key in book.order if key in found)
    conditions = TopologicalSorter({each.key: each.when for each in applying})
    return applying, tuple(conditions.static_order())


def asked_sub_factors(
    book: Codebook, groups: Iterable[str], answers: Mapping[str, tuple[str, ...]]
) -> tuple[SubFactor, ...]:
    """Return those of :func:`in_scope` whose conditions all hold under the answers.

    A condition on a sub-factor that is itself not asked does not hold, whatever its former answer:
    answers to questions that are no longer asked have no effect.
    """
    found, conditions_first = _scoped(book, tuple(groups))
    by_key = {each.key: each for each in found}
    holding: set[str] = set()
    for key in conditions_first:
        each = by_key.get(key)
        if each is not None and all(
            other in holding and not set(options).isdisjoint(answers.get(other, ()))
            for other, options in each.when.items()
        ):
            holding.add(key)
    return tuple(each for each in found if each.key in holding)


def applies(scope: Iterable[str], groups: Iterable[str]) -> bool:
    """Return whether a scope includes any of the groups; without any, whether it is everywhere."""
    named = tuple(groups)
    return any(within(group, each) for each in scope for group in named or (EVERYWHERE,))


def within(group: str, part: str) -> bool:
    """Return whether a group is that part of the typology or below it."""
    return part == EVERYWHERE or group == part or group.startswith(f"{part}.")


Labels = Mapping[str, Mapping[str, str]]  # key of a part → language → label


def parts(typology: Typology) -> dict[str, Mapping[str, str]]:
    """Return the names of every category, charge and group by key."""
    named = {each.group.key: group_name(each.charge, each.group) for each in typology.groups()}
    named |= {f"{above.key}.{charge.key}": charge.label for above, charge in typology.charges()}
    return named | {category.key: category.label for category in typology.categories}


def unknown_parts(book: Codebook, known: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Return (factor, part) for each part of a scope that the typology lacks.

    That is no error of a codebook: a typology may be saved later. But no case is asked for it.
    """
    names = {*known, EVERYWHERE}
    return tuple(
        (factor.key, part) for factor in book.factors for part in factor.scope if part not in names
    )


def by_category(scope: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the parts of a scope by category, in order; () for a category as a whole."""
    found: dict[str, tuple[str, ...]] = {}
    for part in scope:
        category, _, rest = part.partition(".")
        found[category] = (*found.get(category, ()), part) if rest else ()
    return found


Found = tuple[tuple[Factor, tuple[SubFactor, ...]], ...]


def matching(book: Codebook, search_text: str = "", part: str = "", claims: bool = False) -> Found:
    """Return the factors that have matching sub-factors, each with these, in order.

    Every word of `search_text` occurs in a key, label or help of the sub-factor, its options or its
    factor, in any language, ignoring case. `part` is a part of a typology to which the factor
    applies at least partly; `claims` keeps only claims.
    """
    wanted = _folded(search_text).split()
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
    """Return whether a scope includes that part of a typology or something below it."""
    return scope == EVERYWHERE or within(part, scope) or within(scope, part)


def _says(factor: Factor, each: SubFactor, search_words: list[str]) -> bool:
    """Return whether every search word occurs in a sub-factor, its options or its factor."""
    if not search_words:
        return True
    named: list[Factor | SubFactor] = [factor, each]
    text = " ".join(word for one in named for word in _words(one.key, one.label, one.help))
    if not each.claim:
        text += " ".join(w for one in each.options for w in _words(one.key, one.label, one.help))
    folded = _folded(text)
    return all(word in folded for word in search_words)


def _words(key: str, label: Mapping[str, str], help_texts: Mapping[str, str]) -> Iterator[str]:
    """Yield every text of an entry."""
    yield key
    yield from label.values()
    yield from help_texts.values()


def _folded(text: str) -> str:
    """Return a text in one width and case."""
    return unicodedata.normalize("NFKC", text).casefold()
