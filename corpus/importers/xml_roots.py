"""Identification of XML sources by root element: the Law Information Center's, or another's.

Only XML answers of the National Law Information Center can be read. Other publishers' XML is known
by name here, so that nobody is told to fix a request that was never made.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from xml.parsers import expat

_HEAD_BYTES = 64 * 1024
CFR = "Code of Federal Regulations"
_USLM = "United States Legislative Markup"
SOURCES: dict[str, str] = {
    **dict.fromkeys(("ECFR", "DLPSTEXTCLASS", "CFRDOC", "CFRGRANULE", "CFRMERGE"), CFR),
    **dict.fromkeys((f"DIV{depth}" for depth in range(1, 10)), CFR),
    **dict.fromkeys(("FEDREG", "RULE", "PRORULE", "PRESDOCU"), "Federal Register"),
    **dict.fromkeys(("uscDoc", "lawDoc", "pLaw", "statutesAtLarge", "uslm"), _USLM),
    **dict.fromkeys(("bill", "resolution"), "United States Congress"),
    "akomaNtoso": "Akoma Ntoso",
    "Legislation": "legislation.gov.uk",
    "dokumente": "gesetze-im-internet.de",
    **dict.fromkeys(("Statute", "Regulation"), "Justice Laws, Canada"),
    **dict.fromkeys(("ACT", "CONS.ACT", "CONS.DOC"), "Formex, European Union"),
}
"""Root element, without any prefix → its publisher. None of these can be read."""


def source_of(tag: str) -> str | None:
    """Return the publisher of XML with such a root element; None if it may be the Center's."""
    return SOURCES.get(tag.rpartition(":")[2])


def root_of(file: Path) -> str:
    """Return the root element of an XML file by its beginning; "" if there is none.

    Files that are no XML, or unreadable, have none: the file's reader reports the error.
    """
    try:
        with file.open("rb") as content:
            head = content.read(_HEAD_BYTES)
    except OSError:
        return ""
    found: list[str] = []
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda tag, _: found.append(tag)
    with suppress(expat.ExpatError, ValueError, LookupError):  # broken further on, or unreadable
        parser.Parse(head.lstrip(), False)
    return found[0] if found else ""
