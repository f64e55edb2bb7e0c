"""Sign-in state of a browser session, in team mode.

The session keeps a signed token (`annotation.people.sign_in`) on the server. So that a reload stays
signed in, the browser exchanges a one-minute ticket for an HTTP-only cookie (`server.py`);
docs/decisions/0007-sessions.md gives the reasons. The account is looked up on every run: who is
deactivated or signs out elsewhere is signed out at once.
"""

from __future__ import annotations

import json

import streamlit as st

from annotation.people import sign_in
from annotation.people.accounts import AccountView, account_of_subject, find_account
from serving.identity import COOKIE, ROUTE, network_address, subject_of
from serving.uploads import own_store
from serving.visits import VISITS
from storage.db.workspace import Workspace

_TOKEN = "session-token"  # noqa: S105  (the name of a place, not a secret)
_TICKET = "session-ticket"
_NOT_ASKED = "session-cookie-void"


def account(workspace: Workspace) -> AccountView | None:
    """Return the signed-in account, or None."""
    found = _find_signed_in(workspace)
    _record_account(None if found is None else found.id)
    return found


def _find_signed_in(workspace: Workspace) -> AccountView | None:
    """Find the account of the session: by token, else by the identity provider's subject."""
    token = st.session_state.get(_TOKEN)
    if token is None and not st.session_state.get(_NOT_ASKED):
        token = st.context.cookies.get(COOKIE)
    account_id = sign_in.account_in(workspace, token)
    if account_id is not None:
        st.session_state[_TOKEN] = token
        return find_account(workspace, account_id)
    st.session_state.pop(_TOKEN, None)
    subject = provider_subject()
    return account_of_subject(workspace, subject, provider_email()) if subject else None


def _record_account(account_id: int | None) -> None:
    """Record which account uses this session; uploads of a previous account are freed."""
    if kept := own_store():
        store, session = kept
        before = VISITS.signed(session, account_id)
        if before is not None and before != account_id:
            store.remove_session_files(session)


def enter(workspace: Workspace, account_id: int) -> None:
    """Sign this session in; the browser gets its cookie on the next run."""
    st.session_state[_TOKEN] = sign_in.token_for(workspace, account_id)
    st.session_state[_TICKET] = sign_in.token_for(workspace, account_id, "ticket")


def leave(workspace: Workspace, account_id: int) -> None:
    """Sign the account out, here and everywhere else."""
    sign_in.sign_out(workspace, account_id)
    if kept := own_store():
        for session in VISITS.sessions_of(account_id):
            kept[0].remove_session_files(session)
    st.session_state.pop(_TOKEN, None)
    st.session_state[_NOT_ASKED] = True
    if provider_subject():
        st.logout()


def hand_over_ticket() -> None:
    """Have the browser exchange a new ticket for its cookie, once."""
    ticket = st.session_state.pop(_TICKET, None)
    if ticket is None:
        return
    request = {
        "method": "POST",
        "headers": {"Content-Type": "application/json", "X-Touchstone": "session"},
        "body": json.dumps({"ticket": ticket}),
    }
    code = f"fetch({json.dumps(ROUTE)}, {json.dumps(request)});"
    st.html(f"<script>{code}</script>", unsafe_allow_javascript=True)


def address() -> str:
    """Return the client's network address, for rate-limiting sign-ins."""
    said = st.context.headers.get("X-Forwarded-For")
    return str(network_address(said, st.context.ip_address))


def has_provider() -> bool:
    """Return whether an identity provider is set up ([auth] in .streamlit/secrets.toml)."""
    return bool(st.secrets.load_if_toml_exists() and st.secrets.get("auth"))


def provider_subject() -> str | None:
    """Return issuer and subject of the identity provider's user; None if nobody is signed in."""
    said = st.user.to_dict() if has_provider() else {}
    if not said.get("is_logged_in") or not said.get("iss") or not said.get("sub"):
        return None
    return subject_of(said["iss"], said["sub"])


def provider_email() -> str | None:
    """Return the verified email address from the identity provider, if any."""
    said = st.user.to_dict()
    return str(said["email"]) if said.get("email_verified") is True and said.get("email") else None
