"""Comparing what the resolver found with what a source's labels say, pair by pair.

A pair is one question with one article. The labels are the source's own `semantic_ids`; they were
made from the citation strings that the source extracted (`law_references`), and for questions
whose answers cite nothing by someone who chose provisions. So they lack citations that the
extraction overlooked, and hold articles that no answer cites. Each difference is put into one class
by a fixed rule on the texts alone, never by looking at a case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from rapidfuzz.distance import Levenshtein

from corpus.citations.catalogue import Catalogue, Instrument, sort_key, stem_of
from corpus.citations.find import find
from corpus.citations.model import (
    Citation,
    CitedPlace,
    Mention,
    NameKind,
    Resolution,
    family,
    normal,
)
from corpus.model import Level, Question, parse_place, split_id

_SHORT_NAME = re.compile(r"[가-힣]{2,20}[법령칙]")
_ALIKE = 0.6  # a name at least this similar to a title may be a way of writing it


class Verdict(StrEnum):
    """What became of one pair of a question and an article."""

    HIT = "hit"  # labelled and resolved
    MISSED = "missed"  # labelled, and the answer writes the number, but not resolved
    EXTRA = "extra"  # resolved from a citation that the source lists, but not labelled
    # Labels that look wrong, and pairs that the source never judged:
    LABEL_NOT_CITED = "label_not_cited"  # the answer never writes the article's number
    # The answer writes the number only beside the name of another instrument, or names the
    # labelled one nowhere in any wording:
    LABEL_OTHER_INSTRUMENT = "label_other_instrument"
    LABEL_OMITS_VERBATIM = "label_omits_verbatim"  # exact title and number stand in the answer
    UNLISTED = "unlisted"  # resolved from a citation that the source did not extract


@dataclass(frozen=True, slots=True)
class Pair:
    """One question with one unit, its verdict, and the words that explain it."""

    question: str
    unit_id: str
    verdict: Verdict
    detail: str = ""


def level_of(unit_id: str) -> Level | None:
    """Return the level of a unit from its id; None for addenda."""
    place = parse_place(split_id(unit_id)[1])
    return place[0] if place else None


def judge(
    question: Question,
    gold: set[str],
    resolutions: Sequence[Resolution],
    catalogue: Catalogue,
    level: Level,
) -> list[Pair]:
    """Return the pairs of one question at one level, labelled or resolved, in order of unit id."""
    resolved: dict[str, Resolution] = {}
    for one in resolutions:
        for target in one.targets:
            if level_of(target.unit_id) is level:
                resolved.setdefault(target.unit_id, one)
    pairs = []
    for unit in sorted(gold | resolved.keys()):
        if unit in resolved:
            verdict = Verdict.HIT if unit in gold else _extra(question, resolved, unit)
            detail = resolved[unit].citation.text
        else:
            verdict, detail = _missed(question, unit, resolutions, catalogue)
        pairs.append(Pair(question.external_id, unit, verdict, detail))
    return pairs


def _extra(question: Question, resolved: dict[str, Resolution], unit: str) -> Verdict:
    one = resolved[unit]
    mention = one.citation.mention
    exact = normal(mention.name) == normal(one.instrument_title or "")
    level, number = parse_place(split_id(unit)[1]) or (Level.ARTICLE, "")
    ranged = any(place.last for place in one.citation.places)
    exact = exact and (ranged or _writes(one.citation.text, number, level))
    if exact and mention.kind in (NameKind.TITLE, NameKind.BARE):
        return Verdict.LABEL_OMITS_VERBATIM
    listed = any(_is_listed(string, question, one, unit) for string in question.citation_strings)
    return Verdict.EXTRA if listed else Verdict.UNLISTED


def _is_listed(string: str, question: Question, one: Resolution, unit: str) -> bool:
    """Tell whether a string that the source extracted is the citation of `one`.

    It is when it stands in the answer so that it ends inside the citation. Some strings stand
    nowhere as they are; those count as listing every citation of the same number.
    """
    ends = [m.end() for m in re.finditer(re.escape(string), question.answer)]
    if ends:
        return any(one.citation.start < end <= one.citation.end for end in ends)
    place = parse_place(split_id(unit)[1])
    return place is not None and _writes(string, place[1], place[0])


def _missed(
    question: Question, unit: str, resolutions: Sequence[Resolution], catalogue: Catalogue
) -> tuple[Verdict, str]:
    statute, place = split_id(unit)
    level, number = parse_place(place) or (Level.ARTICLE, "")
    writings = list(_writings([r.citation for r in resolutions], level, number))
    if not writings:
        if _writes(question.answer, number, level):
            return Verdict.MISSED, "written, but not found as a citation"
        return Verdict.LABEL_NOT_CITED, ""
    written = "; ".join(f"{mention.text} … {citation.text}" for citation, mention in writings)
    if not _is_named(statute, question, catalogue) or all(
        _names_other(mention, statute, catalogue) for _, mention in writings
    ):
        return Verdict.LABEL_OTHER_INSTRUMENT, written
    return Verdict.MISSED, written


def _writings(
    citations: Sequence[Citation], level: Level, number: str
) -> Iterable[tuple[Citation, Mention]]:
    """Yield the citations that write a number, each with the mention that it stands beside."""
    mention = Mention(NameKind.NONE)
    for citation in citations:
        if citation.mention.kind is not NameKind.CONTINUED:
            mention = citation.mention
        if any(_covers(p, level, number) for p in citation.places):
            yield citation, mention


def _covers(place: CitedPlace, level: Level, number: str) -> bool:
    if place.level is not level or not place.number:
        return False
    last = place.last or place.number
    if level is Level.SECTION:  # 2.1.1.3 is written for 2.1
        return sort_key(place.number)[:2] <= sort_key(number) <= sort_key(last)[:2]
    return sort_key(place.number) <= sort_key(number) <= sort_key(last)


def _is_named(statute: str, question: Question, catalogue: Catalogue) -> bool:
    """Tell whether question or answer name the statute, or a relative of it, in any wording.

    Judged on the words alone, whatever the resolver made of them: the title, a name like it, or a
    short name of it.
    """
    one = catalogue.by_id(statute)
    if one is None:
        return False
    text = f"{question.text}\n{question.answer}"
    if one.base in normal(text):
        return True
    mentions = [citation.mention for citation in find(text)]
    if one.code and any(mention.code == one.code for mention in mentions):
        return True
    names = {m.name for m in mentions if m.name} | set(_SHORT_NAME.findall(text))
    return any(_may_name(name, one, catalogue) for name in sorted(names))


def _may_name(name: str, one: Instrument, catalogue: Catalogue) -> bool:
    base = family(name).base
    likeness = Levenshtein.normalized_similarity(base, one.base)
    return (
        likeness >= _ALIKE
        or _abbreviates(stem_of(base), one.base)
        or any(i.base == one.base for i in catalogue.by_short_name(base))
    )


def _abbreviates(stem: str, title: str) -> bool:
    """Tell whether the letters of a name stand in a title in this order, the first one first.

    Looser than the resolver's own rule, so that no short name which it fails to read is excused.
    """
    letters = iter(title)
    return len(stem) > 1 and stem[0] == title[:1] and all(letter in letters for letter in stem)


def _names_other(mention: Mention, statute: str, catalogue: Catalogue) -> bool:
    """Tell whether a mention, by its own words, names another instrument than `statute`.

    True for the exact title of another one in the corpus, for a title known to be obsolete, and
    for a name unlike the statute's title that does not abbreviate it either.
    """
    gold = catalogue.by_id(statute)
    if mention.kind not in (NameKind.TITLE, NameKind.BARE, NameKind.CODE) or gold is None:
        return False
    if exact := catalogue.by_title(mention.name):
        return gold not in exact
    if mention.code:
        return mention.code != gold.code
    if catalogue.successors.of(mention.name)[0]:
        return True
    return not _may_name(mention.name, gold, catalogue)


def _writes(text: str, number: str, level: Level) -> bool:
    """Tell whether a text writes a number, in whatever connection."""
    if level is Level.SECTION:
        return re.search(rf"(?<![\d.]){re.escape(number)}(?!\d)", text) is not None
    base, _, branch = number.partition("의")
    english = rf"\b(?:Articles?|Annex)\s.{{0,40}}?\b{base}" + (f"-{branch}" if branch else "(?!-)")
    if re.search(english + r"\b", text):
        return True
    # A branch may have lost its 의 (제18조2), unless the number counts paragraphs (제18조2항).
    lost = r"(?!\d|\s?[항호목])"
    tail = rf"(?:\s?의\s?{branch}(?!\d)|{branch}{lost})"
    if not branch:
        tail = r"(?!\s?의\s?\d|\d{1,2}(?!\d|\s?[항호목]))"
    head = rf"(?<!\d){base}\s?조" if level is Level.ARTICLE else rf"별표\s?{base}(?!\d)"
    return re.search(head + tail, text) is not None
