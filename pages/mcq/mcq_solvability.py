"""Solvability of multiple-choice questions: does the question really need both provisions?

Who annotates answers step by step.
"""

from __future__ import annotations

from pages.adjudication.link import draw_link
from pages.mcq.viewer import MCQ
from pages.mcq.viewer_data import fixed_part, stage
from pages.shell.context import Context
from pages.task.form_page import AnswersPage
from storage.tasks import Task

PAGE = AnswersPage(Task.MCQ_SOLVABILITY, MCQ, fixed_part, stage)


def render(context: Context) -> None:
    """Draw the desk, and lead an adjudicator to the disputes."""
    PAGE.render(context)
    draw_link(context, Task.MCQ_SOLVABILITY)
