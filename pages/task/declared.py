"""Viewer of tasks with a declared form: its scripts, and a declaration as the viewer's data.

The viewer draws the stages and fields of `TaskSpec` (`task/frontend/declared/form.js`), and panes
with what is asked about. A task's page says what its panes show, and what of its form is its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from annotation.guidelines.codebook_tree import Option
from annotation.tasks.spec import SEVERAL, FieldSpec, Kind, StageSpec, TaskSpec
from annotation.work.queue_service import ItemView
from pages.shell.bundle import DIFF, STATUTE_TEXT
from pages.task.viewer import ASK_SCRIPT, FORM_SCRIPTS, SEARCH, STEP_STYLES, Viewer

WORDS = ("declared",)  # the catalogue section of the messages of every declared form
_SCRIPTS = (
    *("form", "edit", "choosing", "spans", "rows", "panes", "law"),
    *("parts", "steps", "words", "answers", "keys", "viewer"),
)
_MARKING = tuple(f"tagging/frontend/{name}" for name in ("offsets", "marks", "selection"))
_KINDS = dict.fromkeys((Kind.YES_NO, Kind.YES_NO_UNSURE, Kind.SCALE), "choice")
_PART_ROWS = 5  # of a text to be corrected
_PART_LENGTH = 4000  # characters of one

Words = Mapping[str, str]
Part = dict[str, Any]


def declared_viewer(name: str, panes: tuple[str, ...] = (), styles: tuple[str, ...] = ()) -> Viewer:
    """Return the viewer of a task with a declared form, with the scripts of its own `panes`."""
    shared = (f"task/frontend/declared/{each}" for each in _SCRIPTS)
    before = (*FORM_SCRIPTS, STATUTE_TEXT, DIFF, *_MARKING, ASK_SCRIPT, SEARCH)
    return Viewer(
        name=name,
        scripts=(*before, *shared, *panes, "task/frontend/declared/mount"),
        styles=(*STEP_STYLES, SEARCH, "task/frontend/declared/declared", *styles),
    )


def stage_of(spec: TaskSpec) -> Callable[[ItemView], str]:
    """Return a function of an item that returns its open stage, or ``done``."""

    def stage(item: ItemView) -> str:
        """Return the open stage of an item."""
        return "done" if item.status == "submitted" else spec.stage_at(item.answers).key

    return stage


def form_data(
    spec: TaskSpec,
    words: Words,
    codebook: Sequence[Option] = (),
    language: str = "en",
    stems: Mapping[str, str] | None = None,
    more: Mapping[str, Part] | None = None,
    actions: Mapping[str, str] | None = None,
    plain: bool = False,
) -> Part:
    """Return a declared form as the viewer draws it; fields that repeat are those of the parts.

    Labels are those of the declaration, or else messages: ``ask_<field>`` and ``<stem>_<answer>``,
    whose stem is the field's unless `stems` has another. `actions` are the answers that are actions
    of the map of keys. In a `plain` form, of one step, what is missing is marked, and said once it
    is submitted. `more` adds to the data of fields and stages what the viewer knows beyond the
    declaration.
    """
    own, acts = more or {}, actions or {}
    coded = [
        [each.key, each.label[language], each.meaning[language], None, acts.get(each.key)]
        for each in codebook
    ]
    fields = {
        key: _field(each, words, (stems or {}).get(each.base, each.base), acts)
        | ({"options": _coded(each, coded)} if each.codebook else {})
        | ({"required": False, "marked": each.required} if plain else {})
        | own.get(each.base, {})
        for key, each in spec.fields.items()
    }
    stages = [
        _stage(each, words) | ({"plain": True} if plain else {}) | own.get(each.key, {})
        for each in spec.stages
    ]
    return {"fields": fields, "stages": stages}


def _coded(field: FieldSpec, coded: Sequence[list[Any]]) -> list[list[Any]]:
    """Return the options of the codebook that a field takes."""
    return [each for each in coded if not field.values or each[0] in field.values]


def _field(field: FieldSpec, words: Words, stem: str, actions: Mapping[str, str]) -> Part:
    """Return a field for the viewer."""
    named = {each.option: each.label for each in field.options}
    keys = {each.option: each.key or actions.get(each.option) for each in field.options}
    scale = field.kind is Kind.SCALE
    if scale and all(0 <= each <= 9 for each in field.values):
        keys = {str(each): keys.get(str(each)) or str(each) for each in field.values}
    values = (*(("yes", "no") if field.kind is Kind.UNITS else ()), *field.values)

    def name(value: Any) -> str:
        """Return the display name of a value."""
        return named.get(str(value)) or words.get(f"{stem}_{value}", str(value))

    def told_as(value: Any) -> str | None:
        """Return a labelled number with its number, as the terminal and notices show it."""
        return f"{value} · {name(value)}" if scale and str(value) in named else None

    label = field.label or words.get(f"ask_{field.base}") or words.get(field.base, field.base)
    told: Part = {
        "kind": _KINDS.get(field.kind, str(field.kind)),
        "label": label,
        "options": [
            [each, name(each), words.get(f"hint_{each}"), told_as(each), keys.get(str(each))]
            for each in values
        ],
        "required": field.required,
    }
    if field.part:
        whole = words.get(f"of_{field.repeat}", words["of_part"])
        told |= {"part": field.part, "name": whole.format(number=field.part, what=label)}
    told |= {"least": field.least} if field.kind in SEVERAL else {}
    told |= {"coded": True} if field.codebook else {}
    told |= {"told": words["units_said"]} if field.kind is Kind.UNITS else {}
    hint = field.help or words.get(f"{field.base}_hint")
    told |= {"hint": hint} if hint else {}
    told |= {"when": [conditions(field.shown_when)]} if field.shown_when else {}
    told |= {"needs": [conditions(field.required_when)]} if field.required_when else {}
    if field.kind is Kind.EDIT:
        told |= {"title": words.get(f"{field.key}_title", label), "parts": _parts(field, words)}
    return told


def conditions(when: Mapping[str, Sequence[str]], because: str = "") -> Part:
    """Return a condition as the viewer checks it, with what to say of answers that meet it."""
    return {"if": dict(when), **({"because": because} if because else {})}


def _parts(field: FieldSpec, words: Words) -> list[Part]:
    """Return the parts of a correction for the viewer, marking the number of the right text."""
    right = next((each.key for each in field.parts if each.kind is Kind.NUMBER), None)
    found = []
    for part in field.parts:
        label = part.label or words.get(f"{field.key}_{part.key}") or words.get(part.key, part.key)
        told = {"name": part.key, "label": label, "max": part.longest or _PART_LENGTH}
        if part.kind is Kind.TEXTS:
            found.append({**told, "kind": "list", "right": right})
        elif part.kind is Kind.TEXT:
            found.append({**told, "kind": "text", "rows": _PART_ROWS})
    return found


def _stage(stage: StageSpec, words: Words) -> Part:
    """Return a stage for the viewer."""
    title = words.get(f"step_{stage.key}", stage.key)
    told: Part = {"name": stage.key, "title": title, "fields": [each.key for each in stage.fields]}
    if stage.seal:
        told |= {
            "seal": stage.seal,
            "sealWords": words.get(f"gate_{stage.seal}", words["gate"]),
            "sealFirst": words.get(f"gate_first_{stage.seal}", words["gate_first"]),
        }
    return told
