"""Signing in with a password, slower and slower for whoever guesses.

Failures are counted per login, known or not, and per address, in this process; each further one
beyond a few doubles the wait. Nothing that is answered, nor how long it takes, tells whether a
login exists.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sqlmodel import select

from annotation.accounts import AccountView, account_view, note_account, plain_login
from annotation.passwords import hashed, is_outdated, verify
from errors import UserError
from storage.account_table import Account
from storage.workspace import Workspace

FREE_FAILURES = 3  # a slip or two costs nothing
LONGEST_WAIT = timedelta(minutes=15)
REFUSAL_SECONDS = 0.5  # that a refusal takes at least, whatever was looked up
_FORGOTTEN_AFTER = timedelta(hours=1)
_REMEMBERED = 20_000  # logins and addresses; the one unheard of for longest is forgotten first


def wait_after(failures: int) -> timedelta:
    """Return how long to wait after so many failures in a row: 0, 0, 0, then 2 s, 4 s, 8 s …"""
    if failures <= FREE_FAILURES:
        return timedelta(0)
    seconds = 2 ** min(failures - FREE_FAILURES, 30)
    return min(timedelta(seconds=seconds), LONGEST_WAIT)


@dataclass
class Door:
    """Counts failures by key, and tells until when a key has to wait."""

    _failures: OrderedDict[str, tuple[int, datetime]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def waits(self, keys: tuple[str, ...], now: datetime) -> timedelta:
        """Return how much longer the slowest of the keys has to wait."""
        with self._lock:
            left = [at + wait_after(count) - now for count, at in map(self._of(now), keys)]
        return max([*left, timedelta(0)])

    def fail(self, keys: tuple[str, ...], now: datetime) -> None:
        """Count one more failure of each key."""
        with self._lock:
            for key in keys:
                count, _ = self._of(now)(key)
                self._failures[key] = (count + 1, now)
                self._failures.move_to_end(key)
            while len(self._failures) > _REMEMBERED:
                self._failures.popitem(last=False)

    def succeed(self, login: str, address: str, now: datetime) -> None:
        """Begin anew with a login, and take back the last failure of an address.

        Earlier failures of the address stand: one good login must not cover guesses at others.
        """
        with self._lock:
            self._failures.pop(login, None)
            count, at = self._of(now)(address)
            self._failures[address] = (max(count - 1, 0), at)

    def _of(self, now: datetime) -> Callable[[str], tuple[int, datetime]]:
        def failures(key: str) -> tuple[int, datetime]:
            count, at = self._failures.get(key, (0, now))
            return (count, at) if now - at < _FORGOTTEN_AFTER else (0, now)

        return failures


DOOR = Door()


def sign_in(
    ws: Workspace, login: str, password: str, address: str, door: Door = DOOR
) -> AccountView:
    """Return the account of that login and password.

    `address` is where the request comes from. Raises UserError `sign_in_refused` alike for an
    unknown login, a wrong password, an account without one and a deactivated one, and
    `sign_in_wait` for whoever has to wait, whatever they say.
    """
    began = time.monotonic()
    login = plain_login(login)[:200]
    keys = (f"login:{login}", f"address:{address}")
    left = door.waits(keys, ws.clock())
    if left > timedelta(0):
        raise UserError("sign_in_wait", seconds=int(left.total_seconds()) + 1)
    with ws.reading() as session:
        row = session.exec(select(Account).where(Account.login == login)).first()
        stored = row.password_hash if row is not None and row.active else None
    door.fail(keys, ws.clock())  # before the answer is known: guesses at once count as well
    if not verify(stored, password):
        _note(ws, login, "refused", address)
        time.sleep(max(began + REFUSAL_SECONDS - time.monotonic(), 0))
        raise UserError("sign_in_refused")
    door.succeed(*keys, ws.clock())
    return _note(ws, login, "signed_in", address, password if is_outdated(stored or "") else None)


def _note(
    ws: Workspace, login: str, kind: str, address: str, rehash: str | None = None
) -> AccountView:
    """Log the attempt on the account, if there is one; hash the password anew where asked."""
    with ws.writing() as session:
        row = session.exec(select(Account).where(Account.login == login)).first()
        if row is None:
            return AccountView(0, login, "", False, False, False, False)
        if rehash is not None:
            row.password_hash = hashed(rehash)
            session.add(row)
        note_account(session, row, kind, None, ws.clock(), {"address": address})
        return account_view(row)
