"""Judge review: what is true of an answer, what the judge made of it, and why."""

from __future__ import annotations

from pages.judging.review_matrix import tell_matrix
from pages.judging.review_viewer import REVIEW
from pages.judging.viewer_data import review_part
from pages.shell.context import Context
from pages.task.page import TaskPage
from storage.tasks import Task

_PAGE = TaskPage(
    task=Task.JUDGE_REVIEW, viewer=REVIEW, fixed=review_part, acts={"matrix": tell_matrix}
)


def render(context: Context) -> None:
    """Draw the page."""
    _PAGE.render(context)
