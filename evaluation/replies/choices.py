"""The option that an answer to a multiple-choice question chooses, if it plainly chooses one.

An answer chooses if it is nothing but a label ("2", "②", "Option 2.", "정답: 3번"), begins or
ends with a line that is nothing else, states it ("the answer is (B)", "3번이 정답입니다"), or is
an option's own words, alone or after "the answer is". A list of the options, repeated from the
question, is ignored, and so are conditional statements. Statements that name different
options, an essay that names none, and a number that no option has choose nothing.

The patterns by which a reply states, lists or withdraws an option.

Each is linear in the length of the text: gaps are bounded, and repetitions are not nested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from evaluation.replies.rules import (
    every,
    first,
    label,
    normalised,
    normalised_options,
    option_beginning_at,
    option_of,
    options_equal_to,
)

_ASKED = r"(?:option|choice|number|no\.|보기|선택지|번호)"
_ANSWER = (
    r"(?:(?:final|correct|right|best|my|likely)\s+){1,4}(?:answer|choice|option|pick)|answer|ans\.?"
    r"|(?:choice|option)(?=\s*(?:is\b|would\b|[:=]))"
    r"|(?:^|(?<=\n))(?:correct|verdict|conclusion|final)(?=\s?[:=])|réponse|respuesta|回答|正解|答え"
    r"|antwort(?=\s*:|\s\w\W*$)|(?:최종\s*)?(?:정답(?:\s?번호)?|답변(?=\s*[:：은는=)→–—-])|답안?)|(?:^|(?<=\n))(?:결론|선택)(?=\s?[:：])"
)
_OF = r"(?:\s+to\s+(?:the|this|that|your)\s+question)?"
_SURELY = r"(?:(?:clearly|therefore|thus|hence|definitely|certainly|probably|most\s+likely)\s+)?"
_IS = (
    rf"\s*(?:(?:\s(?:is|(?:would|should|must)\s+be)\b|'s\b)\s*{_SURELY}:?|[:：=)]|[-–—]{{1,2}}>?|→|은|는|이)?"
    r"\s*(?:\n\s*)?"
)
_LEAD = rf"(?:the\s+)?(?:{_ANSWER}){_OF}{_IS}(?:{_ASKED}\s*)?"
_TAIL = r"\s*번?\s*(?:입니다|이다|임|이에요|예요)?\s*[.。)!:;,]*"
_JOINED = (
    r"(?:,?\s?(?:or|and)\s(?:possibly|perhaps|maybe|also)\b"
    r"|[,/&]|\bor\b|\band\b|및|또는|혹은|이나|와|과|oder\b|und\b|或者?|和|还是)"
)
_OPEN_TO = r"\s?(?:인지|일지|일까|이?라면|일\s?수|이?라고\s?(?:보|볼|할|하|단정))"
_END = (  # may follow a stated label, which must not be part of a phrase
    rf"(?=\s*(?:[.。;:!)\]\"'”’(,，}}]|번(?!{_OPEN_TO})|입니다|이다|이며|이고|임\b|이에요|예요|$|\n|because\b"
    rf"|since\b|as\b|rather\s+than\b|instead\s+of\b|{_JOINED}))"
)
_LOOSE_END = (  # the same for a lower-case letter or a syllable, which begin many words and phrases
    rf"(?=\s*(?:[.。;:!)\]\"'”’(,，}}]|$)|번(?!{_OPEN_TO})|\s?입니다|이다\b|이며\b|이고\b|이에요|예요"
    r"|라고\s?(?:생각|판단|봅니|본다))"
)
_RIGHT = (
    r"\s*(?:\s+(?:is|ist)\s+(?:also\s+)?(?:the\s+)?(?:only\s+)?(?:(?:correct|right|best)\b"
    r"(?:\s+(?:answer|option|choice|one))?|answer|richtig)(?=\s*(?:[.,;:!)]|$|\n)"
    r"|\s+(?:because|since|as|here|in|under|given)\b)|\s+it\s+is(?=\s*(?:[.!]|$|\n))"
    r"|번?\s*(?:이|가)?\s*(?:정답(?:으로\s|이\s됩|이?라고\s?(?:생각|판단|봅|본)"
    r"|(?:입니|이[다며고므기에]|임|예|[.。,!)]|$))|(?:맞|옳)(?:습니다|다)(?!고|면|는)))"
)
_WRONG = r"(?:아니|아닌|아닙|아님|(?:is\s+)?(?:not|wrong|incorrect)\b)"
_KEY = (
    r"(?:my|final|correct|right|best|selected|chosen|predicted)?\s?"
    r"(?:answer|choice|selected|option|label|letter|정답|답변?|선택|antwort|lösung|答案)"
    r"\s?(?:letter|label|option|choice|number)?"
)

ONLY = re.compile(
    rf"(?:(?:{_LEAD})|{_ASKED}\s*|{_SURELY}){label('o', loose=True)}(?:, I think)?"
    rf"(?:\s?[(/=,]\s?(?:{_ASKED}\s*)?{label('p', loose=True)}\s?\)?)?{_TAIL}",
    re.IGNORECASE,
)
LEADING = re.compile(
    rf"(?<!\w)(?:{_LEAD}|(?:Antwort|Lösung|答案)(?:\s(?:ist|lautet)|是|为)?\s*:?\s*)", re.IGNORECASE
)
STATED = re.compile(
    rf"(?<!\w)(?:{_LEAD})(?:{label('s')}{_END}|{label('t', loose=True)}{_LOOSE_END})", re.IGNORECASE
)
JUDGED = re.compile(
    rf"(?<!\w)(?:{_ASKED}\s*{label('i', loose=True)}|{label('j')}){_RIGHT}", re.IGNORECASE
)
FINALLY = re.compile(
    rf"(?:;|—|(?<!\w)–|→|=>|⇒)\s*(?:{_ASKED}\s*)?{label('f')}{_TAIL}$", re.IGNORECASE
)
REASONED = re.compile(
    rf"{label('r', loose=True)}\s?[.):,–—-]?\s"
    r"(?:because|since(?!\s\d)|due\sto|given\sthat|왜냐하면|이유는)\b",
    re.IGNORECASE,
)
REASON = re.compile(
    r"\s?(?:[—–(;.]|-\s|,?\s?(?:because|since)\b)(?!\W*(?:(?:it|this)\s)?(?:is\s)?(?:not|no|wrong|incorrect|false|오답|틀)\b)"
)
BLOCK = re.compile(r"\{[^{}]*\}")
FIELD = re.compile(
    rf"(?:(?<=[{{,])|(?<=\n))\s*[\"']?{_KEY}[\"']?\s?:\s?\[?\s?"
    r"(?:\"(?P<words>[^\"\n]{0,400})\"|'(?P<other>[^'\n]{0,400})'|(?P<n>\d{1,3})\b)(?=\s?[\]}\n,])"
    r"(?!\s?,\s?[\"'][^\"'\n]{0,400}[\"']\s?[,\]])",
    re.IGNORECASE,
)
SAID_LABEL = re.compile(label("w", loose=True))
NOT = re.compile(rf"\s+or\s+not\b|\s*번?\s*(?:이|은|는|가|도)?\s*{_WRONG}", re.IGNORECASE)
ANOTHER = re.compile(
    rf"\s*번?\s*{_JOINED}\s*(?:{_ASKED}\s*)?(?:{label('m')}|{label('n', loose=True)}{_LOOSE_END})",
    re.IGNORECASE,
)
FURTHER = re.compile(  # "B. Report or C. Notify"
    rf"[^\n]{{0,80}}?\s(?:or|and|또는|혹은|및)\s(?:{_ASKED}\s*)?{label('q')}\s?[.):]", re.IGNORECASE
)
LISTED = re.compile(
    rf"(?:{_ASKED}\s*)?(?:{label('l')}\s*번?\s*[.):：,;|/–—=-]*\s*"
    rf"|{label('k', loose=True)}\s*번?\s*[.):：|–—-]\s*)"
    r"(?P<rest>\S.*)",
    re.IGNORECASE | re.DOTALL,
)
LABELLED_AFTER = re.compile(
    rf"(?P<rest>.+?)\s?[(\[]\s?(?:{_ASKED}\s*)?(?P<z>\d{{1,3}}|[A-Za-z]|[가-하])번?\s?[)\]]{_TAIL}",
    re.IGNORECASE | re.DOTALL,
)
SUPPOSED = re.compile(r"\s*번?\s*(?:이|일|이\s?될|이\s?되)\s?(?:겠|것|수)")
WOULD = re.compile(r"\b(?:would|wäre)\b|应该", re.IGNORECASE)
SENTENCE_START = re.compile(r"[.!?。\n](?=[^.!?。\n]*$)")
ASKS = re.compile(r"[^.!?。？\n]*[?？]")
CLAUSE_START = re.compile(r"[,;:()–—]|\bbut\b", re.IGNORECASE)
DENIED_BEFORE = re.compile(
    r"(?:\b(?:if|whether|unless|suppos\w+|assum\w+|imagine|not|never|cannot|neither|nor|doubt\w*"
    r"|rather\sthan|instead\sof|other\sthan|tempt\w+|nicht|wenn|ob)\b|n't\b)"
    r"(?:\s(?!(?:but|so|and|then|yet|therefore|hence|thus|sondern)\b)[\w']+){0,4}\s*$"
    r"|(?<!\bi\s)(?<!\bwe\s)\b(?:may|might|could|would|can|will)\s(?:\w+\s)?"
    r"(?:say|think|argue|claim|believe|assume|suggest|conclude|object|choose|pick)(?:\sthat)?\s*$"
    r"|\b(?:wrong|incorrect|false|worst|bad|mistaken|tempting|other|another|previous|why|second|third|next"
    r"|least|unlikely|eliminated|excluded|rejected|trap|distractor)\s*$"
    r"|(?:틀린|잘못된|다른|아닌)\s*$|[不未别勿非没](?:会|要|能|应|该|可以|应该)?\s*$|为什么\s*$",
    re.IGNORECASE,
)
FIRST_THOUGHT = re.compile(r"\b(?:at\sfirst|initially|originally|first\sthought)\b", re.IGNORECASE)
JUDGED_FROM = re.compile(  # may precede a judged label, which must not be part of a name
    r"(?:^|[.,;:!?\n(—–\"'-]|\b(?:that|so|thus|hence|therefore|think|believe|say|only|clearly|and|but|is"
    r"|because|since|then|conclude|means|daher|also|dass)|[가-힣](?:고|며|서|니|면|만|로|즉|곧|데|라|나|닌))\s*$",
    re.IGNORECASE,
)
NO_DOUBT = re.compile(r"\b(?:no|without|beyond)\s(?:a\s)?doubt\b|\bthis\sis\swhy\b", re.IGNORECASE)
FIRST_WORD = re.compile(r"[A-Z]\s")


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
    said = normalised(text)
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


def without_echo(reply: str, options: Sequence[str]) -> str:
    """Return a reply without runs of lines that repeat three, or all, of the question's options."""
    words, lines = normalised_options(options), reply.splitlines()
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


