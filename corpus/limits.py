"""Length limits of imported texts: every limit by its name, in one place.

Lengths are in characters: code points of the composed form (NFC), so that a Korean text counts the
same however its syllables are written. Each limit leaves generous room above the longest genuine
text that we know of (in brackets; its measurement: docs/formats.md). Longer text is a whole
document in a field for one text, or an attack, and would slow down the screens that show it.
"""

from __future__ import annotations

from errors import UserError, Where
from normalization import composed

# Law
UNIT_TEXT = 1_000_000  # of an article, annex or addendum (309,778, an addendum)
UNIT_HEADING = 2_000  # of a unit (440)
UNIT_LABEL = 500  # the place as written: 제24조의2 (24)
STATUTE_TITLE = 500  # part of each unit's id (105)
CHAPTER_HEADING = 1_000  # stored with each unit below it (122)
STATUTE_KIND = 100

# Questions
QUESTION = 40_000  # (475; 34,150 where a whole judgment is the query)
OFFICIAL_ANSWER = 100_000  # (936)
CITATION = 1_000  # a citation, or the id of a unit, as a source claims it (123)
CITATIONS = 1_000  # of one question (5)

# Answers that are judged, and multiple-choice questions
ANSWER = 100_000  # of a system, and what a judge wrote of it
MCQ_QUERY = 20_000
MCQ_OPTION = 5_000
MCQ_EXPLANATION = 20_000

# Court cases and pages of images
JUDGMENT = 1_000_000  # (34,150)
COURT_FIELD = 500  # court, number, title of a court case
COURT_ENTRY = 300  # one charge, one provision applied
PAGE_BLOCK = 20_000  # one block or cell of a page

# What people write
COMMENT = 5_000  # a comment, a message, a flag, or the reason of an act
NOTE = 1_000  # on changes of a document's version, and on migrated answers
GUIDELINE = 20_000  # in one language, and a codebook of options
FACTOR_BOOK = 600_000  # a codebook of factors in all languages, and a typology
PROMPT = 20_000
METHOD_FILE = 100_000  # the file of an experiment, or of a method


def length(text: str) -> int:
    """Count the characters of a text in NFC."""
    return len(composed(text))


def within(text: str, limit: int, where: Where) -> str:
    """Return the text unchanged. Raises UserError, with its place, if it is longer than `limit`."""
    # Composing makes at most three code points of one.
    if 3 * len(text) > limit and (found := length(text)) > limit:
        raise UserError("field_long", where, length=f"{found:,}", limit=f"{limit:,}")
    return text
