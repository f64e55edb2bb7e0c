"""What a codebook's text must be: each task's own form, and how long it may get."""

from __future__ import annotations

from annotation.guidelines import codebook_tree
from annotation.guidelines.builtin_documents import IN_YAML
from construction.tagging import reading
from corpus.limits import FACTOR_BOOK, GUIDELINE

TEXT_LIMIT = GUIDELINE
FACTORS_LIMIT = FACTOR_BOOK


def text_limit(kind: str, task: str) -> int:
    """Return how many characters one text of the document may have."""
    return FACTORS_LIMIT if kind == "codebook" and task in IN_YAML else TEXT_LIMIT


def refuse_unsound(text: str, task: str) -> None:
    """Raise UserError, with its place, for a codebook that cannot be worked with."""
    if task in IN_YAML:
        reading.parse(text)
    else:
        codebook_tree.parse(text, task)
