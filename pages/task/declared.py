"""Viewer of tasks with a declared form: its scripts, and a form as the viewer's data.

The viewer draws the stages and fields that the data declare (`task/frontend/declared/form.js`), and
panes with what is asked about. A task's page says what its fields are and what its panes show.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from annotation.guidelines.codebook_tree import Option
from pages.shell.bundle import DIFF, STATUTE_TEXT
from pages.task.viewer import ASK_SCRIPT, FORM_SCRIPTS, SEARCH, STEP_STYLES, Viewer

WORDS = ("declared",)  # the catalogue section of the messages of every declared form
_SCRIPTS = (
    *("form", "edit", "rows", "panes", "law"),
    *("steps", "words", "keys", "viewer", "mount"),
)

Words = Mapping[str, str]
Part = dict[str, Any]


def declared_viewer(name: str) -> Viewer:
    """Return the viewer of a task with a declared form."""
    own = (f"task/frontend/declared/{each}" for each in _SCRIPTS)
    return Viewer(
        name=name,
        scripts=(*FORM_SCRIPTS, STATUTE_TEXT, DIFF, ASK_SCRIPT, SEARCH, *own),
        styles=(*STEP_STYLES, SEARCH, "task/frontend/declared/declared"),
    )


def choice_field(words: Words, name: str, values: Iterable[Any], stem: str, **more: Any) -> Part:
    """Return a field with one answer; the messages of its values begin with `stem`."""
    options = [[each, words[f"{stem}_{each}"], words.get(f"hint_{each}")] for each in values]
    return _field(words, name, "choice", options=options, **more)


def cause_field(
    words: Words, name: str, causes: Sequence[Option], language: str, **more: Any
) -> Part:
    """Return a field whose answer is an option of the project's codebook."""
    options = [[each.key, each.label[language], each.meaning[language]] for each in causes]
    return _field(words, name, "choice", options=options, **more)


def text_field(words: Words, name: str, **more: Any) -> Part:
    """Return a field of words."""
    return _field(words, name, "text", hint=words[f"{name}_hint"], **more)


def edit_field(words: Words, name: str, parts: Sequence[Part], **more: Any) -> Part:
    """Return a field that corrects given parts, each with its current text as ``now``."""
    title, hint = words[f"{name}_title"], words[f"{name}_hint"]
    return _field(words, name, "edit", parts=list(parts), title=title, hint=hint, **more)


def _field(words: Words, name: str, kind: str, **more: Any) -> Part:
    return {"kind": kind, "label": words[f"ask_{name}"], **more}


def stage(words: Words, name: str, fields: Sequence[str], seal: str = "", **more: Any) -> Part:
    """Return a stage with its fields in order; `seal` is the field that ends it for good."""
    sealed = {}
    if seal:
        told = {"sealWords": words[f"gate_{seal}"], "sealFirst": words[f"gate_first_{seal}"]}
        sealed = {"seal": seal, **told}
    return {
        "name": name,
        "title": words[f"step_{name}"],
        "fields": list(fields),
        **sealed,
        **more,
    }
