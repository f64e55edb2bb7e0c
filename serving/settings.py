"""Server settings: team mode and allowed host names."""

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
    """Return whether people sign in ($TOUCHSTONE_MODE is ``team``, not ``single``).

    Raises UserError for any other value, so that a typo does not disable sign-in.
    """
    mode = os.environ.get("TOUCHSTONE_MODE", "single").strip().lower()
    if mode not in ("single", "team"):
        raise UserError("mode_unknown", mode=mode)
    return mode == "team"


@lru_cache(maxsize=1)
def served_names() -> frozenset[str]:
    """Return the allowed host names (cached).

    They are the loopback names, the address listened to, those of $TOUCHSTONE_HOSTS, the one that
    people type (`browser.serverAddress`), and the redirect address of an identity provider. Raises
    UserError for an invalid name.
    """
    said = [*given_names(), *_provider_names()]
    address = config.get_option("server.address")
    if address and address not in _ANY:
        said.append(address)
    if config.is_manually_set("browser.serverAddress"):
        said.append(_name_of(config.get_option("browser.serverAddress")))
    return allowed_names(said)


def _provider_names() -> list[str]:
    """Return the host of the identity provider's redirect address, if there is any."""
    name = _name_of(str(_auth().get("redirect_uri", "")))
    return [name] if name else []


def _auth() -> Mapping[str, object]:
    """Return the settings of an identity provider, empty if there is none."""
    return (secrets_singleton.load_if_toml_exists() and secrets_singleton.get("auth")) or {}


def _name_of(address: str) -> str:
    """Return the host of an address or bare host; its port may be ``{port}``."""
    return urlsplit(address if "//" in address else f"//{address}").hostname or address
