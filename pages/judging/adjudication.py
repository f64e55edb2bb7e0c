"""Adjudication pane of answer ratings, blind to the answering system and to judges."""

from __future__ import annotations

from typing import Any

from annotation.forms.disputes import FormDisputeView
from annotation.judging.forms import RATING_FORM
from pages.judging.answer_rating import PAGE
from pages.judging.viewer import rating_shown
from pages.shell.context import Context
from pages.task.declared_pane import DeclaredPane, form_of
from storage.tasks import Task


def _shown(context: Context, case: FormDisputeView) -> dict[str, Any]:
    return rating_shown(case.question, context.language)


PANE = DeclaredPane(Task.ANSWER_RATING, RATING_FORM.spec, "rating", form_of(PAGE), _shown)
