"""Failed sign-ins, counted in the database so that all servers of a team count together.

A key is a login, whether or not anybody has it, or an address that requests come from. Rows hold
the key's HMAC under the workspace's secret, so that a copy of the database tells neither. Each
failure beyond a few doubles the wait; what lies an hour back is forgotten.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, delete, select

from storage.tables.accounts import SignInFailure

FREE_FAILURES = 3  # a slip or two costs nothing
LONGEST_WAIT = timedelta(minutes=15)
FORGOTTEN_AFTER = timedelta(hours=1)


def wait_after(failures: int) -> timedelta:
    """Return how long to wait after so many failures in a row: 0, 0, 0, then 2 s, 4 s, 8 s …"""
    if failures <= FREE_FAILURES:
        return timedelta(0)
    seconds = 2 ** min(failures - FREE_FAILURES, 30)
    return min(timedelta(seconds=seconds), LONGEST_WAIT)


def still_to_wait(session: Session, keys: tuple[str, ...], now: datetime) -> timedelta:
    """Return how much longer the slowest of the hashed keys has to wait."""
    query = select(SignInFailure).where(
        col(SignInFailure.key_hash).in_(keys), SignInFailure.at > now - FORGOTTEN_AFTER
    )
    left = [row.at + wait_after(row.failures) - now for row in session.exec(query)]
    return max([*left, timedelta(0)])


def count_failure(session: Session, keys: tuple[str, ...], now: datetime) -> None:
    """Count one more failure of each hashed key, and remove what is forgotten.

    The session writes: nobody else counts at the same moment.
    """
    session.exec(delete(SignInFailure).where(col(SignInFailure.at) <= now - FORGOTTEN_AFTER))
    for key in keys:
        row = _row(session, key) or SignInFailure(key_hash=key, failures=0, at=now)
        row.failures, row.at = row.failures + 1, now
        session.add(row)


def forgive(session: Session, login_key: str, address_key: str) -> None:
    """Begin anew with a login, and take back the last failure of an address.

    Earlier failures of the address stand: one good login must not cover guesses at others.
    """
    session.exec(delete(SignInFailure).where(col(SignInFailure.key_hash) == login_key))
    row = _row(session, address_key)
    if row is not None:
        row.failures = max(row.failures - 1, 0)
        session.add(row)


def _row(session: Session, key: str) -> SignInFailure | None:
    return session.exec(select(SignInFailure).where(SignInFailure.key_hash == key)).first()
