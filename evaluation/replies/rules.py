"""Wording rules of replies: labels, options in words, clauses, patterns by language.

The rules are the patterns of ``wording/*.toml``; their kinds are described in
``wording/README.md``. A label is ``2``, ``(2)``, ``②``, ``２``, ``B`` or ``(나)``. A sentence is
split at contrasts: "it is not stated, but the decree says 14 days".
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from llm.reply import without_thought

_ANSWER_NAME = r"(?:final|correct)?[_ ]?(?:answer|choice|option)|정답|답변?|선택"
_TAG_OPENS = re.compile(
    rf"<\s?(?:{_ANSWER_NAME})\s?>"
    rf"|(?:^|(?<=\n))[ \t]{{0,9}}[\[【〔]\s?(?:{_ANSWER_NAME})\s?[\]】〕]\s?[:：]?",
    re.I,
)
_TAG = re.compile(
    rf"[<\[]/\s?(?:{_ANSWER_NAME})\s?[>\]]|</?(?:(?-i:b|i|p|em|br)|strong|span|response|output|result)\s?/?>",
    re.I,
)
_FORMULA = re.compile(r"\$\$?([^$\n]{1,400})\$\$?")
_TYPESET = re.compile(r"\\(?:text|math)(?:bf|rm|it|sf|tt|normal)?\s?\{([^{}]*)\}")
_BOXED = re.compile(r"\\f?boxed\s?\{([^{}]*)\}")
_LEFT_OUT = re.compile(r"[*_`#~\ufe0f\u20e3]+|\\[()\[\]]")
_BULLETS = re.compile(r"^[ \t]*(?:(?:>|[•‣▪●○✅✔☑➡→⇒☞►▶]|[-–—](?=\s)|=>)[ \t]*)+", re.M)
_SPACES = re.compile(r"[^\S\n]+")
_LINES = re.compile(r" ?\n[ \n]*")
_QUOTES = str.maketrans("’‘ʼ＇", "''''")
_SYLLABLES = "가나다라마바사아자차카타파하"
_ENCIRCLED = {
    **{ord(c): f"({unicodedata.digit(c)})" for c in "①②③④⑤⑥⑦⑧⑨⑴⑵⑶⑷⑸⑹⑺⑻⑼❶❷❸❹❺❻❼❽❾"},
    **{ord("㉮") + n: f"({syllable})" for n, syllable in enumerate(_SYLLABLES)},
    **{ord(first) + n: f"({chr(ord('A') + n)})" for first in "Ⓐⓐ" for n in range(26)},
}

OPEN, CLOSE = r"[(\[{<【〈《「『\"'“]", r"[)\]}>】〉》」』\"'”]"


def label(name: str, *, loose: bool = False) -> str:
    """Return the regular expression of a label, whose groups begin with `name`.

    A label is in brackets or quotes, or is bare and not the beginning of a number or a word.
    A bare letter has to be a capital, whatever the flags, and a bare
    syllable has to be a number ("나번"). A `loose` one may be any letter or syllable; the
    surrounding pattern has to distinguish it from a word.
    """
    bracketed = (
        rf"{OPEN}{{1,2}}\s*(?P<{name}_in>0|[1-9]\d{{0,2}}|[A-Za-z]|[{_SYLLABLES}])\s*{CLOSE}{{1,2}}"
    )
    letter = rf"[A-Za-z]|[{_SYLLABLES}]" if loose else rf"(?-i:[A-Z])|[{_SYLLABLES}](?=번)"
    letter = rf"(?<![A-Za-z])(?:{letter})"
    bare = rf"(?P<{name}_bare>0|[1-9]\d{{0,2}}|{letter})(?!\w?[.,]?\d)(?![A-Za-z'’+])"
    return f"(?:{bracketed}|{bare})"


def normalised(text: str) -> str:
    """Normalise an answer: without reasoning and typesetting, digits as 0 to 9.

    A marked answer, in a tag or a box, becomes a line that begins with "answer:". Each run
    of spaces is one, and no line is empty, so that parsing takes time in proportion to the
    length.
    """
    text = without_thought(text).replace("&lt;", "<").replace("&gt;", ">")
    text = _FORMULA.sub(r"\1", text)
    text = _BOXED.sub(r"\nanswer: \1\n", _TYPESET.sub(r"\1", text)).translate(_ENCIRCLED)
    text = _TAG.sub("\n", _TAG_OPENS.sub("\nanswer: ", text))
    text = _LEFT_OUT.sub("", unicodedata.normalize("NFKC", text)).translate(_QUOTES)
    return _LINES.sub("\n", _SPACES.sub(" ", _BULLETS.sub("", text))).strip()


def option_of(label: str) -> int:
    """Return the number of the option of a label, counted from 1."""
    if label.isdecimal():
        return int(label)
    if label in _SYLLABLES:
        return _SYLLABLES.index(label) + 1
    return ord(label.upper()) - ord("A") + 1


KINDS = (
    *("abstain", "unstated", "denied", "refuse", "negated"),
    *("choose", "contrast", "conclude", "condition", "guess"),
)
_SCRIPTS = {
    "en": re.compile(r"[A-Za-z]"),
    "de": re.compile(r"[A-Za-z]"),
    "ko": re.compile(r"[가-힣]"),
    "zh": re.compile(r"[\u4e00-\u9fff]"),
}
_FOLDER = Path(__file__).parent / "wording"


@dataclass(frozen=True, slots=True)
class RuleMatch:
    """A match of a rule; `rule` is its name, as in ``en.abstain.cannot_be_determined``."""

    rule: str
    match: re.Match[str]


@cache
def rules() -> Mapping[str, Mapping[str, Mapping[str, re.Pattern[str]]]]:
    """Return the patterns by language, kind and name. Raises ValueError for an unknown kind."""
    found = {}
    for language in _SCRIPTS:
        told = tomllib.loads((_FOLDER / f"{language}.toml").read_text(encoding="utf-8"))
        if not told.keys() <= set(KINDS):
            raise ValueError(f"{language}: {sorted(told.keys() - set(KINDS))} is no kind of rule")
        found[language] = {
            kind: {name: _compile_rule(text) for name, text in named.items()}
            for kind, named in told.items()
        }
    return found


def first(kind: str, text: str) -> RuleMatch | None:
    """Return the first match of a kind of rule, in the order of the files; None without any."""
    return next(every(kind, text), None)


def every(kind: str, text: str) -> Iterator[RuleMatch]:
    """Yield each match of a kind of rule, rule by rule, in languages whose script the text has."""
    for language, kinds in rules().items():
        named = kinds.get(kind, {})
        if not named or not _SCRIPTS[language].search(text):
            continue
        for name, pattern in named.items():
            for match in pattern.finditer(text):
                yield RuleMatch(f"{language}.{kind}.{name}", match)


def _compile_rule(text: str) -> re.Pattern[str]:
    """Compile a rule in which LABEL, ANYLABEL and OTHER stand for patterns of labels."""
    for place, found in (
        ("ANYLABEL", label("chosen", loose=True)),
        ("LABEL", label("chosen")),
        ("OTHER", label("other", loose=True)),
    ):
        text = text.replace(place, found)
    return re.compile(text, re.IGNORECASE)


LONGEST = 1_200
"""Maximum characters of a clause: of longer ones the first and last halves are used."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+|(?<=[。！？])")
_WORD = re.compile(r"\w")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause; `concludes`: it contrasts with the ones before it or follows from them."""

    text: str
    concludes: bool


def clauses(reply: str) -> list[Clause]:
    """Split a reply into clauses; those without a letter or digit are left out."""
    sentences = (part for part in _SENTENCE.split(reply) if _WORD.search(part))
    return [clause for sentence in sentences for clause in _clauses(_shortened(sentence.strip()))]


def _shortened(sentence: str) -> str:
    """Cut the middle of a sentence too long for the rules."""
    half = LONGEST // 2
    return sentence if len(sentence) <= LONGEST else f"{sentence[:half]} … {sentence[-half:]}"


def _clauses(sentence: str) -> list[Clause]:
    """Split a sentence at contrasts such as "but"; say which clauses conclude."""
    cuts = sorted({_cut(found.match) for found in every("contrast", sentence)} - {0})
    parts = [sentence[a:b] for a, b in zip([0, *cuts], [*cuts, len(sentence)], strict=True)]
    return [
        Clause(part.strip(), at > 0 or first("conclude", part) is not None)
        for at, part in enumerate(parts)
        if _WORD.search(part)
    ]


def _cut(match: re.Match[str]) -> int:
    """Return the end of a clause: before a contrasting word, after a contrasting Korean ending."""
    return match.end() if "가" <= match[0][:1] <= "힣" else match.start()


# Options that are common first words of sentences.
_QUANTIFIERS = frozenset(
    ("nothing", "none", "nobody", "neither", "both", "all", "any", "no", "yes", "never", "always")
)
_SHORTEST = 2  # minimum characters of an option to be searched for within a text
_COPULA = re.compile(r"\s?(?:입니다|이다|임|이에요|예요|です)$")
_AROUND = " .。!\"'“”‘’()[]{}"
_OPENING = re.compile(r"[\s\"'“‘「『(\[]*")


def normalised_options(options: Sequence[str]) -> tuple[str, ...]:
    """Return each option's words normalised: folded, without surrounding marks."""
    return _cached_options(tuple(options))


