"""Activation of a law snapshot, together with the candidates that existing decisions need from it.

The candidates are computed while the old law is in use, and stored in the transaction that
activates the new one. Readers see gold for one or the other, and none that is lost only because
candidates are missing. If it is interrupted, the old law stays in use; repeating it, also for a
snapshot already in use, completes what is missing. Going back to an older snapshot works the same
way and removes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from typing import Any

from sqlmodel import Session

from annotation.gold.amended_items import amended
from annotation.gold.rechecks import Recheck, project_rechecks, rechecks
from annotation.gold.resting import WATCHED
from annotation.gold.validity import Want, missing_candidate_sets
from annotation.people.roles import Act, allow, reading_as
from corpus.compare.model import LawChange
from corpus.long_work import Progress
from errors import UserError
from messages import say
from services.law.comparison import compare
from services.mapping.candidate_methods import Made, StandIn, keep_made, made_for
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import id_in_use, load_items, project_snapshot, set_in_use
from storage.mapping import made_already
from storage.projects import find_project
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class ToCheckCounts:
    """Counts of questions with a decision to re-check.

    `gold` counts those that were gold and are not for this law: `amended` where what they rest on
    was amended, or new provisions speak to them; `waiting` where candidates from this law are
    missing to tell. `waiting_too` counts questions in the latter state that were no gold. `items`
    counts items of every other task, by task, that people answered and on which nobody has acted
    since; tasks without any are absent.
    """

    questions: int
    gold: int
    amended: int
    waiting: int
    waiting_too: int
    items: Mapping[str, int] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the counts for ``--json`` output."""
        return asdict(self)

    @property
    def any(self) -> bool:
        """Whether anything is to be re-checked, of any task."""
        return bool(self.questions or self.items)

    @property
    def lacking(self) -> int:
        """Number of questions that lack the candidates needed to tell."""
        return self.waiting + self.waiting_too

    def lines(self, language: str = "en", own: bool = False) -> list[str]:
        """Describe the counts, one line each; `own` for readers shown only their own items."""
        if not self.any:
            return [say("to_check.none", language)]
        found = []
        if self.questions:
            counts = {"questions": f"{self.questions:,}", "gold": f"{self.gold:,}"}
            found.append(say(f"to_check.count{'_own' if own else ''}", language, **counts))
        if self.lacking:
            found.append(say("to_check.waiting", language, waiting=f"{self.lacking:,}"))
        if self.items:
            items = ((f"to_check.task.{task}", f"{n:,}") for task, n in self.items.items())
            said = ", ".join(say(key, language, count=n) for key, n in items)
            found.append(say("to_check.items", language, items=said))
        return found


@dataclass(frozen=True, slots=True)
class ToCheck:
    """Decisions to re-check: citation mapping first, gold before the rest, then other tasks."""

    entries: tuple[Recheck, ...]

    @property
    def counts(self) -> ToCheckCounts:
        """Counts of questions by reason, and of items of other tasks."""
        mapped = [each for each in self.entries if each.task == Task.CITATION_MAPPING]
        gold = {each.item_id for each in mapped if each.gold}
        waiting = {each.item_id for each in mapped if each.reason == "no_candidates"}
        others = (e for e in self.entries if e.task != Task.CITATION_MAPPING)
        left = {(e.task, e.item_id) for e in others if e.state == "waiting" and e.answered}
        items = Counter(task for task, _ in left)
        return ToCheckCounts(
            questions=len({each.item_id for each in mapped}),
            gold=len(gold),
            amended=len(gold - waiting),
            waiting=len(gold & waiting),
            waiting_too=len(waiting - gold),
            items={task: items[task] for task in WATCHED if items[task]},
        )

    @property
    def questions(self) -> tuple[str, ...]:
        """External ids of the citation mapping questions, ascending."""
        mapped = (each for each in self.entries if each.task == Task.CITATION_MAPPING)
        return tuple(sorted({entry.external_id for entry in mapped}))


