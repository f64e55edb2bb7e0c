"""A codebook of factors read from its text, which is YAML.

``order`` lists the sub-factors in the order in which they count (left out: as they stand);
``factors`` is a list of ``key``, ``label``, ``help``, ``scope`` and ``sub_factors``, and each of
these of ``key``, ``label``, ``help``, ``options`` and what `construction.tagging.codebook` says of
``claim``, ``required``, ``exclusive``, ``ordered``, ``when``, ``source`` and ``options_source``. A
claim has no ``options``: its three are fixed. Labels and helps stand in every language.

What cannot be worked with, since keys, conditions and order do not hang together, is refused with
the line and the place, and what to do. A place is named ``factors[2].sub_factors[1].when``, counted
from 1.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from graphlib import CycleError, TopologicalSorter
from typing import NoReturn

from construction.tagging.codebook import (
    CLAIM_OPTIONS,
    EVERYWHERE,
    NOT_STATED,
    Codebook,
    Factor,
    Option,
    SubFactor,
)
from construction.tagging.editing import write as write
from corpus.files.rows import is_storable
from corpus.files.yaml_fields import Fields, places, read_value
from errors import UserError, Where
from messages import LANGUAGES

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


LONGEST = {"label": 120, "help": 2_000}  # characters in one language
KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")
SCOPE = re.compile(r"\*|[a-z][a-z0-9_]{0,63}(?:\.[a-z0-9][a-z0-9_]{0,63}){0,2}")


@dataclass(frozen=True, slots=True)
class CodebookFields(Fields):
    """A mapping of a codebook's text."""

    def key(self) -> str:
        """Return the key. Raises UserError for one that is missing or of another form."""
        if self.text("key") == NOT_STATED:
            raise UserError("factors_key", self.where("key"))
        return self.keys("key")[0]

    def by_language(self, name: str) -> dict[str, str]:
        """Return what a field says in every language. Raises UserError for one that is missing."""
        inner = self.inside(name)
        inner.only(LANGUAGES)
        found = {language: inner.text(language) for language in LANGUAGES}
        for language, text in found.items():
            if len(text) > LONGEST[name]:
                where, counts = inner.where(language), {"limit": LONGEST[name], "length": len(text)}
                raise UserError("text_too_long", where, **counts)
        return found

    def truth(self, name: str, missing: bool) -> bool:
        """Return a field that is true or false."""
        return self.one_of(name, ("true", "false"), "true" if missing else "false") == "true"

    def one_of(self, name: str, known: tuple[str, ...], missing: str) -> str:
        """Return a field that is one of these words. Raises UserError for another."""
        if name not in self.values:
            return missing
        found = self.optional_text(name)
        if found not in known:
            raise UserError("factors_word", self.where(name), known=", ".join(known))
        return found

    def keys(self, name: str, form: re.Pattern[str] = KEY) -> tuple[str, ...]:
        """Return a list of keys, or a single one. Raises UserError for what is none."""
        value = self.values.get(name)
        if value is None:
            raise UserError("field_missing", self.where(name))
        several = value.content if isinstance(value.content, list) else None
        found = []
        for number, each in enumerate([value] if several is None else several, 1):
            at = self.place(name) + ("" if several is None else f"[{number}]")
            where = Where(self.file, each.line, at)
            if not isinstance(each.content, str):
                raise UserError("field_not_text", where)
            if not form.fullmatch(each.content):
                raise UserError("factors_key", where)
            found.append(each.content)
        return tuple(found)


def placed(book: Codebook) -> Iterator[tuple[str, SubFactor]]:
    """Yield every sub-factor with its place, as they stand in the tree."""
    for number, factor in enumerate(book.factors, 1):
        for count, each in enumerate(factor.sub_factors, 1):
            yield f"factors[{number}].sub_factors[{count}]", each


Lines = Mapping[str, int]  # place → line, counted from 1


def check(book: Codebook, lines: Lines) -> None:
    """Raise UserError for the first thing that is wrong.

    That is a key twice (of factors, of all sub-factors, of the options of one), a condition that
    names what there is not, that goes round in a circle or that can never hold, and an order that
    omits, repeats or invents a sub-factor.
    """
    _refuse_repeated(book, lines)
    _refuse_order(book, lines)
    _refuse_conditions(book, lines)
    order = _settled(book, lines)
    _refuse_unreachable(book, lines, order)


