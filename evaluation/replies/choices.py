"""Which option of a multiple-choice question an answer chooses, if it plainly chooses one.

An answer chooses when it is nothing but a label ("2", "②", "Option 2.", "정답: 3번"), begins or
ends with a line that is nothing else, states it ("the answer is (B)", "3번이 정답입니다"), or is
an option's own words, alone or after "the answer is". A list of the options, repeated from the
question, is passed over, and so is what is said on a condition. Statements that name different
options, an essay that names none, and a number that no option has choose nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from evaluation.replies.rules import (
    begins_with,
    every,
    first,
    label,
    option_of,
    plain,
    said_whole,
    spoken,
)


class Parse(StrEnum):
    """How the reading of an answer went; only `CHOSEN` has an option."""

    CHOSEN = "chosen"
    EMPTY = "empty"
    SEVERAL = "several"  # it names more than one option as its answer
    OUT_OF_RANGE = "out_of_range"  # no option has that number
    UNPARSED = "unparsed"  # it says something else, or nothing plainly


@dataclass(frozen=True, slots=True)
class Choice:
    """What an answer chooses: `option` counts from 1 and is None unless the parse is chosen.

    `rule` names what found it, `quote` is where, as far as anything was found.
    """

    parse: Parse
    option: int | None = None
    rule: str = field(default="", compare=False)
    quote: str = field(default="", compare=False)


@dataclass(frozen=True, slots=True)
class _Named:
    option: int
    rule: str
    quote: str


_ASKED = r"(?:option|choice|number|no\.?|보기|선택지|번호)"
_ANSWER = (
    r"(?:(?:final|correct|right|best|my|likely)\s+){1,4}(?:answer|choice|option)|answer"
    r"|(?:choice|option)(?=\s*(?:is\b|would\b|[:=]))"
    r"|(?:최종\s*)?(?:정답|답변|답)"
)
_IS = r"\s*(?:\s(?:is|would\s+be)\b\s*:?|[:：=]|은|는|이)?\s*(?:\n\s*)?"
_LEAD = rf"(?:the\s+)?(?:{_ANSWER}){_IS}(?:{_ASKED}\s*)?"
_TAIL = r"\s*번?\s*(?:입니다|이다|임|이에요|예요)?\s*[.。)!]*"
_JOINED = r"(?:[,/&]|\bor\b|\band\b|및|또는|혹은|이나|와|과|oder\b|und\b|或|和)"
_END = (  # what may follow a label that is stated: nothing that makes it a part of a phrase
    r"(?=\s*(?:[.。;:!)\]\"'”’(,，}]|번|입니다|이다|이며|이고|임\b|이에요|$|\n|because\b|since\b"
    rf"|as\b|{_JOINED}))"
)
_RIGHT = (
    r"\s*(?:\s+is\s+(?:the\s+)?(?:only\s+)?(?:correct|right|best)\b"
    r"(?:\s+(?:answer|option|choice))?"
    r"|번?\s*(?:이|가)?\s*(?:정답|맞습니다|맞다|옳습니다|옳다)(?!\S*\s*(?:아니|아닌|아닙|않)))"
)
_WRONG = r"(?:아니|아닌|아닙|(?:is\s+)?(?:not|wrong|incorrect)\b)"
_KEY = (
    r"(?:final\s?)?answer|choice|selected(?:\s?option)?|option|정답|답변?|선택|antwort|lösung|答案"
)

_ONLY = re.compile(rf"(?:(?:{_LEAD})|{_ASKED}\s*)?{label('o')}{_TAIL}", re.IGNORECASE)
_LONE_LETTER = re.compile(r"[a-z]\s*[.)]?", re.IGNORECASE)
_LEADING = re.compile(
    rf"(?<!\w)(?:{_LEAD}|(?:Antwort|Lösung|答案)(?:\s(?:ist|lautet)|是|为)?\s*:?\s*)", re.IGNORECASE
)
_STATED = re.compile(rf"(?<!\w)(?:{_LEAD}){label('s')}{_END}", re.IGNORECASE)
_JUDGED = re.compile(rf"(?<!\w)(?:{_ASKED}\s*)?{label('j')}{_RIGHT}", re.IGNORECASE)
_BOXED = re.compile(rf"\\boxed\s*{label('x')}", re.IGNORECASE)
_FINALLY = re.compile(rf"(?:;|—|–|→|=>|⇒)\s*(?:{_ASKED}\s*)?{label('f')}{_TAIL}$", re.IGNORECASE)
_JSON = re.compile(
    rf"[\"'](?:{_KEY})[\"']\s?:\s?(?:[\"'](?P<words>[^\"\n]{{0,400}}?)[\"']\s?[,}}\n]|(?P<n>\d{{1,3}})\b)",
    re.IGNORECASE,
)
_SAID_LABEL = re.compile(label("w"))
_NOT = re.compile(rf"\s*번?\s*(?:이|은|는|가)?\s*{_WRONG}", re.IGNORECASE)
_ANOTHER = re.compile(rf"\s*번?\s*{_JOINED}\s*(?:{_ASKED}\s*)?{label('m')}", re.IGNORECASE)
_LISTED = re.compile(
    rf"(?:{_ASKED}\s*)?{label('l')}\s*번?\s*[.):：,-]?\s+(?P<rest>.+)", re.IGNORECASE | re.DOTALL
)
_SUPPOSED = re.compile(r"\s*번?\s*(?:이|일|이\s?될|이\s?되)\s?(?:겠|것|수)")
_WOULD = re.compile(r"\b(?:would|wäre)\b|应该", re.IGNORECASE)
_SENTENCE_START = re.compile(r"[.!?。\n](?=[^.!?。\n]*$)")
_FIRST_WORD = re.compile(r"[A-Z]\s")
_ECHO = 3  # options listed in a row that repeat the question
_NEAR = 240  # characters before a statement in which its condition may stand
_LONGEST_ASIDE = 160  # characters after a label that can say what the option says
_QUOTED = 160


def read_choice(text: str, options: Sequence[str], abstention: int | None = None) -> Choice:
    """Return what an answer to a question with these options chooses.

    `abstention` is the option, counted from 1, that says it cannot be told; other words for it
    are then taken for it where its number stands before them ("5. It cannot be determined").
    """
    said = plain(text)
    if not said:
        return Choice(Parse.EMPTY)
    named = list(_named(said, options, abstention))
    numbers = {each.option for each in named}
    if not named:
        return Choice(Parse.UNPARSED)
    rule, quote = named[0].rule, " … ".join(dict.fromkeys(each.quote for each in named))
    if len(numbers) > 1:
        return Choice(Parse.SEVERAL, None, rule, quote[: 2 * _QUOTED])
    [option] = numbers
    if not 1 <= option <= len(options):
        return Choice(Parse.OUT_OF_RANGE, None, rule, named[0].quote)
    return Choice(Parse.CHOSEN, option, rule, named[0].quote)


def without_echo(said: str, options: Sequence[str]) -> str:
    """Return a reply without lines that repeat the question's options one after the other."""
    words, lines = spoken(options), said.splitlines()
    listed = [_listed(line, words) for line in lines]
    kept: list[str] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and listed[end]:
            end += 1
        if len(set(listed[at:end])) < min(_ECHO, len(options)):
            kept += lines[at : max(end, at + 1)]
            at = max(end, at + 1)
        else:
            at = end
    return "\n".join(kept)


