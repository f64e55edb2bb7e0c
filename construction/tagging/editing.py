"""Editing of a codebook of factors, and differences between two.

`construction.tagging.reading` parses the text again, and checks its consistency.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import yaml

from construction.tagging.codebook import Codebook, Factor, Option, SubFactor

_DUMPER: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
_WIDE = 100  # characters of a line


def write(book: Codebook) -> str:
    """Return the codebook as YAML, without default values."""
    factors = []
    for each in book.factors:
        inner = [_sub_factor_fields(one) for one in each.sub_factors]
        factors.append(_common_fields(each) | {"scope": list(each.scope), "sub_factors": inner})
    said = {"order": list(book.order), "factors": factors}
    return str(yaml.dump(said, Dumper=_DUMPER, sort_keys=False, allow_unicode=True, width=_WIDE))


def _common_fields(each: Factor | SubFactor | Option) -> dict[str, Any]:
    return {"key": each.key, "label": dict(each.label), "help": dict(each.help)}


def _sub_factor_fields(each: SubFactor) -> dict[str, Any]:
    said = _common_fields(each)
    if each.claim:
        said["claim"] = True
    for name, usual in (("required", True), ("exclusive", True), ("ordered", False)):
        if getattr(each, name) is not usual:
            said[name] = not usual
    if each.when:
        said["when"] = {key: list(options) for key, options in each.when.items()}
    said |= {"source": each.source, "options_source": each.options_source}
    if not each.claim:
        said["options"] = [_common_fields(option) for option in each.options]
    return said


def put_sub_factor(book: Codebook, factor: str, each: SubFactor, position: int) -> Codebook:
    """Return the codebook with the sub-factor added to that factor, or replaced.

    `position` is its place in the lawyers' order, from 1. One from another factor moves.
    """
    known = {one.key for one in next(f for f in book.factors if f.key == factor).sub_factors}
    factors = []
    for one in book.factors:
        inner = tuple(
            each if old.key == each.key else old
            for old in one.sub_factors
            if old.key != each.key or one.key == factor
        )
        if one.key == factor and each.key not in known:
            inner = (*inner, each)
        factors.append(replace(one, sub_factors=inner))
    order = [key for key in book.order if key != each.key]
    order.insert(max(0, min(position - 1, len(order))), each.key)
    return Codebook(_without_empty(factors), tuple(order))


def without(book: Codebook, key: str) -> Codebook:
    """Return the codebook without the sub-factor, nor a factor that becomes empty.

    Conditions that name it stay, so that parsing the text reports them.
    """
    factors = [
        replace(one, sub_factors=tuple(each for each in one.sub_factors if each.key != key))
        for one in book.factors
    ]
    return Codebook(_without_empty(factors), tuple(each for each in book.order if each != key))


def with_factor(book: Codebook, factor: Factor) -> Codebook:
    """Return the codebook with a factor added, or a known one's label, help and scope replaced.

    A new factor comes last, with its sub-factors last in the order.
    """
    if all(one.key != factor.key for one in book.factors):
        order = (*book.order, *(each.key for each in factor.sub_factors))
        return Codebook((*book.factors, factor), order)
    factors = tuple(
        replace(one, label=factor.label, help=factor.help, scope=factor.scope)
        if one.key == factor.key
        else one
        for one in book.factors
    )
    return Codebook(factors, book.order)


def _without_empty(factors: list[Factor]) -> tuple[Factor, ...]:
    """Drop factors without sub-factors."""
    return tuple(each for each in factors if each.sub_factors)


class ChangeKind(StrEnum):
    """The kind of a change in a codebook."""

    FACTOR_ADDED = "factor_added"
    FACTOR_REMOVED = "factor_removed"
    FACTOR_TEXT = "factor_text"  # label or help
    SCOPE = "scope"
    ADDED = "added"  # a sub-factor
    REMOVED = "removed"
    RENAMED = "renamed"  # the same question under another key
    MOVED = "moved"  # to another factor
    TEXT = "text"
    RULES = "rules"  # claim, required, exclusive, ordered
    CONDITION = "condition"
    SOURCE = "source"
    OPTION_ADDED = "option_added"
    OPTION_REMOVED = "option_removed"
    OPTION_RENAMED = "option_renamed"  # the same label under another key
    OPTION_TEXT = "option_text"
    OPTION_ORDER = "option_order"
    ORDER = "order"


# After these, earlier answers name removed options or sub-factors.
OUTDATING = frozenset(
    {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.OPTION_REMOVED, ChangeKind.OPTION_RENAMED}
)
RULES = ("claim", "required", "exclusive", "ordered")


@dataclass(frozen=True, slots=True)
class Change:
    """One change; `old` and `new` are the values before and after, in keys or words."""

    kind: ChangeKind
    factor: str = ""
    sub_factor: str = ""
    option: str = ""
    old: str = ""
    new: str = ""


def differences(old: Codebook, new: Codebook) -> tuple[Change, ...]:
    """Return the changes: factors, then sub-factors with their options, then the order."""
    found = [*_factors(old, new), *_sub_factors(old, new)]
    kept = set(old.order) & set(new.order)
    before, after = ([key for key in book.order if key in kept] for book in (old, new))
    if before != after:
        moved = [key for key, other in zip(after, before, strict=True) if key != other]
        found.append(Change(ChangeKind.ORDER, old=", ".join(before), new=", ".join(moved)))
    return tuple(found)


def _factors(old: Codebook, new: Codebook) -> Iterator[Change]:
    """Yield the changes of factors: removed, added, edited."""
    before = {each.key: each for each in old.factors}
    after = {each.key: each for each in new.factors}
    for key in [*before, *(key for key in after if key not in before)]:
        if key not in after:
            yield Change(ChangeKind.FACTOR_REMOVED, key)
        elif key not in before:
            yield Change(ChangeKind.FACTOR_ADDED, key)
        else:
            yield from _factor(before[key], after[key])


def _factor(old: Factor, new: Factor) -> Iterator[Change]:
    """Yield the changes of a factor's texts and scope."""
    if said := _reworded(old, new):
        yield Change(ChangeKind.FACTOR_TEXT, old.key, new=said)
    if set(old.scope) != set(new.scope):
        gone = [part for part in old.scope if part not in new.scope]
        come = [part for part in new.scope if part not in old.scope]
        yield Change(ChangeKind.SCOPE, old.key, old=", ".join(gone), new=", ".join(come))


