"""Page of citation mapping: which provisions the official answer rests on."""

from __future__ import annotations

from typing import Any

from annotation.work.queue_service import ItemView
from pages.mapping.acts import MAPPING_ACTS
from pages.mapping.viewer import MAPPING
from pages.mapping.viewer_data import decided_part, fixed_part, stage
from pages.shell.context import Context
from pages.task.batch_banner import draw_banner
from pages.task.page import TaskPage
from storage.db.workspace import Workspace
from storage.tasks import Task


def _fixed(_ws: Workspace, _person_id: int, item: ItemView, language: str) -> dict[str, Any]:
    return fixed_part(item, language)


def _moving(_ws: Workspace, _person_id: int, item: ItemView, _language: str) -> dict[str, Any]:
    return decided_part(item)


PAGE = TaskPage(
    task=Task.CITATION_MAPPING,
    viewer=MAPPING,
    fixed=_fixed,
    stage=stage,
    acts=MAPPING_ACTS,
    moving=_moving,
    banner=draw_banner,
    option_prefix="",
)


def render(context: Context) -> None:
    """Draw the page."""
    PAGE.render(context)
