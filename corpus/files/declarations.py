"""Read a declaration in YAML as the dataclass that it stands for.

The annotations of the dataclass say what each field takes, and pydantic checks them. It names the
place of a fault as a path; the marks of the YAML nodes give its line. A fault is raised by
`fault(code, ...)`, whose code is one of the catalogue, and reaches the user as a UserError. Fields
are checked in the order of the class, and the first fault counts.

A field that stands in the text without a value is as if it were not there, unless None says so.
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
SHOWN = 100  # characters of a wrong value that a message repeats
LABEL_LIMIT = 300

T = TypeVar("T")
FieldPath = tuple[str | int, ...]
Reading = ValidationInfo[dict[str, Any]]
"""What a check may ask: the fields before its own, and what other checks have put aside."""
Known = Iterable[str] | Mapping[str, Any]
"""Words that may stand somewhere, and what each stands for, if not for itself."""


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
    """Return the declaration of that kind that the text says; `file` stands for it in messages.

    `limit` is the most characters it may have. `empty` is the code for a text that is no mapping,
    `listed` the one for a list of entries that is none. Texts of a list are named by their list,
    or by their own number too if `numbered`. `check` may raise the fault of what does not hang
    together, with its path. Raises UserError with the line and the field.
    """
    if len(text) > limit:
        where = Where(file, field="text")
        raise UserError("text_too_long", where, limit=limit, length=len(text))
    from corpus.files.yaml_fields import read_value  # not before there is YAML to be read

    root = read_value(text, file, deepest=DEEPEST)
    if not isinstance(root.content, dict):
        raise UserError(empty, Where(file, root.line))
    told = partial(_told, root=root, file=file, listed=listed, numbered=numbered)
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
    """Return the declaration that a mapping says; with all that is wrong in it put aside, None."""
    try:
        return _adapter(kind).validate_python(root.plain(), context={})
    except ValidationError as problem:
        for each in problem.errors(include_url=False):
            problems.add(_told(each, root, file))
        return None


@cache
def _built(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    return _built(kind)  # type: ignore[arg-type]  # a class has a hash


def _told(
    error: Any,
    root: Value,
    file: str | None,
    listed: str = "field_not_list",
    numbered: bool = False,
) -> UserError:
    """Return the user's error for one of pydantic's."""
    path, code, params = _meant(error, listed)
    for name, value in params.items():
        if isinstance(value, tuple):
            params[name] = _place(root, (*error["loc"], *value), numbered)[0]
    line, field = _place(root, path, numbered)
    return UserError(code, Where(file, line, field or None), **params)


def _meant(error: Any, listed: str) -> tuple[FieldPath, str, dict[str, Any]]:
    """Return the path, the code and the parameters of an error of pydantic's."""
    kind, path, context = error["type"], error["loc"], error.get("ctx", {})
    if "at" in context:
        return (*path, *context["at"]), kind, dict(context["params"])
    if kind in ("missing", "too_short") or (error["input"] == "" and isinstance(path[-1], str)):
        return path, "field_missing", {}
    if kind in ("dataclass_type", "dict_type") and isinstance(path[-1], str):
        return path, "field_not_mapping", {}
    return path, listed, {}


