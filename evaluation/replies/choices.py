"""The option that an answer to a multiple-choice question chooses, if it plainly chooses one.

An answer chooses if it is nothing but a label ("2", "②", "Option 2.", "정답: 3번"), begins or
ends with a line that is nothing else, states it ("the answer is (B)", "3번이 정답입니다"), or is
an option's own words, alone or after "the answer is". A list of the options, repeated from the
question, is ignored, and so are conditional statements. Statements that name different
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
    """The result of parsing an answer; only `CHOSEN` has an option."""

    CHOSEN = "chosen"
    EMPTY = "empty"
    SEVERAL = "several"  # it names more than one option as its answer
    OUT_OF_RANGE = "out_of_range"  # no option has that number
    UNPARSED = "unparsed"  # anything else, or nothing plain


@dataclass(frozen=True, slots=True)
class Choice:
    """The option that an answer chooses: it counts from 1 and is None unless the parse is chosen.

    `rule` is the matching rule, `quote` the matched text, if anything matched.
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


_ECHO = 3  # consecutive options listed, from which they repeat the question
_NEAR = 240  # characters before a statement that are searched for a condition
_LONGEST_ASIDE = 160  # maximum characters after a label that may paraphrase the option
_QUOTED = 160


def read_choice(text: str, options: Sequence[str], abstention: int | None = None) -> Choice:
    """Parse the option that an answer to a question with these options chooses.

    `abstention` is the abstention option, counted from 1; paraphrases of it
    count if its number precedes them ("5. It cannot be determined").
    """
    said = plain(text)
    if not said:
        return Choice(Parse.EMPTY)
    named = list(_mentions(said, options, abstention))
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
    """Return a reply without consecutive lines that repeat the question's options."""
    words, lines = spoken(options), said.splitlines()
    listed = [_listed_option(line, words) for line in lines]
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


def _listed_option(line: str, words: Sequence[str]) -> int:
    """Return the option whose number and words form a line; 0 for any other line."""
    found = LISTED.fullmatch(line.strip())
    if not found:
        return 0
    number = option_of(_label_of(found))
    return number if number in said_whole(found["rest"], words) else 0


def _mentions(said: str, options: Sequence[str], abstention: int | None) -> Iterator[_Named]:
    """Yield each mention of an option as the answer."""
    words = spoken(options)
    alone = _label_only(said)
    if alone:
        yield from (_Named(option, "label", said) for option in alone)
        return
    whole = said_whole(said, words)
    if whole:
        yield from (_Named(number, "option_words", said) for number in sorted(whole))
        return
    said = _fields_as_lines(without_echo(said, options))
    yield from _statements(said, words)
    yield from _line_mentions(said, words, abstention)


def _fields_as_lines(said: str) -> str:
    """Replace each JSON object with an answer by a line that states it."""

    def answers(block: re.Match[str]) -> str:
        found = [each["words"] or each["other"] or each["n"] for each in FIELD.finditer(block[0])]
        return "".join(f"\nanswer: {each}\n" for each in found) or block[0]

    return BLOCK.sub(answers, said)


def _line_mentions(said: str, words: Sequence[str], abstention: int | None) -> Iterator[_Named]:
    """Yield options named by lines that are only a label, an option's words, or both.

    The first and the last line are answers. One between them is the number of a step if it ends
    like one ("2."), and an answer if it is another label alone.
    """
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        alone = _label_only(line)
        between = 0 < number < len(lines) - 1
        if not (between and line[-1] in ".)"):
            yield from (_Named(option, "line", line) for option in alone)
        if not alone and not between:
            steps = sum(bool(LISTED.fullmatch(each)) for each in lines) > 1
            yield from _mentions_by_words(line, words, None if steps else abstention, steps)


