"""Parser of `models.toml`: server, model, rate limits and price of each role.

An address is that of a server, or ``local:FOLDER`` (`llm.local.files`). Top-level settings
hold for every role; a table with a role's name overrides them for that role.
Keys of servers have no place in it (`llm.roles`), so it can be shared and versioned.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeGuard, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from errors import UserError, Where
from llm.budget import Limit
from llm.local.files import is_local
from llm.roles import Endpoint, Pace, Price, Role

FILE = "models.toml"
_SIZES = ("max_tokens", "image_tokens", "stream")
_PACE = ("concurrency", "requests_per_minute", "tokens_per_minute", "attempts", "timeout_s")
_SECRET_WORDS = ("key", "secret", "password", "authorization", "bearer", "credential")
# Set by the client itself; a parameter of the same name would override it silently.
_OURS = ("messages", "model", "stream", "max_tokens", "max_completion_tokens", "input", "n")


def _is_number(value: object) -> TypeGuard[float]:
    """Return True for a number, but not a bool."""
    return isinstance(value, int | float) and not isinstance(value, bool)


# Parameters of a local model with their validation; unknown ones would have no effect.
_LOCAL_TAKES: Mapping[str, Callable[[object], bool]] = {
    "temperature": lambda value: _is_number(value) and value >= 0,
    "top_p": lambda value: _is_number(value) and 0 < value <= 1,
    "seed": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "chat_template_kwargs": lambda value: isinstance(value, dict),
}
_NOT_LOCAL = (Role.DRAFT_OCR, Role.EMBED)  # a language model of texts reads no page and embeds none
_Shape = TypeVar("_Shape", bound=BaseModel)
_Count = Annotated[int, Field(ge=1)]
_Amount = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Role(BaseModel):
    model_config = ConfigDict(extra="forbid")

    base_url: str = ""
    model: str = ""
    parameters: dict[str, Any] = {}
    max_tokens: _Count = 1024
    image_tokens: _Count = 4096
    stream: bool = False
    price_in: _Amount | None = None
    price_out: _Amount | None = None
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 32
    requests_per_minute: _Count | None = None
    tokens_per_minute: _Count | None = None
    attempts: Annotated[int, Field(ge=1, le=20)] = 6
    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 120.0


class _Budget(BaseModel):
    model_config = ConfigDict(extra="forbid")

    calls: _Count | None = None
    tokens: _Count | None = None
    money: _Amount | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """The endpoints of the configured roles, and their common budget."""

    endpoints: Mapping[Role, Endpoint] = field(default_factory=dict)
    budget: Limit = field(default_factory=Limit)

    def of(self, role: Role) -> Endpoint:
        """Return the endpoint of a role. Raises UserError if it is not configured."""
        if role not in self.endpoints:
            raise UserError("models_role_unset", Where(file=FILE, field=role), role=role)
        return self.endpoints[role]


def read_settings(text: str, file: str = FILE) -> Settings:
    """Parse the text of `models.toml`; UserError names an invalid setting, or one that holds a key.

    Raises UserError, naming the setting, for invalid TOML, an unknown or invalid setting, an
    address that is no http(s) URL, and anything that looks like a key.
    """
    try:
        tree = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UserError("models_unreadable", Where(file=file), reason=str(error)) from error
    _refuse_keys(tree, file)
    budget = _validate(_Budget, _table(tree, "budget", file), "budget", file)
    shared = {name: value for name, value in tree.items() if name not in (*Role, "budget")}
    _validate(_Role, shared, "", file)
    endpoints = {}
    for role in Role:
        own = _table(tree, role, file)
        read = _validate(_Role, shared | own, role, file)
        _check_parameters(read, role, file)
        if read.base_url and read.model:
            if role in _NOT_LOCAL and is_local(read.base_url) and "base_url" not in own:
                continue  # inherited from the top: meant for the other roles
            _check_address(read.base_url, role, file)
            endpoints[role] = _endpoint(role, read)
    return Settings(endpoints, Limit(budget.calls, budget.tokens, budget.money))


def _endpoint(role: Role, read: _Role) -> Endpoint:
    """Return a role's endpoint; a local model is free by default, and takes one call at a time."""
    given = read.model_dump()
    own = {name: given[name] for name in ("model", "parameters", *_SIZES)}
    price, pace = Price(read.price_in, read.price_out), {name: given[name] for name in _PACE}
    if is_local(read.base_url):
        price = Price(read.price_in or 0.0, read.price_out or 0.0)
        pace |= {"concurrency": 1, "attempts": 1}
    return Endpoint(role, read.base_url.rstrip("/"), **own, price=price, pace=Pace(**pace))


