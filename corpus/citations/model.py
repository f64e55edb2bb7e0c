"""The shapes of a citation: as written, and as resolved.

Finding fills :class:`Citation` from the text alone; resolving adds a :class:`Resolution` that says
which units of one corpus are meant, or exactly why none is.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from corpus.model import Level


class Role(StrEnum):
    """The part an instrument plays in its family: the act, its decree, its rule, or a standard."""

    ACT = "act"
    DECREE = "decree"
    RULE = "rule"
    STANDARD = "standard"
    ANY = "any"


class NameKind(StrEnum):
    """How a citation names its instrument."""

    TITLE = "title"  # 「소방기본법」 제2조; Fire Act, Article 2
    BARE = "bare"  # a title or short name without brackets: 건축법 제64조
    CODE = "code"  # NFTC 102 2.1.1
    SAME = "same"  # 같은 법 시행령 제5조, 동법 제3조, the same Act
    LEVEL = "level"  # 법 제5조, 영 제3조, 시행규칙 제2조: the family's act, decree or rule
    CONTINUED = "continued"  # 및 제7조: the instrument of the citation before it in a list
    SAME_PLACE = "same_place"  # 같은 조 제3항, 같은 항 제2호
    NONE = "none"  # 제5조 alone
    PART = "part"  # 제2항, 제1호 alone: below the article that it stands in; in statutes only
    RELATIVE = "relative"  # 전조, 전항: before where it stands; in statutes only


@dataclass(frozen=True, slots=True)
class Mention:
    """How one citation names its instrument.

    `text` is the wording; `name` the title in it, without brackets, empty where there is none;
    `code` the canonical code of a technical standard (``NFTC102``), empty where there is none.
    `role` is the role that 같은 …, 법, 영, 규칙 point at; `direct` says that the words name it
    themselves (같은 규칙) and not by way of the act (같은 법 시행규칙).
    """

    kind: NameKind
    text: str = ""
    name: str = ""
    code: str = ""
    role: Role = Role.ANY
    direct: bool = False


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A place as a citation names it.

    `number` is canonical (``24의2``, ``2.1.1.3``); empty for "같은 조" and for an annex without a
    number. `pinpoint` is a part path (``1항/3호/가목``). `last` is the last number of a range that
    begins with `number`. `heading` is what the text puts in parentheses after the number.
    """

    level: Level
    number: str
    pinpoint: str = ""
    last: str = ""
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Citation:
    """A reference as written: ``text`` is exactly ``answer[start:end]``.

    `mention` says how the instrument is named; `places` holds one entry per place or pinpoint,
    and is empty when only an instrument is named.
    """

    text: str
    start: int
    end: int
    mention: Mention
    places: tuple[CitedPlace, ...] = ()

    @property
    def instrument(self) -> str | None:
        """Return the instrument as written, or None where the citation names none itself."""
        return self.mention.text or None


class Status(StrEnum):
    """What became of a citation."""

    RESOLVED = "resolved"
    AMBIGUOUS = "ambiguous"
    UNRESOLVED = "unresolved"


class Reason(StrEnum):
    """Why a citation did not resolve."""

    NO_SUCH_INSTRUMENT = "no_such_instrument"  # the corpus lacks the instrument
    PREDECESSOR = "predecessor"  # an obsolete instrument, whose numbers do not carry over
    NO_SUCH_PLACE = "no_such_place"  # the instrument is there, the place is not
    NO_ANTECEDENT = "no_antecedent"  # "the same Act", and nothing before it to point at
    NAMES_INSTRUMENT_ONLY = "names_instrument_only"  # an instrument of the corpus, no place
    SEVERAL_MATCH = "several_match"  # more than one unit remains


@dataclass(frozen=True, slots=True)
class Target:
    """One unit meant by a citation, and the part of it (`pinpoint`, empty if the whole unit)."""

    unit_id: str
    pinpoint: str = ""


@dataclass(frozen=True, slots=True)
class Resolution:
    """What one citation means in one corpus.

    `targets` is filled exactly when `status` is resolved; `reason` exactly when it is not.
    `instrument_title` is the title of the instrument meant, wherever it is known: for an
    instrument that the corpus lacks, the name as written; for a predecessor, its successors.
    `unit_ids` are units to look at by hand: those that remain for an ambiguous citation, those of
    the same number in the successors for a predecessor.
    """

    citation: Citation
    status: Status
    targets: tuple[Target, ...] = ()
    reason: Reason | None = None
    instrument_title: str | None = None
    unit_ids: tuple[str, ...] = ()
