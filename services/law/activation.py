"""Putting a snapshot of the law in use, together with the candidates that decisions need of it.

The candidates are made while the law before is in use, and kept in the transaction that puts the
new one in use. Whoever looks sees gold for the one or for the other, and none that is lost only
because nothing has been suggested yet. Where that is broken off, the law before stays in use; doing
it again, for a snapshot in use too, makes what is lacking. Going back to an older snapshot puts it
in use likewise, and removes nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlmodel import Session

from annotation.gold.amended_items import amended
from annotation.gold.awaited_candidates import Want, wanted
from annotation.gold.rechecks import Recheck, project_rechecks, rechecks
from annotation.gold.resting import WATCHED
from annotation.people.roles import Act, allow
from corpus.compare.model import LawChange
from corpus.progress import Progress
from errors import UserError
from messages import say
from services.law.comparison import compare
from services.mapping.candidate_methods import Made, StandIn, keep_made, made_for
from storage.db.workspace import Workspace
from storage.law.corpus import id_in_use, load_items, project_snapshot, put_in_use
from storage.mapping.candidates import made_already
from storage.projects import find_project
from storage.tasks import Task


@dataclass(frozen=True, slots=True)
class ToCheckCounts:
    """How many questions have a decision to check again.

    `gold` counts those of them that were gold and are not for this law: `amended` of them because
    what they rest on was, or something speaks to them that did not; `waiting` of them because
    candidates from this law are lacking, by which it could be told. `waiting_too` counts the
    questions of which the latter is true and that were no gold. `items` counts those of every
    other task, by task, on which nobody has said anything since; what there is none of is absent.
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
        """Whether there is something to check again, of any task."""
        return bool(self.questions or self.items)

    @property
    def lacking(self) -> int:
        """How many questions lack candidates by which it could be told."""
        return self.waiting + self.waiting_too

    def lines(self, language: str = "en", own: bool = False) -> list[str]:
        """Say the counts, in one line or two; `own` to somebody who is shown their own alone."""
        if not self.any:
            return [say("to_check.none", language)]
        key = "to_check.count_own" if own else "to_check.count"
        found = []
        if self.questions:
            found += [say(key, language, questions=f"{self.questions:,}", gold=f"{self.gold:,}")]
        if self.lacking:
            found.append(say("to_check.waiting", language, waiting=f"{self.lacking:,}"))
        if self.items:
            said = (
                say(f"to_check.task.{task}", language, count=f"{count:,}")
                for task, count in self.items.items()
            )
            found.append(say("to_check.items", language, items=", ".join(said)))
        return found


@dataclass(frozen=True, slots=True)
class ToCheck:
    """What is to be checked again: of citation mapping, gold first, then of the other tasks."""

    entries: tuple[Recheck, ...]

    @property
    def counts(self) -> ToCheckCounts:
        """How many questions there are, and why, and how many items of other tasks."""
        mapped = [each for each in self.entries if each.task == Task.CITATION_MAPPING]
        gold = _items(entry for entry in mapped if entry.gold)
        waiting = _items(entry for entry in mapped if entry.reason == "no_candidates")
        others = (e for e in self.entries if e.task != Task.CITATION_MAPPING)
        left = {(each.task, each.item_id) for each in others if each.state == "waiting"}
        items = Counter(task for task, _ in left)
        return ToCheckCounts(
            questions=len(_items(mapped)),
            gold=len(gold),
            amended=len(gold - waiting),
            waiting=len(gold & waiting),
            waiting_too=len(waiting - gold),
            items={task: items[task] for task in WATCHED if items[task]},
        )

    @property
    def questions(self) -> tuple[str, ...]:
        """The external ids of the questions of citation mapping, ascending."""
        mapped = (each for each in self.entries if each.task == Task.CITATION_MAPPING)
        return tuple(sorted({entry.external_id for entry in mapped}))


def to_check(
    ws: Workspace, project_slug: str, by: int | None = None, snapshot_id: int | None = None
) -> ToCheck:
    """Return what `by` has to check again for a snapshot of the project, by default that in use.

    Somebody who annotates gets their own decisions, and of tasks with a form the items that they
    have submitted; whoever may read others' labels those of the project, as the operator (None)
    does. What somebody has confirmed or set aside since is left out (`services.law.watch` has it).
    Raises UserError for an unknown project, person or snapshot.
    """
    allow(ws, project_slug, by, Act.READ_LAW)
    mapped = mapping_entries(ws, project_slug, by, snapshot_id)
    others = amended(ws, project_slug, WATCHED, by=by, snapshot_id=snapshot_id)
    left = [e for task in others for e in task.entries if e.state in ("waiting", "sent_back")]
    return ToCheck((*mapped, *left))


def mapping_entries(
    ws: Workspace, project_slug: str, by: int | None = None, snapshot_id: int | None = None
) -> list[Recheck]:
    """Return what of citation mapping `by` has to check again, as `to_check` says."""
    if by is None:
        return project_rechecks(ws, project_slug, snapshot_id)
    return rechecks(ws, by, snapshot_id)


def _items(entries: Iterable[Recheck]) -> set[int]:
    return {entry.item_id for entry in entries}