def _table(tree: Mapping[str, Any], name: str, file: str) -> dict[str, Any]:
    """Return the table `name` of the settings, {} if missing; UserError if it is no table."""
    found = tree.get(name, {})
    if not isinstance(found, dict):
        raise UserError("models_setting", Where(file=file, field=name), reason="not a table")
    return found


def _validate(shape: type[_Shape], values: Mapping[str, Any], name: str, file: str) -> _Shape:
    """Validate a table. Raises UserError naming its first error."""
    try:
        return shape.model_validate(values)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join([*([name] if name else []), *(str(step) for step in first["loc"])])
        raise UserError(
            "models_setting", Where(file=file, field=place), reason=first["msg"]
        ) from None  # the cause repeats the value, which may be a key


def _check_address(base_url: str, role: Role, file: str) -> None:
    """Raise UserError for an address that is no URL, holds a key, or may not be local."""
    where = Where(file=file, field=f"{role}.base_url")
    if is_local(base_url):
        if role in _NOT_LOCAL:
            reason = "a local language model reads no image and gives no vectors"
            raise UserError("models_setting", where, reason=reason)
        return
    try:
        parts = urlsplit(base_url)
        unfit = parts.scheme not in ("http", "https") or not parts.hostname
        carries = bool(parts.username or parts.password or parts.query or parts.fragment)
        _ = parts.port
    except ValueError:
        unfit, carries = True, False
    if carries:
        raise UserError("models_key_in_file", where)
    if unfit:
        raise UserError("models_setting", where, reason="not an http or https address")


def _check_parameters(read: _Role, role: Role, file: str) -> None:
    """Raise UserError for parameters that Touchstone sets itself or a local model does not take."""
    for name in _OURS:
        if name in read.parameters:
            where = Where(file=file, field=f"{role}.parameters.{name}")
            raise UserError("models_setting", where, reason="set by Touchstone itself")
    if is_local(read.base_url) and role not in _NOT_LOCAL:
        _check_local(read, role, file)


def _check_local(read: _Role, role: Role, file: str) -> None:
    """Raise UserError for a parameter that a local model does not take, or not with this value."""
    for name, value in read.parameters.items():
        where = Where(file=file, field=f"{role}.parameters.{name}")
        if name not in _LOCAL_TAKES:
            known = ", ".join(_LOCAL_TAKES)
            raise UserError("models_setting", where, reason=f"a local model takes {known}")
        if not _LOCAL_TAKES[name](value):
            raise UserError("models_setting", where, reason="no value that a local model takes")


def _refuse_keys(tree: Mapping[str, Any], file: str) -> None:
    """Raise UserError if a settings file holds an API key: keys belong in the environment."""
    for path in _setting_paths(tree, ""):
        last = path.rpartition(".")[2].lower()
        if any(word in last for word in _SECRET_WORDS):
            raise UserError("models_key_in_file", Where(file=file, field=path))


def _setting_paths(tree: Mapping[str, Any], prefix: str) -> Iterator[str]:
    """Yield the dotted path of every setting, inner ones too."""
    for name, value in tree.items():
        yield f"{prefix}{name}"
        if isinstance(value, dict):
            yield from _setting_paths(value, f"{prefix}{name}.")
