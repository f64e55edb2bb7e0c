"""Places within the spec of a method: ``beta``, ``base.dimensions``, ``of.2.k1``, ``of.bm25.k1``.

Of several parts one is named by its number from 1, or by its method where only one part has it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from corpus.files.yaml_fields import Value
from errors import UserError, Where
from retrieval.core.parameters import Spec
from retrieval.core.registry import complete, parameters
from retrieval.core.spec_file import Named, read_parameter


def changed(
    spec: Spec, path: str, value: Value, file: str | None, named: Named | None = None
) -> tuple[dict[str, Any], Any]:
    """Return the complete `spec` with what `value` says at `path`, and what that is.

    Raises UserError with the line of `value` for a path that leads nowhere and a value that cannot
    be.
    """
    where = Where(file, value.line, path)
    steps = path.split(".")
    inner = _at(spec, steps, where)
    known = {each.name: each for each in parameters(inner["method"])}
    if steps[-1] not in known:
        raise _nowhere(where, inner, steps[-1], known)
    read = read_parameter(known[steps[-1]], inner["method"], value, file, named)
    return _checked(_with(spec, steps, read, where), where), read


def value_at(spec: Spec, path: str) -> Any:
    """Return what the complete `spec` has at `path`. Raises UserError where it leads nowhere."""
    steps, where = path.split("."), Where(field=path)
    inner = _at(spec, steps, where)
    if steps[-1] not in inner:
        raise _nowhere(where, inner, steps[-1], [name for name in inner if name != "method"])
    return inner[steps[-1]]


def _parts(spec: Spec) -> Iterator[tuple[str, Spec]]:
    for name, value in spec.items():
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, Mapping):
                yield name, each


def _at(spec: Spec, steps: list[str], where: Where) -> Spec:
    """Return the part of `spec` that the last of the steps is a parameter of."""
    if len(steps) < 2:
        return spec
    if isinstance(spec.get(steps[0]), Mapping):
        return _at(spec[steps[0]], steps[1:], where)
    parts = [part for name, part in _parts(spec) if name == steps[0]]
    if not parts:
        raise _nowhere(where, spec, steps[0], [name for name, _ in _parts(spec)])
    part = parts[_place(parts, steps[1], where)]
    if len(steps) == 2:
        raise _nowhere(where, part, steps[1], [each.name for each in parameters(part["method"])])
    return _at(part, steps[2:], where)


def _place(parts: list[Spec], step: str, where: Where) -> int:
    methods = [part["method"] for part in parts]
    if step.isascii() and step.isdecimal() and 1 <= int(step[:6]) <= len(parts):
        return int(step) - 1
    if methods.count(step) == 1:
        return methods.index(step)
    known = [str(n) for n in range(1, len(parts) + 1)]
    known += [each for each in methods if methods.count(each) == 1]
    raise UserError("experiment_part", where, part=step, known=", ".join(known))


def _with(spec: Spec, steps: list[str], value: Any, where: Where) -> dict[str, Any]:
    """Return the spec with `value` at the steps, which lead somewhere."""
    name, rest = steps[0], steps[1:]
    if not rest:
        return dict(spec) | {name: value}
    if isinstance(spec[name], Mapping):
        return dict(spec) | {name: _with(spec[name], rest, value, where)}
    parts = list(spec[name])
    at = _place(parts, rest[0], where)
    parts[at] = _with(parts[at], rest[1:], value, where)
    return dict(spec) | {name: parts}


def _checked(spec: Spec, where: Where) -> dict[str, Any]:
    try:
        return complete(spec)
    except UserError as error:
        raise UserError(error.code, where, **error.params) from error


def _nowhere(where: Where, spec: Spec, step: str, known: Iterable[str]) -> UserError:
    listed = ", ".join(dict.fromkeys(known)) or "–"
    return UserError(
        "method_parameter_unknown", where, method=spec["method"], name=step, known=listed
    )