_ROUNDS = 3  # people go on working: what they begin meanwhile may want more


@dataclass(frozen=True, slots=True)
class InUseNow:
    """What it came to that a snapshot was put in use.

    `before` is the snapshot used until then, None if it was this one or none. `questions` counts
    those that candidates were made for, `stand_ins` tell in which way other than the one wanted.
    """

    before: int | None
    questions: int
    stand_ins: tuple[StandIn, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What other law in use means: how many statutes differ, and what is to be checked again.

    `change` is None where the same law was in use before, or none.
    """

    change: LawChange | None
    to_check: ToCheckCounts
    candidates: int
    stand_ins: tuple[StandIn, ...]

    def lines(self, language: str = "en") -> list[str]:
        """Say it; nothing where the law is the same and no decision is to be checked again."""
        found = []
        if self.change is not None:
            found.append(change_line(self.change, self.to_check, language))
        elif self.to_check.any:
            found += self.to_check.lines(language)
        if self.change is not None and self.to_check.any:
            found += self.to_check.lines(language)[bool(self.to_check.questions) :]
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
    """Say how many statutes differ and, where that is known, what is to be checked again."""
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


def waits(ws: Workspace, project_slug: str) -> bool:
    """Return whether other law could not be used before there are candidates from it."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        return bool(wanted(session, project.id, 0))  # 0 is no snapshot, so it lacks all of them


def bring_into_use(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    *,
    upon: int | None = None,
    by: int | None = None,
    progress: Progress | None = None,
) -> InUseNow:
    """Use this snapshot from now on, with candidates for whatever people have begun.

    Each item gets them by the method that its last ones were made with. `upon` is the snapshot
    that has to be in use still, or else UserError. Who may is the caller's to know; `by` asks
    models where a method needs one (None: the operator). Raises UserError for an unknown project
    and for a snapshot that is not its; then all is as it was.
    """
    made: dict[Want, Made] = {}
    stand_ins: list[StandIn] = []
    for last in (*[False] * (_ROUNDS - 1), True):
        with ws.reading() as session:
            project = find_project(session, project_slug)
            project_snapshot(session, project, snapshot_id)
            wants = wanted(session, project.id, snapshot_id)
            there = _made_already(session, snapshot_id, wants)
            missing = [want for want in wants if want not in made and want not in there]
            items = {e.item_id: e for e in load_items(session, project.id)} if missing else {}
        found = made_for(ws, project_slug, snapshot_id, missing, items, by, progress)
        made |= found.made
        stand_ins += found.stand_ins
        done = _kept(ws, project_slug, snapshot_id, upon, made, last)
        if done is not None:
            return InUseNow(*done, tuple(stand_ins))
    raise AssertionError("the last round ends it")


def outcome(
    ws: Workspace, project_slug: str, snapshot_id: int, now: InUseNow, by: int | None = None
) -> Outcome:
    """Return what it means that a snapshot was put in use. Raises UserError for an unknown `by`."""
    change = None
    if now.before is not None:
        change = compare(ws, project_slug, now.before, snapshot_id, by).law
    counts = to_check(ws, project_slug, by).counts
    return Outcome(change, counts, now.questions, now.stand_ins)


def _kept(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    upon: int | None,
    made: Mapping[Want, Made],
    last: bool,
) -> tuple[int | None, int] | None:
    """Keep the candidates and use the snapshot; return the one before and how many questions.

    None where more is wanted by now than was made, unless this is the `last` try.
    """
    with ws.writing() as session:
        project = find_project(session, project_slug)
        if upon not in (None, id_in_use(session, project.id)):
            raise UserError("import_overtaken")
        wants = wanted(session, project.id, snapshot_id)
        ready: dict[Want, Made | int] = {**made, **_made_already(session, snapshot_id, wants)}
        if not last and any(want not in ready for want in wants):
            return None
        keep_made(ws, session, snapshot_id, [(e.item_id, ready[e]) for e in wants if e in ready])
        before = put_in_use(session, project.id, snapshot_id, ws.clock())
        return before, len({want.item_id for want in wants if want in made})


def _made_already(session: Session, snapshot_id: int, wants: Sequence[Want]) -> dict[Want, int]:
    """Return the sets that are there of what is wanted: back on law that was used, most are."""
    keys = {(want.item_id, want.method) for want in wants}
    return {Want(*key): number for key, number in made_already(session, snapshot_id, keys).items()}


def use_snapshot(
    ws: Workspace,
    project_slug: str,
    snapshot_id: int,
    by: int | None = None,
    progress: Progress | None = None,
) -> Outcome:
    """Use this snapshot from now on; return what that means for decisions.

    Drafts and decisions keep the snapshot that they were made on; candidates from this one are
    made with it for what people have begun (see `services.law.activation`). For the snapshot in
    use, what is lacking is made. `progress` is told of that: (questions done, in all). Raises
    UserError for an unknown project, a snapshot that is not its, and for `by` (None: the operator)
    who may not import law.
    """
    allow(ws, project_slug, by, Act.IMPORT_LAW)
    now = bring_into_use(ws, project_slug, snapshot_id, by=by, progress=progress)
    return outcome(ws, project_slug, snapshot_id, now, by)
