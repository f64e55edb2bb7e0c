"""Answer rating: is the answer right? Blind to who gave it, to judges and to other raters."""

from __future__ import annotations

from pages.context import Context
from pages.parts.answers_page import AnswersPage
from pages.parts.judged_data import rating_part
from pages.parts.rating_viewer import RATING
from storage.tasks import Task

_PAGE = AnswersPage(task=Task.ANSWER_RATING, viewer=RATING, fixed=rating_part)


def render(context: Context) -> None:
    """Draw the page."""
    _PAGE.render(context)
