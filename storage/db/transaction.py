"""Several acts as one: each opens the transaction it always opens, and all of them are the same."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlmodel import Session

from storage.db.workspace import Workspace


@contextmanager
def together(ws: Workspace) -> Iterator[Workspace]:
    """Yield the workspace as it is inside one writing transaction.

    What is done with it reads what was done before and is kept when the block succeeds, or not at
    all. No other writes meanwhile. Raises UserError as `Workspace.writing` does.
    """
    with ws.writing() as session:
        yield _Inside(ws, session)


class _Inside(Workspace):
    """A workspace whose sessions are all the one of a transaction that has begun."""

    def __init__(self, ws: Workspace, session: Session) -> None:
        super().__init__(ws.folder, ws.clock, ws.address)
        self._session = session

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Yield the session, in which reading sees what has been written so far."""
        yield self._session

    @contextmanager
    def writing(self, *, item_id: object = None, person_id: object = None) -> Iterator[Session]:
        """Yield the session; whoever began the transaction commits it."""
        yield self._session
        self._session.flush()
