"""Data types of citations, as written and as resolved; normal forms of names and places.

Finding fills :class:`Citation` from the text alone; resolving adds a :class:`Resolution` with the
units of one corpus, or the exact reason why there are none.

Names of instruments have a normal form, a family and a code. The normal form removes spelling
variants (spaces, middle dots, commas, brackets), so that 「소방시설 설치ㆍ관리…」 and
「소방시설설치·관리…」 are one name.

Normalization of letters for reading citations, with offsets in the original text.

Patterns know composed letters and half width digits and brackets. A text in another form (NFD, or
제２조（정의）) is read in normal form; the citations found have the words and offsets of the
original. Letters are folded one by one, so that only composing moves offsets.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum
from functools import lru_cache

from corpus.model import Level, language_of, place_label
from normalization import Spans, composed


class Role(StrEnum):
    """The role of an instrument in its family: the act, its decree, its rule, or a standard."""

    ACT = "act"
    DECREE = "decree"
    RULE = "rule"
    STANDARD = "standard"
    ANY = "any"


class NameKind(StrEnum):
    """The way a citation names its instrument."""

    TITLE = "title"  # 「소방기본법」 제2조; Fire Act, Article 2
    BARE = "bare"  # a title or short name without brackets: 건축법 제64조
    CODE = "code"  # NFTC 102 2.1.1
    SAME = "same"  # 같은 법 시행령 제5조, 동법 제3조, the same Act
    LEVEL = "level"  # 법 제5조, 영 제3조, 시행규칙 제2조: the family's act, decree or rule
    CONTINUED = "continued"  # 및 제7조: the instrument of the citation before it in a list
    SAME_PLACE = "same_place"  # 같은 조 제3항, 동조동항, 같은 호 가목, 같은 표 제2호
    NONE = "none"  # 제5조 alone
    PART = "part"  # 제2항, 제1호 alone: below the current article; in statutes only
    RELATIVE = "relative"  # 전조, 전항: before the current place (an answer's last citation)


@dataclass(frozen=True, slots=True)
class Former:
    """An instrument as it was before an amendment, made on `amended` if a date is written."""

    amended: date | None = None


@dataclass(frozen=True, slots=True)
class Mention:
    """The naming of an instrument in one citation.

    `text` is the wording; `name` the title in it, without brackets, empty if there is none; `code`
    the canonical code of a technical standard (``NFTC102``), empty if there is none. `role` is the
    role that 같은 …, 법, 영, 규칙 point to; `direct` is whether the words name it directly (같은
    규칙) and not via the act (같은 법 시행규칙). `former` is set if the words refer to former law
    (구 형법); `text` then includes these words.
    """

    kind: NameKind
    text: str = ""
    name: str = ""
    code: str = ""
    role: Role = Role.ANY
    direct: bool = False
    former: Former | None = None


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place as a citation names it.

    `number` is canonical (``24의2``, ``2.1.1.3``); empty for "같은 조" and for an annex without a
    number. `pinpoint` is a part path (``1항/3호/가목``). `last` is the last number of a range that
    begins with `number`. `heading` is the parenthesis after the number. `several` is whether the
    words are plural, so that a hyphen may be a range; `rule` whether they name a rule or
    regulation, which an act does not have.
    """

    level: Level
    number: str
    pinpoint: str = ""
    last: str = ""
    heading: str = ""
    several: bool = False
    rule: bool = False


@dataclass(frozen=True, slots=True)
class Citation:
    """A reference as written: ``text`` is exactly ``answer[start:end]``.

    `mention` is the naming of the instrument; `places` has one entry per place or pinpoint, and is
    empty if only an instrument is named.
    """

    text: str
    start: int
    end: int
    mention: Mention
    places: tuple[CitedPlace, ...] = ()

    @property
    def instrument(self) -> str | None:
        """The instrument as written, or None if the citation names none itself."""
        return self.mention.text or None


class Status(StrEnum):
    """The outcome of resolving a citation."""

    RESOLVED = "resolved"
    AMBIGUOUS = "ambiguous"
    UNRESOLVED = "unresolved"


