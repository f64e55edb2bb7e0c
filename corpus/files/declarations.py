"""Parsing of YAML declarations into dataclasses.

The annotations of the dataclass define each field, and pydantic validates them. It gives the place
of an error as a path; the marks of the YAML nodes give its line. An error is raised by `fault(code,
...)`, whose code is one of the catalogue, and reaches the user as a UserError. Fields are checked
in the order of the class, and the first error counts.

A field without a value is treated as missing, unless None is allowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
)
from pydantic_core import PydanticCustomError, core_schema

from corpus.files.rows import is_storable
from errors import Problems, UserError, Where, did_you_mean
from messages import LANGUAGES

if TYPE_CHECKING:
    from corpus.files.yaml_fields import Value

DEEPEST = 12  # levels of nesting
KEY = re.compile(r"[a-z][a-z0-9_]{0,63}")
SHOWN = 100  # the most characters of a wrong value in a message
LABEL_LIMIT = 300

T = TypeVar("T")
FieldPath = tuple[str | int, ...]
Reading = ValidationInfo[dict[str, Any]]
"""The context of a check: the earlier fields, and data stored by other checks."""
Known = Iterable[str] | Mapping[str, Any]
"""Allowed words, and optionally the value of each."""


def read_declaration(
    kind: type[T],
    text: str,
    file: str | None = None,
    *,
    limit: int,
    empty: str,
    listed: str = "field_not_list",
    numbered: bool = False,
    check: Callable[[T], None] | None = None,
) -> T:
    """Parse a declaration of that kind; `file` is the text's name in messages.

    `limit` is the most characters allowed. `empty` is the code for a text that is no mapping,
    `listed` the one for a list of entries that is none. Texts of a list are named by their list, or
    by their own number too if `numbered`. `check` may raise the fault of an inconsistency, with its
    path. Raises UserError with the line and the field.
    """
    if len(text) > limit:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=limit, length=len(text))
    from corpus.files.yaml_fields import read_value  # not before there is YAML to be read

    root = read_value(text, file, deepest=DEEPEST)
    if not isinstance(root.content, dict):
        raise UserError(empty, Where(file, root.line))
    told = partial(_user_error, root=root, file=file, list_code=listed, numbered=numbered)
    try:
        found = _adapter(kind).validate_python(root.plain(), context={})
        if check:
            check(found)
        return found
    except ValidationError as problem:
        raise told(problem.errors(include_url=False)[0]) from problem
    except PydanticCustomError as problem:
        raise told({"type": problem.type, "loc": (), "ctx": problem.context}) from problem


def read_every(kind: type[T], root: Value, file: str | None, problems: Problems) -> T | None:
    """Parse a declaration from a mapping; None if invalid, with all errors in `problems`."""
    try:
        return _adapter(kind).validate_python(root.plain(), context={})
    except ValidationError as problem:
        for each in problem.errors(include_url=False):
            problems.add(_user_error(each, root, file))
        return None


@cache
def _built(kind: Any) -> TypeAdapter[Any]:
    """Return the pydantic adapter of a type, cached."""
    return TypeAdapter(kind)


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    """Return the pydantic adapter of a type."""
    return _built(kind)  # type: ignore[arg-type]  # a class has a hash


def _user_error(
    error: Any,
    root: Value,
    file: str | None,
    list_code: str = "field_not_list",
    numbered: bool = False,
) -> UserError:
    """Convert one of pydantic's errors to a user's error."""
    path, code, params = _path_and_code(error, list_code)
    for name, value in params.items():
        if isinstance(value, tuple):
            params[name] = _place(root, (*error["loc"], *value), numbered)[0]
    line, field = _place(root, path, numbered)
    return UserError(code, Where(file, line, field or None), **params)


def _path_and_code(error: Any, list_code: str) -> tuple[FieldPath, str, dict[str, Any]]:
    """Return the path, the code and the parameters of one of pydantic's errors."""
    kind, path, context = error["type"], error["loc"], error.get("ctx", {})
    if "at" in context:
        return (*path, *context["at"]), kind, dict(context["params"])
    if kind in ("missing", "too_short") or (error["input"] == "" and isinstance(path[-1], str)):
        return path, "field_missing", {}
    if kind in ("dataclass_type", "dict_type") and isinstance(path[-1], str):
        return path, "field_not_mapping", {}
    return path, list_code, {}


