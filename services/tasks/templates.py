"""Declarations to begin one's own task from: ours, and those of installed packages."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import annotation.tasks
from annotation.tasks.reading import TEXT_LIMIT, read_spec, refuse_reserved
from corpus.extensions import TASKS, Extension, extensions
from corpus.files.rows import read_text
from errors import UserError, Where

_FOLDER = Path(annotation.tasks.__file__).parent / "templates"


@dataclass(frozen=True, slots=True)
class Template:
    """A declaration with its title, and the package it is of; or why it is unusable."""

    text: str = ""
    title: str = ""
    origin: str = ""
    problem: UserError | None = None


def templates() -> dict[str, Template]:
    """Return the templates by name, ours first; a package's never takes the name of one of ours."""
    ours = {path.stem: _read(path) for path in sorted(_FOLDER.glob("*.yaml"))}
    return ours | {e.name: _plugin_template(e) for e in extensions(TASKS) if e.name not in ours}


def _plugin_template(extension: Extension) -> Template:
    """Return an extension's template; one with the problem if it cannot be read."""
    try:
        if extension.problem is not None:
            raise extension.problem
        made: Template = extension.call(_read, Path(extension.value), extension.origin)
        return made
    except UserError as error:
        return Template(origin=extension.origin, problem=error)


def _read(path: Path, origin: str = "") -> Template:
    """Read a template. Raises UserError if it uses what is reserved to the product."""
    text = read_text(path, str(path), 4 * TEXT_LIMIT)
    spec = read_spec(text, str(path))
    refuse_reserved(spec, str(path))
    return Template(text, spec.title or "", origin)


def template(name: str) -> str:
    """Return the text of a template. Raises UserError for an unknown or unusable one."""
    known = templates()
    if name not in known:
        names = ", ".join(known)
        raise UserError("task_word", Where(field="template"), value=name[:60], known=names)
    found = known[name]
    if found.problem is not None:
        raise found.problem
    return found.text
