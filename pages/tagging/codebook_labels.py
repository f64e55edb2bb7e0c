"""Descriptions of a factor codebook's parts: kinds, conditions, scopes, changes."""

from __future__ import annotations

from collections.abc import Iterable

from construction.tagging.codebook import (
    EVERYWHERE,
    NOT_STATED,
    Codebook,
    Labels,
    SubFactor,
    by_category,
)
from construction.tagging.editing import Change, ChangeKind
from pages.shell.context import Context
from services.tagging.codebook import Outlook

_MOST = 4  # parts of a typology named before the rest is counted


def kinds_of(context: Context, each: SubFactor) -> list[str]:
    """Return the kind of a sub-factor as words, such as one or several options."""
    how = "claim" if each.claim else "one" if each.exclusive else "several"
    words = [how, "ordered" if each.ordered else "", "" if each.required else "optional"]
    return [context.say(f"factor_book.kinds.{word}") for word in words if word]


def source_of(context: Context, each: SubFactor) -> str:
    """Return the source of a sub-factor and its options."""
    if each.source == "written":
        return context.say("factor_book.source.written")
    which = "paper" if each.options_source == "paper" else "paper_question"
    return context.say(f"factor_book.source.{which}")


def condition_of(context: Context, book: Codebook, each: SubFactor) -> str:
    """Return the condition under which a sub-factor is asked, "" if always."""
    by_key = _sub_factors(book)
    said = []
    for other, options in each.when.items():
        names = [option_name(context, by_key[other], key) for key in options]
        label = by_key[other].label[context.language]
        said.append(f"{label}: {context.say('factor_book.or').join(names)}")
    return "; ".join(said)


def option_name(context: Context, each: SubFactor, key: str) -> str:
    """Return the display name of an answer to a sub-factor."""
    if key == NOT_STATED:
        return context.say("factor_book.not_stated")
    label = next((option.label for option in each.options if option.key == key), None)
    return key if label is None else label[context.language]


def part_name(context: Context, labels: Labels, part: str) -> str:
    """Return the display name of a part of the typology; its key if it is unknown."""
    if part == EVERYWHERE:
        return context.say("factor_book.everywhere")
    label = labels.get(part)
    return part if label is None else label.get(context.language, part)


def scope_in_short(context: Context, labels: Labels, scope: Iterable[str]) -> str:
    """Return the categories of a scope, with the number of charges if not all."""
    said = []
    for category, parts in by_category(scope).items():
        name = part_name(context, labels, category)
        counted = context.say("factor_book.of_it", name=name, count=len(parts))
        said.append(counted if parts else name)
    return ", ".join(said)


def change_said(context: Context, labels: Labels, seen: Outlook, change: Change) -> str:
    """Return a codebook change as text, with display names instead of keys."""
    named = {
        "factor": _factor_name(context, seen, change.factor),
        "sub_factor": _sub_factor_name(context, seen, change.sub_factor),
        "option": _option_name(context, seen, change),
    }
    old, new = _old_and_new(context, labels, seen, change)
    said = named | {"old": old or "–", "new": new or "–"}
    return context.say(f"factor_book.change.{change.kind}", **said)


def touched_said(context: Context, seen: Outlook) -> list[str]:
    """Return which existing answers would become invalid, with counts of submissions."""
    found = []
    for each in seen.touched or ():
        name = _sub_factor_name(context, seen, each.change.sub_factor)
        option = _option_name(context, seen, each.change)
        whole = f"{name}, {option}" if option else name
        found.append(context.say("factor_book.touched", count=each.submissions, name=whole))
    return found


def _old_and_new(
    context: Context, labels: Labels, seen: Outlook, change: Change
) -> tuple[str, str]:
    """Return the old and the new value of a change as text."""
    sides = (seen.before, change.old), (seen.book, change.new)
    if change.kind is ChangeKind.SCOPE:
        names = [_first_names(context, labels, said) for _, said in sides]
    elif change.kind is ChangeKind.CONDITION:
        names = [_condition_text(context, book, change.sub_factor) for book, _ in sides]
    elif change.kind is ChangeKind.MOVED:
        names = [_factor_name(context, seen, said) for _, said in sides]
    elif change.kind is ChangeKind.ORDER:
        moved = [_sub_factor_name(context, seen, key) for key in change.new.split(", ")]
        names = ["", ", ".join(moved)]
    elif change.kind is ChangeKind.RULES:
        names = ["", " · ".join(kinds_of(context, _sub_factors(seen.book)[change.sub_factor]))]
    else:
        names = [said for _, said in sides]
    return names[0], names[1]


def _first_names(context: Context, labels: Labels, parts: str) -> str:
    names = [part_name(context, labels, part) for part in parts.split(", ") if part]
    said = ", ".join(names[:_MOST])
    more = len(names) - _MOST
    return context.say("factor_book.and_more", names=said, count=more) if more > 0 else said


def _condition_text(context: Context, book: Codebook, key: str) -> str:
    said = condition_of(context, book, _sub_factors(book)[key])
    return said or context.say("factor_book.when_always")


def _sub_factors(book: Codebook) -> dict[str, SubFactor]:
    return {each.key: each for factor in book.factors for each in factor.sub_factors}


def _factor_name(context: Context, seen: Outlook, key: str) -> str:
    found = {each.key: each for book in (seen.before, seen.book) for each in book.factors}
    return found[key].label[context.language] if key in found else key


def _sub_factor_name(context: Context, seen: Outlook, key: str) -> str:
    found = _sub_factors(seen.before) | _sub_factors(seen.book)
    return found[key].label[context.language] if key in found else key


def _option_name(context: Context, seen: Outlook, change: Change) -> str:
    for book in (seen.book, seen.before):
        each = _sub_factors(book).get(change.sub_factor)
        if each and any(option.key == change.option for option in each.options):
            return option_name(context, each, change.option)
    return change.option
