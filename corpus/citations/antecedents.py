"""What an answer has named so far: the antecedents of 같은 법, 영, 제5조, and its own abbreviations."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from corpus.citations.catalogue import Catalogue, Instrument
from corpus.citations.model import Role
from corpus.citations.names import family, normal

_ABBREVIATION = re.compile(
    r"(?:이하|hereinafter|hereafter)[,\s]*(?:referred to as\s+)?(?:the\s+)?"
    r"[\"“”'‘’「]?([가-힣A-Za-z][가-힣A-Za-z ]{0,28}?)[\"“”'‘’」]?\s?"
    r"(?:이?라고?\s?(?:한다|함|칭한다|칭함|부른다)|로\s?약칭|\)|,)",
    re.IGNORECASE,
)
_BARE_NAME = re.compile(
    r"(?<![가-힣「『｢])[가-힣ㆍ·]{2,20}[법칙령](?:\s?시행령|\s?시행규칙)?(?![가-힣」』｣]{0,2}[」』｣])"
    r"(?=[에의을를은는이상과와\s,.)」])"
)
_SENTENCE_END = re.compile(r"(?:[다요음함]|니다)\.(?!\d)|\n|※|○|(?<=[.\s])- ")


@dataclass(frozen=True, slots=True)
class Named:
    """One naming of an instrument: where, its family, and the instrument if the corpus has it."""

    at: int
    base: str
    role: Role
    title: str
    instrument: Instrument | None


def role_of(title: str) -> Role:
    """Return the role that words such as 같은 법, 같은 영, 같은 기준 see in a title."""
    cited = family(title)
    if cited.role is not Role.ACT:
        return cited.role
    endings = (
        (("법", "법률", " act", " law", " code"), Role.ACT),
        (("규칙", "rule", "rules"), Role.RULE),
        (("령", "직제", "decree"), Role.DECREE),
        (("기준", "고시", "standard", "standards", ")"), Role.STANDARD),
    )
    lowered = f" {title.lower().strip()}"
    return next((role for tails, role in endings if lowered.endswith(tails)), Role.ANY)


@dataclass(slots=True)
class Antecedents:
    """The instruments named up to a point of one text, most recent last."""

    text: str
    catalogue: Catalogue
    named: list[Named] = field(default_factory=list)
    abbreviations: dict[str, Named] = field(default_factory=dict)
    _scanned: int = 0

    def note(self, at: int, title: str, instrument: Instrument | None) -> None:
        """Remember that an instrument is named at `at`."""
        name = instrument.title if instrument else title
        base = instrument.base if instrument else family(name).base
        self.named.append(Named(at, base, role_of(name), name, instrument))

    def advance(self, to: int) -> None:
        """Take note of the bare names and the abbreviations between the last point and `to`."""
        start, self._scanned = self._scanned, max(self._scanned, to)
        for found in _BARE_NAME.finditer(self.text, start, to):
            known = self._known(found[0])
            if known:
                self.note(found.start(), known.title, known)

    def define(self, start: int, end: int) -> None:
        """Learn an abbreviation (이하 "법"이라 한다) written in a stretch right after a naming."""
        found = _ABBREVIATION.search(self.text, start, end)
        if found and self.named:
            self.abbreviations[normal(found[1])] = self.named[-1]

    def last(self, role: Role) -> list[Named]:
        """Return the namings that `role` can point at, most recent first, one per instrument."""
        seen: dict[tuple[str, Role], Named] = {}
        for one in reversed(self.named):
            if (
                role in (Role.RULE, Role.STANDARD)
                and one.role is not role
                and role is Role.STANDARD
            ):
                continue
            if role is Role.ACT and one.role in (Role.STANDARD,):
                continue
            seen.setdefault((one.base, one.role), one)
        return list(seen.values())

    def sole(self, at: int) -> Named | None:
        """Return the one instrument that a bare place at `at` can belong to, if there is just one.

        That is the only instrument named so far, or else the only one named in its sentence.
        """
        before = [n for n in self.named if n.at < at]
        for group in (before, [n for n in before if n.at >= self._sentence_start(at)]):
            if len({(n.base, n.role) for n in group}) == 1:
                return group[-1]
        return None

    def _sentence_start(self, at: int) -> int:
        start = 0
        for end in _SENTENCE_END.finditer(self.text, max(0, at - 2_000), at):
            start = end.end()
        return start or max(0, at - 2_000)

    def _known(self, name: str) -> Instrument | None:
        found = self.catalogue.by_title(name) or self.catalogue.by_short_name(name)
        return found[0] if len(found) == 1 else None