class Reason(StrEnum):
    """The reason why a citation did not resolve."""

    NO_SUCH_INSTRUMENT = "no_such_instrument"  # the corpus lacks the instrument
    PREDECESSOR = "predecessor"  # an obsolete instrument, whose numbers do not carry over
    SUPERSEDED = "superseded"  # a standard that others replaced
    FORMER_VERSION = "former_version"  # an instrument as it was before an amendment
    NO_SUCH_PLACE = "no_such_place"  # the corpus has the instrument, but not the place
    NO_ANTECEDENT = "no_antecedent"  # "the same Act" without an earlier naming
    NAMES_INSTRUMENT_ONLY = "names_instrument_only"  # an instrument of the corpus, no place
    SEVERAL_MATCH = "several_match"  # more than one unit remains


@dataclass(frozen=True, slots=True)
class Target:
    """One unit meant by a citation, and the part of it (`pinpoint`, empty if the whole unit)."""

    unit_id: str
    pinpoint: str = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The meaning of one citation in one corpus.

    `targets` is filled exactly if `status` is resolved; `reason` exactly if it is not.
    `instrument_title` is the title of the instrument meant, if known: for an instrument that the
    corpus lacks, the name as written; for a replaced one, its successors. `unit_ids` are units to
    check by hand: those that remain for an ambiguous citation, those of the same number in possible
    instruments of an unknown short name, in the successors of a predecessor, and in today's law for
    a former version. For a former version `amended` is the day of the amendment, if written in the
    text, and `kept_in` the snapshot with the version before, if a project has one.
    """

    citation: Citation
    status: Status
    targets: tuple[Target, ...] = ()
    reason: Reason | None = None
    instrument_title: str | None = None
    unit_ids: tuple[str, ...] = ()
    amended: date | None = None
    kept_in: str = ""


def label(place: CitedPlace, sample: str) -> str:
    """Return the label of a place without its pinpoint, in the language of `sample`.

    A range is labelled by its first place; sections by their first two levels, as units are.
    """
    if place.level is Level.SECTION:
        return ".".join(place.number.split(".")[:2])
    language = language_of(sample)
    if place.level is Level.ADDENDUM and language == "ko":
        return "부칙"
    return place_label(place.level, place.number, language)


_IGNORED = re.compile(r"[\s·ㆍ・‧･•∙⋅ᆞ․,.'\"‘’“”「」『』｢｣()\[\]〈〉<>《》_-]+")
_ASIDE = re.compile(
    r"\s?[(\[](?:이하|약칭|시행|법률 제|대통령령 제|[가-힣]{2,8}령 제)[^()\[\]]*[)\]]"
)
_CODE = re.compile(r"(?<![A-Za-z])([A-Z]{3,4}C)\s?-?\s?(\d{3,4}[A-Z]?)(?![0-9A-Za-z])")
US_CODE = (
    r"(?<![0-9A-Za-z.])(?:[Tt]itle\s)?[0-9]{1,2},?\s{1,3}(?:of\sthe\s)?(?:U\.?\s?S\.?\s?C(?:\b\.?"
    r"(?:\s?[AS]\b\.?)?|ode\b)|C\.?\s?F\.?\s?R\b\.?|United\sStates\sCode\b"
    r"|Code\sof\sFederal\sRegulations\b)"
)
"""The pattern of a title of United States law: 42 U.S.C., 45 CFR, title 17, United States Code."""
_US_CODE = re.compile(US_CODE)
_YEAR = re.compile(r",?(?:\sof)?\s(?:1[6-9]|20)\d\d$")
_KOREAN_TAIL = re.compile(r"\s?(시행령|시행규칙)$")
_ENGLISH_HEAD = re.compile(
    r"^(?:the\s+)?enforcement\s+(decree|rules?|regulations?|ordinance)\s+(?:of|for|under)\s+"
    r"(?:the\s+)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FamilyName:
    """A title split into the act of its family and its role there.

    `base` is a normal form. A title that is nobody's decree or rule is its own base, with role
    ``ACT`` whatever its kind.
    """

    base: str
    role: Role


_NAMES = 16_384  # a law names the same few laws again and again
_ROLE_ENDINGS = (
    (("법", "법률", " act", " law", " code"), Role.ACT),
    (("규칙", " rule", " rules", " regulation", " regulations"), Role.RULE),
    (("령", "직제", " decree"), Role.DECREE),
    (("기준", "고시", " standard", " standards"), Role.STANDARD),
)


@lru_cache(_NAMES)
def normal(name: str) -> str:
    """Return a name for comparison: in one case and width, without blanks and punctuation."""
    return _IGNORED.sub("", unicodedata.normalize("NFKC", name)).casefold()


def plain_name(written: str) -> str:
    """Return a name without asides such as (이하 "법"이라 한다) and [시행 2022. 1. 1.]."""
    return _ASIDE.sub("", written).strip()


def canonical_code(written: str) -> str:
    """Return ``NFTC102`` for every spelling of the code; "" if there is none."""
    found = _CODE.search(written)
    return found[1] + found[2] if found else ""


def us_code(written: str) -> str:
    """Return ``45CFR`` or ``17USC`` for every spelling of a title of United States law, else ""."""
    found = _US_CODE.search(written)
    if found is None:
        return ""
    number = re.search("[0-9]+", found[0])
    return (number[0] if number else "") + ("CFR" if "F" in found[0] else "USC")


def without_code(name: str) -> str:
    """Return a name without the code of its standard."""
    return _CODE.sub("", name).strip()


@lru_cache(_NAMES)
def family(title: str) -> FamilyName:
    """Split a title, Korean or English, into its family and its role there."""
    if tail := _KOREAN_TAIL.search(title):
        role = Role.DECREE if tail[1] == "시행령" else Role.RULE
        return FamilyName(normal(title[: tail.start()]), role)
    if head := _ENGLISH_HEAD.match(title):
        role = Role.DECREE if head[1].lower() == "decree" else Role.RULE
        return FamilyName(normal(title[head.end() :]), role)
    return FamilyName(normal(re.sub(r"^the\s+", "", title, flags=re.IGNORECASE)), Role.ACT)


@lru_cache(_NAMES)
def role_of(title: str) -> Role:
    """Return the role of a title for 같은 법, 같은 영, 같은 규칙, 같은 기준."""
    if _CODE.search(title):
        return Role.STANDARD
    cited = family(title)
    if cited.role is not Role.ACT:
        return cited.role
    ending = _YEAR.sub("", f" {title.lower().strip()}")
    if re.match(r" (?:the |special )*act on ", ending):
        return Role.ACT
    return next((role for tails, role in _ROLE_ENDINGS if ending.endswith(tails)), Role.ANY)


def relative_title(title: str, role: Role) -> str:
    """Return the title of the decree or rule (or act) in the family of `title`."""
    tail = {Role.DECREE: "시행령", Role.RULE: "시행규칙"}.get(role, "")
    head = _KOREAN_TAIL.sub("", title)
    if re.search(r"[가-힣]", title):
        return f"{head} {tail}".strip()
    act = _ENGLISH_HEAD.sub("", title)
    return f"Enforcement {role.value.title()} of the {act}" if tail else act


# Full width forms, and middle dots of other scripts and of old Korean. A bullet joins nothing.
_FOLDED = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_DOTS = "\u119e\u2024\u22c5"
_FOLDED |= dict.fromkeys(map(ord, _DOTS), ord("ㆍ"))


def is_plain(text: str) -> bool:
    """Return whether a text is composed, without full-width letters, as `WrittenForm.text`."""
    if text.isascii():
        return True
    # Several times as fast as an expression, which looks at each letter: called for all text.
    wide = b"\xff" in text.encode("utf-16-le", "surrogatepass")
    if wide or any(dot in text for dot in _DOTS):
        return text.translate(_FOLDED) == text == composed(text)
    return composed(text) is text


class WrittenForm:
    """A text as written (`source`) and normalized (`text`)."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._spans = Spans(source)
        self.text = self._spans.text.translate(_FOLDED)

    def as_written(self, citation: Citation) -> Citation:
        """Convert a citation of the normalized text to words and offsets of the original."""
        start, end = self._spans.in_source(citation.start, citation.end)
        return replace(citation, text=self.source[start:end], start=start, end=end)

    def as_read(self, citation: Citation) -> Citation:
        """Convert a citation of the original text to words and offsets of the normalized one."""
        start, end = self._spans.in_composed(citation.start, citation.end)
        return replace(citation, text=self.text[start:end], start=start, end=end)
