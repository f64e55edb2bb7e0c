"""Adjudication pane of MCQ solvability."""

from __future__ import annotations

from typing import Any

from annotation.forms.disputes import FormDisputeView
from annotation.mcq.solvability import SPEC
from pages.mcq.mcq_solvability import PAGE, question_panes
from pages.shell.context import Context
from pages.task.declared_pane import DeclaredPane, form_of
from storage.tasks import Task


def _case_panes(context: Context, case: FormDisputeView) -> dict[str, Any]:
    """Return the panes of the disputed question."""
    return question_panes(case.question, context.language)


PANE = DeclaredPane(Task.MCQ_SOLVABILITY, SPEC, "mcq_settle", form_of(PAGE), _case_panes)
