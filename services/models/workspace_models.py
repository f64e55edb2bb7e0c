"""Models of the workspace: roles, spending, and connection tests.

The settings are the file ``models.toml`` of the workspace folder, or the one that
$TOUCHSTONE_MODELS names; keys come from the environment or the caller.
"""

from __future__ import annotations

import asyncio
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from secrets import randbits
from typing import Protocol
from urllib.parse import urlsplit

from errors import UserError, Where
from llm.budget import Budget
from llm.client import Client, Store
from llm.local.files import files_of
from llm.local.stand_in import ADDRESS, MODEL, VARIABLE
from llm.reply import Problem, Status
from llm.request import Image, Message, Request
from llm.roles import Endpoint, Price, Role, key_of
from llm.settings import FILE, Settings, read_settings
from llm.transport.openai_client import form_of
from storage.db.workspace import Workspace
from storage.models import CallStore, Spent, last_form, usage_by_model, used
from storage.tables.models import FROM_FILE

NAMED = "TOUCHSTONE_MODELS"
_REMEMBERED = timedelta(days=1)  # after that it is probed anew, as servers get replaced
_NAME = "test@1"
_PROBE = "Reply with the single word: ready"
# A white square of 16 by 16 pixels: the least that every vision model takes.
_SQUARE = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000100000001008000000003a"
    "98a0bd0000000f4944415478da63f88f061846b6000080f9ff0191eb201a"
    "0000000049454e44ae426082"
)


@dataclass(frozen=True, slots=True)
class RoleView:
    """A role and its model; `endpoint` is None where none is set, `has_key` says if a key is."""

    role: Role
    endpoint: Endpoint | None
    has_key: bool


@dataclass(frozen=True, slots=True)
class Tried:
    """Result of a test call to a role's model; `reason` is the server's, if any."""

    role: Role
    model: str
    status: Status
    problem: Problem | None
    seconds: float
    reason: str


def settings_file(ws: Workspace, environ: Mapping[str, str] | None = None) -> Path:
    """Return the path of the models' settings, existing or not."""
    named = (os.environ if environ is None else environ).get(NAMED, "")
    return Path(named) if named else ws.folder / FILE


def load_settings(ws: Workspace, environ: Mapping[str, str] | None = None) -> Settings:
    """Load the models' settings; without a file no models. Raises UserError if invalid.

    A stand-in plays the roles that have none where the environment says so.
    """
    found = _read_settings(settings_file(ws, environ))
    if (os.environ if environ is None else environ).get(VARIABLE) != "1":
        return found
    price = Price(0.0, 0.0)
    played = {role: Endpoint(role, ADDRESS, MODEL, price=price) for role in Role}
    return Settings({**played, **found.endpoints}, found.budget)


def _read_settings(file: Path) -> Settings:
    """Read the file of model settings; defaults if there is none."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Settings()
    except (OSError, UnicodeDecodeError) as error:
        reason = type(error).__name__
        raise UserError("models_unreadable", Where(file=str(file)), reason=reason) from error
    return read_settings(text, str(file))


def roles(ws: Workspace, environ: Mapping[str, str] | None = None) -> tuple[RoleView, ...]:
    """Return every role with its model."""
    keys = os.environ if environ is None else environ
    settings = load_settings(ws, environ)
    return tuple(
        RoleView(role, settings.endpoints.get(role), bool(key_of(role, keys))) for role in Role
    )


def calls(ws: Workspace) -> list[Spent]:
    """Return the spending by role, server and model."""
    with ws.reading() as session:
        return usage_by_model(session)


def model(
    ws: Workspace,
    role: Role,
    environ: Mapping[str, str] | None = None,
    name: str = "",
    store: Store | None = None,
) -> Client:
    """Return the client of a role; call it in the event loop that uses it.

    `name` is another model of the same server, with the role's settings otherwise. The budget
    counts all calls stored in the workspace. `store` stores the replies, by default whole, in the
    workspace. The JSON mode of its server is known from calls of the last day. Raises UserError for
    a role without a model, and as `require_files`.
    """
    settings = load_settings(ws, environ)
    endpoint = settings.of(role)
    endpoint = replace(endpoint, model=name or endpoint.model)
    require_files(endpoint)
    with ws.reading() as session:
        budget = Budget(settings.budget, used(session))
        since = ws.clock() - _REMEMBERED
        form = form_of(last_form(session, endpoint.server, endpoint.model, since))
    key = key_of(role, os.environ if environ is None else environ)
    return Client(endpoint, key, store or CallStore(ws), budget, clock=ws.clock, form=form)


def require_files(endpoint: Endpoint) -> None:
    """Raise UserError for a local model that is missing or unusable."""
    if endpoint.local:
        files_of(endpoint.base_url, endpoint.model)


def trouble(endpoint: Endpoint) -> UserError | None:
    """Return the error of a local model that is missing or unusable, else None; calls no model."""
    try:
        require_files(endpoint)
    except UserError as error:
        return error
    return None


def try_roles(
    ws: Workspace, chosen: Sequence[Role] = (), environ: Mapping[str, str] | None = None
) -> list[Tried]:
    """Make one small call for each role that is set, or for those chosen.

    The calls are stored, and made anew each time. Raises UserError for a chosen role without a
    model, and where the budget is exhausted.
    """
    settings = load_settings(ws, environ)
    wanted = chosen or tuple(settings.endpoints)
    return [asyncio.run(_try_model(ws, settings.of(role), environ)) for role in wanted]


async def _try_model(ws: Workspace, endpoint: Endpoint, environ: Mapping[str, str] | None) -> Tried:
    """Test a model with a small request."""
    unlike_any = randbits(60)  # unique, to bypass the cache
    async with model(ws, endpoint.role, environ) as client:
        reply = await client.ask(_probe(client.endpoint, unlike_any))
    reason = reply.text if reply.status in (Status.FAILED, Status.REFUSED) else ""
    told = reply.status, reply.problem, reply.seconds, reason
    return Tried(endpoint.role, endpoint.model, *told)


def _probe(endpoint: Endpoint, repeat: int) -> Request:
    """Return a small request that tests a model."""
    if endpoint.role is Role.EMBED:
        return Request(endpoint, prompt=_NAME, inputs=(_PROBE,), repeat=repeat)
    images = (Image(_SQUARE),) if endpoint.role is Role.DRAFT_OCR else ()
    return Request(endpoint, (Message("user", _PROBE, images),), _NAME, repeat=repeat)


class Named(Protocol):
    """Something that names the model it comes from."""

    @property
    def server(self) -> str:
        """The server's address."""

    @property
    def model(self) -> str:
        """The model's name there."""


def model_names(models: Iterable[Named]) -> dict[tuple[str, str], str]:
    """Return unique display names by (server, model); repeated, imported ones name the server."""
    pairs = sorted({(each.server, each.model) for each in models})
    often = Counter(model for _, model in pairs)
    return {
        (server, model): model
        if often[model] == 1 and not server.startswith(FROM_FILE)
        else f"{model} @ {_host(server)}"
        for server, model in pairs
    }


def _host(server: str) -> str:
    """Return a server's address without scheme and version."""
    if server.startswith(FROM_FILE):
        return server
    parts = urlsplit(server)
    return f"{parts.netloc}{parts.path}".removesuffix("/v1") or server
