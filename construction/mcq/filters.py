"""Filters of generated items, with counts per reason.

Filters come in the order of `Reason`; an item falls to the first that finds something. What a
filter takes out depends on the items and the seed alone, never on their order.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations
from typing import Any

from rapidfuzz.fuzz import ratio

from construction.mcq.model import WRITTEN, Mcq
from errors import Where, require_known
from normalization.hashing import seeded_hash

_GIVEN_EN = r"(?:given|provided|above|following|preceding|presented|supplied|attached|cited)"
_THING_EN = (
    r"(?:texts?|documents?|passages?|provisions?|contexts?|materials?|information|excerpts?|"
    r"articles?|clauses?|regulations?|statutes?|law)"
)
_SOURCE_EN = r"(?:texts?|documents?|passages?|provisions?|contexts?|materials?|excerpts?)"
_GIVEN_KO = r"(?:제시된|주어진|제공된|위의?|상기|다음의?|아래의?|앞의|해당)"
_THING_KO = (
    r"(?:조문|조항|문서|자료|본문|지문|내용|법령|규정|규칙|법조문|정보|텍스트|글|문맥|발췌|"
    r"[조항호](?=(?:에서|에|의|을|를|이|가|은|는|과|와)?(?![가-힣])))"
)
_TEXT_KO = r"(?:법조문|조문|조항|본문|지문|제시문|규정|[조항호](?=(?:에서|에|의)(?![가-힣])))"

META = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_GIVEN_EN}\s+{_THING_EN}\b(?!\s+(?:obligation|requirement)s?)",
        rf"\b{_THING_EN}\s+(?:{_GIVEN_EN}|mentioned|above|below)\b",
        rf"\b(?:according\s+to|based\s+on|as\s+stated\s+in|in\s+light\s+of)\s+(?:the|this|these)\s+"
        rf"{_SOURCE_EN}\b",
        r"\b(?:the|this)\s+(?:text|document|passage|excerpt|context)\b",
        r"\b(?:document|provision|passage|text)\s+[AB]\b",
        r"(?:문서|조문|조항|규정|자료|지문|본문)\s*[AB](?![A-Za-z])",
        rf"(?<![가-힣]){_GIVEN_KO}\s*{_THING_KO}",
        rf"(?<![가-힣])(?:이|본|동|같은)\s*{_TEXT_KO}",
        r"(?<![가-힣])(?:본문|지문|제시문|조문|조항|자료|문서)(?:에서|에|의 내용에)?\s*"
        r"(?:따르면|의하면|언급된|나타난|근거하여)",
    )
)
"""Wordings that refer to the source material instead of the subject."""

CITING = tuple(
    re.compile(pattern)
    for pattern in (
        r"제\s*\d+\s*[조항호]",
        r"(?<!\d)\d{1,4} ?조(?: ?의 ?\d{1,3})? ?제? ?\d{1,3} ?[항호]",
        r"「[^「」]+」",
        r"별표\s*\d|별지\s*제\s*\d",
        r"\b(?:[Aa]rticle|[Ss]ection|[Pp]aragraph|[Cc]lause)s?\s+\d",
        r"§\s*\d",
        r"\b(?:[A-Z][a-z]+\s+){1,6}(?:Act|Decree|Code)\b",
    )
)
"""Names and places of law, which a question must not contain."""

_PUNCTUATION = re.compile(r"[^\w\s]+")
_HANGUL = re.compile(r"[가-힣]")


def comparable(text: str) -> str:
    """Normalize a text for the comparison of wordings."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_PUNCTUATION.sub(" ", folded).split())


def contains_phrase(text: str, phrase: str) -> bool:
    """Return whether the words occur in the text, from the beginning of a word; endings may follow.

    Korean attaches particles to words, so only a number has to end where the words end.
    """
    said, sought = comparable(text), comparable(phrase)
    if not sought:
        return False
    end = r"(?!\d)" if sought[-1].isdecimal() else ""
    if sought[-1].isascii() and sought[-1].isalpha():
        end = r"\b"
    return re.search(rf"(?<!\w){re.escape(sought)}{end}", said) is not None


def in_language(text: str, language: str) -> bool:
    """Return whether a text has Hangul if, and only if, its language is Korean."""
    return bool(_HANGUL.search(unicodedata.normalize("NFC", text))) == (language == "ko")