def _listed_option(line: str, options: Sequence[str]) -> int:
    """Return the option whose number and words form a line; 0 for any other line."""
    found = LISTED.fullmatch(line.strip())
    if not found:
        return 0
    number = option_of(_label_of(found))
    return number if number in options_equal_to(found["rest"], options) else 0


def _mentions(reply: str, options: Sequence[str], abstention: int | None) -> Iterator[_Named]:
    """Yield each mention of an option as the answer."""
    words = normalised_options(options)
    alone = _label_only(reply)
    if alone:
        yield from (_Named(option, "label", reply) for option in alone)
        return
    whole = options_equal_to(reply, words)
    if whole:
        yield from (_Named(number, "option_words", reply) for number in sorted(whole))
        return
    reply = _fields_as_lines(without_echo(reply, options))
    yield from _statements(reply, words)
    yield from _line_mentions(reply, words, abstention)


def _fields_as_lines(reply: str) -> str:
    """Replace each JSON object with an answer by a line that states it."""

    def answers(block: re.Match[str]) -> str:
        """Return the answers in a block of fields, one a line."""
        found = [each["words"] or each["other"] or each["n"] for each in FIELD.finditer(block[0])]
        return "".join(f"\nanswer: {each}\n" for each in found) or block[0]

    return BLOCK.sub(answers, reply)