def _place(root: Value, path: FieldPath, numbered: bool) -> tuple[int, str]:
    """Return line and name at the end of a path, or of the mapping that lacks it.

    Steps that pydantic adds, such as the tag of a union, are not in the text and left out.
    """
    value, place = root, ""
    for at, step in enumerate(path):
        inner: Value | None = None
        if isinstance(value.content, list) and isinstance(step, int):
            inner = value.content[step]
            if numbered or not isinstance(inner.content, str):
                place += f"[{step + 1}]"
        elif isinstance(value.content, dict) and isinstance(step, str):
            inner = value.content.get(step)
            if inner or at == len(path) - 1:
                place += f".{step}" if place else step
        value = inner or value
    return value.line, place


def fault(code: str, *at: str | int, **params: object) -> PydanticCustomError:
    """Build the error of that code for the value under check, or a path `at` within it.

    A parameter that is such a path is shown as its line.
    """
    return PydanticCustomError(code, "a fault", {"at": at, "params": params})


@contextmanager
def faults() -> Iterator[None]:
    """Convert a placeless UserError of the block to the fault of the value under check."""
    try:
        yield
    except UserError as error:
        raise fault(error.code, **error.params) from error


class Declared:
    """A base class of declared mappings: unknown fields are refused."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Add the check of field names before the dataclass's schema."""
        schema = handler.resolve_ref_schema(handler(source))
        inner: Any = schema
        while inner["type"] != "dataclass-args":
            inner = inner["schema"]
        fields = {e.get("validation_alias", e["name"]): e["schema"] for e in inner["fields"]}
        blank = {  # fields that may be left out, which mean the same without a value
            name
            for name, each in fields.items()
            if each["type"] == "default" and each.get("default", ()) is not None
        }

        def check(value: Any) -> Any:
            """Refuse unknown fields; drop blank ones that may be blank."""
            if not isinstance(value, dict):
                return value
            refuse_unknown(value, fields)
            return {name: each for name, each in value.items() if each != "" or name not in blank}

        ref = schema.pop("ref", None)  # other references to the class must find the check too
        return core_schema.no_info_before_validator_function(check, schema, ref=ref)


def refuse_unknown(names: Iterable[str], known: Collection[str]) -> None:
    """Raise the fault of the first name that is not one of `known`."""
    for name in names:
        if name not in known:
            meant = did_you_mean(name, known)
            raise fault("field_unknown", name, known=", ".join(known), meant=meant)


def text_of(value: Any, *at: str | int) -> str:
    """Return a text with its white space joined. Raises the fault of a non-text or blank value."""
    if not isinstance(value, str):
        raise fault("field_not_text", *at)
    if not is_storable(value):
        raise fault("text_unstorable", *at)
    text = " ".join(value.split())
    if not text:
        raise fault("field_missing", *at)
    return text


def _texts(value: Any) -> Any:
    """Return a list as it is, () for ""; raise the fault of any other value."""
    if value == "":
        return ()
    if not isinstance(value, list | tuple):  # a tuple is a default
        raise fault("field_not_texts")
    return value


def _languages(value: Any) -> Any:
    """Validate a text per language: each one, and no other."""
    if not isinstance(value, dict):
        return value
    refuse_unknown(value, LANGUAGES)
    for language in LANGUAGES:
        if language not in value:
            raise fault("field_missing", language)
    return {language: value[language] for language in LANGUAGES}


def _yes(value: Any) -> bool:
    """Parse yes or no."""
    if value not in ("yes", "no", "true", "false"):
        raise fault("field_not_yes", value=text_of(value)[:SHOWN])
    return value in ("yes", "true")


def _day(value: Any) -> date:
    """Parse an ISO date."""
    text = text_of(value)
    try:
        return date.fromisoformat(text)
    except ValueError as problem:
        raise fault("field_not_date", value=text[:SHOWN]) from problem


def refusing(fault_of: Callable[[Any], PydanticCustomError | None]) -> AfterValidator:
    """Refuse the values of which `fault_of` returns a fault."""

    def check(value: Any) -> Any:
        """Return the value. Raises its fault."""
        if found := fault_of(value):
            raise found
        return value

    return AfterValidator(check)