class Reason(StrEnum):
    """The reason why a filter takes out an item."""

    FORMAT = "format"  # empty, wrong language, equal options, or one like "cannot be determined"
    META = "meta"  # refers to the source material
    CITING = "citing"  # names the law or an article
    DUPLICATE = "duplicate"  # another item asks the same
    LEAKED = "leaked"  # the right option's words occur in the first provision or the question
    POSITION = "position"  # too many right answers at this position


@dataclass(frozen=True, slots=True)
class Limits:
    """The thresholds of filters.

    `alike` (0 to 100) is how alike two questions about one provision may be. `surplus` is how much
    more than its even share of right answers a position may have, as a share of it, beyond the two
    standard deviations that chance explains. `explained`: an explanation is required. `parsed`: the
    only check of the form is that all parts of a question could be read. Filters that are `off`
    take nothing out.
    """

    shortest_query: int = 10
    longest_query: int = 1_000
    longest_option: int = 400
    alike: float = 92.0
    surplus: float = 0.1
    explained: bool = True
    parsed: bool = False
    off: frozenset[Reason] = frozenset()


PRESETS: Mapping[str, Limits] = {
    "standard": Limits(),
    "paper": Limits(
        shortest_query=1,
        parsed=True,
        off=frozenset({Reason.CITING, Reason.DUPLICATE, Reason.LEAKED, Reason.POSITION}),
    ),
}
"""Thresholds by preset; ``paper`` has the two filters of SearchFireSafety (section 3.3)."""


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """The filters for drafts: a preset, and further filters of it to switch off."""

    preset: str = "standard"
    off: tuple[str, ...] = ()

    def limits(self) -> Limits:
        """Return the thresholds. Raises UserError for an unknown preset or filter."""
        require_known("mcq_filters", PRESETS, Where(field="filters"), name=self.preset)
        for name in self.off:
            require_known("mcq_filters", Reason, Where(field="without"), name=name)
        limits = PRESETS[self.preset]
        return replace(limits, off=limits.off | {Reason(name) for name in self.off})

    def record(self) -> dict[str, Any]:
        """Return the choice as stored with its results."""
        return {"preset": self.preset, "off": sorted(self.limits().off)}


_READ = ("query", "explanation", "options", "answer")  # checks of the form: all parts could be read


@dataclass(frozen=True, slots=True)
class Dropped:
    """An item that a filter took out; `detail` is the words or the item that caused it."""

    item: Mcq
    reason: Reason
    detail: str


@dataclass(frozen=True, slots=True)
class Filtered:
    """The items left, by id, and those taken out, by filter and id."""

    kept: tuple[Mcq, ...]
    dropped: tuple[Dropped, ...]

    @property
    def counts(self) -> dict[Reason, int]:
        """How many items each filter took out, in the order of the filters."""
        counted = Counter(each.reason for each in self.dropped)
        return {reason: counted[reason] for reason in Reason}


@dataclass(frozen=True, slots=True)
class _FilterInput:
    """The common input of all filters."""

    seed: int
    limits: Limits
    known: tuple[Mcq, ...]


_Found = Iterator[tuple[Mcq, str]]
_Find = Callable[[Sequence[Mcq], _FilterInput], _Found]
_LEAVING_OPEN = (
    "cannot be determined", "cannot be known", "not enough information", "none of the above",
    "all of the above", "알 수 없다", "판단할 수 없다", "모두 맞다", "모두 옳다", "모두 틀리다",
    "위의 모두", "정답 없음", "해당 없음"
)  # fmt: skip


def filtered(
    items: Iterable[Mcq], seed: int = 0, limits: Limits | None = None, known: Collection[Mcq] = ()
) -> Filtered:
    """Split items into kept and dropped ones.

    `known` are items kept earlier: none of them is dropped, but repeats of them are, and their
    right answers count for the balance of positions. Raises ValueError for repeated ids.
    """
    given = sorted(items, key=lambda item: item.id)
    left = {item.id: item for item in given}
    if len(left) < len(given):
        raise ValueError("ids repeat")
    inputs = _FilterInput(seed, limits or Limits(), tuple(sorted(known, key=lambda item: item.id)))
    dropped: list[Dropped] = []
    for reason, find in _FILTERS.items():
        if reason in inputs.limits.off:
            continue
        for item, detail in list(find(tuple(left.values()), inputs)):
            dropped.append(Dropped(item, reason, detail))
            del left[item.id]
    return Filtered(tuple(left.values()), tuple(dropped))


