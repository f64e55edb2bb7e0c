"""XML telling by its root element whose it is: the Law Information Center's, or another source's.

Of XML the answers of the National Law Information Center are read. What other publishers of law
send is known by name here, so that nobody is told to mend a request that was never made.
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
"""Root element, without any prefix → whose XML it is. None of it is read."""


def source_of(tag: str) -> str | None:
    """Return whose XML has such a root element; None where it may be the Center's."""
    return SOURCES.get(tag.rpartition(":")[2])


def root_of(file: Path) -> str:
    """Return the root element of an XML file by its beginning; "" where there is none to be seen.

    What is no XML, or cannot be read, has none: whoever reads the file says what is wrong.
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
