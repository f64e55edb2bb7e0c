"""Declarations to begin one's own task from."""

from __future__ import annotations

from pathlib import Path

import annotation.tasks
from errors import UserError, Where

_FOLDER = Path(annotation.tasks.__file__).parent / "templates"


def templates() -> list[str]:
    """Return the names of the templates, ascending."""
    return sorted(path.stem for path in _FOLDER.glob("*.yaml"))


def template(name: str) -> str:
    """Return the text of a template. Raises UserError for an unknown one."""
    if name not in templates():
        known = ", ".join(templates())
        raise UserError("task_word", Where(field="template"), value=name[:60], known=known)
    return (_FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
