"""Citations in the text of a law, as :func:`corpus.citations.find.find` does in answers.

A law also refers to itself: 제2항, 전조, 같은 항, 별지 서식. Those are found in the stretches that
no other citation covers. Notes on the unit's own history ([제3조에서 이동], <개정 2011.8.4>) cite
nothing in force, and are skipped.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from corpus.citations.english import find_english
from corpus.citations.find import find
from corpus.citations.korean import find_korean
from corpus.citations.korean_places import read_pinpoints
from corpus.citations.model import Citation, CitedPlace, Mention, NameKind, Role
from corpus.citations.relative import BEFORE, read_before, same_pattern
from corpus.citations.written_form import WrittenForm, is_plain
from corpus.model import Level

_NOTE = re.compile(r"^[ \t]*\[[^\n]*\][ \t]*$|<[^<>\n]{0,200}>", re.MULTILINE)
_ANY_KOREAN = re.compile(
    r"제\s?\d|[「『｢]|별표|별지|부칙|[전본]\s?\d{0,2}\s?[조항호각]|다음\s?\d{0,2}\s?조|같은|동[법조항호영]|[가-하]목"
)
_LETTER = "[가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허]"
_AFTER = (
    r"(?=$|[\s,.)」\"”ㆍ·・]|의|에|및|와|과|는|은|을|를|로|이|부터|까지|내지|중|단서|본문|[전후]단|각"
    r"|제\s?\d|[가-하]목)"
)
# Skips most letters at once.
_BEGINS = r"(?=[같동제전본별다가나다라마바사아자차카타파하거너더러머버서어저처커터퍼허])"
_OWN = re.compile(
    rf"{_BEGINS}(?:"
    rf"{same_pattern(_AFTER)}"
    r"|(?P<part>제\s?\d{1,3}\s?항|(?<![가-힣])제\s?\d{1,3}\s?호(?!\s?의?\d*\s?서식|선|차)"
    r"|(?<![가-힣제)])"
    + _LETTER
    + r"목(?=[의에및과와ㆍ,부까또)은는만]|\d{1,2}\)|\s(?:및|또는|이?외|내지)))"
    rf"|{BEFORE}"
    r"|(?P<own>(?<![가-힣])본\s?(?:조|항)(?=[의에제과와및을를은는에]))"
    r"|(?P<annex>별표(?=[와에의을를은는])|별지\s?(?:의\s?)?서식)"
    r"|(?P<named>(?:같은|(?<![가-힣])동)\s?법(?:률)?\s?(?P<tail>시행령|시행규칙)?(?=\s?\(이하)))"
)

# After these a number belongs to the thing named there: 별표 4 Ⅸ 제1호, 법률 제3074호, 부칙 제5항.
_NUMBERED = re.compile(
    r"(?:[\u2160-\u217f]|별지|별표|(?<![\"”])(?<![\"”]이)란의?|표의?|도식|서식|령|법률|규칙|조약|고시|예규|훈령|공고|부칙|제\d의\d)\s?$"
)
_PARTICLE = re.compile(r"[가-힣)\]\"”’]$")


def find_in_law(text: str, language: str) -> list[Citation]:
    """Return every citation of a unit's text, in order and without overlap.

    Besides the kinds of answers these are ``PART`` (제2항 alone) and ``RELATIVE`` (전조, 전항), and
    ``SAME_PLACE`` without anything below it (같은 항에 따라). Their places have no number.
    """
    if is_plain(text):
        return _find_in_law(text, language)
    form = WrittenForm(text)
    return [form.as_written(one) for one in _find_in_law(form.text, language)]


def _find_in_law(text: str, language: str) -> list[Citation]:
    masked = _NOTE.sub(lambda note: " " * len(note[0]), text)
    if language != "ko":
        return find(masked)
    if not _ANY_KOREAN.search(masked):
        return find_english(masked)
    citations = [_without_particle(one, masked) for one in find_korean(masked)]
    return sorted([*citations, *_own_places(masked, citations)], key=lambda one: one.start)


def _own_places(text: str, citations: list[Citation]) -> list[Citation]:
    """Return the citations relative to the current place, outside those found already."""
    starts = [one.start for one in citations]
    found: list[Citation] = []
    at = 0
    while anchor := _OWN.search(text, at):
        before = bisect_left(starts, anchor.end()) - 1
        if before >= 0 and citations[before].end > anchor.start():
            at = max(citations[before].end, anchor.start() + 1)
            continue
        if anchor["part"] and _NUMBERED.search(text, max(0, anchor.start() - 8), anchor.start()):
            at = anchor.end()
            continue
        one = _read(text, anchor)
        found.append(one)
        at = max(one.end, anchor.end())
    return found


def _without_particle(one: Citation, text: str) -> Citation:
    """Read …한 자)이 법 제5조 as 법 제5조: 이 right after a word is its particle."""
    mention = one.mention
    written = re.match(r"이\s+", mention.text) if mention.kind is NameKind.SAME else None
    if not written or not _PARTICLE.search(text, max(0, one.start - 1), one.start):
        return one
    cut = written.end()
    level = Mention(NameKind.LEVEL, mention.text[cut:], role=mention.role)
    return Citation(one.text[cut:], one.start + cut, one.end, level, one.places)


def _read(text: str, anchor: re.Match[str]) -> Citation:
    """Return the citation that begins at an anchor."""
    match anchor.lastgroup:
        case "same":
            return _below(text, anchor, Mention(NameKind.SAME_PLACE, anchor["same"], anchor["of"]))
        case "part":
            return _below(text, anchor, Mention(NameKind.PART), from_start=True)
        case "before":
            return read_before(text, anchor)
        case "own":
            own = Mention(NameKind.RELATIVE, anchor[0], "본" + anchor[0][-1])
            return _below(text, anchor, own)
        case "annex":
            level = Level.ANNEX if anchor[0] == "별표" else Level.FORM
            return _citation(text, anchor.start(), anchor.end(), Mention(NameKind.NONE), level)
        case _:
            return _abbreviated_naming(anchor)


def _below(
    text: str, anchor: re.Match[str], mention: Mention, *, from_start: bool = False
) -> Citation:
    """Read the paragraphs and items at or after an anchor."""
    start = anchor.start()
    pinpoints, end = read_pinpoints(text, start if from_start else anchor.end())
    end = max(end, anchor.end())
    places = tuple(CitedPlace(Level.ARTICLE, "", pinpoint) for pinpoint in pinpoints)
    return Citation(text[start:end], start, end, mention, places)


def _abbreviated_naming(anchor: re.Match[str]) -> Citation:
    """Return the naming of an instrument before an abbreviation: 같은 법 시행령(이하 …)."""
    role = {"시행령": Role.DECREE, "시행규칙": Role.RULE}.get(anchor["tail"] or "", Role.ACT)
    written = anchor[0].rstrip()
    mention = Mention(NameKind.SAME, written, role=role)
    return Citation(written, anchor.start(), anchor.start() + len(written), mention)


def _citation(text: str, start: int, end: int, mention: Mention, level: Level) -> Citation:
    return Citation(text[start:end], start, end, mention, (CitedPlace(level, ""),))
