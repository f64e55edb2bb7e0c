"""Names of instruments: normal form, family, code.

The normal form forgets what spelling varies in (spaces, middle dots, commas, brackets), so that
「소방시설 설치ㆍ관리…」 and 「소방시설설치·관리…」 are one name.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from corpus.citations.model import Role

_IGNORED = re.compile(r"[\s·ㆍ・‧･•∙⋅ᆞ․,.'\"‘’“”「」『』｢｣()\[\]〈〉<>《》_-]+")
_ASIDE = re.compile(
    r"\s?[(\[](?:이하|약칭|시행|법률 제|대통령령 제|[가-힣]{2,8}령 제)[^()\[\]]*[)\]]"
)
_CODE = re.compile(r"(?<![A-Za-z])([A-Z]{3,4}C)\s?-?\s?(\d{3,4}[A-Z]?)(?![0-9A-Za-z])")
_KOREAN_TAIL = re.compile(r"\s?(시행령|시행규칙)$")
_ENGLISH_HEAD = re.compile(
    r"^(?:the\s+)?enforcement\s+(decree|rules?|regulations?|ordinance)\s+(?:of|for|under)\s+"
    r"(?:the\s+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FamilyName:
    """A title split into the act it hangs under and the role it plays there.

    `base` is a normal form. A title that is nobody's decree or rule is its own base, with role
    ``ACT`` whatever its kind.
    """

    base: str
    role: Role


def normal(name: str) -> str:
    """Return the normal form of a name."""
    return _IGNORED.sub("", unicodedata.normalize("NFKC", name)).casefold()


def plain_name(written: str) -> str:
    """Return a name without asides such as (이하 "법"이라 한다) and [시행 2022. 1. 1.]."""
    return _ASIDE.sub("", written).strip()


def canonical_code(written: str) -> str:
    """Return ``NFTC102`` for every spelling of the code; empty if there is none."""
    found = _CODE.search(written)
    return found[1] + found[2] if found else ""


def code_in(name: str) -> str:
    """Return the canonical code that stands in a name, empty if none does."""
    return canonical_code(name)


def without_code(name: str) -> str:
    """Return a name without the code of its standard."""
    return _CODE.sub("", name).strip()


def family(title: str) -> FamilyName:
    """Split a title, Korean or English, into its family and its role there."""
    if tail := _KOREAN_TAIL.search(title):
        role = Role.DECREE if tail[1] == "시행령" else Role.RULE
        return FamilyName(normal(title[: tail.start()]), role)
    if head := _ENGLISH_HEAD.match(title):
        role = Role.DECREE if head[1].lower() == "decree" else Role.RULE
        return FamilyName(normal(title[head.end() :]), role)
    return FamilyName(normal(re.sub(r"^the\s+", "", title, flags=re.IGNORECASE)), Role.ACT)