def _listed(line: str, words: Sequence[str]) -> int:
    """Return the option whose number and words a line is; 0 for any other line."""
    found = _LISTED.fullmatch(line.strip())
    if not found:
        return 0
    number = option_of(_label(found))
    return number if number in said_whole(found["rest"], words) else 0


def _named(said: str, options: Sequence[str], abstention: int | None) -> Iterator[_Named]:
    """Yield each time that the answer names an option as its own."""
    words = spoken(options)
    alone = _alone(said)
    if alone is not None:
        yield _Named(alone, "label", said)
        return
    whole = said_whole(said, words)
    if whole:
        yield from (_Named(number, "option_words", said) for number in sorted(whole))
        return
    said = without_echo(said, options)
    yield from _json(said, words)
    yield from _statements(said, words)
    yield from _lines(said, words, abstention)


def _lines(said: str, words: Sequence[str], abstention: int | None) -> Iterator[_Named]:
    """Yield what lines say that are a label, an option's words, or both and nothing else.

    The first and the last line are answers. One between them is the number of a step if it ends
    like one ("2."), and an answer if it is another label alone.
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        option = _alone(line)
        between = 0 < number < len(lines) - 1
        if option is not None and not (between and line[-1] in ".)"):
            yield _Named(option, "line", line)
        if option is None and not between:
            steps = sum(bool(_LISTED.fullmatch(each)) for each in lines) > 1
            yield from _worded(line, words, None if steps else abstention, steps)


def _worded(
    line: str, words: Sequence[str], abstention: int | None, steps: bool
) -> Iterator[_Named]:
    """Yield the option whose words a line is; with a label before them, that one as well."""
    quote = line[:_QUOTED]
    for number in sorted(said_whole(line, words)):
        yield _Named(number, "option_words", quote)
    found = _LISTED.fullmatch(line)
    if not found:
        return
    matching = said_whole(found["rest"], words)
    labelled = option_of(_label(found))
    if matching:
        numbers = {labelled} if labelled in matching else matching | {labelled}
        yield from (_Named(number, "label_and_words", quote) for number in sorted(numbers))
    elif not steps and labelled <= len(words) and _set_off(line) and _leaves_open(found["rest"]):
        numbers = {labelled, abstention or 0}
        yield from (_Named(number, "label_and_abstention", quote) for number in sorted(numbers))


def _set_off(line: str) -> bool:
    """Whether a label at the beginning of a line cannot be its first word ("A", "I")."""
    return not _FIRST_WORD.match(line)


def _leaves_open(aside: str) -> bool:
    short = len(aside) <= _LONGEST_ASIDE and "\n" not in aside
    return short and first("abstain", aside) is not None and first("denied", aside) is None


def _alone(said: str) -> int | None:
    """Return the option if nothing but its label is said."""
    found = _ONLY.fullmatch(said)
    if found:
        return option_of(_label(found))
    return option_of(said[0]) if _LONE_LETTER.fullmatch(said) else None


def _json(said: str, words: Sequence[str]) -> Iterator[_Named]:
    for found in _JSON.finditer(said):
        value = found["words"] if found["n"] is None else found["n"]
        option = _alone(value.strip())
        numbers = said_whole(value, words) if option is None else {option}
        listed = _LISTED.fullmatch(value.strip()) if not numbers else None
        if listed:
            numbers = said_whole(listed["rest"], words) | {option_of(_label(listed))}
        yield from (_Named(number, "json", found[0][:_QUOTED]) for number in sorted(numbers))


def _statements(said: str, words: Sequence[str]) -> Iterator[_Named]:
    for rule, found in _matches(said):
        if _NOT.match(said, found.end()) or _on_condition(said, found):
            continue
        quote = found[0].strip()[:_QUOTED]
        yield _Named(option_of(_label(found)), rule, quote)
        another = _ANOTHER.match(said, _end_of_label(found))
        if another:
            yield _Named(option_of(_label(another)), rule, quote)
    for found in _LEADING.finditer(said):
        at = found.end()
        labelled = _SAID_LABEL.match(said, at)
        option = begins_with(said, labelled.end() if labelled else at, words)
        if option is None or _on_condition(said, found):
            continue
        quote = f"{found[0].strip()} {words[option - 1]}"[:_QUOTED]
        yield _Named(option, "stated_words", quote)
        if labelled:
            yield _Named(option_of(_label(labelled)), "stated_words", quote)


def _matches(said: str) -> Iterator[tuple[str, re.Match[str]]]:
    patterns = {"stated": _STATED, "judged": _JUDGED, "boxed": _BOXED, "finally": _FINALLY}
    for rule, pattern in patterns.items():
        for match in pattern.finditer(said):
            yield rule, match
    for found in every("choose", said):
        yield found.rule, found.match


def _on_condition(said: str, found: re.Match[str]) -> bool:
    """Whether a statement only says what would be right if something were so."""
    before = said[max(0, found.start() - _NEAR) : found.start()]
    start = _SENTENCE_START.search(before)
    before = before[start.end() :] if start else before
    supposed = _WOULD.search(found[0]) or _SUPPOSED.match(said, found.end())
    if not supposed or first("condition", before) is None:
        return False
    return first("guess", before) is None


def _label(found: re.Match[str]) -> str:
    return next(value for name, value in found.groupdict().items() if value and name != "rest")


def _end_of_label(found: re.Match[str]) -> int:
    return max(found.end(name) for name in found.groupdict() if name != "rest")