def _refuse_repeated(book: Codebook, lines: Lines) -> None:
    _once([(f"factors[{n}]", each.key) for n, each in enumerate(book.factors, 1)], lines)
    _once([(place, each.key) for place, each in placed(book)], lines)
    for place, each in placed(book):
        if not each.claim:
            _once([(f"{place}.options[{n}]", o.key) for n, o in enumerate(each.options, 1)], lines)


def _once(named: Iterable[tuple[str, str]], lines: Lines) -> None:
    seen: dict[str, str] = {}
    for place, key in named:
        where = f"{place}.key"
        if key in seen:
            _refuse("factors_twice", where, lines, key=key, first=lines.get(seen[key], 0))
        seen[key] = where


def _refuse_order(book: Codebook, lines: Lines) -> None:
    known = {each.key for _, each in placed(book)}
    seen: set[str] = set()
    for number, key in enumerate(book.order, 1):
        if key not in known:
            _refuse("factors_order_unknown", f"order[{number}]", lines, key=key)
        if key in seen:
            _refuse("factors_order_twice", f"order[{number}]", lines, key=key)
        seen.add(key)
    missing = [each.key for _, each in placed(book) if each.key not in seen]
    if missing:
        _refuse("factors_order_omits", "order", lines, keys=", ".join(missing))


def _refuse_conditions(book: Codebook, lines: Lines) -> None:
    by_key = {each.key: each for _, each in placed(book)}
    for place, each in placed(book):
        for other, options in each.when.items():
            where = f"{place}.when.{other}"
            if other not in by_key:
                _refuse("factors_when_unknown", where, lines, key=other)
            if not options:
                _refuse("factors_when_empty", where, lines)
            can = by_key[other].givable
            for option in options:
                if option not in can:
                    _refuse("factors_when_option", where, lines, option=option, key=other,
                            known=", ".join(can))  # fmt: skip


def _settled(book: Codebook, lines: Lines) -> tuple[SubFactor, ...]:
    """Return the sub-factors with every condition before what it conditions."""
    by_key = {each.key: each for _, each in placed(book)}
    try:
        order = tuple(TopologicalSorter({k: e.when for k, e in by_key.items()}).static_order())
    except CycleError as error:
        circle: list[str] = error.args[1]
        place, each = next((p, e) for p, e in placed(book) if e.key in circle)
        path = _turned(circle, each.key)
        _refuse("factors_cycle", f"{place}.when.{path[1]}", lines, path=" → ".join(path))
    return tuple(by_key[key] for key in order)


def _turned(circle: list[str], first: str) -> list[str]:
    """Return a circle (its first key again at its end), told from `first`, as "depends on"."""
    keys = list(reversed(circle[:-1]))
    start = keys.index(first)
    return [*keys[start:], *keys[:start], first]


def _refuse_unreachable(book: Codebook, lines: Lines, order: tuple[SubFactor, ...]) -> None:
    """Raise UserError for a sub-factor that no court case and no answers ever lead to."""
    reach = {e.key: factor.scope for factor in book.factors for e in factor.sub_factors}
    needs: dict[str, dict[str, frozenset[str]]] = {}
    places = {each.key: place for place, each in placed(book)}
    exclusive = {each.key for each in order if each.exclusive}
    for each in order:
        own: dict[str, frozenset[str]] = {}
        for other, options in each.when.items():
            where = f"{places[each.key]}.when.{other}"
            reach[each.key] = shared(reach[each.key], reach[other])
            if not reach[each.key]:
                _refuse("factors_when_scope", where, lines, key=each.key, other=other)
            for key, wanted in (*needs[other].items(), (other, frozenset(options))):
                own[key] = own.get(key, wanted) & wanted if key in exclusive else wanted
                if not own[key]:
                    _refuse("factors_when_against", where, lines, key=each.key, other=key)
        needs[each.key] = own


def shared(one: Iterable[str], two: Iterable[str]) -> tuple[str, ...]:
    """Return what two scopes have in common: of two parts, one within the other, the inner one."""
    left, right = tuple(one), tuple(two)
    in_left, in_right = set(left), set(right)
    inner = [part for part in left if _covered(part, in_right)]
    inner += [part for part in right if _covered(part, in_left)]
    return tuple(dict.fromkeys(inner))


