"""Reading the declaration of a task, and what it refuses beyond the shape of its fields."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from annotation.tasks.spec import FieldSpec, Kind, TaskSpec
from corpus.files.declarations import FieldPath, fault, once, read_declaration

TEXT_LIMIT = 200_000  # characters of a declaration
MOST_FIELDS, MOST_OPTIONS = 200, 500
_WITH_OPTIONS = (Kind.CHOICE, Kind.CHOICES, Kind.SPANS)
_CONDITIONS = ("shown_when", "required_when", "decided_when")


@lru_cache(maxsize=64)
def read_spec(text: str, file: str | None = None) -> TaskSpec:
    """Parse the declaration of a task. Raises UserError with line and field."""
    empty, listed, check = "task_empty", "parallel_list", _refuse_inconsistent
    return read_declaration(
        TaskSpec, text, file, limit=TEXT_LIMIT, empty=empty, listed=listed, check=check
    )


@cache
def packaged(name: str) -> TaskSpec:
    """Return the declaration of a task of the product."""
    path = Path(__file__).with_name(f"{name}.yaml")
    return read_spec(path.read_text(encoding="utf-8"), path.name)


def _refuse_inconsistent(spec: TaskSpec) -> None:
    """Raise the fault of what does not go together in a task."""
    placed = list(_placed(spec))
    if len(placed) > MOST_FIELDS:
        raise fault(
            "task_many", "fields" if spec.asked else "stages", most=MOST_FIELDS, count=len(placed)
        )
    if not placed or (spec.asked and len(placed) != len(spec.asked)):
        raise fault("field_missing", "fields")
    seals = [((*_at(n), "seal"), each.seal) for n, each in enumerate(spec.stages) if each.seal]
    once([*(((*at, "field"), each.key) for at, each in placed), *seals], "parallel_key_twice")
    once(
        (((*_at(n), "stage"), each.key) for n, each in enumerate(spec.stages)), "parallel_key_twice"
    )
    for n, stage in enumerate(spec.stages[:-1]):
        if not stage.seal:
            raise fault("task_stage_open", *_at(n), "seal", stage=stage.key)
    if spec.stages[-1].seal:
        raise fault("task_stage_sealed", *_at(len(spec.stages) - 1), "seal")
    for at, each in placed:
        _refuse_options(at, each)
        _refuse_conditions(spec, at, each)
    _refuse_cycle(spec, placed)
    for n, dispute in enumerate(spec.disputes):
        for m, name in enumerate(dispute.fields):
            if name not in spec.fields:
                known = ", ".join(spec.fields)
                raise fault("task_word", "disputes", n, "fields", m, value=name, known=known)


def _at(stage: int) -> FieldPath:
    return ("stages", stage)


def _placed(spec: TaskSpec) -> Iterator[tuple[FieldPath, FieldSpec]]:
    for n, stage in enumerate(spec.stages):
        for m, each in enumerate(stage.fields):
            yield (() if spec.asked else _at(n)) + ("fields", m), each


def _refuse_options(at: FieldPath, field: FieldSpec) -> None:
    """Raise the fault of options that are missing, many or alike, and of bounds without a value."""
    if field.kind in _WITH_OPTIONS and not field.options and not field.codebook:
        raise fault("task_options_none", *at, "kind", kind=field.kind)
    if len(field.options) > MOST_OPTIONS:
        count = len(field.options)
        raise fault("task_many", *at, "options", most=MOST_OPTIONS, count=count)
    once((((*at, "options"), each.option) for each in field.options), "parallel_key_twice")
    values = [str(each) for each in field.values]
    if odd := [each.option for each in field.options if values and each.option not in values]:
        known = ", ".join(values)
        raise fault("task_word", *at, "options", value=odd[0], known=known)
    keys = (each.key for each in field.options if each.key)
    once((((*at, "options"), each) for each in keys), "parallel_key_twice")
    if field.least > field.most or (field.kind is Kind.SCALE and len(field.values) > MOST_OPTIONS):
        raise fault("task_bounds", *at, "most", least=field.least, most=field.most)
    if (field.kind is Kind.EDIT) != bool(field.parts):
        raise fault("task_parts", *at, "kind", kind=field.kind)


def _refuse_conditions(spec: TaskSpec, at: FieldPath, field: FieldSpec) -> None:
    """Raise the fault of a condition on an unknown field or answer, or on a later stage.

    What depends on a later stage could never be answered: nobody could leave the stage.
    """
    order = {each.key: n for n, stage in enumerate(spec.stages) for each in stage.fields}
    for name in _CONDITIONS:
        for on, wanted in getattr(field, name).items():
            if on not in order:
                raise fault("task_word", *at, name, on, value=on, known=", ".join(order))
            values = [str(each) for each in spec.fields[on].values]
            if values and (odd := [each for each in wanted if each not in values]):
                known = ", ".join(values)
                raise fault("task_word", *at, name, on, value=odd[0], known=known)
            if name != "decided_when" and order[on] > order[field.key]:
                raise fault("task_stage_shut", *at, name, on, name=on)


def _refuse_cycle(spec: TaskSpec, placed: list[tuple[FieldPath, FieldSpec]]) -> None:
    """Raise the fault of fields that show each other."""
    for at, each in placed:
        seen, ahead = {each.key}, list(each.shown_when)
        while ahead:
            name = ahead.pop()
            if name == each.key:
                raise fault("task_cycle", *at, "shown_when", name=each.key)
            if name not in seen:
                seen.add(name)
                ahead += spec.fields[name].shown_when
