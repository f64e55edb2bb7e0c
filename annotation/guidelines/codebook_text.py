"""Validation of codebook texts by task, and length limits."""

from __future__ import annotations

from annotation.guidelines import codebook_tree
from annotation.guidelines.builtin_documents import IN_YAML
from construction.tagging import reading
from corpus.limits import FACTOR_BOOK, GUIDELINE

TEXT_LIMIT = GUIDELINE
FACTORS_LIMIT = FACTOR_BOOK


def text_limit(kind: str, task: str) -> int:
    """Return the maximum number of characters of a text of the document."""
    return FACTORS_LIMIT if kind == "codebook" and task in IN_YAML else TEXT_LIMIT


def refuse_unsound(text: str, task: str) -> None:
    """Raise UserError, with its place, for an invalid codebook."""
    if task in IN_YAML:
        reading.parse(text)
    else:
        codebook_tree.parse(text, task)
