"""Application (준용): the references of a sentence that are applied to its own matter.

A law applies another provision as the object of its verb (제5조를 준용한다), as its topic (제5조의
규정은 나루에 준용한다), by substituting words (제5조 중 "갑"은 "을"로 본다), or by deeming
something done under it (제5조에 따른 허가를 받은 것으로 본다). Another reference in the same
sentence is only a place: 제3조에 따른 나루에 관하여는. A list is judged by the text after its last
place, and bracketed text by itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from corpus.graph.model import Reference

_WORDS = re.compile(r"준용|적용|로\s?[본보]|mutatis|deemed")
_TAIL = (
    r"(?:\s?(?:본문|단서|전단|후단|각\s?호(?:\s?외의\s?부분)?|각\s?목(?:\s?외의\s?부분)?"
    r"|까지|의\s?(?:각\s?)?규정))*"
)
_LIST = re.compile(
    _TAIL + r"\s*(?:,\s?및|,|ㆍ|·|및|또는|이나|나|와|과|,?\s(?:and|or))\s*"
    r"(?:법률\s제\d+호\s)?(?:the\s)?"
)
_PHRASE = (
    r"(?:(?:의|에\s?(?:따른|의한|의하는|관한|규정된)|에서\s?(?:정한|정하는|규정한))"
    r"\s?[가-힣ㆍ ]{1,30}?)?"
)
_BETWEEN = r"(?:(?![을를]\s|[은는면]\s|경우[가를에]\s|때|에서)[^.\n\"“]){0,40}?"
_OBJECT = re.compile(
    _TAIL
    + _PHRASE
    + rf"(?:(?<!\s이)[을를]\s?{_BETWEEN}(?:준용|적용(?:한다|하며|하고|하되|하여야))"
    + r"|[이가]\s?준용[된되])"
)
_TOPIC = re.compile(_TAIL + r"\s?[은는도]\s(?P<gap>[^.\n]*?)준용(?:한다|하며|하고|하되|된다)")
_HOLDS_AS = r"(?<!거짓으)로\s?(?:각각\s?)?(?:본다|보[며고](?=[,\s]))"
_READ_AS = re.compile(_TAIL + r"\s?(?:중|의)\s?[\"“][^.\n]*?" + _HOLDS_AS)
_CLAUSE = r"(?:(?!경우|때|[은면는도]\s(?!것)|[에더라]도\s|관하여|준용|,\s)[^.\n\"“])"
_DEEMED = re.compile(_TAIL + r"\s?(?:에\s?(?:따|의|해당)|의\s)" + _CLAUSE + r"{1,80}?" + _HOLDS_AS)
_ENGLISH = re.compile(
    r"\s(?:shall\s|also\s)*(?:appl(?:y|ies)|be\sapplied)\s(?:\w+\s)?mutatis\smutandis"
)
_DEEMING = re.compile(r"\bdeemed\s(?:to|as)\b[^.;:,]{0,120}\sunder\s$")
_OF_OBJECT = re.compile(r"(?<!이)[을를]\s?(?:각각\s?)?$")
_END = re.compile(r"다\.(?=\s|$)|\n|[.;](?=\s[A-Z])")
_ASIDE = re.compile(r"\([^()]*\)")
_BACK = 150  # letters before a citation that may deem it
_REACH = 600  # letters after a list that may contain its sentence's verb


def applied(text: str, references: Sequence[Reference]) -> set[int]:
    """Return the offsets of the references of `text` that their sentence applies (준용).

    `references` are all of the text's, resolved or not, in order: lists need each of them.
    """
    if not _WORDS.search(text):
        return set()
    found = set[int]()
    for index, one in enumerate(references):
        end = list_end(text, references, index)
        low = max(0, one.start - _BACK)
        if _is_applied(_rest_of_sentence(text, end)) or _DEEMING.search(text, low, one.start):
            found.add(one.start)
    return found


def _is_applied(rest: str) -> bool:
    """Return whether a list is applied, given the rest of its sentence."""
    if not _WORDS.search(rest):
        return False
    if any(shape.match(rest) for shape in (_OBJECT, _READ_AS, _DEEMED, _ENGLISH)):
        return True
    topic = _TOPIC.match(rest)
    return topic is not None and not _OF_OBJECT.search(topic["gap"])


def list_end(text: str, references: Sequence[Reference], index: int) -> int:
    """Return the end of the list that contains the reference at `index`."""
    end = references[index].end
    for later in references[index + 1 :]:
        gap = without_asides(text[end : later.start])
        if ")" in gap:
            break
        if "(" in gap:
            continue  # in brackets after a place of the list
        if not _LIST.fullmatch(gap):
            break
        end = later.end
    return end


def _rest_of_sentence(text: str, start: int) -> str:
    """Return the rest of a sentence from `start`, without asides, up to a closing bracket."""
    rest = without_asides(text[start : start + _REACH]).split(")")[0]
    end = _END.search(rest)
    return rest[: end.end()] if end else rest


def without_asides(text: str) -> str:
    """Return a text without parentheses, nested ones too."""
    while (shorter := _ASIDE.sub("", text)) != text:
        text = shorter
    return text
