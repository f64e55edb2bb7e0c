"""Adjudication pane of attribution: the disputed claims of an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from annotation.attribution.form import LABEL, LABELS, SPEC
from annotation.forms.disputes import FormDisputeView
from pages.attribution.attribution_review import review_panes
from pages.shell.context import Context
from pages.task.declared_pane import DeclaredPane
from pages.task.documents import options_of
from storage.tasks import Task


def _case_panes(context: Context, case: FormDisputeView) -> dict[str, Any]:
    """Return the panes of the disputed answer."""
    where = context.workspace, context.person.id, Task.ATTRIBUTION, context.language
    shown = review_panes(case.question, options_of(*where), context.language)
    gold = "\n".join(f"{at}. {text}" for at, text in enumerate(case.question.gold, 1))
    title = context.say("attribution_settle.gold_claims")
    listed = ["texts", [{"name": "gold", "title": title, "text": gold, "quiet": True}]]
    return shown | {"panes": [*shown["panes"], listed]}


class _Pane(DeclaredPane):
    """The pane of attribution: a decision is told by how many claims match."""

    def summary(self, context: Context, form: Mapping[str, Any], answers: Mapping[str, Any]) -> str:
        """Return the number of claims with each label."""
        places = {field: SPEC.place(field)[0] for field in answers}
        counts = Counter(value for field, value in answers.items() if places[field] == LABEL)
        told = {each: counts[each] for each in LABELS}
        return context.say("attribution_settle.decided", **told) if counts else ""


PANE = _Pane(Task.ATTRIBUTION, SPEC, "attribution_settle", lambda _context: {}, _case_panes)
