"""Solvability of multiple-choice questions: does the question really need both provisions?

Who annotates answers step by step; who adjudicates settles where the answers differ.
"""

from __future__ import annotations

from annotation.people.roles import Act
from pages.mcq.adjudication import draw_settling
from pages.mcq.viewer import MCQ
from pages.mcq.viewer_data import fixed_part, stage
from pages.shell.context import Context
from pages.task.page import TaskPage
from storage.tasks import Task

PAGE = TaskPage(Task.MCQ_SOLVABILITY, MCQ, fixed_part, stage)


def render(context: Context) -> None:
    """Draw the task, or for an adjudicator what is to be settled."""
    if context.may(Act.ADJUDICATE):
        draw_settling(context)
    else:
        PAGE.render(context)
