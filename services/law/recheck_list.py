"""The decisions to check again since the law was amended: one list, with one set of counts.

Every screen and command that names or counts them takes them from here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from annotation.gold.rechecks import Recheck, project_rechecks, rechecks
from annotation.people.roles import Act, allow
from messages import say
from storage.db.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ToCheckCounts:
    """How many questions have a decision to check again.

    `gold` counts those of them that were gold and are not for this law: `amended` of them because
    what they rest on was, or something speaks to them that did not; `waiting` of them because
    candidates from this law are lacking, by which it could be told. `waiting_too` counts the
    questions of which the latter is true and that were no gold.
    """

    questions: int
    gold: int
    amended: int
    waiting: int
    waiting_too: int

    def as_dict(self) -> dict[str, int]:
        """Return the counts for ``--json`` output."""
        return asdict(self)

    @property
    def lacking(self) -> int:
        """How many questions lack candidates by which it could be told."""
        return self.waiting + self.waiting_too

    def lines(self, language: str = "en", own: bool = False) -> list[str]:
        """Say the counts, in one line or two; `own` to somebody who is shown their own alone."""
        if not self.questions:
            return [say("to_check.none", language)]
        key = "to_check.count_own" if own else "to_check.count"
        found = [say(key, language, questions=f"{self.questions:,}", gold=f"{self.gold:,}")]
        if self.lacking:
            found.append(say("to_check.waiting", language, waiting=f"{self.lacking:,}"))
        return found


@dataclass(frozen=True, slots=True)
class ToCheck:
    """What is to be checked again, gold first."""

    entries: tuple[Recheck, ...]

    @property
    def counts(self) -> ToCheckCounts:
        """How many questions there are, and why."""
        gold = _items(each for each in self.entries if each.gold)
        waiting = _items(each for each in self.entries if each.reason == "no_candidates")
        return ToCheckCounts(
            questions=len(_items(self.entries)),
            gold=len(gold),
            amended=len(gold - waiting),
            waiting=len(gold & waiting),
            waiting_too=len(waiting - gold),
        )

    @property
    def questions(self) -> tuple[str, ...]:
        """The external ids of the questions, ascending."""
        return tuple(sorted({each.external_id for each in self.entries}))


def to_check(
    ws: Workspace, project_slug: str, by: int | None = None, snapshot_id: int | None = None
) -> ToCheck:
    """Return what `by` has to check again for a snapshot of the project, by default that in use.

    Somebody who annotates gets their own decisions, whoever may read others' labels those of the
    project, as the operator (None) does. Raises UserError for an unknown project, person or
    snapshot.
    """
    allow(ws, project_slug, by, Act.READ_LAW)
    if by is None:
        return ToCheck(tuple(project_rechecks(ws, project_slug, snapshot_id)))
    return ToCheck(tuple(rechecks(ws, by, snapshot_id)))


def _items(entries: Iterable[Recheck]) -> set[int]:
    return {each.item_id for each in entries}
