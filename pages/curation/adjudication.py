"""Adjudication pane of curation."""

from __future__ import annotations

from typing import Any

from annotation.curation.state import SPEC, names_shown
from annotation.forms.disputes import FormDisputeView
from pages.curation.curation import PAGE, question_panes
from pages.shell.context import Context
from pages.task.declared_pane import DeclaredPane, form_of
from storage.tasks import Task


def _case_panes(context: Context, case: FormDisputeView) -> dict[str, Any]:
    """Return the panes of the disputed question."""
    names = names_shown(context.workspace, context.person.id)
    return question_panes(case.question, names, context.language)


PANE = DeclaredPane(Task.CURATION, SPEC, "curation_settle", form_of(PAGE), _case_panes)
