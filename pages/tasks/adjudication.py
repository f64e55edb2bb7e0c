"""Adjudication pane of a project's own task."""

from __future__ import annotations

from typing import Any

from annotation.forms.disputes import FormDisputeView
from annotation.tasks.own import spec_of
from pages.shell.context import Context
from pages.task.declared import WORDS
from pages.task.declared_pane import DeclaredPane
from pages.task.viewer import ui_words
from pages.tasks.own_task import form_part, row_panes
from storage.tasks import Task


def pane_of(context: Context, task: Task) -> DeclaredPane:
    """Return the pane of an own task, as it is declared."""
    spec = spec_of(context.workspace, context.person.id, task)

    def form(context: Context) -> dict[str, Any]:
        """Return the form of the task."""
        return form_part(spec, ui_words("own", context.language, *WORDS), (), context.language)

    def shown(context: Context, case: FormDisputeView) -> dict[str, Any]:
        """Return the panes of the disputed item."""
        return row_panes(case.question, context.language)

    return DeclaredPane(task, spec, "own_settle", form, shown)