def _reworded(old: Factor | SubFactor | Option, new: Factor | SubFactor | Option) -> str:
    """Return the texts that differ, such as "label.en, help.ko"; "" for none."""
    both = (("label", old.label, new.label), ("help", old.help, new.help))
    return ", ".join(
        f"{name}.{language}"
        for name, before, after in both
        for language in sorted(before.keys() | after.keys())
        if before.get(language) != after.get(language)
    )


def _sub_factors(old: Codebook, new: Codebook) -> Iterator[Change]:
    """Yield the changes of sub-factors: added, removed, renamed, changed."""
    before, after = old.places, new.places
    twins, added = _twins(
        {key: _identity(each) for key, (_, each) in before.items()},
        {key: _identity(each) for key, (_, each) in after.items()},
    )
    for key, (factor, each) in before.items():
        if key in after:
            yield from _sub_factor(factor.key, each, after[key][0].key, after[key][1])
        elif key in twins:
            yield Change(ChangeKind.RENAMED, factor.key, key, old=key, new=twins[key])
        else:
            yield Change(ChangeKind.REMOVED, factor.key, key)
    for key in added:
        yield Change(ChangeKind.ADDED, after[key][0].key, key)


def _twins(
    before: Mapping[str, object], after: Mapping[str, object]
) -> tuple[dict[str, str], list[str]]:
    """Return the new key of each entry that has another one now, and the keys of new entries."""
    come = {key: each for key, each in after.items() if key not in before}
    twins: dict[str, str] = {}
    gone = ((key, each) for key, each in before.items() if key not in after)
    for key, each in gone:
        twin = next((new for new, other in come.items() if other == each), None)
        if twin is not None:
            twins[key] = twin
            del come[twin]
    return twins, list(come)


def _identity(each: SubFactor) -> tuple[object, ...]:
    """Return a key that is equal for the same question under two keys."""
    options = tuple(option.key for option in each.options)
    return (*sorted(each.label.items()), options)


def _sub_factor(
    old_factor: str, old: SubFactor, new_factor: str, new: SubFactor
) -> Iterator[Change]:
    """Yield the changes of one sub-factor; `old_factor` and `new_factor` are its factors' keys."""
    if old_factor != new_factor:
        yield Change(ChangeKind.MOVED, old_factor, old.key, old=old_factor, new=new_factor)
    if said := _reworded(old, new):
        yield Change(ChangeKind.TEXT, new_factor, old.key, new=said)
    rules = [name for name in RULES if getattr(old, name) != getattr(new, name)]
    if rules:
        stated = ", ".join(f"{name}: {str(getattr(new, name)).lower()}" for name in rules)
        yield Change(ChangeKind.RULES, new_factor, old.key, new=stated)
    if dict(old.when) != dict(new.when):
        yield Change(ChangeKind.CONDITION, new_factor, old.key, old=_when(old), new=_when(new))
    if (old.source, old.options_source) != (new.source, new.options_source):
        yield Change(ChangeKind.SOURCE, new_factor, old.key)
    for change in _options(old.options, new.options):
        yield Change(change.kind, new_factor, old.key, change.option, change.old, change.new)


def _when(each: SubFactor) -> str:
    """Return the conditions of a sub-factor as text."""
    return "; ".join(f"{key}: {', '.join(options)}" for key, options in each.when.items())


def _options(old: tuple[Option, ...], new: tuple[Option, ...]) -> Iterator[Change]:
    """Yield the changes of options; one with a new key and the same label is renamed."""
    after = {each.key: each for each in new}
    before = {each.key: each for each in old}
    twins, added = _twins(
        {key: each.label for key, each in before.items()},
        {key: each.label for key, each in after.items()},
    )
    for key, each in before.items():
        if key in twins:
            yield Change(ChangeKind.OPTION_RENAMED, option=key, old=key, new=twins[key])
        elif key not in after:
            yield Change(ChangeKind.OPTION_REMOVED, option=key)
        elif said := _reworded(each, after[key]):
            yield Change(ChangeKind.OPTION_TEXT, option=key, new=said)
    for key in added:
        yield Change(ChangeKind.OPTION_ADDED, option=key)
    both = [[e.key for e in part if e.key in before and e.key in after] for part in (old, new)]
    if both[0] != both[1]:
        yield Change(ChangeKind.OPTION_ORDER, old=", ".join(both[0]), new=", ".join(both[1]))
