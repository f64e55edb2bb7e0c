"""Carrying out what the viewer of a form sends: the frame's acts, answers, and submitting."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from annotation.forms import commands
from pages.task import acts
from pages.task.acts import FRAME_ACTS, Act, basis, expected, leave, stepping, tell
from storage.db.workspace import Workspace


@dataclass(slots=True)
class FormSession(acts.TaskSession):
    """A sitting over a form; `told` answers the newest batch once, under the task's own names."""

    told: dict[str, Any] = field(default_factory=dict)

    def forget(self) -> None:
        """Drop what answered an earlier batch."""
        acts.TaskSession.forget(self)  # a class with slots is made anew: super() cannot find it
        self.told = {}


Handler = Callable[[Workspace, FormSession, Act], None]


def _answer(ws: Workspace, sitting: FormSession, act: Act) -> None:
    with stepping(ws, sitting, act["item"]):
        given = str(act["field"]), act.get("value")
        commands.answer(ws, sitting.person_id, act["item"], *given, basis(sitting, act))


def _take_up(ws: Workspace, sitting: FormSession, act: Act) -> None:
    commands.take_up(ws, sitting.person_id, act["item"])
    sitting.item_id = act["item"]
    tell(sitting, act, "rechecked")


def _submit(ws: Workspace, sitting: FormSession, act: Act) -> None:
    where = ws, sitting.person_id, act["item"]
    commands.submit(*where, act.get("confidence"), expected(sitting, act))
    leave(ws, sitting, act, "submitted")


FORM_ACTS: Mapping[str, Handler] = {
    **FRAME_ACTS,
    "recheck": _take_up,
    "answer": _answer,
    "submit": _submit,
}