def _mentions_by_words(
    line: str, words: Sequence[str], abstention: int | None, steps: bool
) -> Iterator[_Named]:
    """Yield the option whose words form a line, and that of a label beside them."""
    quote = line[:_QUOTED]
    for number in sorted(said_whole(line, words)):
        yield _Named(number, "option_words", quote)
    reasoned = None if steps else REASONED.match(line)
    if reasoned:
        yield _Named(option_of(_label_of(reasoned)), "label_and_reason", quote)
    found = LISTED.fullmatch(line) or LABELLED_AFTER.fullmatch(line)
    if not found:
        return
    matching = said_whole(found["rest"], words)
    labelled = option_of(_label_of(found))
    if matching:
        numbers = {labelled} if labelled in matching else matching | {labelled}
        yield from (_Named(number, "label_and_words", quote) for number in sorted(numbers))
    elif (
        not steps
        and begins_with(found["rest"], 0, words) == labelled
        and _is_followed_by_reason(found["rest"], labelled, words)
    ):
        yield _Named(labelled, "label_and_words", quote)
    elif (
        not steps
        and labelled <= len(words)
        and _is_separate_label(line)
        and _is_abstention(found["rest"])
    ):
        numbers = {labelled, abstention or 0}
        yield from (_Named(number, "label_and_abstention", quote) for number in sorted(numbers))


def _is_followed_by_reason(rest: str, option: int, words: Sequence[str]) -> bool:
    """Return whether an option's words are followed by a reason, not by an objection."""
    more = rest.casefold()[len(words[option - 1]) :]
    others = [each for number, each in enumerate(words, 1) if number != option and each]
    return bool(REASON.match(more)) and not any(each in more for each in others)


def _is_separate_label(line: str) -> bool:
    """Return whether a label at the beginning of a line cannot be its first word ("A", "I")."""
    return not FIRST_WORD.match(line)


def _is_abstention(aside: str) -> bool:
    short = len(aside) <= _LONGEST_ASIDE and "\n" not in aside
    return short and first("abstain", aside) is not None and first("denied", aside) is None


def _label_only(said: str) -> list[int]:
    """Return the option if the text is only its label, both if it is "2 (B)" and the like."""
    found = ONLY.fullmatch(said)
    if not found:
        return []
    labels = [value for value in found.groupdict().values() if value]
    alike = len(labels) > 1 and labels[0].isdecimal() == labels[1].isdecimal()
    options = [option_of(each) for each in labels]
    return [] if alike and options[0] == options[1] else options


def _statements(said: str, words: Sequence[str]) -> Iterator[_Named]:
    """Yield the options that a reply states as the answer, denied ones left out."""
    for rule, found in _matches(said):
        if NOT.match(said, found.end()) or _is_withdrawn(said, found):
            continue
        if rule == "judged" and not _is_option_label(said, found):
            continue
        quote = found[0].strip()[:_QUOTED]
        yield _Named(option_of(_label_of(found)), rule, quote)
        at = max(found.end(name) for name in found.groupdict() if _chosen(name))
        another = ANOTHER.match(said, at) or FURTHER.match(said, at)
        if another:
            yield _Named(option_of(_label_of(another)), rule, quote)
    for found in LEADING.finditer(said):
        at = found.end()
        labelled = SAID_LABEL.match(said, at)
        option = begins_with(said, labelled.end() if labelled else at, words)
        if option is None or _is_withdrawn(said, found):
            continue
        quote = f"{found[0].strip()} {words[option - 1]}"[:_QUOTED]
        yield _Named(option, "stated_words", quote)
        if labelled:
            yield _Named(option_of(_label_of(labelled)), "stated_words", quote)


def _matches(said: str) -> Iterator[tuple[str, re.Match[str]]]:
    for rule, pattern in (("stated", STATED), ("judged", JUDGED), ("finally", FINALLY)):
        for match in pattern.finditer(said):
            yield rule, match
    for found in every("choose", said):
        yield found.rule, found.match


def _is_option_label(said: str, found: re.Match[str]) -> bool:
    """Return whether a label that is called right is an option, not "Annex A" or "Paragraph 1"."""
    bare = found["j_bare"] and said[found.end("j_bare") :][:2].strip()[:1] != "번"
    return (
        not bare or JUDGED_FROM.search(said[max(0, found.start() - 40) : found.start()]) is not None
    )


def _is_withdrawn(said: str, found: re.Match[str]) -> bool:
    """Return whether a statement is denied, asked or supposed: "if", "I doubt", "the wrong"."""
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


def _label_of(found: re.Match[str]) -> str:
    return next(value for name, value in found.groupdict().items() if value and _chosen(name))


def _chosen(group: str) -> bool:
    return group != "rest" and not group.startswith("other")