def _place(root: Value, path: FieldPath, numbered: bool) -> tuple[int, str]:
    """Return the line and the name of what a path leads to, or of the mapping that lacks it.

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
    """Return the error of that code for what is checked, or for what stands `at` a path in it.

    A parameter that is such a path is told as the line it leads to.
    """
    return PydanticCustomError(code, "a fault", {"at": at, "params": params})


@contextmanager
def faults() -> Iterator[None]:
    """Turn a UserError of the block, which knows no place, into the fault of what is checked."""
    try:
        yield
    except UserError as error:
        raise fault(error.code, **error.params) from error


class Declared:
    """What a mapping of the text is read as: fields that the class has not are refused."""

    __slots__ = ()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> core_schema.CoreSchema:
        """Return the schema of the dataclass behind the check of the names of its fields."""
        schema = handler.resolve_ref_schema(handler(source))
        inner: Any = schema
        while inner["type"] != "dataclass-args":
            inner = inner["schema"]
        fields = {e.get("validation_alias", e["name"]): e["schema"] for e in inner["fields"]}
        blank = {  # what may be left out, and means the same without a value
            name
            for name, each in fields.items()
            if each["type"] == "default" and each.get("default", ()) is not None
        }

        def check(value: Any) -> Any:
            if not isinstance(value, dict):
                return value
            refuse_unknown(value, fields)
            return {name: each for name, each in value.items() if each != "" or name not in blank}

        ref = schema.pop("ref", None)  # what else refers to the class has to find the check too
        return core_schema.no_info_before_validator_function(check, schema, ref=ref)


def refuse_unknown(value: Iterable[str], known: Collection[str]) -> None:
    """Raise the fault of the first name that is not one of `known`."""
    for name in value:
        if name not in known:
            meant = did_you_mean(name, known)
            raise fault("field_unknown", name, known=", ".join(known), meant=meant)


def text_of(value: Any, *at: str | int) -> str:
    """Return a text with its white space joined. Raises the fault of what is none, or blank."""
    if not isinstance(value, str):
        raise fault("field_not_text", *at)
    if not is_storable(value):
        raise fault("text_unstorable", *at)
    text = " ".join(value.split())
    if not text:
        raise fault("field_missing", *at)
    return text


def _texts(value: Any) -> Any:
    if value == "":
        return ()
    if not isinstance(value, list | tuple):  # a tuple is a default
        raise fault("field_not_texts")
    return value


def _languages(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    refuse_unknown(value, LANGUAGES)
    for language in LANGUAGES:
        if language not in value:
            raise fault("field_missing", language)
    return {language: value[language] for language in LANGUAGES}


def _yes(value: Any) -> bool:
    if value not in ("yes", "no", "true", "false"):
        raise fault("field_not_yes", value=text_of(value)[:SHOWN])
    return value in ("yes", "true")


def _day(value: Any) -> date:
    text = text_of(value)
    try:
        return date.fromisoformat(text)
    except ValueError as problem:
        raise fault("field_not_date", value=text[:SHOWN]) from problem


def longest(limit: int) -> AfterValidator:
    """Check that a text has at most so many characters."""

    def check(text: str) -> str:
        if len(text) > limit:
            raise fault("text_too_long", limit=limit, length=len(text))
        return text

    return AfterValidator(check)


def key_form(code: str, form: re.Pattern[str] = KEY) -> AfterValidator:
    """Check that a text is a key: small letters, digits and low lines, unless of another form."""

    def check(text: str) -> str:
        if not form.fullmatch(text):
            raise fault(code, key=text)
        return text

    return AfterValidator(check)


def pick(value: Any, known: Known, code: str, *at: str | int, shown: str = "value") -> Any:
    """Return what a word stands for. Raises the fault of one that is not known, or no text."""
    names = known if isinstance(known, Mapping) else {str(each): each for each in known}
    text = text_of(value, *at)
    if text not in names:
        listed = ", ".join(names) or "–"
        raise fault(code, *at, **{shown: text[:SHOWN]}, known=listed)
    return names[text]


def one_of(known: Known, code: str, shown: str = "value") -> BeforeValidator:
    """Take one of these words as what it stands for; the message calls it `shown`."""
    return BeforeValidator(lambda value: pick(value, known, code, shown=shown))


def number_of(value: Any, code: str, least: int, most: int, form: str = "[0-9]{1,7}") -> float:
    """Return the number that a text of that form is. Raises the fault of one out of bounds."""
    if value == "":
        raise fault("field_missing")
    text = value.strip() if isinstance(value, str) else ""
    if not re.fullmatch(form, text) or not least <= float(text) <= most:
        raise fault(code, value=str(value)[:SHOWN], least=least, most=most)
    return float(text)


def number(code: str, least: int, most: int, form: str = "[0-9]{1,7}") -> BeforeValidator:
    """Take a number within these bounds, written in that form."""
    return BeforeValidator(lambda value: number_of(value, code, least, most, form))


def quoted(text: str) -> str:
    """Return the text in double quotes, what YAML does not print escaped."""
    written = json.dumps(text, ensure_ascii=False)
    return "".join(each if each.isprintable() else f"\\U{ord(each):08x}" for each in written)


def label_text(label: Mapping[str, str]) -> str:
    """Return a label as it stands in a declaration."""
    return "{" + ", ".join(f"{name}: {quoted(text)}" for name, text in label.items()) + "}"


def once(
    entries: Iterable[tuple[FieldPath, Any]],
    code: str,
    same: Callable[[Any], Any] = str,
    shown: Callable[[Any], str] = str,
    called: str = "shown",
) -> None:
    """Raise the fault of the first entry that stood before, naming the line where it did.

    Each comes with its path. Entries are one where `same` of them is; the message has `shown`,
    `called` so.
    """
    seen: dict[Any, FieldPath] = {}
    for path, entry in entries:
        if (found := same(entry)) in seen:
            raise fault(code, *path, **{called: shown(entry)}, first=seen[found])
        seen[found] = path


def some(code: str) -> AfterValidator:
    """Check that there is an entry."""

    def check(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        if not entries:
            raise fault(code)
        return entries

    return AfterValidator(check)


def unique(code: str, *at: str) -> AfterValidator:
    """Check that no two entries of a list are the same, or have the same text `at` a field."""

    def check(entries: tuple[Any, ...]) -> tuple[Any, ...]:
        texts = (getattr(each, *at) if at else each for each in entries)
        once((((n, *at), text) for n, text in enumerate(texts)), code)
        return entries

    return AfterValidator(check)


SOME = Field(min_length=1)
"""At least one."""
ONCE_EACH = AfterValidator(lambda found: tuple(dict.fromkeys(found)))
"""What stands twice is taken once."""
LANGUAGE_FIELDS = BeforeValidator(_languages)
"""A field for every language, and no other."""
Text = Annotated[str, BeforeValidator(text_of)]
"""A text with something in it, white space joined."""
Listed = Annotated[tuple[T, ...], BeforeValidator(_texts)]
"""A list of texts."""
Texts = Listed[Text]
Day = Annotated[date, BeforeValidator(_day)]
Yes = Annotated[bool, BeforeValidator(_yes)]
Label = Annotated[Mapping[str, Annotated[Text, longest(LABEL_LIMIT)]], LANGUAGE_FIELDS]
"""What something is called, in every language."""
