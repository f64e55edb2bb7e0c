"""Page of answer rating: is the answer right? Blind to system, judges and other raters.

Adjudication pane of answer ratings, blind to the answering system and to judges.
"""

from __future__ import annotations

from typing import Any

from annotation.forms.disputes import FormDisputeView
from annotation.judging.forms import RATING_FORM
from pages.judging.viewer import RATING_VIEWER, rating_form, rating_panes, rating_part
from pages.shell.context import Context
from pages.task.declared import WORDS, stage_of
from pages.task.declared_pane import DeclaredPane, form_of
from pages.task.page import TaskPage
from storage.tasks import Task

PAGE = TaskPage(
    Task.ANSWER_RATING,
    RATING_VIEWER,
    rating_part,
    stage_of(RATING_FORM.spec),
    words=WORDS,
    form=rating_form,
)


def render(context: Context) -> None:
    """Draw the page."""
    PAGE.render(context)


def _case_panes(context: Context, case: FormDisputeView) -> dict[str, Any]:
    """Return the panes of the disputed answer."""
    return rating_panes(case.question, context.language)


PANE = DeclaredPane(Task.ANSWER_RATING, RATING_FORM.spec, "rating", form_of(PAGE), _case_panes)
