"""Registry of browser sessions and their accounts.

A session is one open tab. It begins without an account; the app reports at every run who has signed
in there (`pages.shell.entry.auth_session`), and the gate checks that a file is sent to one's own
session.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass


@dataclass(slots=True)
class _Visit:
    address: str
    connected: bool = True
    account: int | None = None


class Visits:
    """The sessions of this process, from connection to end. Thread-safe."""

    def __init__(self) -> None:
        self._visits: dict[str, _Visit] = {}
        self._lock = threading.Lock()

    def connected(self, session: str, address: str) -> None:
        """Record that a client at this network address has opened or resumed the session."""
        with self._lock:
            visit = self._visits.setdefault(session, _Visit(address))
            visit.address, visit.connected = address, True

    def left(self, session: str) -> None:
        """Record that the connection closed; the same browser may still come back."""
        with self._lock:
            if visit := self._visits.get(session):
                visit.connected = False

    def ended(self, session: str) -> None:
        """Forget the session."""
        with self._lock:
            self._visits.pop(session, None)

    def signed(self, session: str, account: int | None) -> int | None:
        """Set the session's account (None for nobody); return the previous one."""
        with self._lock:
            visit = self._visits.get(session)
            if visit is None:
                return None
            before, visit.account = visit.account, account
            return before

    def known(self, session: str) -> bool:
        """Return whether the session has begun and not ended."""
        with self._lock:
            return session in self._visits

    def is_connected(self, session: str) -> bool:
        """Return whether a connection to the session is open."""
        with self._lock:
            visit = self._visits.get(session)
            return visit is not None and visit.connected

    def account(self, session: str) -> int | None:
        """Return the session's account; None for nobody, and for an unknown session."""
        with self._lock:
            visit = self._visits.get(session)
            return None if visit is None else visit.account

    def sessions_of(self, account: int) -> list[str]:
        """Return the sessions in which the account is signed in."""
        with self._lock:
            return [name for name, visit in self._visits.items() if visit.account == account]

    def strangers(self, address: str | None = None) -> int:
        """Return the number of open tabs without an account, of one address or of all."""
        with self._lock:
            return sum(
                visit.connected and visit.account is None and address in (None, visit.address)
                for visit in self._visits.values()
            )


VISITS = Visits()
