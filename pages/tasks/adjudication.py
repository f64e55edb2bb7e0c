"""Adjudication pane of a project's own task."""

from __future__ import annotations

from typing import Any

from annotation.forms.disputes import FormDisputeView
from annotation.tasks.own import spec_of
from pages.shell.context import Context
from pages.task.declared_pane import DeclaredPane, form_of
from pages.tasks.own_task import own_page, shown_part
from storage.tasks import Task


def pane_of(context: Context, task: Task) -> DeclaredPane:
    """Return the pane of an own task, as it is declared."""
    spec = spec_of(context.workspace, context.person.id, task)

    def shown(_context: Context, case: FormDisputeView) -> dict[str, Any]:
        return shown_part(case.question)

    return DeclaredPane(task, spec, "own_settle", form_of(own_page(spec, task)), shown)
