"""Citations of what an amending instrument added after its text, by that instrument's number.

법률 제20393호 주택법 일부개정법률 부칙 제3조 is article 3 of that addendum of the Housing Act.
"""

from __future__ import annotations

import re

from corpus.citations.korean_places import read_amending_place
from corpus.citations.model import Citation, Mention, NameKind
from corpus.citations.names import plain_name

# The number; what kind of instrument has it stands before, which instrument it amends behind.
NUMBER = r"(?<=[률령칙]\s)제\s?\d{1,6}\s?호\s?(?=[가-힣「])"
_KIND = re.compile(r"(?<![가-힣])(?:법률|대통령령|총리령|[가-힣]{2,12}(?:부령|규칙))\s$")
_KIND_REACH = 16
_AMENDED = re.compile(
    r"「?(?P<title>[가-힣][가-힣ㆍ· ]{0,70}?(?:법률?|령|규칙|규정|직제))"
    r"\s?(?:(?:중|일부|전부)\s?)?(?:개정\s?(?:법률|령|규칙))?」?\s?(?P<addendum>부칙)"
)


def read_amending(text: str, number: re.Match[str], floor: int) -> Citation | None:
    """Return the citation around a number that :data:`NUMBER` found, None where it is another's.

    `floor` is where the citation before ends.
    """
    reach = max(floor, number.start() - _KIND_REACH)
    kind = _KIND.search(text, reach, number.start())
    amended = _AMENDED.match(text, number.end())
    if not kind or not amended:
        return None
    digits = "".join(filter(str.isdigit, number[0]))
    found = read_amending_place(text, amended.end(), str(int(digits)))
    start, title = kind.start(), amended["title"]
    mention = Mention(NameKind.TITLE, text[start : amended.end("title")], plain_name(title))
    return Citation(text[start : found.end], start, found.end, mention, found.places)