def _covered(part: str, scope: Collection[str]) -> bool:
    """Return whether a part of a typology stands within a scope."""
    if EVERYWHERE in scope:
        return True
    steps = part.split(".")
    return any(".".join(steps[:depth]) in scope for depth in range(1, len(steps) + 1))


def _refuse(code: str, field: str, lines: Lines, **params: object) -> NoReturn:
    raise UserError(code, Where(line=lines.get(field), field=field), **params)


BOOK_FIELDS = ("order", "factors")
FACTOR_FIELDS = ("key", "label", "help", "scope", "sub_factors")
SUB_FACTOR_FIELDS = (
    "key", "label", "help", "claim", "required", "exclusive", "ordered", "when", "source",
    "options_source", "options",
)  # fmt: skip
OPTION_FIELDS = ("key", "label", "help")
SOURCES = ("paper", "written")
_DEEPEST = 12  # lists and mappings within each other; a codebook has eight
_NOT_OF_CLAIMS = ("options", "exclusive", "ordered")


@lru_cache(maxsize=32)
def parse(text: str) -> Codebook:
    """Return the codebook that the text says.

    Raises UserError, with line and place, for what is no YAML, for a
    field that is missing, unknown or of another form, and for a codebook that does not hang
    together (`check`).
    """
    if not is_storable(text):
        raise UserError("text_unstorable")
    root = read_value(text, None, deepest=_DEEPEST)
    if not isinstance(root.content, dict):
        raise UserError("field_not_mapping", Where(line=root.line))
    fields = CodebookFields(None, root.line, root.content, "")
    fields.only(BOOK_FIELDS)
    factors = tuple(map(_factor, _rows(fields, "factors")))
    standing = tuple(sub_factor.key for factor in factors for sub_factor in factor.sub_factors)
    order = fields.keys("order") if "order" in fields.values else standing
    book = Codebook(factors, order)
    check(book, dict(places(root)))
    return book


def _factor(fields: CodebookFields) -> Factor:
    fields.only(FACTOR_FIELDS)
    scope = fields.keys("scope", SCOPE)
    if not scope:
        raise UserError("factors_empty", fields.where("scope"))
    inner = tuple(map(_sub_factor, _rows(fields, "sub_factors")))
    label, text = fields.by_language("label"), fields.by_language("help")
    return Factor(fields.key(), label, text, scope, inner)


def _sub_factor(fields: CodebookFields) -> SubFactor:
    fields.only(SUB_FACTOR_FIELDS)
    claim = fields.truth("claim", False)
    exclusive, ordered = fields.truth("exclusive", True), fields.truth("ordered", False)
    if ordered and not exclusive:
        raise UserError("factors_scale", fields.where("ordered"))
    return SubFactor(
        key=fields.key(),
        label=fields.by_language("label"),
        help=fields.by_language("help"),
        options=_claimed(fields) if claim else tuple(map(_option, _rows(fields, "options"))),
        claim=claim,
        required=fields.truth("required", True),
        exclusive=exclusive,
        ordered=ordered,
        when=_conditions(fields),
        source=fields.one_of("source", SOURCES, "written"),
        options_source=fields.one_of("options_source", SOURCES, "paper" if claim else "written"),
    )


def _claimed(fields: CodebookFields) -> tuple[Option, ...]:
    for name in _NOT_OF_CLAIMS:
        if name in fields.values:
            raise UserError("factors_claim", fields.where(name))
    return CLAIM_ANSWERS


def _option(fields: CodebookFields) -> Option:
    fields.only(OPTION_FIELDS)
    return Option(fields.key(), fields.by_language("label"), fields.by_language("help"))


def _conditions(fields: CodebookFields) -> dict[str, tuple[str, ...]]:
    if "when" not in fields.values:
        return {}
    inner = fields.inside("when")
    if not inner.values:
        raise UserError("factors_when_empty", fields.where("when"))
    return {other: inner.keys(other) for other in inner.values}


def _rows(fields: CodebookFields, name: str) -> list[CodebookFields]:
    """Return the entries of a list. Raises UserError where there is none."""
    found = fields.rows(name, "factors_list")
    if not found:
        raise UserError("factors_empty", fields.where(name))
    return found
