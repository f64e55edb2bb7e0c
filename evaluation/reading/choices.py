"""Which option of a multiple-choice question an answer chooses, if it plainly chooses one.

An answer chooses when it is nothing but a label ("2", "②", "Option 2.", "정답: 3번"), begins or
ends with a line that is nothing else, states it ("the answer is (B)", "3번이 정답입니다"), or is
an option's own words. Statements that name different options, an essay that names none, and a
number that no option has choose nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from evaluation.reading.labels import label, option_of, plain


class Parse(StrEnum):
    """How the reading of an answer went; only `CHOSEN` has an option."""

    CHOSEN = "chosen"
    EMPTY = "empty"
    SEVERAL = "several"  # it names more than one option as its answer
    OUT_OF_RANGE = "out_of_range"  # no option has that number
    UNPARSED = "unparsed"  # it says something else, or nothing plainly


@dataclass(frozen=True, slots=True)
class Choice:
    """What an answer chooses: `option` counts from 1 and is None unless the parse is chosen."""

    parse: Parse
    option: int | None = None


_ASKED = r"(?:option|choice|number|no\.?|보기|선택지|번호)"
_ANSWER = (
    r"(?:(?:final|correct|right|best|my)\s+)*(?:answer|choice|option)"
    r"|(?:최종\s*)?(?:정답|답변|답)"
)
_IS = r"\s*(?:\s(?:is|would\s+be)\b\s*:?|[:：=]|은|는|이)?\s*(?:\n\s*)?"
_LEAD = rf"(?:the\s+)?(?:{_ANSWER}){_IS}(?:{_ASKED}\s*)?"
_TAIL = r"\s*번?\s*(?:입니다|이다|임|이에요|예요)?\s*[.。)!]*"
_JOINED = r"(?:[,/&]|\bor\b|\band\b|및|또는|혹은|이나|와|과)"
_END = (  # what may follow a label that is stated: nothing that makes it a part of a phrase
    r"(?=\s*(?:[.。;:!)\]\"'”’(]|번|입니다|이다|이며|이고|임\b|이에요|$|\n|because\b|since\b"
    rf"|{_JOINED}))"
)
_RIGHT = (
    r"\s*(?:\s+is\s+(?:the\s+)?(?:only\s+)?(?:correct|right|best)\b"
    r"(?:\s+(?:answer|option|choice))?"
    r"|번?\s*(?:이|가)?\s*(?:정답|맞습니다|맞다|옳습니다|옳다)(?!\S*\s*(?:아니|아닌|아닙|않)))"
)
_WRONG = r"(?:아니|아닌|아닙|(?:is\s+)?(?:not|wrong|incorrect)\b)"

_ONLY = re.compile(rf"(?:(?:{_LEAD})|{_ASKED}\s*)?{label('o')}{_TAIL}", re.IGNORECASE)
_LONE_LETTER = re.compile(r"[a-z]\s*[.)]?", re.IGNORECASE)
_STATED = re.compile(rf"(?<!\w)(?:{_LEAD}){label('s')}{_END}", re.IGNORECASE)
_JUDGED = re.compile(rf"(?<!\w)(?:{_ASKED}\s*)?{label('j')}{_RIGHT}", re.IGNORECASE)
_BOXED = re.compile(rf"\\boxed\s*{label('x')}", re.IGNORECASE)
_NOT = re.compile(rf"\s*번?\s*(?:이|은|는|가)?\s*{_WRONG}", re.IGNORECASE)
_ANOTHER = re.compile(rf"\s*번?\s*{_JOINED}\s*(?:{_ASKED}\s*)?{label('m')}", re.IGNORECASE)
_LISTED = re.compile(
    rf"(?:{_ASKED}\s*)?{label('l')}\s*번?\s*[.):：,-]?\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL
)


def read_choice(text: str, options: Sequence[str]) -> Choice:
    """Return what an answer to a question with these options chooses."""
    said = plain(text)
    if not said:
        return Choice(Parse.EMPTY)
    named = _named(said, options)
    if len(named) > 1:
        return Choice(Parse.SEVERAL)
    if not named:
        return Choice(Parse.UNPARSED)
    [option] = named
    if not 1 <= option <= len(options):
        return Choice(Parse.OUT_OF_RANGE)
    return Choice(Parse.CHOSEN, option)


def _named(said: str, options: Sequence[str]) -> set[int]:
    """Return the options that the answer names as its own."""
    alone = _alone(said)
    if alone is not None:
        return {alone}
    in_words = _in_words(said, options)
    if in_words:
        return in_words
    return {*_statements(said), *_lines(said)}


def _lines(said: str) -> Iterator[int]:
    """Yield what lines say that are a label and nothing else.

    The first and the last line are answers. One between them is the number of a step if it ends
    like one ("2."), and else an answer as well.
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        option = _alone(line)
        between = 0 < number < len(lines) - 1
        if option is not None and not (between and line[-1] in ".)"):
            yield option


def _alone(said: str) -> int | None:
    """Return the option if nothing but its label is said."""
    found = _ONLY.fullmatch(said)
    if found:
        return option_of(_label(found))
    return option_of(said[0]) if _LONE_LETTER.fullmatch(said) else None


def _in_words(said: str, options: Sequence[str]) -> set[int]:
    """Return the option whose own words are said; with a label before them, that one as well."""
    worded = [_bare(option) for option in options]
    whole = {n for n, words in enumerate(worded, 1) if words and words == _bare(said)}
    if whole:
        return whole
    found = _LISTED.fullmatch(said)
    rest = _bare(found["rest"]) if found else ""
    matching = {n for n, words in enumerate(worded, 1) if words and words == rest}
    if not found or not matching:
        return set()
    labelled = option_of(_label(found))
    return {labelled} if labelled in matching else matching | {labelled}


def _statements(said: str) -> Iterator[int]:
    for pattern in (_STATED, _JUDGED, _BOXED):
        for found in pattern.finditer(said):
            if _NOT.match(said, found.end()):
                continue
            yield option_of(_label(found))
            another = _ANOTHER.match(said, _end_of_label(found))
            if another:
                yield option_of(_label(another))


def _label(found: re.Match[str]) -> str:
    return next(value for name, value in found.groupdict().items() if value and name != "rest")


def _end_of_label(found: re.Match[str]) -> int:
    return max(found.end(name) for name in found.groupdict() if name != "rest")


def _bare(text: str) -> str:
    return " ".join(plain(text).casefold().split()).strip(" .。\"'“”‘’")
