"""How the parts of a codebook of factors are told: kinds, conditions, scopes, changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from construction.factors.differences import Change
from construction.factors.model import EVERYWHERE, NOT_STATED, Codebook, SubFactor
from construction.factors.scoping import Labels, by_category
from jobs.factor_codebook import Outlook
from pages.context import Context


def kinds_of(context: Context, each: SubFactor) -> list[str]:
    """Return what kind of question it is, in words."""
    how = "claim" if each.claim else "one" if each.exclusive else "several"
    words = [how, "ordered" if each.ordered else "", "" if each.required else "optional"]
    return [context.say(f"factor_book.kinds.{word}") for word in words if word]


def source_of(context: Context, each: SubFactor) -> str:
    """Return where the question and its options come from."""
    if each.source == "written":
        return context.say("factor_book.source.written")
    which = "paper" if each.options_source == "paper" else "paper_question"
    return context.say(f"factor_book.source.{which}")


def condition_of(context: Context, book: Codebook, each: SubFactor) -> str:
    """Return when it is asked, "" for always."""
    by_key = {one.key: one for factor in book.factors for one in factor.sub_factors}
    said = []
    for other, options in each.when.items():
        names = [option_name(context, by_key[other], key) for key in options]
        label = by_key[other].label[context.language]
        said.append(f"{label}: {context.say('factor_book.or').join(names)}")
    return "; ".join(said)


def option_name(context: Context, each: SubFactor, key: str) -> str:
    """Return what an answer to a sub-factor is called."""
    if key == NOT_STATED:
        return context.say("factor_book.not_stated")
    label = next((option.label for option in each.options if option.key == key), None)
    return key if label is None else label[context.language]


def part_name(context: Context, labels: Labels, part: str) -> str:
    """Return what a part of the typology is called; its key where the typology lacks it."""
    if part == EVERYWHERE:
        return context.say("factor_book.everywhere")
    label = labels.get(part)
    return part if label is None else label.get(context.language, part)


def scope_in_short(context: Context, labels: Labels, scope: Iterable[str]) -> str:
    """Return for which categories, and for how many charges of each where not for all."""
    said = []
    for category, parts in by_category(scope).items():
        name = part_name(context, labels, category)
        counted = context.say("factor_book.of_it", name=name, count=len(parts))
        said.append(counted if parts else name)
    return ", ".join(said)


def change_said(context: Context, change: Change) -> str:
    """Return one change in words; keys stand for factors, sub-factors and options."""
    names = ("factor", "sub_factor", "option", "old", "new")
    params: Mapping[str, str] = {name: getattr(change, name) or "–" for name in names}
    return context.say(f"factor_book.change.{change.kind}", **params)


def touched_said(context: Context, seen: Outlook) -> list[str]:
    """Return which answers would name what is no more, and how many submissions gave them."""
    return [
        context.say(
            "factor_book.touched",
            count=each.submissions,
            name=".".join(part for part in (each.change.sub_factor, each.change.option) if part),
        )
        for each in seen.touched or ()
    ]
