"""What a codebook's text must be: each task's own form, and how long it may get."""

from __future__ import annotations

from annotation import codebook_tree
from annotation.packaged import IN_YAML
from construction.factors import reading

TEXT_LIMIT = 20_000  # characters of a guideline in one language, and of a codebook of options
FACTORS_LIMIT = 600_000  # characters of a codebook of factors, in all languages


def text_limit(kind: str, task: str) -> int:
    """Return how many characters one text of the document may have."""
    return FACTORS_LIMIT if kind == "codebook" and task in IN_YAML else TEXT_LIMIT


def refuse_unsound(text: str, task: str) -> None:
    """Raise UserError, with its place, for a codebook that cannot be worked with."""
    if task in IN_YAML:
        reading.parse(text)
    else:
        codebook_tree.parse(text, task)
