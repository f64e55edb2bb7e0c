"""The product's tasks: where each has what only it has, one entry a task.

Paths are of objects in the task's own room, imported on first use, so a room may build on the
modules that use them. A project's own tasks are made of their declarations (`annotation.tasks.own`)
and share an entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pkgutil import resolve_name
from types import NoneType
from typing import Any

from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class Entry:
    """One task: its name on the command line, and the paths of its objects; "" for none.

    `rules` are those of its answers, `disputes` those of adjudication, `rests` reads the provisions
    that its items rest on, `hidden` names items that a person may not see for now.
    `shows` has the keys and types of what its items show, `subject` the key among them that names
    the item's subject.
    """

    short: str
    rules: str
    disputes: str = ""
    rests: str = ""
    hidden: str = field(default="", kw_only=True)
    shows: Mapping[str, tuple[type, ...]] = field(default_factory=dict)
    subject: str = ""


ENTRIES: dict[str, Entry] = {
    Task.CITATION_MAPPING: Entry(
        "mapping",
        "annotation.mapping.commands.RULES",
        "annotation.adjudication.disputes.DISPUTES",
    ),
    Task.MCQ_SOLVABILITY: Entry(
        "mcq",
        "annotation.mcq.solvability.FORM",
        "annotation.mcq.state.DISPUTES",
        "annotation.mcq.solvability.RESTS",
        {"mcq": (int,)},
        "mcq",
    ),
    Task.FACTOR_TAGGING: Entry(
        "tagging",
        "annotation.tagging.form.FORM",
        "annotation.tagging.disputes.DISPUTES",
        "annotation.tagging.codebook.RESTS",
        {"typology": (int,), "groups": (list,), "suggestions": (str,), "suggested": (int,)},
    ),
    Task.CURATION: Entry(
        "curation",
        "annotation.curation.state.FORM",
        "annotation.curation.state.DISPUTES",
        "annotation.curation.state.RESTS",
        {"augmented": (int,), "run": (int, NoneType)},
        "augmented",
    ),
    Task.RESEARCH: Entry(
        "research",
        "annotation.research.FORM",
        "annotation.research.DISPUTES",
        "annotation.research.RESTS",
    ),
    Task.ATTRIBUTION: Entry(
        "attribution",
        "annotation.attribution.form.FORM",
        "annotation.attribution.form.DISPUTES",
        "annotation.attribution.form.RESTS",
        {"suggestions": (str,), "labels": (int,)},
    ),
    Task.ANSWER_RATING: Entry(
        "rating",
        "annotation.judging.forms.RATING_FORM",
        "annotation.judging.answer_views.DISPUTES",
        "annotation.judging.answer_views.RESTS",
    ),
    Task.JUDGE_REVIEW: Entry(
        "rating",
        "annotation.judging.forms.REVIEW_FORM",
        rests="annotation.judging.answer_views.RESTS",
        shows={"verdicts": (list,)},
    ),
    Task.OCR_CORRECTION: Entry(
        "ocr",
        "annotation.ocr.forms.CORRECTION_FORM",
        rests="annotation.ocr.blocks.RESTS",
        shows={"draft": (int, NoneType)},
    ),
    Task.OCR_VERIFICATION: Entry(
        "ocr",
        "annotation.ocr.forms.VERIFICATION_FORM",
        rests="annotation.ocr.blocks.RESTS",
        shows={"draft": (int, NoneType), "correction": (int,)},
        hidden="annotation.ocr.forms.VERIFICATION_FORM.hidden",
    ),
}
"""In the order of lists by task."""


OWN_ENTRY = Entry("", "annotation.tasks.own.own_form", "annotation.tasks.own.OwnDisputes")
"""Every task that a project brought: its objects are made by these."""


def tasks_with(field: str) -> tuple[Task, ...]:
    """Return the tasks whose entry has the field `field`, in order."""
    return tuple(Task(task) for task, entry in ENTRIES.items() if getattr(entry, field))


def object_of(task: Task, field: str) -> Any:
    """Import the object named by the field `field` of a task's entry; None if it names none."""
    path = getattr(ENTRIES.get(task, OWN_ENTRY), field)
    return resolve_name(path) if path else None
