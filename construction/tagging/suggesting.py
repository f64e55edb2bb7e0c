"""Prompts about the sub-factors of one factor, and parsing of the model's answers.

A quotation counts only if it occurs in the judgment, ignoring white space: a model breaks lines
differently. All else must be the same, so that evidence shown is always the text's own words.
Answers with unknown options, or with several where one is allowed, suggest nothing: they are stored
as given and never guessed at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from construction.tagging.codebook import CLAIM_OPTIONS, NOT_STATED, Factor, SubFactor
from llm.structured.shapes import FactorAnswer
from messages import say
from normalization.grouping import grouped

_MARKS = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "«": "»", "《": "》"}
_LEAST = 2  # characters without white space: a single one occurs everywhere and proves nothing


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """Return (start, end) of the quotation in the text, white space ignored; None if not there.

    Quotation marks around it are ignored if it does not occur with them. None if it does not occur
    in the text, and for less than two characters.
    """
    squeezed, places = _squeezed(text)
    for wanted in _search_forms(quote):
        at = squeezed.find(wanted) if len(wanted) >= _LEAST else -1
        if at >= 0:
            return places[at], places[at + len(wanted) - 1] + 1
    return None


def _search_forms(quote: str) -> tuple[str, ...]:
    """Return the forms of a quote to search: without spaces, and without quotation marks."""
    bare = "".join(each for each in quote if not each.isspace())
    if len(bare) > 2 and _MARKS.get(bare[0]) == bare[-1]:
        return bare, bare[1:-1]
    return (bare,)


@lru_cache(maxsize=4)  # consecutive prompts are about the same judgment
def _squeezed(text: str) -> tuple[str, tuple[int, ...]]:
    """Return the text without white space, and the offset of each of its characters."""
    places = tuple(at for at, character in enumerate(text) if not character.isspace())
    return "".join(text[at] for at in places), places


_AT_ONCE = 10  # sub-factors per call: with more, answers with quotations get cut off
_DETAIL = 200  # characters kept of an unusable answer, as the reason
UNMENTIONED = CLAIM_OPTIONS[0]


class State(StrEnum):
    """The outcome of a suggestion."""

    QUOTED = "quoted"  # its quotation occurs in the text
    UNQUOTED = "unquoted"  # it does not
    NOT_STATED = "not_stated"  # the model finds nothing
    UNKNOWN = "unknown"  # it names an unknown option
    UNPARSED = "unparsed"  # it cannot be read
    REFUSED = "refused"


READABLE = (State.QUOTED, State.UNQUOTED, State.NOT_STATED)


@dataclass(frozen=True, slots=True)
class Suggested:
    """A checked suggestion. `start` and `stop` are the offsets of the quotation in the text."""

    sub_factor: str
    options: tuple[str, ...]
    quote: str
    state: State
    start: int | None = None
    stop: int | None = None
    detail: str = ""


def portions(
    factors: Sequence[Factor], subs: Sequence[SubFactor]
) -> Iterator[tuple[Factor, tuple[SubFactor, ...]]]:
    """Yield each factor with its sub-factors among `subs`, a few at a time."""
    wanted = {each.key for each in subs}
    for factor in factors:
        here = [each for each in factor.sub_factors if each.key in wanted]
        for start in range(0, len(here), _AT_ONCE):
            yield factor, tuple(here[start : start + _AT_ONCE])


def judgment_words(text: str, sections: Sequence[tuple[str, int, int]], language: str) -> str:
    """Return the judgment with a heading before each of its sections; no text is left out."""
    pieces, at = [], 0
    for section, start, end in sorted(sections, key=lambda each: each[1]):
        heading = say(f"factor_suggest.section.{section}", language)
        pieces += [text[at:start], f"[{heading}]", text[start:end]]
        at = end
    return "\n\n".join(each.strip() for each in (*pieces, text[at:]) if each.strip())


def question_words(factor: Factor, subs: Sequence[SubFactor], language: str) -> str:
    """Return the questions of a factor as prompt text, with every option and its key."""
    head = f"# {factor.label[language]}\n{factor.help[language]}".strip()
    return "\n\n".join([head, *(_question(each, language) for each in subs)])


def read(
    subs: Sequence[SubFactor], spoken: Sequence[FactorAnswer], text: str
) -> tuple[Suggested, ...]:
    """Return the suggestions of a model's answers, in the order of the sub-factors.

    One without an answer is unparsed; a conditional one may be left out, and suggests nothing.
    """
    by_key = grouped((each.sub_factor, each) for each in spoken)
    return tuple(
        _suggestion(sub, by_key.get(sub.key, ()), text)
        for sub in subs
        if sub.key in by_key or not sub.when
    )


def unreadable(subs: Sequence[SubFactor], state: State, detail: str) -> tuple[Suggested, ...]:
    """Return a suggestion in the given state for each sub-factor, for an unreadable reply."""
    return tuple(Suggested(each.key, (), "", state, detail=detail[:_DETAIL]) for each in subs)


def _suggestion(sub: SubFactor, answers: Sequence[FactorAnswer], text: str) -> Suggested:
    """Return the suggestion from a model's answers on a sub-factor; no options if unusable."""
    if len({frozenset(each.options) for each in answers}) != 1:
        detail = "answered twice" if answers else "left out"
        return Suggested(sub.key, (), "", State.UNPARSED, detail=detail)
    first, silent = answers[0], silence(sub)
    options = frozenset(first.options)
    known = [option.key for option in sub.options]
    if unknown := sorted(options - {*known, silent}):
        detail = ", ".join(unknown)[:_DETAIL]
        return Suggested(sub.key, (), first.quote, State.UNKNOWN, detail=detail)
    if not options or options == {silent}:
        return Suggested(sub.key, (silent,), "", State.NOT_STATED)
    if silent in options or (sub.exclusive and len(options) > 1):
        detail = ", ".join(sorted(options))[:_DETAIL]
        return Suggested(sub.key, (), first.quote, State.UNPARSED, detail=detail)
    chosen = tuple(key for key in known if key in options)
    place = find_quote(text, first.quote)
    if place is None:
        return Suggested(sub.key, chosen, first.quote, State.UNQUOTED)
    return Suggested(sub.key, chosen, text[slice(*place)], State.QUOTED, *place)


def silence(sub: SubFactor) -> str:
    """Return the sub-factor's answer for silence, which needs no quotation."""
    return UNMENTIONED if sub.claim else NOT_STATED


def _question(sub: SubFactor, language: str) -> str:
    """Return the part of the prompt that asks a sub-factor."""
    several = "one" if sub.exclusive else "several"
    lines = [
        f"## {sub.key}: {sub.label[language]}",
        sub.help[language],
        say(f"factor_suggest.{several}", language),
        *(
            say("factor_suggest.only_if", language, sub_factor=other, options=", ".join(options))
            for other, options in sub.when.items()
        ),
    ]
    for each in sub.options:
        meaning = (each.label[language], each.help[language])
        lines.append(f"- {each.key}: {' – '.join(filter(None, meaning))}")
    if not sub.claim:
        lines.append(f"- {NOT_STATED}: {say('factor_suggest.not_stated', language)}")
    return "\n".join(line for line in lines if line)
