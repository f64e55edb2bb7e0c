"""Page of factor tagging: which options of each sub-factor hold in the court case.

Annotators read the judgment and answer.

Viewer of factor tagging: its files, data and acts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from annotation.tagging import case_views
from annotation.tagging.case_views import Progress, Suggested, own_case
from annotation.work.queue_service import ItemView
from construction.tagging.codebook import Factor, SubFactor
from corpus.cases.model import JudgmentPart, Section
from messages import LANGUAGES
from pages.shell.context import DEFAULT_LANGUAGE, Context
from pages.task.acts import ACTS, Act, Handler, TaskSession, set_notice
from pages.task.page import TaskPage, draw_link
from pages.task.viewer import FORM_SCRIPTS, Viewer
from storage.db.workspace import Workspace
from storage.tasks import Task

RULES = tuple(
    f"tagging/frontend/{name}"
    for name in ("offsets", "marks", "search", "sentences", "digits", "asked", "answer")
)
_SCRIPTS = (
    *("selection", "finder", "pointing", "judgment", "proofs", "suggested", "card", "factors"),
    *("keys", "hand", "evidence", "onward", "viewer", "mount"),
)

TAGGING = Viewer(
    name="tagging",
    scripts=(*FORM_SCRIPTS, *RULES, *(f"tagging/frontend/{name}" for name in _SCRIPTS)),
    styles=tuple(f"tagging/frontend/{name}" for name in ("tagging", "card", "factors")),
)


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return the judgment by sections, the sub-factors asked, and visible model suggestions."""
    found = own_case(ws, person_id, item)
    case = found.case
    return {
        "title": case.title,
        "court": case.court,
        "date": case.date,
        "charges": list(case.charges),
        "provisions": list(case.provisions),
        "language": case.language,
        "text": case.text,
        "parts": parts(case.text, case.parts),
        "groups": [[key, name[language]] for key, name in found.groups.items()],
        "joined": list(found.joined),
        "subs": [_sub(factor, sub, language) for factor, subs in found.asked for sub in subs],
        "suggestions": found.setting,
        "suggestedAtAll": found.anything_suggested,
        "suggested": suggested_part(found.suggestions),
        "likely": {key: [start for start, _ in spans] for key, spans in found.likely.items()},
        "counts": {field: dict(counts) for field, counts in found.counts.items()},
    }


def parts(text: str, found: Iterable[JudgmentPart]) -> list[list[Any]]:
    """Return [section, start, end] that cover the text, ``rest`` outside any section.

    White space between two sections belongs to the first of them.
    """
    told: list[list[Any]] = []
    at = 0
    full = [each for each in found if each.start < each.end]
    for part in sorted(full, key=lambda each: (each.start, each.end)):
        if part.start > at and text[at : part.start].strip():
            told.append([str(Section.REST), at, part.start])
        elif told and part.start > at:
            told[-1][2] = part.start
        if max(at, part.start) < part.end:
            told.append([str(part.section), max(at, part.start), part.end])
            at = part.end
    if text[at:].strip():
        told.append([str(Section.REST), at, len(text)])
    return told


def suggested_part(
    suggestions: Mapping[str, Iterable[Suggested]],
) -> dict[str, list[dict[str, Any]]]:
    """Return suggestions by sub-factor, as plain values."""
    return {key: [asdict(row) for row in rows] for key, rows in suggestions.items()}


def progress_part(rows: Iterable[Progress], language: str) -> list[list[Any]]:
    """Return [sub-factor key, factor name, sub-factor name, cases done, cases that ask it]."""
    return [
        [row.sub.key, row.factor.label[language], row.sub.label[language], row.done, row.asked]
        for row in rows
    ]


def _sub(factor: Factor, sub: SubFactor, language: str) -> dict[str, Any]:
    """Return a sub-factor for the viewer."""
    return {
        "key": sub.key,
        "label": sub.label[language],
        "help": sub.help[language],
        "factorKey": factor.key,
        "factor": factor.label[language],
        "options": [
            {"key": option.key, "label": option.label[language], "help": option.help[language]}
            for option in sub.options
        ],
        "claim": sub.claim,
        "required": sub.required,
        "exclusive": sub.exclusive,
        "when": {other: list(options) for other, options in sub.when.items()},
    }


def _telling(kind: str) -> Handler:
    """Return the handler of an act that also sends what suggestions may be seen after it."""

    def handle(ws: Workspace, sitting: TaskSession, act: Act) -> None:
        """Carry out the act of every task, then send the suggestions."""
        ACTS[kind](ws, sitting, act)
        tell_suggestions(ws, sitting, act)

    return handle


def tell_suggestions(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    """Send the model suggestions of an item that its annotator may see now."""
    item = act["item"]
    told = case_views.suggestions_after(ws, sitting.person_id, item)
    if told is not None:
        sitting.told = {"suggested": {"item": item, "by": suggested_part(told)}}


def along(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    """Go to the next or previous case that asks the sub-factor, or set a notice that none does."""
    by = -1 if act.get("by") == -1 else 1
    field = str(act.get("field", ""))
    found = case_views.next_along(ws, sitting.person_id, act["item"], field, by)
    if found is None:
        set_notice(sitting, act, "along_none")
    else:
        sitting.item_id = found


def tell_progress(ws: Workspace, sitting: TaskSession, act: Act) -> None:
    """Send the person's progress per sub-factor."""
    language = act.get("language")
    named = language if language in LANGUAGES else DEFAULT_LANGUAGE
    rows = case_views.progress(ws, sitting.person_id)
    sitting.told = {"progress": progress_part(rows, named)}


TAGGING_ACTS = {
    **{kind: _telling(kind) for kind in ("answer", "undo", "take_back")},
    "along": along,
    "progress": tell_progress,
}


def stage(item: ItemView) -> str:
    """Return the item's stage: whether a newer version of the case is shown."""
    return f"{item.outrun}"


PAGE = TaskPage(Task.FACTOR_TAGGING, TAGGING, fixed_part, stage, TAGGING_ACTS)


def render(context: Context) -> None:
    """Draw the page, with a link to the disputes for adjudicators."""
    PAGE.render(context)
    draw_link(context, Task.FACTOR_TAGGING)
