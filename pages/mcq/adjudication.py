"""Adjudication pane of MCQ solvability."""

from __future__ import annotations

from typing import Any

from annotation.forms.disputes import FormDisputeView
from annotation.mcq.solvability import SPEC
from pages.mcq.mcq_solvability import form_part, shown_part
from pages.shell.context import Context
from pages.task.declared import WORDS
from pages.task.declared_pane import DeclaredPane
from pages.task.documents import options_of
from pages.task.viewer_data import ui_words
from storage.tasks import Task


def _form(context: Context) -> dict[str, Any]:
    causes = options_of(
        context.workspace, context.person.id, Task.MCQ_SOLVABILITY, context.language
    )
    return form_part(ui_words("mcq", context.language, *WORDS), causes, context.language)


def _shown(context: Context, case: FormDisputeView) -> dict[str, Any]:
    return shown_part(case.question, context.language)


PANE = DeclaredPane(Task.MCQ_SOLVABILITY, SPEC, "mcq_settle", _form, _shown)
