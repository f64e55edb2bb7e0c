"""Settings of the server: whether people sign in, and the names under which it is called."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import urlsplit

from streamlit import config
from streamlit.runtime.secrets import secrets_singleton

from errors import UserError
from serving.hosts import allowed_names, given_names

_ANY = ("0.0.0.0", "::")  # noqa: S104  (addresses that are no names)


def team_mode() -> bool:
    """Return whether people sign in ($TOUCHSTONE_MODE is ``team``), or one person sits here.

    Raises UserError for any other value, lest a slip of the pen opens the door.
    """
    mode = os.environ.get("TOUCHSTONE_MODE", "single").strip().lower()
    if mode not in ("single", "team"):
        raise UserError("mode_unknown", mode=mode)
    return mode == "team"


@lru_cache(maxsize=1)
def served_names() -> frozenset[str]:
    """Return the names that are let in, worked out once.

    They are those of this machine for itself, the address that is listened to, those of
    $TOUCHSTONE_HOSTS, the one that people type (`browser.serverAddress`), and the one to which an
    identity provider sends people back. Raises UserError for what is no name.
    """
    said = [*given_names(), *_provider()]
    address = config.get_option("server.address")
    if address and address not in _ANY:
        said.append(address)
    if config.is_manually_set("browser.serverAddress"):
        said.append(_name_of(config.get_option("browser.serverAddress")))
    return allowed_names(said)


def _provider() -> list[str]:
    name = _name_of(str(_auth().get("redirect_uri", "")))
    return [name] if name else []


def _auth() -> Mapping[str, object]:
    """Return the settings of an identity provider, none where there is none."""
    return (secrets_singleton.load_if_toml_exists() and secrets_singleton.get("auth")) or {}


def _name_of(address: str) -> str:
    """Return the host of an address, which may be a bare host; its port may be ``{port}``."""
    return urlsplit(address if "//" in address else f"//{address}").hostname or address
