"""Page of answer rating: is the answer right? Blind to system, judges and other raters."""

from __future__ import annotations

from pages.judging.viewer import RATING_VIEWER, rating_part
from pages.shell.context import Context
from pages.task.page import TaskPage
from storage.tasks import Task

_PAGE = TaskPage(task=Task.ANSWER_RATING, viewer=RATING_VIEWER, fixed=rating_part)


def render(context: Context) -> None:
    """Draw the page."""
    _PAGE.render(context)