def _line_mentions(reply: str, options: Sequence[str], abstention: int | None) -> Iterator[_Named]:
    """Yield options named by lines that are only a label, an option's words, or both.

    The first and the last line are answers. One between them is the number of a step if it ends
    like one ("2."), and an answer if it is another label alone.
    """
    lines = [line.strip() for line in reply.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        alone = _label_only(line)
        between = 0 < number < len(lines) - 1
        if not (between and line[-1] in ".)"):
            yield from (_Named(option, "line", line) for option in alone)
        if not alone and not between:
            steps = sum(bool(LISTED.fullmatch(each)) for each in lines) > 1
            yield from _mentions_by_words(line, options, None if steps else abstention, steps)


def _mentions_by_words(
    line: str, options: Sequence[str], abstention: int | None, steps: bool
) -> Iterator[_Named]:
    """Yield the option whose words form a line, and that of a label beside them."""
    quote = line[:_QUOTED]
    for number in sorted(options_equal_to(line, options)):
        yield _Named(number, "option_words", quote)
    reasoned = None if steps else REASONED.match(line)
    if reasoned:
        yield _Named(option_of(_label_of(reasoned)), "label_and_reason", quote)
    found = LISTED.fullmatch(line) or LABELLED_AFTER.fullmatch(line)
    if not found:
        return
    matching = options_equal_to(found["rest"], options)
    labelled = option_of(_label_of(found))
    if matching:
        numbers = {labelled} if labelled in matching else matching | {labelled}
        yield from (_Named(number, "label_and_words", quote) for number in sorted(numbers))
    elif (
        not steps
        and option_beginning_at(found["rest"], 0, options) == labelled
        and _is_followed_by_reason(found["rest"], labelled, options)
    ):
        yield _Named(labelled, "label_and_words", quote)
    elif (
        not steps
        and labelled <= len(options)
        and not FIRST_WORD.match(line)
        and _is_abstention(found["rest"])
    ):
        numbers = {labelled, abstention or 0}
        yield from (_Named(number, "label_and_abstention", quote) for number in sorted(numbers))


def _is_followed_by_reason(rest: str, option: int, options: Sequence[str]) -> bool:
    """Return whether an option's words are followed by a reason, not by an objection."""
    more = rest.casefold()[len(options[option - 1]) :]
    others = [each for number, each in enumerate(options, 1) if number != option and each]
    return bool(REASON.match(more)) and not any(each in more for each in others)


def _is_abstention(aside: str) -> bool:
    """Return True if an aside abstains."""
    short = len(aside) <= _LONGEST_ASIDE and "\n" not in aside
    return short and first("abstain", aside) is not None and first("denied", aside) is None


def _label_only(text: str) -> list[int]:
    """Return the option of a text that is only its label, both of "2 (B)" and the like; else []."""
    found = ONLY.fullmatch(text)
    if not found:
        return []
    labels = [value for value in found.groupdict().values() if value]
    alike = len(labels) > 1 and labels[0].isdecimal() == labels[1].isdecimal()
    options = [option_of(each) for each in labels]
    return [] if alike and options[0] == options[1] else options


def _statements(reply: str, options: Sequence[str]) -> Iterator[_Named]:
    """Yield the options stated as the answer, without those denied, asked or supposed."""
    for rule, found in _matches(reply):
        if NOT.match(reply, found.end()) or _is_withdrawn(reply, found):
            continue
        if rule == "judged" and not _is_option_label(reply, found):
            continue
        quote = found[0].strip()[:_QUOTED]
        yield _Named(option_of(_label_of(found)), rule, quote)
        at = max(found.end(name) for name in found.groupdict() if _chosen(name))
        another = ANOTHER.match(reply, at) or FURTHER.match(reply, at)
        if another:
            yield _Named(option_of(_label_of(another)), rule, quote)
    for found in LEADING.finditer(reply):
        at = found.end()
        labelled = SAID_LABEL.match(reply, at)
        option = option_beginning_at(reply, labelled.end() if labelled else at, options)
        if option is None or _is_withdrawn(reply, found):
            continue
        quote = f"{found[0].strip()} {options[option - 1]}"[:_QUOTED]
        yield _Named(option, "stated_words", quote)
        if labelled:
            yield _Named(option_of(_label_of(labelled)), "stated_words", quote)


def _matches(reply: str) -> Iterator[tuple[str, re.Match[str]]]:
    """Yield the statements of an answer, by rule."""
    for rule, pattern in (("stated", STATED), ("judged", JUDGED), ("finally", FINALLY)):
        for match in pattern.finditer(reply):
            yield rule, match
    for found in every("choose", reply):
        yield found.rule, found.match


def _is_option_label(reply: str, match: re.Match[str]) -> bool:
    """Return whether a label that is called right is an option, not "Annex A" or "Paragraph 1"."""
    bare = match["j_bare"] and reply[match.end("j_bare") :][:2].strip()[:1] != "번"
    return (
        not bare
        or JUDGED_FROM.search(reply[max(0, match.start() - 40) : match.start()]) is not None
    )


def _is_withdrawn(reply: str, match: re.Match[str]) -> bool:
    """Return whether a statement is denied, asked or supposed: "if", "I doubt", "the wrong"."""
    begins = match.start() + len(match[0]) - len(match[0].lstrip(" ;—–→=>⇒,.\n"))
    before = reply[max(0, begins - _NEAR) : begins]
    start = SENTENCE_START.search(before)
    before = NO_DOUBT.sub("", before[start.end() :] if start else before)
    if ASKS.match(reply, match.end()) or FIRST_THOUGHT.search(before):
        return True
    if first("guess", before) is not None:
        return False
    if DENIED_BEFORE.search(CLAUSE_START.split(before)[-1]):
        return True
    supposed = WOULD.search(match[0]) or SUPPOSED.match(reply, match.end())
    return bool(supposed) and first("condition", before) is not None


def _label_of(match: re.Match[str]) -> str:
    """Return the option label in a match."""
    return next(value for name, value in match.groupdict().items() if value and _chosen(name))


def _chosen(group: str) -> bool:
    """Return True for a group that names the chosen option."""
    return group != "rest" and not group.startswith("other")
