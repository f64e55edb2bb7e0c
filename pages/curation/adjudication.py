"""Adjudication pane of curation."""

from __future__ import annotations

from typing import Any

from annotation.curation.form import SPEC
from annotation.curation.state import names_shown
from annotation.forms.disputes import FormDisputeView
from pages.curation.curation import form_part, shown_part
from pages.shell.context import Context
from pages.task.declared import WORDS
from pages.task.declared_pane import DeclaredPane
from pages.task.documents import options_of
from pages.task.viewer_data import ui_words
from storage.tasks import Task


def _form(context: Context) -> dict[str, Any]:
    causes = options_of(context.workspace, context.person.id, Task.CURATION, context.language)
    return form_part(ui_words("curation", context.language, *WORDS), causes, context.language)


def _shown(context: Context, case: FormDisputeView) -> dict[str, Any]:
    names = names_shown(context.workspace, context.person.id)
    return shown_part(case.question, names, context.language)


PANE = DeclaredPane(Task.CURATION, SPEC, "curation_settle", _form, _shown)