def options_equal_to(text: str, options: Sequence[str]) -> set[int]:
    """Return the options, counted from 1, whose words are exactly this normalised text."""
    text = _bare(text)
    forms = {text, _COPULA.sub("", text)}
    return {number for number, each in enumerate(options, 1) if each and each in forms}


def option_beginning_at(text: str, at: int, options: Sequence[str]) -> int | None:
    """Return the number of the longest option whose words begin the text at `at`, else None."""
    opening = _OPENING.match(text, at)
    rest = text[opening.end() if opening else at :][:1_000].casefold()
    fitting = [n for n, each in enumerate(options, 1) if each and _begins_with_words(rest, each)]
    return max(fitting, key=lambda number: len(options[number - 1]), default=None)


def chosen_in(clause: Clause, options: Sequence[str], abstention: int | None) -> int | None:
    """Return the number of the one option that a clause names in words and does not deny; or None.

    The abstention option does not count here: abstaining in a sentence is abstaining in words.
    """
    text = clause.text.casefold()
    named: set[int] = set()
    for number in sorted(range(1, len(options) + 1), key=lambda n: -len(options[n - 1])):
        if number != abstention and (places := list(_word_spans(text, options[number - 1]))):
            named.add(number)
            for start, end in reversed(places):
                text = f"{text[:start]}\x00{text[end:]}"
    if len(named) != 1 or any(first(kind, text) for kind in ("negated", "abstain", "condition")):
        return None
    return named.pop()


