"""Account of a request, from its cookies."""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING

from streamlit.runtime.secrets import secrets_singleton
from streamlit.web.server.starlette.starlette_server_config import USER_COOKIE_NAME
from streamlit.web.server.starlette.starlette_websocket import _get_signed_cookie_with_chunks

from storage.db.location import workspace_folder

if TYPE_CHECKING:
    from storage.db.workspace import Workspace

COOKIE = "touchstone_session"
ROUTE = "/touchstone/session"
"""Where a browser exchanges a ticket for its cookie."""
PROXY_VARIABLE = "TOUCHSTONE_PROXY"
_LOG = logging.getLogger("touchstone")


@lru_cache(maxsize=1)
def served_workspace() -> Workspace:
    """Return the workspace that this process serves."""
    from storage.db.workspace import Workspace

    return Workspace(workspace_folder().resolve())


def proven_account(cookies: Mapping[str, str]) -> int | None:
    """Return the id of the active account that a request's cookies prove, or None.

    They are the app's own cookies, or else those of an identity provider. Raises UserError if the
    database is unavailable.
    """
    from annotation.people import sign_in
    from annotation.people.accounts import account_of_subject

    workspace = served_workspace()
    account = sign_in.account_in(workspace, cookies.get(COOKIE))
    if account is not None:
        return account
    subject = _provider_subject(cookies)
    # Without an address no new account is created here: the page does that.
    found = account_of_subject(workspace, subject, None) if subject else None
    return None if found is None else found.id


def subject_of(issuer: object, subject: object) -> str:
    """Return the identifier of an identity provider's account."""
    return f"{issuer}|{subject}"


def behind_proxy() -> bool:
    """Return whether our own proxy stands before this server ($TOUCHSTONE_PROXY is 1)."""
    return os.environ.get(PROXY_VARIABLE) == "1"


def network_address(forwarded: str | None, peer: str | None) -> str:
    """Return a client's network address, "this machine" if unknown.

    Behind our own proxy it is the last entry of X-Forwarded-For, which is not trusted otherwise.
    """
    if behind_proxy() and (last := (forwarded or "").rpartition(",")[2].strip()):
        return last[:60]
    return peer or "this machine"


def _provider_subject(cookies: Mapping[str, str]) -> str | None:
    """Return the provider's subject from the cookie that Streamlit signs; None if not signed in."""
    if not (secrets_singleton.load_if_toml_exists() and secrets_singleton.get("auth")):
        return None
    try:
        signed = _get_signed_cookie_with_chunks(dict(cookies), USER_COOKIE_NAME)
        said = json.loads(signed) if signed else {}
    except ValueError:
        _LOG.warning("a cookie of the identity provider could not be read")
        return None
    if not said.get("is_logged_in") or not said.get("iss") or not said.get("sub"):
        return None
    return subject_of(said["iss"], said["sub"])