def to_check(
    ws: Workspace, project_slug: str, by: int | None = None, snapshot_id: int | None = None
) -> ToCheck:
    """Return the re-checks due to `by` for a snapshot of the project, by default the one in use.

    Annotators get their own decisions, and of form tasks the items they have submitted; whoever may
    read others' labels gets those of the project, as the operator (None) does. What was confirmed
    or set aside since is left out (`services.law.watch` has it). Raises UserError for an unknown
    project, person or snapshot.
    """
    allow(ws, project_slug, by, Act.READ_LAW)
    mapped = mapping_entries(ws, project_slug, by, snapshot_id)
    others = amended(ws, project_slug, WATCHED, by=by, snapshot_id=snapshot_id)
    left = [e for task in others for e in task.entries if e.state in ("waiting", "sent_back")]
    return ToCheck((*mapped, *left))


def revision(ws: Workspace, project_slug: str, by: int | None = None) -> str:
    """Return a token that changes when :func:`to_check` may. Raises UserError as it does."""
    from storage.tables.every import newest_rows

    with reading_as(ws, project_slug, by, Act.READ_LAW) as (session, _project, _):
        return newest_rows(session)


def counts_to_check(ws: Workspace, project_slug: str, by: int | None = None) -> ToCheckCounts:
    """Return the counts of :func:`to_check` for the law in use, once per state of the data."""
    return _counts(ByDatabase.of(ws), project_slug, by, revision(ws, project_slug, by))


@lru_cache(maxsize=64)
def _counts(source: ByDatabase, project_slug: str, by: int | None, _version: str) -> ToCheckCounts:
    """Count what `by` has to re-check, cached per state of the database."""
    return to_check(source.ws, project_slug, by).counts


def mapping_entries(
    ws: Workspace, project_slug: str, by: int | None, snapshot_id: int | None
) -> list[Recheck]:
    """Return the citation mapping entries that `by` has to re-check, see `to_check`."""
    if by is None:
        return project_rechecks(ws, project_slug, snapshot_id)
    return rechecks(ws, by, snapshot_id)


_ROUNDS = 3  # people keep working: items begun meanwhile may need more


@dataclass(frozen=True, slots=True)
class Outcome:
    """Consequences of other law in use: statutes that differ, and decisions to re-check.

    `before` is the snapshot in use until then, None if it was this one or none; then `change` is
    None too. `candidates` counts the questions that got some, `stand_ins` are the substitutes used
    for the wanted methods.
    """

    before: int | None
    change: LawChange | None
    to_check: ToCheckCounts
    candidates: int
    stand_ins: tuple[StandIn, ...]

    def lines(self, language: str = "en") -> list[str]:
        """Describe the consequences; empty where the law is equal and nothing needs a re-check."""
        found, said = [], 0
        if self.change is not None:
            found.append(change_line(self.change, self.to_check, language))
            said = bool(self.to_check.questions)  # the first line of what is to be checked
        if self.to_check.any:
            found += self.to_check.lines(language)[said:]
        if self.candidates:
            found.append(say("to_check.law.candidates", language, count=f"{self.candidates:,}"))
        return [*found, *(stand_in.say(language) for stand_in in self.stand_ins)]

    def as_dict(self) -> dict[str, object]:
        """Return it for ``--json`` output."""
        return {
            "change": None if self.change is None else asdict(self.change),
            "to_check": self.to_check.as_dict(),
            "candidates": self.candidates,
            "stand_ins": [stand_in.as_dict() for stand_in in self.stand_ins],
        }


def change_line(
    change: LawChange, to_check: ToCheckCounts | None = None, language: str = "en"
) -> str:
    """Describe how many statutes differ and, where known, what is to be re-checked."""
    counts = asdict(change)
    law = ", ".join(
        say(f"to_check.law.{name}", language, count=f"{count:,}")
        for name, count in counts.items()
        if count or name in ("differ", "equal")
    )
    if to_check is None:
        return f"{law}."
    checked = say("to_check.law.checked", language, count=f"{to_check.questions:,}")
    return say("to_check.law.whole", language, law=law, checked=checked)


