"""Detection of places a spreadsheet turned into dates or numbers: 2-3 to 3-Feb, 2.10 to 2.1."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

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