def _format(items: Sequence[Mcq], inputs: _FilterInput) -> _Found:
    """Yield the questions with a fault of form."""
    for item in items:
        fault = _fault(item, inputs.limits)
        if fault:
            yield item, fault


def _fault(item: Mcq, limits: Limits) -> str:
    """Return the name of the first formal check that an item fails, "" for none."""
    written = [comparable(option) for option in item.options[:WRITTEN]]
    open_ones = [o for o in written if any(comparable(each) in o for each in _LEAVING_OPEN)]
    checks = {
        "query": limits.shortest_query <= len(item.query) <= limits.longest_query,
        "language": in_language(item.query, item.pair.source.language),
        "explanation": bool(item.explanation) or not limits.explained,
        "options": len(item.options) == WRITTEN + 1 and all(written),
        "alike": len(set(written)) == len(written),
        "long": all(len(option) <= limits.longest_option for option in item.options),
        "open": not open_ones,
        "answer": 1 <= item.answer <= WRITTEN,
    }
    failed = (name for name, holds in checks.items() if not holds)
    return next((name for name in failed if name in _READ or not limits.parsed), "")


def _wording(patterns: Sequence[re.Pattern[str]]) -> _Find:
    """Return a filter that finds items in whose wording a pattern matches."""

    def find(items: Sequence[Mcq], inputs: _FilterInput) -> _Found:
        """Yield the questions with a listed wording."""
        for item in items:
            said = unicodedata.normalize("NFC", "\n".join((item.query, *item.options[:WRITTEN])))
            hit = next((m for p in patterns if (m := p.search(said))), None)
            if hit:
                yield item, hit[0]

    return find


def _duplicate(items: Sequence[Mcq], inputs: _FilterInput) -> _Found:
    """Yield every item like a known one or one of a smaller id; chains fall to their first."""
    known = len(inputs.known)
    everything = (*inputs.known, *items)
    out: set[int] = set()
    for first, second in _close(everything):
        if second < known or second in out or first in out:
            continue
        one, other = (comparable(everything[each].query) for each in (first, second))
        if ratio(one, other) >= inputs.limits.alike:
            out.add(second)
            yield everything[second], everything[first].id


def _close(items: Sequence[Mcq]) -> list[tuple[int, int]]:
    """Return index pairs of items that share a provision or their exact words, in order."""
    groups: dict[str, list[int]] = {}
    for number, item in enumerate(items):
        ends = (item.pair.source.unit_id, item.pair.target.unit_id)
        for name in {*(f"unit {end}" for end in ends), f"words {comparable(item.query)}"}:
            groups.setdefault(name, []).append(number)
    return sorted({two for group in groups.values() for two in combinations(group, 2)})


def _answers_in_text(items: Sequence[Mcq], inputs: _FilterInput) -> _Found:
    """Yield the questions whose right option is in the first provision or in the question."""
    for item in items:
        if contains_phrase(item.pair.source.text, item.right) or contains_phrase(
            item.query, item.right
        ):
            yield item, item.right


def _position(items: Sequence[Mcq], inputs: _FilterInput) -> _Found:
    """Yield the questions too many with the right option at one position, drawn by the seed."""
    total = len(items) + len(inputs.known)
    even, chance = total / WRITTEN, math.sqrt(total * (WRITTEN - 1)) / WRITTEN
    allowed = math.ceil(even * (1 + inputs.limits.surplus) + 2 * chance)
    taken = Counter(item.answer for item in inputs.known)
    places: dict[int, list[Mcq]] = {}
    for item in items:
        places.setdefault(item.answer, []).append(item)
    for place, there in sorted(places.items()):
        order = sorted(
            there, key=lambda item: (seeded_hash(inputs.seed, "position", item.id), item.id)
        )
        surplus = order[max(0, allowed - taken[place]) :]
        for item in sorted(surplus, key=lambda item: item.id):
            yield item, str(place)


_FILTERS: dict[Reason, _Find] = {
    Reason.FORMAT: _format,
    Reason.META: _wording(META),
    Reason.CITING: _wording(CITING),
    Reason.DUPLICATE: _duplicate,
    Reason.LEAKED: _answers_in_text,
    Reason.POSITION: _position,
}