@lru_cache(maxsize=4_096)
def _cached_options(options: tuple[str, ...]) -> tuple[str, ...]:
    """Return the options normalised as they are compared with replies; cached."""
    return tuple(_bare(normalised(option)) for option in options)


def _bare(text: str) -> str:
    """Return an option in lower case without surrounding marks."""
    return " ".join(text.casefold().split()).strip(_AROUND)


def _begins_with_words(rest: str, option: str) -> bool:
    """Return True if a text begins with an option's whole words."""
    return rest.startswith(option) and not _same_word(option[-1:], rest[len(option) :][:1])


def _word_spans(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of `phrase` in a text where it is no part of a longer word or number."""
    if len(phrase) < _SHORTEST or phrase.isdecimal():
        return
    start = text.find(phrase)
    while start >= 0:
        end = start + len(phrase)
        joined = _same_word(text[max(0, start - 1) : start], phrase[:1]) or _same_word(
            phrase[-1:], text[end : end + 1]
        )
        if not joined and (phrase not in _QUANTIFIERS or not text[end:].strip(_AROUND)):
            yield start, end
        start = text.find(phrase, end)


def _same_word(left: str, right: str) -> bool:
    """Return whether two characters belong to one word; endings may follow Hangul and Han."""
    both_digits = left.isdecimal() and right.isdecimal()
    both_latin = left.isalnum() and right.isalnum() and left.isascii() and right.isascii()
    return both_digits or both_latin
