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

from evaluation.replies.choice_patterns import (
    ANOTHER,
    ASKS,
    BLOCK,
    CLAUSE_START,
    DENIED_BEFORE,
    FIELD,
    FINALLY,
    FIRST_THOUGHT,
    FIRST_WORD,
    FURTHER,
    JUDGED,
    JUDGED_FROM,
    LABELLED_AFTER,
    LEADING,
    LISTED,
    NO_DOUBT,
    NOT,
    ONLY,
    REASON,
    REASONED,
    SAID_LABEL,
    SENTENCE_START,
    STATED,
    SUPPOSED,
    WOULD,
)
from evaluation.replies.rules import (
    begins_with,
    every,
    first,
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
    found = LISTED.fullmatch(line.strip())
    if not found:
        return 0
    number = option_of(_label(found))
    return number if number in said_whole(found["rest"], words) else 0


def _named(said: str, options: Sequence[str], abstention: int | None) -> Iterator[_Named]:
    """Yield each time that the answer names an option as its own."""
    words = spoken(options)
    alone = _alone(said)
    if alone:
        yield from (_Named(option, "label", said) for option in alone)
        return
    whole = said_whole(said, words)
    if whole:
        yield from (_Named(number, "option_words", said) for number in sorted(whole))
        return
    said = _fields_as_lines(without_echo(said, options))
    yield from _statements(said, words)
    yield from _lines(said, words, abstention)


def _fields_as_lines(said: str) -> str:
    """Return the reply with each JSON object that has an answer as a line that states it."""

    def answers(block: re.Match[str]) -> str:
        found = [each["words"] or each["other"] or each["n"] for each in FIELD.finditer(block[0])]
        return "".join(f"\nanswer: {each}\n" for each in found) or block[0]

    return BLOCK.sub(answers, said)


def _lines(said: str, words: Sequence[str], abstention: int | None) -> Iterator[_Named]:
    """Yield what lines say that are a label, an option's words, or both and nothing else.

    The first and the last line are answers. One between them is the number of a step if it ends
    like one ("2."), and an answer if it is another label alone.
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        alone = _alone(line)
        between = 0 < number < len(lines) - 1
        if not (between and line[-1] in ".)"):
            yield from (_Named(option, "line", line) for option in alone)
        if not alone and not between:
            steps = sum(bool(LISTED.fullmatch(each)) for each in lines) > 1
            yield from _worded(line, words, None if steps else abstention, steps)


def _worded(
    line: str, words: Sequence[str], abstention: int | None, steps: bool
) -> Iterator[_Named]:
    """Yield the option whose words a line is; with a label beside them, that one as well."""
    quote = line[:_QUOTED]
    for number in sorted(said_whole(line, words)):
        yield _Named(number, "option_words", quote)
    reasoned = None if steps else REASONED.match(line)
    if reasoned:
        yield _Named(option_of(_label(reasoned)), "label_and_reason", quote)
    found = LISTED.fullmatch(line) or LABELLED_AFTER.fullmatch(line)
    if not found:
        return
    matching = said_whole(found["rest"], words)
    labelled = option_of(_label(found))
    if matching:
        numbers = {labelled} if labelled in matching else matching | {labelled}
        yield from (_Named(number, "label_and_words", quote) for number in sorted(numbers))
    elif (
        not steps
        and begins_with(found["rest"], 0, words) == labelled
        and _explained(found["rest"], labelled, words)
    ):
        yield _Named(labelled, "label_and_words", quote)
    elif not steps and labelled <= len(words) and _set_off(line) and _leaves_open(found["rest"]):
        numbers = {labelled, abstention or 0}
        yield from (_Named(number, "label_and_abstention", quote) for number in sorted(numbers))


def _explained(rest: str, option: int, words: Sequence[str]) -> bool:
    """Whether an option's words are followed by a reason, not by what is wrong with it."""
    more = rest.casefold()[len(words[option - 1]) :]
    others = [each for number, each in enumerate(words, 1) if number != option and each]
    return bool(REASON.match(more)) and not any(each in more for each in others)


def _set_off(line: str) -> bool:
    """Whether a label at the beginning of a line cannot be its first word ("A", "I")."""
    return not FIRST_WORD.match(line)


def _leaves_open(aside: str) -> bool:
    short = len(aside) <= _LONGEST_ASIDE and "\n" not in aside
    return short and first("abstain", aside) is not None and first("denied", aside) is None


def _alone(said: str) -> list[int]:
    """Return the option if nothing but its label is said, both where it is "2 (B)" and the like."""
    found = ONLY.fullmatch(said)
    if not found:
        return []
    labels = [value for value in found.groupdict().values() if value]
    alike = len(labels) > 1 and labels[0].isdecimal() == labels[1].isdecimal()
    options = [option_of(each) for each in labels]
    return [] if alike and options[0] == options[1] else options


def _statements(said: str, words: Sequence[str]) -> Iterator[_Named]:
    for rule, found in _matches(said):
        if NOT.match(said, found.end()) or _withdrawn(said, found):
            continue
        if rule == "judged" and not _on_its_own(said, found):
            continue
        quote = found[0].strip()[:_QUOTED]
        yield _Named(option_of(_label(found)), rule, quote)
        at = max(found.end(name) for name in found.groupdict() if _chosen(name))
        another = ANOTHER.match(said, at) or FURTHER.match(said, at)
        if another:
            yield _Named(option_of(_label(another)), rule, quote)
    for found in LEADING.finditer(said):
        at = found.end()
        labelled = SAID_LABEL.match(said, at)
        option = begins_with(said, labelled.end() if labelled else at, words)
        if option is None or _withdrawn(said, found):
            continue
        quote = f"{found[0].strip()} {words[option - 1]}"[:_QUOTED]
        yield _Named(option, "stated_words", quote)
        if labelled:
            yield _Named(option_of(_label(labelled)), "stated_words", quote)


def _matches(said: str) -> Iterator[tuple[str, re.Match[str]]]:
    for rule, pattern in (("stated", STATED), ("judged", JUDGED), ("finally", FINALLY)):
        for match in pattern.finditer(said):
            yield rule, match
    for found in every("choose", said):
        yield found.rule, found.match


def _on_its_own(said: str, found: re.Match[str]) -> bool:
    """Whether a label that is called right is an option, and not "Annex A", "Paragraph 1"."""
    bare = found["j_bare"] and said[found.end("j_bare") :][:2].strip()[:1] != "번"
    return (
        not bare or JUDGED_FROM.search(said[max(0, found.start() - 40) : found.start()]) is not None
    )


def _withdrawn(said: str, found: re.Match[str]) -> bool:
    """Whether a statement is denied, asked, or supposed: "if", "I doubt that", "the wrong"."""
    begins = found.start() + len(found[0]) - len(found[0].lstrip(" ;—–→=>⇒,.\n"))
    before = said[max(0, begins - _NEAR) : begins]
    start = SENTENCE_START.search(before)
    before = NO_DOUBT.sub("", before[start.end() :] if start else before)
    if ASKS.match(said, found.end()) or FIRST_THOUGHT.search(before):
        return True
    if first("guess", before) is not None:
        return False
    if DENIED_BEFORE.search(CLAUSE_START.split(before)[-1]):
        return True
    supposed = WOULD.search(found[0]) or SUPPOSED.match(said, found.end())
    return bool(supposed) and first("condition", before) is not None


def _label(found: re.Match[str]) -> str:
    return next(value for name, value in found.groupdict().items() if value and _chosen(name))


def _chosen(group: str) -> bool:
    return group != "rest" and not group.startswith("other")