def longest(limit: int) -> AfterValidator:
    """Check that a text has at most `limit` characters."""
    return refusing(
        lambda text: (
            fault("text_too_long", limit=limit, length=len(text)) if len(text) > limit else None
        )
    )


def key_form(code: str, form: re.Pattern[str] = KEY) -> AfterValidator:
    """Check that a text is a key: small letters, digits and underscores, unless of another form."""
    return refusing(lambda text: None if form.fullmatch(text) else fault(code, key=text))


def pick(value: Any, known: Known, code: str, *at: str | int, parameter: str = "value") -> Any:
    """Return the value of a word. Raises the fault of an unknown word, or of a non-text."""
    names = known if isinstance(known, Mapping) else {str(each): each for each in known}
    text = text_of(value, *at)
    if text not in names:
        listed = ", ".join(names) or "–"
        raise fault(code, *at, **{parameter: text[:SHOWN]}, known=listed)
    return names[text]


def choice_of(known: Known, code: str, parameter: str = "value") -> BeforeValidator:
    """Accept one of these words as its value; `parameter` is its name in the message."""
    return BeforeValidator(lambda value: pick(value, known, code, parameter=parameter))


def number_of(value: Any, code: str, least: int, most: int, form: str = "[0-9]{1,7}") -> float:
    """Parse a number of that form. Raises the fault of one out of bounds."""
    if value == "":
        raise fault("field_missing")
    text = value.strip() if isinstance(value, str) else ""
    if not re.fullmatch(form, text) or not least <= float(text) <= most:
        raise fault(code, value=str(value)[:SHOWN], least=least, most=most)
    return float(text)


def number(code: str, least: int, most: int, form: str = "[0-9]{1,7}") -> BeforeValidator:
    """Accept a number within these bounds, written in that form."""
    return BeforeValidator(lambda value: number_of(value, code, least, most, form))


def quoted(text: str) -> str:
    """Return the text in double quotes, with unprintable characters escaped for YAML."""
    written = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in written)


def label_text(label: Mapping[str, str]) -> str:
    """Return a label as YAML, as in a declaration."""
    return "{" + ", ".join(f"{name}: {quoted(text)}" for name, text in label.items()) + "}"


def once(
    entries: Iterable[tuple[FieldPath, Any]],
    code: str,
    same: Callable[[Any], Any] = str,
    display: Callable[[Any], str] = str,
    called: str = "shown",
) -> None:
    """Raise the fault of the first repeated entry, with the line of its first occurrence.

    Each comes with its path. Entries are equal if their `same` is; the message has `display` as the
    parameter `called`.
    """
    seen: dict[Any, FieldPath] = {}
    for path, entry in entries:
        if (found := same(entry)) in seen:
            raise fault(code, *path, **{called: display(entry)}, first=seen[found])
        seen[found] = path


def at_least_one(code: str) -> AfterValidator:
    """Check that there is an entry."""

    return refusing(lambda entries: None if entries else fault(code))


def unique(code: str, *at: str) -> AfterValidator:
    """Check that no two entries of a list are equal, or have the same text `at` a field."""

    def check(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        """Check that no entry repeats another."""
        texts = (getattr(each, *at) if at else each for each in entries)
        once((((n, *at), text) for n, text in enumerate(texts)), code)
        return entries

    return AfterValidator(check)


SOME = Field(min_length=1)
"""At least one entry."""
ONCE_EACH = AfterValidator(lambda found: tuple(dict.fromkeys(found)))
"""Duplicates are dropped."""
LANGUAGE_FIELDS = BeforeValidator(_languages)
"""A field for every language, and no other."""
Text = Annotated[str, BeforeValidator(text_of)]
"""A non-blank text, white space joined."""
Listed = Annotated[tuple[T, ...], BeforeValidator(_texts)]
"""A list of texts."""
Texts = Listed[Text]
Day = Annotated[date, BeforeValidator(_day)]
Yes = Annotated[bool, BeforeValidator(_yes)]
Label = Annotated[Mapping[str, Annotated[Text, longest(LABEL_LIMIT)]], LANGUAGE_FIELDS]
"""A label in every language."""
