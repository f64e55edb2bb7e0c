"""The contract of a task's declaration, which a package that ships one tests by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from annotation.tasks.reading import TEXT_LIMIT, read_spec, refuse_reserved
from annotation.tasks.spec import YES, FieldSpec, Kind, TaskSpec
from corpus.files.rows import read_text
from retrieval.core.contract import Check, checks


def check_task(file: Path) -> list[Check]:
    """Check the declaration of a task against its contract.

    It can be read, says what it asks about, and whoever takes the first options, or the last ones,
    comes to the end of it.
    """

    def spec() -> TaskSpec:
        """Parse the declaration."""
        return read_spec(read_text(file, str(file), 4 * TEXT_LIMIT), str(file))

    def reads() -> bool:
        """Return True if the declaration can be read, and uses nothing reserved to the product."""
        refuse_reserved(spec(), str(file))
        return True

    def subject() -> bool:
        """Return True if the subject is complete."""
        about = spec().subject
        return about is not None and (about.kind != "text" or bool(about.file))

    def ends() -> bool:
        """Return True if the least and the greatest answers can be submitted."""
        return all(_can_be_completed(spec(), place) for place in (0, -1))

    parts: tuple[Callable[[], bool], ...] = (reads, subject, ends)
    return checks("task", *parts)


def _can_be_completed(spec: TaskSpec, index: int) -> bool:
    """Return True if always taking the option at `index` completes the form, one answer a field."""
    answers: dict[str, Any] = {}
    for _ in spec.fields:
        for name in spec.missing(answers)[:1]:
            answers[name] = _answer(spec.fields[name], index)
    return not spec.missing(answers)


def _answer(field: FieldSpec, index: int) -> Any:
    """Return an answer to a field: its first (0) or last (-1) value."""
    value = (field.values or (field.least,))[index]
    if field.kind in (Kind.CHOICES, Kind.SPANS):
        return [value]
    return {"unit": YES} if field.kind is Kind.UNITS else value
