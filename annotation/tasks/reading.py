"""Reading the declaration of a task, and what it refuses beyond the shape of its fields."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

from annotation.tasks.spec import CONDITIONS, SCREEN_KEYS, FieldSpec, Kind, TaskSpec
from corpus.files.declarations import FieldPath, fault, once, read_declaration
from errors import UserError, Where

TEXT_LIMIT = 200_000  # characters of a declaration
MOST_FIELDS, MOST_OPTIONS = 200, 500
_WITH_OPTIONS = (Kind.CHOICE, Kind.CHOICES, Kind.SPANS)
_REPEATED = (
    *(Kind.CHOICE, Kind.CHOICES, Kind.YES_NO, Kind.YES_NO_UNSURE),
    *(Kind.SCALE, Kind.NUMBER, Kind.TEXT),
)


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


def refuse_reserved(spec: TaskSpec, name: str) -> None:
    """Raise UserError for what only the product's tasks may declare, and for keys screens use."""
    found = [field for field in ("codes", "fates") if getattr(spec, field)]
    for each in spec.fields.values():
        parts = (each, *each.parts)
        found += [
            f"{each.key}.{field}"
            for field in ("codebook", "error", "missing")
            if any(getattr(part, field) for part in parts)
        ]
        found += [f"{each.key}.kind" for part in parts if part.kind is Kind.RECORD]
    if found:
        raise UserError("task_ours", Where(name, field=found[0]))
    for each in spec.fields.values():
        if taken := [option.key for option in each.options if option.key in SCREEN_KEYS]:
            where = Where(name, field=f"{each.key}.options")
            raise UserError("task_shortcut_taken", where, key=taken[0])


def _refuse_inconsistent(spec: TaskSpec) -> None:
    """Raise the fault of what does not go together in a task."""
    placed = list(_fields_with_path(spec))
    if len(placed) > MOST_FIELDS:
        raise fault(
            "task_many", "fields" if spec.asked else "stages", most=MOST_FIELDS, count=len(placed)
        )
    if not placed or (spec.asked and len(placed) != len(spec.asked)):
        raise fault("field_missing", "fields")
    seals = [(("stages", n, "seal"), e.seal) for n, e in enumerate(spec.stages) if e.seal]
    once([*(((*at, "field"), each.key) for at, each in placed), *seals], "parallel_key_twice")
    stages = ((("stages", n, "stage"), each.key) for n, each in enumerate(spec.stages))
    once(stages, "parallel_key_twice")
    for n, stage in enumerate(spec.stages[:-1]):
        if not stage.seal:
            raise fault("task_stage_open", "stages", n, "seal", stage=stage.key)
    if spec.stages[-1].seal:
        raise fault("task_stage_sealed", "stages", len(spec.stages) - 1, "seal")
    for at, each in placed:
        _refuse_options(at, each)
        _refuse_conditions(spec, at, each)
        _refuse_repeated(spec, at, each)
    _refuse_cycle(spec, placed)
    _refuse_disputes(spec)


def _refuse_disputes(spec: TaskSpec) -> None:
    """Raise the fault of a dispute over an unknown field, or over a field of a repeated part."""
    for n, dispute in enumerate(spec.disputes):
        for m, name in enumerate(dispute.fields):
            if name not in spec.fields:
                known = ", ".join(spec.fields)
                raise fault("task_word", "disputes", n, "fields", m, value=name, known=known)
        for when in ("all", "any"):
            for name in getattr(dispute, when).keys() & spec.repeating.keys():
                raise fault("task_repeat_of", "disputes", n, when, name, name=name)


def _fields_with_path(spec: TaskSpec) -> Iterator[tuple[FieldPath, FieldSpec]]:
    """Yield each field with its path in the declaration."""
    for n, stage in enumerate(spec.stages):
        for m, each in enumerate(stage.fields):
            yield (() if spec.asked else ("stages", n)) + ("fields", m), each


def _refuse_options(at: FieldPath, field: FieldSpec) -> None:
    """Raise the fault of options that are missing, many or alike, and of bounds without a value."""
    if field.kind in _WITH_OPTIONS and not field.options and not field.codebook:
        raise fault("task_options_none", *at, "kind", kind=field.kind)
    if len(field.options) > MOST_OPTIONS:
        raise fault("task_many", *at, "options", most=MOST_OPTIONS, count=len(field.options))
    once((((*at, "options"), each.option) for each in field.options), "parallel_key_twice")
    values = [str(each) for each in field.values]
    if odd := [each.option for each in field.options if values and each.option not in values]:
        raise fault("task_word", *at, "options", value=odd[0], known=", ".join(values))
    once((((*at, "options"), each.key) for each in field.options if each.key), "parallel_key_twice")
    if field.least > field.most or (field.kind is Kind.SCALE and len(field.values) > MOST_OPTIONS):
        raise fault("task_bounds", *at, "most", least=field.least, most=field.most)
    if (field.kind is Kind.EDIT) != bool(field.parts):
        raise fault("task_parts", *at, "kind", kind=field.kind)


def _refuse_conditions(spec: TaskSpec, at: FieldPath, field: FieldSpec) -> None:
    """Raise the fault of a condition on an unknown field or answer, or on a later stage.

    What depends on a later stage could never be answered: nobody could leave the stage.
    """
    order = {each.key: n for n, stage in enumerate(spec.stages) for each in stage.fields}
    for name in CONDITIONS:
        for on, wanted in getattr(field, name).items():
            if on not in order:
                raise fault("task_word", *at, name, on, value=on, known=", ".join(order))
            values = [str(each) for each in spec.fields[on].values]
            if values and (odd := [each for each in wanted if each not in values]):
                raise fault("task_word", *at, name, on, value=odd[0], known=", ".join(values))
            if name != "decided_when" and order[on] > order[field.key]:
                raise fault("task_stage_shut", *at, name, on, name=on)


def _refuse_repeated(spec: TaskSpec, at: FieldPath, field: FieldSpec) -> None:
    """Raise the fault of a field that cannot repeat, and of one that depends on one that does."""
    alike = {*spec.repeating.values()} == {field.repeat}
    fits = alike and field in spec.stages[-1].fields and field.kind in _REPEATED
    if (field.repeat and not fits) or spec.place(field.key)[1]:
        what = "repeat" if field.repeat else "field"
        raise fault("task_repeat", *at, what, name=field.key, known=", ".join(_REPEATED))
    for name in () if field.repeat else CONDITIONS:
        for on in getattr(field, name):
            if on in spec.repeating:
                raise fault("task_repeat_of", *at, name, on, name=on)


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
