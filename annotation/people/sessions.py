"""Who is signed in: a signed token that names an account, and what makes it void.

A token is void once it has expired, its account is deactivated, or the account has changed its
password or signed out anywhere since. It is signed (HMAC-SHA256) with the key of the workspace:
$TOUCHSTONE_SECRET, or else a file that only its owner can read. Several servers on one database
need the same $TOUCHSTONE_SECRET.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from datetime import timedelta
from pathlib import Path
from typing import Literal

from sqlmodel import Session, col, func, select

from annotation.people.accounts import note_account
from errors import UserError
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.tables.accounts import Account
from storage.tables.people import AccountEvent

LASTS = timedelta(days=7)
TICKET_LASTS = timedelta(minutes=1)
Purpose = Literal["session", "ticket"]
_ENDING = ("password", "deactivated", "signed_out")  # events that void every earlier token
_SHORTEST_SECRET = 32  # characters
_KEY_FILE = "session.key"


def token_for(ws: Workspace, account_id: int, purpose: Purpose = "session") -> str:
    """Return a token for an account that has just proved who it is.

    A ticket is a token good for a minute, to be changed for one of a session; neither stands in
    for the other.
    """
    with ws.reading() as session:
        generation = _generation(session, account_id)
    lasts = LASTS if purpose == "session" else TICKET_LASTS
    until = int((ws.clock() + lasts).timestamp())
    said = f"{account_id}.{until}.{generation}"
    return f"{said}.{keyed(ws, purpose, said)}"


def account_in(ws: Workspace, token: object, purpose: Purpose = "session") -> int | None:
    """Return the account that a token stands for; None for one that is forged or void."""
    said, _, signature = (token if isinstance(token, str) else "").rpartition(".")
    parts = said.split(".")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() for part in parts):
        return None
    if len(said) > 60 or not hmac.compare_digest(
        signature.encode("utf-8", "replace"), keyed(ws, purpose, said).encode()
    ):
        return None
    account_id, until, generation = map(int, parts)
    if ws.clock().timestamp() >= until:
        return None
    with ws.reading() as session:
        account = session.get(Account, usable_id(account_id))
        stands = account is not None and account.active
        return account_id if stands and _generation(session, account_id) == generation else None


def sign_out(ws: Workspace, account_id: int) -> None:
    """Void every token of the account: it is signed out wherever it was signed in."""
    with ws.writing() as session:
        row = session.get(Account, usable_id(account_id))
        if row is not None:
            note_account(session, row, "signed_out", row.id, ws.clock())


def _generation(session: Session, account_id: int) -> int:
    """Return the id of the event that voided earlier tokens, 0 if none did."""
    query = select(func.max(AccountEvent.id)).where(
        AccountEvent.account_id == usable_id(account_id), col(AccountEvent.kind).in_(_ENDING)
    )
    return session.exec(query).one() or 0


def keyed(ws: Workspace, purpose: str, said: str) -> str:
    """Return the HMAC of what is said, under the workspace's secret and for this purpose alone."""
    text = f"{purpose}:{said}".encode("utf-8", "replace")
    return hmac.new(_key(ws.folder), text, hashlib.sha256).hexdigest()


def _key(folder: Path) -> bytes:
    secret = os.environ.get("TOUCHSTONE_SECRET", "")
    if secret:
        if len(secret) < _SHORTEST_SECRET:
            raise UserError("secret_short", shortest=_SHORTEST_SECRET)
        return secret.encode()
    file = folder / _KEY_FILE
    if not file.exists():
        _make_key(file)
    return file.read_bytes()


def _make_key(file: Path) -> None:
    """Write a new key whole and unread by others; one that another process made first stays."""
    partial = file.with_name(f"{file.name}.{secrets.token_hex(4)}")
    handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as out:
        out.write(secrets.token_bytes(32))
    try:
        os.link(partial, file)
    except FileExistsError:
        pass
    finally:
        partial.unlink()
