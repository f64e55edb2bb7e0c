"""Read method specs from YAML (or JSON, which is YAML), with the line of each error.

A part may be a mapping or just a name, of a preset or of a method at its defaults:
``of: [bm25, {method: bm25, tokeniser: whitespace}]``. The type of a scalar follows from its
parameter, not from its looks. All errors are reported together.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from corpus.files.yaml_fields import Fields, Value, read_value
from corpus.limits import METHOD_FILE
from errors import Problems, UserError, Where
from retrieval.core.model import Kind, Parameter, Spec
from retrieval.core.registry import (
    complete,
    known_names,
    parameters,
    spelled_out,
    unknown_parameter,
)

TEXT_LIMIT = METHOD_FILE
DEEPEST = 24  # levels of YAML; methods within methods are bounded by the registry
_TRUTH = {"true": True, "false": False}

Named = Mapping[str, Spec]
_NONE: Named = {}


def parse_spec(text: str, file: str | None = None) -> dict[str, Any]:
    """Parse YAML text into a complete spec; `file` is the name shown in messages.

    Raises UserError, with its line, for invalid YAML or an invalid spec.
    """
    if len(text) > TEXT_LIMIT:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=TEXT_LIMIT, length=len(text))
    return read_spec(read_value(text, file, deepest=DEEPEST), file)


def read_spec(
    value: Value,
    file: str | None,
    named: Named = _NONE,
    other_fields: Collection[str] = (),
    field: str | None = None,
) -> dict[str, Any]:
    """Return the complete spec of a parsed YAML value.

    A text is the name of a spec in `named`, of a preset, or of a method at its defaults. Fields
    listed in `other_fields` do not belong to the spec and are ignored. `field` is the field's name
    in messages. Raises UserError, with its line.
    """
    where = Where(file, value.line, field)
    if isinstance(value.content, str) and value.content in named:
        return dict(named[value.content])
    spec = _spec_parameters(value, where, named, other_fields)
    try:
        return complete(spec)
    except UserError as error:
        raise _with_location(error, where) from error


def read_parameter(
    parameter: Parameter, method: str, value: Value, file: str | None, named: Named | None
) -> Any:
    """Return the checked value of one parameter of `method`. Raises UserError with its line."""
    read = _typed_value(parameter, value, file, named or {})
    try:
        return parameter.check(method, read)
    except UserError as error:
        raise _with_location(error, Where(file, value.line, parameter.name)) from error


def _spec_parameters(
    value: Value, where: Where, named: Named, other_fields: Collection[str]
) -> dict[str, Any]:
    """Read a spec's parameters from the file, each by its type; defaults are not filled in."""
    if isinstance(value.content, str) and value.content:
        return dict(spelled_out(value.content))
    fields = Fields(
        where.file, value.line, value.content if isinstance(value.content, dict) else {}
    )
    method = fields.optional_text("method")
    if not method:
        raise UserError("method_unnamed", where, known=", ".join(known_names()))
    spec = dict(spelled_out({"method": method}))
    try:
        known = {parameter.name: parameter for parameter in parameters(spec["method"])}
    except UserError as error:
        raise _with_location(error, fields.where("method")) from error
    problems = Problems()
    for name, each in fields.values.items():
        if name == "method" or name in other_fields:
            continue
        with problems.collecting():
            if name not in known:
                place = Where(where.file, each.line, name)
                raise unknown_parameter(spec["method"], name, known, place)
            spec[name] = read_parameter(known[name], spec["method"], each, where.file, named)
    problems.refuse()
    return spec


def _typed_value(parameter: Parameter, value: Value, file: str | None, named: Named) -> Any:
    """Convert a value by the type of its parameter."""
    kind = parameter.kind
    if kind == "method":
        return read_spec(value, file, named, field=parameter.name)
    if kind == "methods" and isinstance(value.content, list):
        return _specs(value.content, file, named, parameter.name)
    if isinstance(value.content, list):
        return [_scalar(kind, each) for each in value.content]
    return _scalar(kind, value)


def _specs(values: list[Value], file: str | None, named: Named, field: str) -> list[dict[str, Any]]:
    """Parse a list of specs, collecting their errors."""
    found, problems = [], Problems()
    for each in values:
        with problems.collecting():
            found.append(read_spec(each, file, named, field=field))
    problems.refuse()
    return found


def _scalar(kind: Kind, value: Value) -> Any:
    """Convert a YAML scalar to its parameter's type, numbers to float; else unchanged."""
    said = value.content
    if not isinstance(said, str):
        return value.plain()
    if kind == "bool":
        return _TRUTH.get(said.lower(), said)
    if kind in ("int", "float", "numbers"):
        try:
            return float(said)
        except ValueError:
            return said
    return said


def _with_location(error: UserError, where: Where) -> UserError:
    """Return the error with a location, unless it has a line already."""
    return error if error.where.line else UserError(error.code, where, **error.params)
