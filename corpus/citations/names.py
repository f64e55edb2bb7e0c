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
_US_CODE = re.compile(
    r"(?<![0-9A-Za-z])([0-9]{1,2})\s{1,3}(U\.?\s?S\.?\s?C|C\.?\s?F\.?\s?R)(?![A-Za-z])"
    r"|\bTitle\s([0-9]{1,2}),?\s(?:of\sthe\s)?(United\sStates\sCode|Code\sof\sFederal)",
    re.IGNORECASE,
)
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


_ROLE_ENDINGS = (
    (("법", "법률", " act", " law", " code"), Role.ACT),
    (("규칙", " rule", " rules"), Role.RULE),
    (("령", "직제", " decree"), Role.DECREE),
    (("기준", "고시", " standard", " standards"), Role.STANDARD),
)


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


def us_code(written: str) -> str:
    """Return ``45CFR`` or ``17USC`` for every spelling of a title of United States law, else ""."""
    found = _US_CODE.search(written)
    if found is None:
        return ""
    number, code = found[1] or found[3], (found[2] or found[4]).upper()
    return number + ("CFR" if code.startswith("C") else "USC")


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


def role_of(title: str) -> Role:
    """Return the role that 같은 법, 같은 영, 같은 규칙, 같은 기준 see in a title."""
    if _CODE.search(title):
        return Role.STANDARD
    cited = family(title)
    if cited.role is not Role.ACT:
        return cited.role
    ending = f" {title.lower().strip()}"
    if re.match(r" (?:the |special )*act on ", ending):
        return Role.ACT
    return next((role for tails, role in _ROLE_ENDINGS if ending.endswith(tails)), Role.ANY)


def relative_title(title: str, role: Role) -> str:
    """Return how the decree or rule (or act) in the family of `title` is called."""
    tail = {Role.DECREE: "시행령", Role.RULE: "시행규칙"}.get(role, "")
    head = _KOREAN_TAIL.sub("", title)
    if re.search(r"[가-힣]", title):
        return f"{head} {tail}".strip()
    act = _ENGLISH_HEAD.sub("", title)
    return f"Enforcement {role.value.title()} of the {act}" if tail else act
