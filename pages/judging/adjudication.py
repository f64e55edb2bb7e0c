"""Adjudication pane of answer ratings, blind to the answering system and to judges."""

from __future__ import annotations

from typing import Any

from annotation.forms.disputes import FormDisputeView
from annotation.judging.forms import RATING_FORM
from pages.judging.answer_rating import PAGE
from pages.judging.viewer import rating_panes
from pages.shell.context import Context
from pages.task.declared_pane import DeclaredPane, form_of
from storage.tasks import Task


def _case_panes(context: Context, case: FormDisputeView) -> dict[str, Any]:
    """Return the panes of the disputed answer."""
    return rating_panes(case.question, context.language)


PANE = DeclaredPane(Task.ANSWER_RATING, RATING_FORM.spec, "rating", form_of(PAGE), _case_panes)
