"""Parser of places as written in a source: 제3조의2(정의), 별표 4, Article 5, § 164.504, 2.1.

Detection of places a spreadsheet turned into dates or numbers: 2-3 to 3-Feb, 2.10 to 2.1.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.model import Level, place_id, place_label, slug
from corpus.section_numbers import NUMBER, section_number

_LONGEST = 200
_HEADING = r"(?:\s{0,3}[(（](?P<heading>[^()（）]{1,150})[)）])?\.?"
_SHAPES = (
    (Level.ARTICLE, r"제?\s?(?P<n>[0-9]{1,5})\s?조(?:\s?의\s?(?P<b>[0-9]{1,3}))?"),
    (Level.ANNEX, r"\[?별표\s?(?:제?(?P<n>[0-9]{1,4})호?(?:의\s?(?P<b>[0-9]{1,3}))?)?\]?"),
    (Level.FORM, r"\[?별지\s?(?:제?(?P<n>[0-9]{1,4})호?(?:의\s?(?P<b>[0-9]{1,3}))?)?\s?서식\]?"),
    (Level.ARTICLE, r"Art(?:icle|\.)\s(?P<n>[0-9]{1,5})(?:-(?P<b>[0-9]{1,3}))?"),
    (Level.ANNEX, r"Annex\s(?P<n>[0-9]{1,4})(?:-(?P<b>[0-9]{1,3}))?"),
    (Level.FORM, r"Form\s(?P<n>[0-9]{1,4})(?:-(?P<b>[0-9]{1,3}))?"),
    (Level.SECTION, rf"(?:§§?|Sec(?:tion|\.))\s{{0,3}}(?P<n>{NUMBER})(?P<b>)"),
    (Level.SECTION, rf"(?P<n>(?=[0-9]{{1,5}}\.){NUMBER})(?P<b>)"),
)
_PATTERNS = tuple((level, re.compile(shape + _HEADING, re.IGNORECASE)) for level, shape in _SHAPES)
_LEADS = (
    (re.compile(r"별표|annex", re.IGNORECASE), Level.ANNEX),
    (re.compile(r"별지|form", re.IGNORECASE), Level.FORM),
    (re.compile(r"부칙|addend", re.IGNORECASE), Level.ADDENDUM),
    (re.compile(r"§|sec(?:tion|\.)|[0-9]{1,4}\.[0-9]", re.IGNORECASE), Level.SECTION),
)


@dataclass(frozen=True, slots=True)
class WrittenPlace:
    """A parsed place: `number` is canonical ("2의2"), "" for the only annex or form."""

    level: Level
    number: str
    heading: str = ""

    def place(self, language: str) -> str:
        """Return the place half of a semantic id."""
        if self.number:
            return place_id(self.level, self.number, language)
        if language == "en":
            return self.level.value
        return "별표" if self.level is Level.ANNEX else "별지서식"

    def label(self, language: str) -> str:
        """Return the place as a lawyer writes it."""
        if self.level is Level.SECTION:
            return f"§ {self.number}" if language == "en" else self.number
        return place_label(self.level, self.number, language)


def read_place(text: str) -> WrittenPlace | None:
    """Parse the whole of `text` as a place; None for anything else."""
    text = text.strip()
    if len(text) > _LONGEST:
        return None
    for level, pattern in _PATTERNS:
        if found := pattern.fullmatch(text):
            base, branch = found["n"] or "", found["b"] or ""
            if base:
                base = section_number(base) if level is Level.SECTION else str(int(base))
            number = f"{base}의{int(branch)}" if branch else base
            return WrittenPlace(level, number, (found["heading"] or "").strip())
    return None


def level_of_place(place: str) -> Level:
    """Return the level of an unparsable place by its beginning (별표2-1호); else article."""
    for pattern, level in _LEADS:
        if pattern.match(place):
            return level
    return Level.ARTICLE


def free_place(text: str) -> str:
    """Return a place id for a place that is a name of its own (Preamble, Schedule A)."""
    place = slug(text)[:_LONGEST]
    return section_number(place) if place[:1].isdigit() else place


_MONTHS = tuple(
    re.findall(
        r"\w+",
        """
        january february march april may june july august september october november december
        januar februar marz mrz mai juni juli oktober dezember janvier fevrier mars avril juin
        juillet aout septembre octobre decembre enero febrero marzo abril mayo junio julio
        agosto septiembre setiembre octubre noviembre diciembre gennaio febbraio aprile maggio
        giugno luglio settembre ottobre dicembre janeiro fevereiro marco maio junho julho
        setembro outubro novembro dezembro januari februari maart mrt mei augustus maj marts
        desember styczen luty marzec kwiecien czerwiec lipiec sierpien wrzesien pazdziernik
        listopad grudzien ocak subat mart nisan mayis haziran temmuz agustos eylul ekim kasim
        aralik январь февраль март марта апрель май мая июнь июль август сентябрь октябрь ноябрь
        декабрь
        """,
    )
)
_YEAR = r"(?:19|20)[0-9]{2}"
_DAY = r"[0-9]{1,2}"
_TIME = r"(?:[T ](?:오[전후] )?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]+)?)?(?:Z| ?[AaPp][Mm])?)?"
_VALUE = re.compile(
    rf"(?:{_YEAR}[-./] ?{_DAY}[-./] ?{_DAY}\.?|{_DAY}[-./]{_DAY}[-./]{_YEAR}"
    rf"|{_DAY}/{_DAY}(?:/[0-9]{{2}})?|{_YEAR}/{_DAY}|{_DAY}/{_YEAR}"
    rf"|(?:{_YEAR} ?[年년] ?)?{_DAY} ?[月월](?: ?{_DAY} ?[日일])?){_TIME}"
    r"|[0-9](?:\.[0-9]+)?[Ee][+-][0-9]{2,3}|(?:오[전후] )?[0-9]{1,2}:[0-9]{2}:[0-9]{2}|[0-9]{12,13}"
    r"|#(?:REF!|VALUE!|NAME\?|N/A|NUM!|DIV/0!|NULL!|#+)"
)
_MONTH = r"[^\W\d_]{3,12}"
_NAMED_DAY = re.compile(
    rf"(?:{_DAY}(?:[-./]| de )? ?(?P<month>{_MONTH})\.?(?:[-./ ](?: ?de )? ?(?:{_YEAR}|{_DAY}))?"
    rf"|(?P<first>{_MONTH})\.?[-./ ] ?(?:{_YEAR}|{_DAY})(?:,? (?:{_YEAR}|{_DAY}))?){_TIME}"
)
_SERIALS = range(20_000, 60_000)  # days since 1900 of the years 1954 to 2064
_DECIMAL = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})")


def spreadsheet_places(places: Sequence[str], language: str) -> frozenset[int]:
    """Return the indices of a statute's places (given in order) that a spreadsheet has changed.

    A date, 1E+05 and an error value (#REF!) are never a place. A number is judged by its
    neighbours: 45352 is a day's number unless most places are bare numbers, as sections of a
    foreign code may be; 12.0 is 12 unless there is a 12.1; 2.1 was 2.10 after 2.9, and if it is
    repeated and there is a 2.9 or 2.11.
    """
    written = [" ".join(unicodedata.normalize("NFKC", place).split()) for place in places]
    bare = sum(place.isdecimal() for place in written)
    numbered = language != "ko" and 2 * bare > len(written)
    bases = {
        found[1] for place in written if (found := _DECIMAL.fullmatch(place)) and int(found[2])
    }
    return frozenset(
        at
        for at, place in enumerate(written)
        if is_spreadsheet_value(place)
        or (place.isdecimal() and len(place) == 5 and int(place) in _SERIALS and not numbered)
        or (re.fullmatch(r"[0-9]+\.0", place) and place[:-2] not in bases)
        or _lost_zero(written, at)
    )


def is_spreadsheet_value(place: str) -> bool:
    """Return whether a place is a date, a number with exponent or an error value."""
    if _VALUE.fullmatch(place):
        return True
    named = _NAMED_DAY.fullmatch(place)
    return named is not None and _is_month(named["month"] or named["first"])


def _is_month(word: str) -> bool:
    """Return True for a month's name or the beginning of one."""
    letters = unicodedata.normalize("NFKD", word.casefold())
    # Composed again, as й is a letter of its own and not an accented one.
    plain = "".join(letter for letter in letters if not unicodedata.combining(letter))
    names = (word.casefold(), plain)
    return any(month.startswith(names) for month in _MONTHS)


def _lost_zero(places: Sequence[str], at: int) -> bool:
    """Return whether a decimal place has lost its last zero, by its predecessor or as a repeat."""
    found = _DECIMAL.fullmatch(places[at])
    if found is None or not int(found[2]):
        return False
    near = [f"{found[1]}.{10 * int(found[2]) + step}" for step in (-1, 1)]
    if at and places[at - 1] == near[0]:
        return True
    return found[0] in places[:at] and any(each in places for each in near)
