"""Facts of a court case by sentence, without dates and regions.

A language model that splits the facts leaves out irrelevant parts itself. Here rules replace it:
dates, times and names of regions are no part of an identifier, and a fact with little else is
dropped with the reason.

Identifiers that begin with a key token: spans of a text from its most informative word on.

A generated identifier is constrained to the continuations of its first token in the corpus, so the
first token decides where it can go (LegalSearchLM, section 3.2). A language model may rewrite a
fact so that it begins with what matters. Without one, the text stays unchanged and the identifier
begins within it: at the word of the highest weight that enough words follow. So it occurs in the
corpus verbatim, as decoding requires.

The weight of a word is the mean over its terms (pairs of characters in Hangul, Han and Kana, whole
words elsewhere) of log((N + 1) / (n + 0.5)), N texts of which n have the term. Korean attaches
particles to words, so the word itself would be rare for its ending. A term of a single text counts
as if two had it, and half of that: names and typing errors lead to no other text. Function words,
numbers and single characters have weight 0.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from retrieval.text.morphemes import FUNCTION_WORDS, normal_form
from retrieval.text.passages import sentences
from retrieval.text.tokenise import bigrams

_HAN_RANGES = r"\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_HAN_RANGES}]{{2}}|[^\W_{_HAN_RANGES}]+")
_LETTER = re.compile(r"[^\W\d_]")
ALONE = 0.5
"""The factor on the weight of a term in a single text."""
WORDS = 10
"""The most words of an identifier; a trainer cuts by its own tokens besides."""
FOLLOWING = 3
"""The fewest words after the first one; in a short text half of the others."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class KeyTokens:
    """Weights of words among `texts` texts; `having` counts the texts with each term.

    With `naive` an identifier is the beginning of a text, whatever its words weigh: the baseline
    for identifiers that begin with a key token.
    """

    having: Counter[str]
    texts: int
    naive: bool

    @classmethod
    def of(cls, texts: Iterable[str], *, naive: bool = False) -> KeyTokens:
        """Learn the weights from `texts`."""
        having, count = Counter[str](), 0
        for text in texts:
            having.update(set(bigrams(text)))
            count += 1
        return cls(having, count, naive)

    def weight(self, word: str) -> float:
        """Return the weight of a word; 0 for one without information."""
        plain = normal_form(word)
        if len(plain) < 2 or plain in FUNCTION_WORDS or not _LETTER.search(plain):
            return 0.0
        terms = bigrams(plain)
        return sum(map(self._rarity, terms)) / max(len(terms), 1)

    def _rarity(self, term: str) -> float:
        """Return the weight of a term by its rarity."""
        having = self.having.get(term, 0)
        rarity = math.log((self.texts + 1) / (max(having, 2) + 0.5))
        return max(rarity, 0.0) * (1.0 if having > 1 else ALONE)

    def identifiers(
        self, text: str, most: int = 1, holes: Sequence[Span] = (), words: int = WORDS
    ) -> list[Span]:
        """Return up to `most` identifiers of `text` as spans, the most informative first.

        None begins within a hole or another, and each ends before the next hole. A text without
        weighted words has none.
        """
        found = [match.span() for match in _WORD.finditer(text)]
        if self.naive:
            letters = (any(map(str.isalpha, text[slice(*span)])) for span in found)
            first = next((at for at, has in enumerate(letters) if has), None)
            return [] if first is None else [_fact_span(found, first, words, ())]
        open_ = [at for at, span in enumerate(found) if not _overlaps(span, holes)]
        weights = {at: self.weight(text[slice(*found[at])]) for at in open_}
        last = len(found) - 1 - min(FOLLOWING, (len(found) - 1) // 2)
        starts = sorted(open_, key=lambda at: (at > last, -weights[at], at))
        chosen: list[Span] = []
        for at in starts:
            if len(chosen) == most:
                break
            span = _fact_span(found, at, words, holes)
            if weights[at] > 0 and not any(a <= span[0] < b for a, b in chosen):
                chosen.append(span)
        return chosen


def _overlaps(span: Span, holes: Sequence[Span]) -> bool:
    """Return True if a span overlaps one of the holes."""
    return any(span[0] < end and start < span[1] for start, end in holes)


def _fact_span(spans: Sequence[Span], at: int, words: int, holes: Sequence[Span]) -> Span:
    """Return the span of up to `words` key tokens from index `at`, ending before a hole."""
    start, end = spans[at]
    for span in spans[at + 1 : at + words]:
        if _overlaps(span, holes):
            break
        end = span[1]
    return start, end


FEWEST = 8
"""The fewest letters of a fact besides dates and regions; Han characters count double."""
_PROVINCE = (
    "서울|부산|대구|인천|광주|대전|울산|세종|경기|강원|충청[남북]|충[남북]|전라[남북]|전[남북]|"
    "경상[남북]|경[남북]|제주"
)
# ~ is a few spaces at most: each of a long run would start a search to its end.
_DATE = re.compile(
    r"""
    \d{4}~[.년]~\d{1,2}~[.월](?:~\d{1,2}~[.일]?)?   # 2020. 3. 5.  2020년 3월 5일
    | \d{4}~年(?:~\d{1,2}~月)?(?:~\d{1,2}~日)?      # 2020年3月5日
    | \d{4}-\d{2}-\d{2}
    | (?:\d{1,2}\s{1,3})?(?:January|February|March|April|May|June|July|August|September|October
      |November|December)\s{1,3}\d{1,2}?,?~\d{4}
    | (?:오전|오후)?~\d{1,2}~(?:[:：]~\d{2}|시(?:~\d{1,2}~분)?|[时時](?:\d{1,2}分)?)
      ~(?:경|许|許)?
    """.replace("~", r"\s{0,3}"),
    re.VERBOSE,
)
_REGION = re.compile(
    rf"(?:{_PROVINCE})(?:특별자치[시도]|특별시|광역시|도|시)?"
    r"(?:\s+[가-힣\d]{1,8}(?:시|군|구|읍|면|동|리|로|길|가)(?=[\s\d에의,.]|$)(?:\s*\d+(?:-\d+)?)?)+"
    rf"|(?:{_PROVINCE})(?:특별자치[시도]|특별시|광역시|도|시)(?=[\s에의,.]|$)"
    r"|[一-鿿]{2,7}?(?:省|自治区)[一-鿿]{1,6}?(?:市|州|县|区)(?:[一-鿿]{1,6}?(?:县|区|镇|乡|村))?"
    r"|[一-鿿]{2,5}?(?:市)[一-鿿]{1,5}?(?:县|区|镇|乡|村)"
)
_POINT = "\N{ONE DOT LEADER}"  # replaces the points of dates while sentences are split
_PIECE = re.compile(r"[;；]\s*|(?<=[。！？])")  # Chinese has no space behind a sentence
_LETTERS = re.compile(r"[^\W\d_]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a case: as written, and rewritten with key tokens first.

    `number` counts the facts of the case from 1, including dropped ones.
    """

    number: int
    text: str
    core: str


@dataclass(frozen=True, slots=True)
class Facts:
    """The usable facts of a case, and the number dropped per reason."""

    kept: tuple[Fact, ...]
    dropped: dict[str, int]


def holes(text: str) -> list[Span]:
    """Return the spans of dates, times and regions in `text`."""
    found = [match.span() for pattern in (_DATE, _REGION) for match in pattern.finditer(text)]
    return sorted(found)


def facts_by_sentence(text: str, keys: KeyTokens) -> Facts:
    """Return the sentences of `text` as facts, with the reasons for dropping others.

    Reasons are ``date`` and ``region`` (it has little besides), ``short``, ``repeated``, and
    ``no_key`` if no word has a weight.
    """
    kept: list[Fact] = []
    dropped: dict[str, int] = {}
    seen: set[str] = set()
    pieces = [piece for each in _sentences(text) for piece in _PIECE.split(each) if piece.strip()]
    for number, piece in enumerate(pieces, 1):
        reason, core = _core_of(piece, keys)
        reason = "repeated" if core in seen else reason
        if reason:
            dropped[reason] = dropped.get(reason, 0) + 1
            continue
        seen.add(core)
        kept.append(Fact(number, piece, core))
    return Facts(tuple(kept), dropped)


def _sentences(text: str) -> list[str]:
    """Return the sentences of `text`; the points in a date end none."""
    whole = _DATE.sub(lambda date: date[0].replace(".", _POINT), text)
    return [each.replace(_POINT, ".") for each in sentences(whole)]


def _core_of(piece: str, keys: KeyTokens) -> tuple[str, str]:
    """Return (the reason for which a sentence is no fact or "", its core)"""
    gaps = holes(piece)
    if reason := _too_short_reason(piece, gaps):
        return reason, ""
    spans = keys.identifiers(piece, holes=gaps)
    return ("", piece[slice(*spans[0])]) if spans else ("no_key", "")


def _too_short_reason(piece: str, gaps: Sequence[Span]) -> str:
    """Return why a sentence is too short for a fact without its gaps, "" if it is long enough."""
    rest = piece
    for start, end in reversed(gaps):
        rest = rest[:start] + rest[end:]
    if len(_LETTERS.findall(rest)) + len(_HAN.findall(rest)) >= FEWEST:
        return ""
    if not gaps:
        return "short"
    return "date" if _DATE.search(piece) else "region"
