"""What parts two codebooks of factors: what is new, gone, called otherwise, or asked otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from construction.tagging.codebook import Codebook, Factor, Option, SubFactor


class ChangeKind(StrEnum):
    """In what a codebook changed."""

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


# After these, an answer that was given names what is no more.
OUTDATING = frozenset(
    {ChangeKind.REMOVED, ChangeKind.RENAMED, ChangeKind.OPTION_REMOVED, ChangeKind.OPTION_RENAMED}
)
RULES = ("claim", "required", "exclusive", "ordered")


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed; `old` and `new` are what stood and stands there, in keys or words."""

    kind: ChangeKind
    factor: str = ""
    sub_factor: str = ""
    option: str = ""
    old: str = ""
    new: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return the change as JSON values."""
        return {name: str(getattr(self, name)) for name in self.__slots__}


def differences(old: Codebook, new: Codebook) -> tuple[Change, ...]:
    """Return what changed: factors, then sub-factors with their options, then the order."""
    found = [*_factors(old, new), *_sub_factors(old, new)]
    kept = set(old.order) & set(new.order)
    before, after = ([key for key in book.order if key in kept] for book in (old, new))
    if before != after:
        moved = [key for key, other in zip(after, before, strict=True) if key != other]
        found.append(Change(ChangeKind.ORDER, old=", ".join(before), new=", ".join(moved)))
    return tuple(found)


def _factors(old: Codebook, new: Codebook) -> Iterator[Change]:
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
    if said := _reworded(old, new):
        yield Change(ChangeKind.FACTOR_TEXT, old.key, new=said)
    if set(old.scope) != set(new.scope):
        gone = [part for part in old.scope if part not in new.scope]
        come = [part for part in new.scope if part not in old.scope]
        yield Change(ChangeKind.SCOPE, old.key, old=", ".join(gone), new=", ".join(come))


def _reworded(old: Factor | SubFactor | Option, new: Factor | SubFactor | Option) -> str:
    """Return which texts differ, such as "label.en, help.ko"; "" for none."""
    both = (("label", old.label, new.label), ("help", old.help, new.help))
    return ", ".join(
        f"{name}.{language}"
        for name, before, after in both
        for language in sorted(before.keys() | after.keys())
        if before.get(language) != after.get(language)
    )


def _placed(book: Codebook) -> dict[str, tuple[str, SubFactor]]:
    return {each.key: (factor.key, each) for factor in book.factors for each in factor.sub_factors}


def _sub_factors(old: Codebook, new: Codebook) -> Iterator[Change]:
    before, after = _placed(old), _placed(new)
    come = {key: each for key, each in after.items() if key not in before}
    alike: dict[object, list[str]] = {}
    for key, (_, each) in come.items():
        alike.setdefault(_looks(each), []).append(key)
    for key, (factor, each) in before.items():
        if key in after:
            yield from _sub_factor(factor, each, *after[key])
            continue
        twin = next((k for k in alike.get(_looks(each), ()) if k in come), None)
        if twin is None:
            yield Change(ChangeKind.REMOVED, factor, key)
        else:
            del come[twin]
            yield Change(ChangeKind.RENAMED, factor, key, old=key, new=twin)
    for key, (factor, _) in come.items():
        yield Change(ChangeKind.ADDED, factor, key)


def _looks(each: SubFactor) -> tuple[object, ...]:
    """Return what two sub-factors share that are the same question under two keys."""
    options = tuple(option.key for option in each.options)
    return (*sorted(each.label.items()), options)


def _sub_factor(home: str, old: SubFactor, now: str, new: SubFactor) -> Iterator[Change]:
    if home != now:
        yield Change(ChangeKind.MOVED, home, old.key, old=home, new=now)
    if said := _reworded(old, new):
        yield Change(ChangeKind.TEXT, now, old.key, new=said)
    rules = [name for name in RULES if getattr(old, name) != getattr(new, name)]
    if rules:
        stated = ", ".join(f"{name}: {str(getattr(new, name)).lower()}" for name in rules)
        yield Change(ChangeKind.RULES, now, old.key, new=stated)
    if dict(old.when) != dict(new.when):
        yield Change(ChangeKind.CONDITION, now, old.key, old=_when(old), new=_when(new))
    if (old.source, old.options_source) != (new.source, new.options_source):
        yield Change(ChangeKind.SOURCE, now, old.key)
    for change in _options(old.options, new.options):
        yield Change(change.kind, now, old.key, change.option, change.old, change.new)


def _when(each: SubFactor) -> str:
    return "; ".join(f"{key}: {', '.join(options)}" for key, options in each.when.items())


def _options(old: tuple[Option, ...], new: tuple[Option, ...]) -> Iterator[Change]:
    after = {each.key: each for each in new}
    before = {each.key: each for each in old}
    come = {key: each for key, each in after.items() if key not in before}
    for key, each in before.items():
        if key in after:
            other = after[key]
            if said := _reworded(each, other):
                yield Change(ChangeKind.OPTION_TEXT, option=key, new=said)
            continue
        twin = next((k for k, option in come.items() if option.label == each.label), None)
        if twin is None:
            yield Change(ChangeKind.OPTION_REMOVED, option=key)
        else:
            del come[twin]
            yield Change(ChangeKind.OPTION_RENAMED, option=key, old=key, new=twin)
    for key in come:
        yield Change(ChangeKind.OPTION_ADDED, option=key)
    both = [[e.key for e in part if e.key in before and e.key in after] for part in (old, new)]
    if both[0] != both[1]:
        yield Change(ChangeKind.OPTION_ORDER, old=", ".join(both[0]), new=", ".join(both[1]))
