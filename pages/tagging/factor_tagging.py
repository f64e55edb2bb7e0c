"""Page of factor tagging: which options of each sub-factor hold in the court case.

Annotators read the judgment and answer.
"""

from __future__ import annotations

from annotation.work.queue_service import ItemView
from pages.shell.context import Context
from pages.tagging.viewer import TAGGING, TAGGING_ACTS, fixed_part
from pages.task.adjudication_link import draw_link
from pages.task.page import TaskPage
from storage.tasks import Task


def stage(item: ItemView) -> str:
    """Return the item's stage: whether a newer version of the case is shown."""
    return f"{item.outrun}"


PAGE = TaskPage(Task.FACTOR_TAGGING, TAGGING, fixed_part, stage, TAGGING_ACTS)


def render(context: Context) -> None:
    """Draw the page, with a link to the disputes for adjudicators."""
    PAGE.render(context)
    draw_link(context, Task.FACTOR_TAGGING)