def waits_for_candidates(ws: Workspace, project_slug: str) -> bool:
    """Return True if activating other law would first have to compute candidates."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        # 0 is no snapshot, so it lacks all of them
        return bool(missing_candidate_sets(session, project.id, 0))


def bring_into_use(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    *,
    upon: int | None = None,
    by: int | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Activate a snapshot, with candidates for all begun items; without permission check.

    Each item gets them by the method of its previous ones. `upon` is the snapshot that must still
    be in use, else UserError. The caller checks permission; `by` calls models where a method needs
    one (None: the operator). Raises UserError for an unknown project or snapshot; then nothing is
    changed.
    """
    made: dict[Want, Made] = {}
    stand_ins: list[StandIn] = []
    for last in (*[False] * (_ROUNDS - 1), True):
        with ws.reading() as session:
            project = find_project(session, project_slug)
            project_snapshot(session, project, snapshot_id)
            wants = missing_candidate_sets(session, project.id, snapshot_id)
            there = _existing_sets(session, snapshot_id, wants)
            missing = [want for want in wants if want not in made and want not in there]
            items = {e.item_id: e for e in load_items(session, project.id)} if missing else {}
        found = made_for(ws, project_slug, snapshot_id, missing, items, by, progress)
        made |= found.made
        stand_ins += found.stand_ins
        done = _activated(ws, project_slug, snapshot_id, upon, made, last)
        if done is not None:
            return outcome(ws, project_slug, snapshot_id, by, *done, tuple(stand_ins))
    raise AssertionError("the last round ends it")


def outcome(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    by: int | None,
    before: int | None,
    candidates: int = 0,
    stand_ins: tuple[StandIn, ...] = (),
) -> Outcome:
    """Return the consequences of having activated a snapshot; `before` is the one until then.

    Raises UserError for an unknown `by`.
    """
    law = None if before is None else compare(ws, project_slug, before, snapshot_id, by).law
    return Outcome(before, law, to_check(ws, project_slug, by).counts, candidates, stand_ins)


def _activated(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    upon: int | None,
    proposals: Mapping[Want, Made],
    last: bool,
) -> tuple[int | None, int] | None:
    """Store the candidates and activate the snapshot; return the previous id and a count.

    None where more candidates are needed by now than were made, unless this is the `last` try.
    """
    with ws.writing() as session:
        project = find_project(session, project_slug)
        if upon not in (None, id_in_use(session, project.id)):
            raise UserError("import_overtaken")
        wants = missing_candidate_sets(session, project.id, snapshot_id)
        ready: dict[Want, Made | int] = {**proposals, **_existing_sets(session, snapshot_id, wants)}
        if not last and any(want not in ready for want in wants):
            return None
        keep_made(ws, session, snapshot_id, [(e.item_id, ready[e]) for e in wants if e in ready])
        before = set_in_use(session, project.id, snapshot_id, ws.clock())
        return before, len({want.item_id for want in wants if want in proposals})


def _existing_sets(session: Session, snapshot_id: int, wants: Sequence[Want]) -> dict[Want, int]:
    """Return want → id of the set that exists; most do when going back to old law."""
    keys = {(want.item_id, want.method) for want in wants}
    return {Want(*key): number for key, number in made_already(session, snapshot_id, keys).items()}


def use_snapshot(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    by: int | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Activate a snapshot, with candidates for all begun items; return the consequences.

    Drafts and decisions keep the snapshot they were made on; candidates from the new one are
    computed for items people have begun (see `services.law.activation`). For the snapshot in use,
    missing ones are computed. `progress` is called with (questions done, in all). Raises UserError
    for an unknown project or snapshot, and for `by` (None: the operator) who may not import law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    return bring_into_use(ws, project_slug, snapshot_id, by=by, progress=progress)
