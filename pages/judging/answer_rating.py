"""Page of answer rating: is the answer right? Blind to system, judges and other raters."""

from __future__ import annotations

from annotation.judging.forms import RATING_FORM
from pages.judging.viewer import RATING_VIEWER, rating_form, rating_part
from pages.shell.context import Context
from pages.task.declared import WORDS, stage_of
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
