"""Store of uploaded files, within a byte budget.

Streamlit keeps them in memory. The budget limits bytes per person and in total; an upload counts
from its first byte on, so that concurrent uploads cannot exceed the budget together.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from streamlit.runtime import Runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx
from streamlit.runtime.uploaded_file_manager import UploadedFileRec

from serving.budget import MIB, Budget
from serving.visits import Visits


class OverBudgetError(Exception):
    """Raised when an upload exceeds the budget of ``session`` or ``server``, in MiB."""

    def __init__(self, which: str, mebibytes: int) -> None:
        super().__init__(which, mebibytes)
        self.which, self.mebibytes = which, mebibytes

    @property
    def key(self) -> str:
        """Catalogue key of its message."""
        return f"serving.full_{self.which}"


@dataclass(eq=False, slots=True)
class Lease:
    """Bytes that an upload in progress has reserved of the budget."""

    store: UploadStore
    session: str
    taken: int = 0

    def take(self, size: int) -> None:
        """Reserve `size` more bytes. Raises OverBudgetError if they exceed a budget."""
        self.store.take(self, size)


_UNDER_WAY: ContextVar[Lease | None] = ContextVar("upload under way", default=None)


class UploadStore(MemoryUploadedFileManager):
    """Uploaded files of all sessions, within the budget.

    In team mode all tabs of one account count together; without accounts each tab counts alone.
    """

    def __init__(self, endpoint: str, visits: Visits, limits: Callable[[], Budget]) -> None:
        super().__init__(endpoint)
        self._visits, self._limits = visits, limits
        self._leases: set[Lease] = set()
        self._refused: dict[str, OverBudgetError] = {}
        self._ledger = threading.RLock()  # acquired before the lock of the files, never after

    @contextmanager
    def lease(self, session: str) -> Iterator[Lease]:
        """Yield the lease of an upload to the session; unused bytes are released at the end."""
        lease = Lease(self, session)
        with self._ledger:
            self._leases.add(lease)
        before = _UNDER_WAY.set(lease)
        try:
            yield lease
        finally:
            _UNDER_WAY.reset(before)
            with self._ledger:
                self._leases.discard(lease)

    def take(self, lease: Lease, size: int) -> None:
        """Reserve `size` more bytes for a lease. Raises OverBudgetError if they exceed a budget."""
        limits = self._limits()
        with self._ledger:
            sessions = self._sessions_of_person(lease.session)
            if self.held(sessions) + size > limits.session:
                raise OverBudgetError("session", limits.session // MIB)
            if self.held() + size > limits.server:
                raise OverBudgetError("server", limits.server // MIB)
            lease.taken += size

    def held(self, sessions: set[str] | None = None) -> int:
        """Return the bytes stored or reserved, in these sessions or in all."""
        with self._ledger:
            files = sum(
                len(file.data)
                for session, kept in self.file_storage.items()
                if sessions is None or session in sessions
                for file in kept.values()
            )
            return files + sum(
                each.taken for each in self._leases if sessions is None or each.session in sessions
            )

    def _sessions_of_person(self, session: str) -> set[str]:
        """Return the sessions of the same account."""
        account = self._visits.account(session)
        return {session} | set([] if account is None else self._visits.sessions_of(account))

    def add_file(self, session_id: str, file: UploadedFileRec) -> None:
        """Store a completed upload, unless its session has ended meanwhile."""
        lease = _UNDER_WAY.get()
        with self._ledger:
            if lease is not None:
                lease.taken = 0
            if self._visits.known(session_id):
                super().add_file(session_id, file)

    def remove_file(self, session_id: str, file_id: str) -> None:
        """Free one file."""
        with self._ledger:
            super().remove_file(session_id, file_id)

    def remove_session_files(self, session_id: str) -> None:
        """Free all files of a session."""
        with self._ledger:
            super().remove_session_files(session_id)
            self._refused.pop(session_id, None)

    def note_refused(self, session: str, full: OverBudgetError) -> None:
        """Record the refusal of a file, for the page to show."""
        with self._ledger:
            if self._visits.known(session):
                self._refused[session] = full

    def refused(self, session: str) -> OverBudgetError | None:
        """Return, once, why the session's last file was refused; None if none was."""
        with self._ledger:
            return self._refused.pop(session, None)


def own_store() -> tuple[UploadStore, str] | None:
    """Return (upload store, session id) of the current script run.

    None if another server runs the app, which keeps uploads without a budget.
    """
    run = get_script_run_ctx(suppress_warning=True)
    if run is None or not isinstance(run.uploaded_file_mgr, UploadStore):
        return None
    return run.uploaded_file_mgr, run.session_id


def is_served_bare() -> bool:
    """Return whether Streamlit serves the app by itself, without this server's gates."""
    return Runtime.exists() and type(Runtime.instance()) is Runtime and own_store() is None
