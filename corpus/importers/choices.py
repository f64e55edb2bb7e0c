"""Reader of a multiple-choice question's options: ``choices``, and which are correct.

``choices`` is a list of texts, a list of objects (``text``, and optionally ``label`` and
``correct``), or one object of labels and texts (``{"A": …, "B": …}``). Options without a label are
called A, B, C …. ``correct_choices`` lists the labels of the correct ones (or is one label);
without it, and without ``correct``, the correct options are unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from string import ascii_uppercase
from typing import Any

from corpus.files.rows import RowReader
from corpus.limits import MCQ_OPTION
from corpus.model import Choice
from errors import UserError

CHOICES, CORRECT = "choices", "correct_choices"
CHOICE_FIELDS = (CHOICES, CORRECT)
MOST = len(ascii_uppercase)


def read_choices(row: RowReader) -> tuple[Choice, ...]:
    """Return the options of a row in order, () without ``choices``.

    Raises UserError, naming the field, for options of another form, more than MOST of them, a
    repeated label, and an unknown correct one.
    """
    value: Any = row.fields.get(CHOICES)
    if value is None:
        return ()
    at = row.at(CHOICES)
    if not isinstance(value, list | dict):
        raise UserError("choices_form", at)
    if len(value) > MOST:
        raise UserError("list_long", at, count=len(value), limit=MOST)
    found = list(_of_object(row, value) if isinstance(value, dict) else _of_list(row, value))
    labels = [each.label for each in found]
    if len(set(labels)) != len(labels):
        raise UserError("choices_repeated", at, labels=", ".join(labels))
    return _marked(row, found)


def _of_object(row: RowReader, value: dict[str, Any]) -> Iterator[Choice]:
    for label, text in value.items():
        yield Choice(" ".join(str(label).split()), _text(row, text))


def _of_list(row: RowReader, value: list[Any]) -> Iterator[Choice]:
    for label, entry in zip(ascii_uppercase, value, strict=False):
        if not isinstance(entry, dict):
            yield Choice(label, _text(row, entry))
            continue
        inside, correct = RowReader(row.file, row.line, entry), entry.get("correct")
        if correct is not None and not isinstance(correct, bool):
            raise UserError("choices_form", row.at(CHOICES))
        yield Choice(inside.line_text("label") or label, _text(row, entry.get("text")), correct)


def _text(row: RowReader, value: Any) -> str:
    if not isinstance(value, str):
        raise UserError("choices_form", row.at(CHOICES))
    return RowReader(row.file, row.line, {CHOICES: value}).required(CHOICES, limit=MCQ_OPTION)


def _marked(row: RowReader, found: list[Choice]) -> tuple[Choice, ...]:
    """Return the options marked by ``correct_choices``."""
    if not row.has(CORRECT):
        return tuple(found)
    value = row.fields[CORRECT]
    said = row.texts(CORRECT) if isinstance(value, list) else (row.line_text(CORRECT),)
    unknown = sorted(set(said) - {each.label for each in found})
    if unknown:
        labels = ", ".join(each.label for each in found)
        raise UserError("choice_unknown", row.at(CORRECT), value=unknown[0][:40], known=labels)
    return tuple(replace(each, correct=each.label in said) for each in found)
