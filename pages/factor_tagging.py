"""Factor tagging: which options of each sub-factor hold in the court case?

Who annotates reads the judgment and answers; who adjudicates settles where the answers differ.
"""

from __future__ import annotations

from annotation.answers.desk import AnswersView
from annotation.roles import Act
from pages.context import Context
from pages.parts.answers_page import AnswersPage
from pages.parts.tagging_acts import TAGGING_ACTS
from pages.parts.tagging_data import fixed_part
from pages.parts.tagging_settle import draw_settling
from pages.parts.tagging_viewer import TAGGING
from storage.tasks import Task


def stage(item: AnswersView) -> str:
    """Return what makes the item drawn anew while it is open: that it shows something newer."""
    return f"{item.outrun}"


PAGE = AnswersPage(Task.FACTOR_TAGGING, TAGGING, fixed_part, stage, TAGGING_ACTS)


def render(context: Context) -> None:
    """Draw the desk, or for an adjudicator what is to be settled."""
    if context.may(Act.ADJUDICATE):
        draw_settling(context)
    else:
        PAGE.render(context)
