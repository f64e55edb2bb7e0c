"""Conversion of a multiple-choice question to yes/no questions (Zheng et al. 2025, §3.2).

A question with several options becomes as many questions that are answered with yes or no: five
from five. One that is answered with yes or no already is unchanged. One without options is a free
response: its answer is not right or wrong by itself, so it is refused. Which options are correct
affects only the answer of the new question, where the source has it.

The parent's gold is inherited by every question made from it. Not all of it need bear on each
option: finding any of it bounds recall from above, finding all of it from below.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from corpus.limits import QUESTION
from corpus.model import Choice, Question

_YES = frozenset(["yes", "true", "y", "o", "○", "예", "네", "그렇다", "맞다", "참", "옳다"])
_NO = frozenset(
    [
        *("no", "false", "n", "x", "×", "✕"),
        *("아니오", "아니요", "아니다", "틀리다", "거짓", "옳지않다"),
    ]
)
_EDGES = re.compile(r"^[\s\W_]+|[\s\W_]+$")
_MARKS = {"○", "×", "✕"}
_ASKS = re.compile(r"[?？]['\"”’)\]]*\s*$")
# An instruction to choose, at the end of a stem: "모두 고르시오", "Select all that apply."
_CHOOSES = re.compile(
    r"(?:고르시오|고르세요|고르십시오|고르라|고를\s*것"
    r"|(?:^|[.?!]\s+)\(?(?:please )?(?:select|choose|mark|pick|tick|identify)\b[^.?!]*)"
    r"[.:]?['\"”’)\]]*\s*$",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:all|none|both|neither|any|either|some) of (?:the )?(?:above|these|them|those)\b"
    r"|\b(?:both|neither|either)\s+\(?[A-Z1-9]\)?\s+(?:and|n?or)\s+\(?[A-Z1-9]\)?"
    r"|위의?\s*(?:보기\s*)?(?:것\s*)?(?:모두|전부)|모두\s*(?:옳|맞|틀)|(?:정답|해당\s*사항|옳은\s*것)이?\s*없"
    r"|[①-⑳㉠-㉭]",
    re.IGNORECASE,
)


class Fate(StrEnum):
    """The outcome for a question: split, unchanged, or refused."""

    SPLIT = "split"
    STAYS = "stays"
    REFUSED = "refused"


class Refusal(StrEnum):
    """The reason for a refusal: no options, one alone, two equal ones, or a wording too long."""

    FREE_RESPONSE = "free_response"
    ONE_OPTION = "one_option"
    REPEATED_OPTIONS = "repeated_options"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Statement:
    """An option as a yes/no question; `place` counts the options from 1.

    `of_others` is whether the option refers to other options ("all of the above", "A and B"), so
    that it is meaningless without them: the approver rewords or refuses it.
    """

    place: int
    choice: Choice
    wording: str
    of_others: bool


@dataclass(frozen=True, slots=True)
class Reformulated:
    """The outcome for a question; `refusal` is the reason if refused, else None."""

    fate: Fate
    statements: tuple[Statement, ...] = ()
    refusal: Refusal | None = None


def reformulated(question: Question) -> Reformulated:
    """Split a question into one statement per option, where possible.

    Deterministic: the wordings are those of `wording_of`.
    """
    if is_yes_no(question):
        return Reformulated(Fate.STAYS)
    refusal = _refusal(question)
    if refusal is not None:
        return Reformulated(Fate.REFUSED, refusal=refusal)
    made = (
        Statement(place, choice, wording_of(question, choice), speaks_of_others(choice.text))
        for place, choice in enumerate(question.choices, 1)
    )
    return Reformulated(Fate.SPLIT, tuple(made))


def is_yes_no(question: Question) -> bool:
    """Return whether a question is answered with yes or no: by its two options, else its answer."""
    if question.choices:
        said = [_word(each.text) for each in question.choices]
        return len(said) == 2 and any(a in _YES and b in _NO for a, b in (said, said[::-1]))
    return _word(question.answer) in _YES | _NO


def says_yes(answer: str) -> bool | None:
    """Return True for a yes answer, False for no, in a word; None for any other."""
    said = _word(answer)
    return said in _YES if said in _YES | _NO else None


def wording_of(question: Question, choice: Choice) -> str:
    """Return the option as a question of its own, by the template of the question's language.

    Question and option are quoted verbatim. For a stem that tells to choose, the question is
    whether the option is one to choose; any other stem that is no question is completed by the
    option.
    """
    stem, option = question.text.strip(), choice.text.strip()
    if _CHOOSES.search(stem):
        ask = "“{}”은(는) 고를 답입니까?" if question.language == "ko" else "Is “{}” one of these?"
        return f"{stem} {ask.format(option)}"
    asks = _ASKS.search(stem) is not None
    if question.language == "ko":
        return (
            f"{stem} “{option}”은(는) 옳은 답입니까?"
            if asks
            else f"다음은 옳습니까? {stem} {option}"
        )
    return f"{stem} Is “{option}” a correct answer?" if asks else f"Is this true? {stem} {option}"


def speaks_of_others(option: str) -> bool:
    """Return whether an option is meaningless without the others."""
    return _OF_OTHERS.search(option) is not None


def answer_of(correct: bool | None, language: str) -> str:
    """Return the answer of a question made of an option; "" if unknown."""
    if correct is None:
        return ""
    yes, no = ("예", "아니요") if language == "ko" else ("Yes", "No")
    return yes if correct else no


def child_id(parent: str, place: int) -> str:
    """Return the id of the question made from an option, e.g. ``q7-o3``."""
    return f"{parent}-o{place}"


def _refusal(question: Question) -> Refusal | None:
    """Return why a question cannot be reformulated, None if it can."""
    texts = [" ".join(each.text.lower().split()) for each in question.choices]
    if len(texts) < 2:
        return Refusal.ONE_OPTION if texts else Refusal.FREE_RESPONSE
    if len(set(texts)) < len(texts):
        return Refusal.REPEATED_OPTIONS
    if any(len(wording_of(question, each)) > QUESTION for each in question.choices):
        return Refusal.TOO_LONG
    return None


def _word(text: str) -> str:
    """Return a one-word text in lower case, without surrounding punctuation."""
    bare = text.strip().lower()
    return bare if bare in _MARKS else _EDGES.sub("", bare).replace(" ", "")
