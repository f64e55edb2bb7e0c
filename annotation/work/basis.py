"""What an act was made from: it is refused where another window of the person said otherwise since.

A person may have one item open in two windows. Each act of a window says what its screen showed of
just that which it changes (`Basis.was`), or of the whole draft (`Basis.revision`); an act that was
made from something else than what the draft says now replaces nothing, and tells what that is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from annotation.work.events import own_events
from errors import UserError

if TYPE_CHECKING:
    from annotation.work.draft import Event
    from annotation.work.item_session import ItemWriter

UNSAID: Any = object()
"""In place of what an act was made from: it is not said."""


@dataclass(frozen=True, slots=True)
class Basis:
    """What an act was made from: what the screen `was` saying, or the `revision` of the draft."""

    was: Any = UNSAID
    revision: str | None = None


ANYTHING = Basis()
"""The basis of an act that is to hold whatever was said before it, as on the command line."""


class ChangedElsewhereError(UserError):
    """Another window of the person said something else: `now` is what, `at` is when."""

    def __init__(self, code: str, now: Any, at: datetime) -> None:
        self.now, self.at = now, at
        super().__init__(code, time=f"{at:%Y-%m-%d %H:%M} UTC")


class DecidedMeanwhileError(UserError):
    """Somebody decided on a case since it was opened; `now` names what they decided."""

    def __init__(self, person: str, at: datetime, said: str, now: Any) -> None:
        self.now = now
        time = f"{at:%Y-%m-%d %H:%M} UTC"
        super().__init__("decided_meanwhile", person=person, time=time, said=said)


def refuse_other(
    pen: ItemWriter,
    basis: Basis,
    now: Any,
    about: Callable[[Event], bool],
    as_kept: Callable[[Any], Any] = lambda was: was,
) -> None:
    """Raise UserError where the draft says something else than the act was made from.

    `now` is what it says of that which the act changes, `about` tells the events that say it, and
    `as_kept` makes of what a screen has sent what is kept of it.
    """
    refuse_revision(pen, basis.revision)
    if basis.was is UNSAID or basis.was == now or as_kept(basis.was) == now:
        return
    raise ChangedElsewhereError("changed_elsewhere", now, _when(pen, about))


def refuse_revision(pen: ItemWriter, revision: str | None) -> None:
    """Raise UserError where the draft has another revision than this one; None is any."""
    if revision is not None and revision != pen.draft.revision:
        raise UserError("draft_changed")


def refuse_unseen(pen: ItemWriter, revision: str | None) -> None:
    """Raise UserError, with the act on top, where an undo would take back another than was seen."""
    if revision is None or revision == pen.draft.revision:
        return
    last = next(each for each in _log(pen) if each.id == pen.draft.acts[-1])
    raise ChangedElsewhereError("undo_elsewhere", {"kind": last.kind, **last.payload}, last.at)


def _when(pen: ItemWriter, about: Callable[[Event], bool]) -> datetime:
    """Return when that was last said or taken back, else when anything was done on the item."""
    log = _log(pen)
    known = {each.id: each for each in log}
    for event in reversed(log):
        meant = known.get(event.undoes_id or 0, event)
        if about(meant):
            return event.at
    return log[-1].at


def _log(pen: ItemWriter) -> list[Event]:
    return own_events(pen.session, pen.who.person_id, pen.item_id)
