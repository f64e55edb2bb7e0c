"""Page of MCQ solvability: does the question really need both provisions?

Annotators answer step by step.
"""

from __future__ import annotations

from typing import Any

from annotation.mcq.solvability import stage_of
from annotation.mcq.state import ModelAnswers, own_view
from annotation.work.queue_service import ItemView
from construction.mcq.model import Passage
from pages.shell.bundle import STATUTE_TEXT
from pages.shell.context import Context
from pages.task.documents import options_of
from pages.task.page import TaskPage, draw_link
from pages.task.viewer import ASK_SCRIPT, FORM_SCRIPTS, STEP_STYLES, Viewer
from storage.db.workspace import Workspace
from storage.tasks import Task

_SCRIPTS = ("provisions", "options", "steps", "fix", "votes", "keys", "viewer", "mount")

MCQ = Viewer(
    name="mcq",
    scripts=(
        *FORM_SCRIPTS,
        STATUTE_TEXT,
        ASK_SCRIPT,
        *(f"mcq/frontend/{name}" for name in _SCRIPTS),
    ),
    styles=(*STEP_STYLES, "mcq/frontend/mcq"),
)


def stage(item: ItemView) -> str:
    """Return the item's stage: how much of it is revealed."""
    return str(stage_of(item.answers, item.status == "submitted"))


def fixed_part(ws: Workspace, person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    """Return question, options and provisions, with the answer and votes once revealed."""
    seen = own_view(ws, person_id, item)
    causes = options_of(ws, person_id, item.task, language)
    return {
        "stage": stage(item),
        "language": seen.language,
        "query": seen.query,
        "options": list(seen.options),
        "a": _provision(seen.a),
        "b": None if seen.b is None else _provision(seen.b),
        "stored": seen.stored,
        "explanation": seen.explanation,
        "votes": None if seen.votes is None else [_votes(vote) for vote in seen.votes],
        "causes": [[cause.key, cause.label[language], cause.meaning[language]] for cause in causes],
    }


def _provision(passage: Passage) -> dict[str, str]:
    return {"head": passage.head, "text": passage.text}


def _votes(answers: ModelAnswers) -> dict[str, Any]:
    said = {
        setting: [
            str(outcome) if choice is None else choice
            for choice, outcome in zip(choices, answers.outcomes[setting], strict=True)
        ]
        for setting, choices in answers.said.items()
    }
    return {"model": answers.model, "said": said}


PAGE = TaskPage(Task.MCQ_SOLVABILITY, MCQ, fixed_part, stage)


def render(context: Context) -> None:
    """Draw the page, with a link to the disputes for adjudicators."""
    PAGE.render(context)
    draw_link(context, Task.MCQ_SOLVABILITY)
