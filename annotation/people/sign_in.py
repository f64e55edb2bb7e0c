"""Password sign-in with growing delays after failures; session tokens.

Failed sign-ins are counted in the database, shared by all servers of a team: per login, known or
not, and per address. Rows hold the key's HMAC under the workspace's secret, so a copy of the
database reveals neither. Each failure beyond a few doubles the wait; failures are forgotten after
an hour. Neither responses nor their timing reveal whether a login exists.

A session is a signed token that names an account. It is void once it has expired, its account is
deactivated, or the account has changed its password or signed out anywhere since. It is signed
(HMAC-SHA256, by itsdangerous) with the key of the workspace: $TOUCHSTONE_SECRET, or else a file
that only its owner can read. Several servers on one database need the same $TOUCHSTONE_SECRET.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import time
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal

from itsdangerous import BadData, URLSafeSerializer
from sqlmodel import Session, col, delete, func, select

from annotation.people.accounts import (
    AccountView,
    account_view,
    hashed,
    is_outdated,
    note_account,
    plain_login,
    verify,
)
from errors import UserError
from storage.db.columns import usable_id
from storage.db.workspace import Workspace
from storage.tables.core import Account, SignInFailure
from storage.tables.people import AccountEvent

LASTS = timedelta(days=7)
TICKET_LASTS = timedelta(minutes=1)
Purpose = Literal["session", "ticket"]
_VOIDING_EVENTS = ("password", "deactivated", "signed_out")  # events that void every earlier token
_MIN_SECRET_LENGTH = 32  # characters
_MAX_TOKEN_LENGTH = 200  # characters
_KEY_FILE = "session.key"


def token_for(ws: Workspace, account_id: int, purpose: Purpose = "session") -> str:
    """Return a token for an account that has just authenticated.

    A ticket is a token valid for a minute, to be exchanged for a session token; neither is accepted
    as the other.
    """
    with ws.reading() as session:
        generation = _generation(session, account_id)
    lasts = LASTS if purpose == "session" else TICKET_LASTS
    until = int((ws.clock() + lasts).timestamp())
    return str(_serializer(ws, purpose).dumps([account_id, until, generation]))


def account_in(ws: Workspace, token: object, purpose: Purpose = "session") -> int | None:
    """Return the id of the account of a token, None if the token is forged or void."""
    if not isinstance(token, str) or not token.isascii() or len(token) > _MAX_TOKEN_LENGTH:
        return None
    serializer = _serializer(ws, purpose)
    try:
        account_id, until, generation = said = serializer.loads(token)
    except BadData:
        return None
    if serializer.dumps(said) != token or ws.clock().timestamp() >= until:
        return None  # a signature has several encodings; only one is accepted
    with ws.reading() as session:
        account = session.get(Account, usable_id(account_id))
        stands = account is not None and account.active
        return account_id if stands and _generation(session, account_id) == generation else None


def _serializer(ws: Workspace, purpose: Purpose) -> URLSafeSerializer:
    """Return the signer of tokens of one purpose."""
    sha256 = {"digest_method": hashlib.sha256}
    return URLSafeSerializer(_signing_key(ws.folder), salt=purpose, signer_kwargs=sha256)


def sign_out(ws: Workspace, account_id: int) -> None:
    """Void every token of the account, so that it is signed out everywhere."""
    with ws.writing() as session:
        row = session.get(Account, usable_id(account_id))
        if row is not None:
            note_account(session, row, "signed_out", row.id, ws.clock())


def _generation(session: Session, account_id: int) -> int:
    """Return the id of the event that voided earlier tokens, 0 if there is none."""
    query = select(func.max(AccountEvent.id)).where(
        AccountEvent.account_id == usable_id(account_id),
        col(AccountEvent.kind).in_(_VOIDING_EVENTS),
    )
    return session.exec(query).one() or 0


def _signing_key(folder: Path) -> bytes:
    """Return the key that signs tokens: from TOUCHSTONE_SECRET, else from the file made for it."""
    secret = os.environ.get("TOUCHSTONE_SECRET", "")
    if secret:
        if len(secret) < _MIN_SECRET_LENGTH:
            raise UserError("secret_short", shortest=_MIN_SECRET_LENGTH)
        return secret.encode()
    file = folder / _KEY_FILE
    if not file.exists():
        _write_new_key(file)
    return file.read_bytes()


def _write_new_key(file: Path) -> None:
    """Write a new key atomically, unreadable for others; a key made meanwhile is kept."""
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


FREE_FAILURES = 3  # failures without a wait
LONGEST_WAIT = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(hours=1)


def wait_after(failures: int) -> timedelta:
    """Return the wait after so many failures in a row: 0, 0, 0, then 2 s, 4 s, 8 s …"""
    if failures <= FREE_FAILURES:
        return timedelta(0)
    seconds = 2 ** min(failures - FREE_FAILURES, 30)
    return min(timedelta(seconds=seconds), LONGEST_WAIT)


@dataclass(frozen=True, slots=True)
class Counted:
    """Time of an attempt counted as a failure, and of the failure before it from its address."""

    at: datetime
    before: datetime | None


def still_to_wait(session: Session, keys: tuple[str, ...], now: datetime) -> timedelta:
    """Return the longest remaining wait of the hashed keys."""
    query = select(SignInFailure).where(
        col(SignInFailure.key_hash).in_(keys), SignInFailure.at > now - FORGOTTEN_AFTER
    )
    left = [row.at + wait_after(row.failures) - now for row in session.exec(query)]
    return max([*left, timedelta(0)])


def count_failure(session: Session, keys: tuple[str, ...], now: datetime) -> None:
    """Add one failure to each hashed key, and delete forgotten ones.

    Requires a writing session, so that counting is serialized.
    """
    session.exec(delete(SignInFailure).where(col(SignInFailure.at) <= now - FORGOTTEN_AFTER))
    for key in keys:
        row = _failures_of(session, key) or SignInFailure(key_hash=key, failures=0, at=now)
        row.failures, row.at = row.failures + 1, now
        session.add(row)


def forgive(session: Session, keys: tuple[str, str], counted: Counted) -> None:
    """Reset the login's failures, and remove this attempt's failure from its address.

    Earlier failures of the address are kept: one good login must not cover guesses at others. Their
    time is restored, unless another attempt came since, or the next one from there would wait for
    what was no failure.
    """
    login_key, address_key = keys
    session.exec(delete(SignInFailure).where(col(SignInFailure.key_hash) == login_key))
    row = _failures_of(session, address_key)
    if row is not None:
        row.failures = max(row.failures - 1, 0)
        if row.at == counted.at and counted.before is not None:
            row.at = counted.before
        session.add(row)


def _failures_of(session: Session, key: str) -> SignInFailure | None:
    """Return the row that counts failed sign-ins under a key, None if there is none."""
    return session.exec(select(SignInFailure).where(SignInFailure.key_hash == key)).first()


REFUSAL_SECONDS = 0.5  # minimum time of a refusal


def sign_in(ws: Workspace, login: str, password: str, address: str) -> AccountView:
    """Return the account of that login and password.

    `address` is where the request comes from. Raises UserError `sign_in_refused` alike for an
    unknown login, a wrong password, an account without one and a deactivated one, and
    `sign_in_wait` while a wait is due, even with the right password.
    """
    began = time.monotonic()
    attempt = _attempt(ws, plain_login(login)[:200], address)
    stored, counted = _count_attempt(ws, attempt)
    if not verify(stored, password):
        _log_refusal(ws, attempt)
        time.sleep(max(began + REFUSAL_SECONDS - time.monotonic(), 0))
        raise UserError("sign_in_refused")
    rehash = hashed(password) if is_outdated(stored or "") else None
    return _accept(ws, attempt, counted, stored, rehash)


@dataclass(frozen=True, slots=True)
class _Attempt:
    login: str
    address: str
    keys: tuple[str, str]  # HMACs of login and address, for counting failures


def _attempt(ws: Workspace, login: str, address: str) -> _Attempt:
    """Return a sign-in attempt with the keyed hashes of its login and address."""

    def keyed(name: str) -> str:
        """Return the keyed hash under which failures are counted."""
        text = f"failure:{name}".encode("utf-8", "replace")
        return hmac.new(_signing_key(ws.folder), text, hashlib.sha256).hexdigest()

    return _Attempt(login, address, (keyed(f"login:{login}"), keyed(f"address:{address}")))


def _count_attempt(ws: Workspace, attempt: _Attempt) -> tuple[str | None, Counted]:
    """Count the attempt and return the login's password hash, None if it cannot sign in.

    It counts as a failure before the password is checked, so simultaneous guesses count too.
    """
    with ws.reading() as session:  # waiting attempts do not block writers
        _refuse_while_waiting(ws, session, attempt)
    with ws.writing() as session:
        _refuse_while_waiting(ws, session, attempt)
        last = _failures_of(session, attempt.keys[1])
        counted = Counted(ws.clock(), None if last is None else last.at)
        count_failure(session, attempt.keys, counted.at)
        row = _account(session, attempt)
        return row.password_hash if row is not None and row.active else None, counted


def _refuse_while_waiting(ws: Workspace, session: Session, attempt: _Attempt) -> None:
    left = still_to_wait(session, attempt.keys, ws.clock())
    if left > timedelta(0):
        raise UserError("sign_in_wait", seconds=int(left.total_seconds()) + 1)


def _log_refusal(ws: Workspace, attempt: _Attempt) -> None:
    """Log the refused attempt on the account, if there is one."""
    with ws.writing() as session:
        row = _account(session, attempt)
        if row is not None:
            said = {"address": attempt.address}
            note_account(session, row, "refused", None, ws.clock(), said)


def _accept(
    ws: Workspace, attempt: _Attempt, counted: Counted, stored: str | None, rehash: str | None
) -> AccountView:
    """Sign in: reset the failures, log it, and store the rehashed password if any.

    Raises UserError if the account got another password or was deactivated during the check.
    """
    with ws.writing() as session:
        row = _account(session, attempt)
        if row is None or not row.active or row.password_hash != stored:
            raise UserError("sign_in_refused")
        forgive(session, attempt.keys, counted)
        if rehash is not None:
            row.password_hash = rehash
            session.add(row)
        note_account(session, row, "signed_in", None, ws.clock(), {"address": attempt.address})
        return account_view(row)


def _account(session: Session, attempt: _Attempt) -> Account | None:
    """Return the account of the attempted login, None if there is none."""
    return session.exec(select(Account).where(Account.login == attempt.login)).first()
