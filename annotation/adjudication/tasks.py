"""The disputes of all tasks: which are open, withdrawing a decision, referral, drafts.

Withdrawing a decision: the one before it on the item, if any, becomes current again.

Nothing is removed: a row says which decision is withdrawn, by whom, when and why.

Sending a case back to its annotators, and recalling it. Both only add a row.

An adjudicator's undecided entries on a case, kept as drafts.

A draft holds all fields of the case, including the reason; they are only stored together. Each
version is an event of the person, shown to nobody else. Its content is defined by the screen;
``seen`` is the decision with which the case was opened.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlmodel import Session, col, select

from annotation.adjudication.decisions import current_decisions, decision_table
from annotation.adjudication.giving_back import add_referral, refuse_unanswerable
from annotation.forms.adjudication import refuse_other
from annotation.forms.disputes import Disputes
from annotation.people.members import CASE_DRAFT, note
from annotation.people.roles import Act, adjudicator, require, require_item
from annotation.work.commands import UNSAID
from annotation.work.discussions import discussions, open_discussions
from annotation.work.registry import ENTRIES, object_of, tasks_with
from annotation.work.submissions import Submission, checked_reason, checked_text
from annotation.work.visibility import is_settled, name_of
from errors import UserError, Where
from storage.db.rows import add_row
from storage.db.workspace import Workspace
from storage.tables.core import Item, UndoneDecision
from storage.tables.people import PersonEvent
from storage.tasks import ONCE, OWN, Task, in_order

TASKS = tuple(in_order(tasks_with("disputes")))
"""The tasks with adjudication, in the order of the screens."""

SHORT = {ENTRIES[task].short: task for task in TASKS}
"""Names of the tasks on the command line."""


def disputes_of(task: Task) -> Disputes:
    """Return the disputes of a task with adjudication; every task of a project's own has it."""
    found = object_of(task, "disputes")
    disputes: Disputes = found(task) if task.is_own else found
    return disputes


def adjudicated(tasks: Collection[str]) -> list[Task]:
    """Return those of the tasks that have adjudication, in the order of the screens."""
    own = [task for task in in_order(tasks) if task.is_own]
    return [*(task for task in TASKS if task in tasks), *own]


def open_disputes(session: Session, project_id: int, tasks: Collection[str]) -> dict[Task, int]:
    """Return the number of open disputes of each of the tasks that have adjudication.

    Open ones wait for an adjudicator: not sent back, agreed on since, or decided.
    """
    here = adjudicated(tasks)
    found = {task: disputes_of(task).states(session, project_id) for task in here}
    return {task: sum(each == "open" for each in of.values()) for task, of in found.items()}


def task_called(name: str) -> Task:
    """Return the task by its short or full name. Raises UserError for one without adjudication."""
    if name.startswith(OWN):
        return Task(name)
    task = SHORT.get(name) or next((each for each in TASKS if each == name), None)
    if task is None:
        raise UserError("task_undisputed", Where(field="task"), task=name, known=", ".join(SHORT))
    return task


def undo(
    ws: Workspace, adjudicator_id: int, item_id: int, reason: str = "", before: Any = UNSAID
) -> int:
    """Withdraw the person's own current decision on an item; return the id of the row.

    `before` is the id of the decision on the screen: it refuses to withdraw any other. Raises
    UserError for anybody but an adjudicator, for an unknown item, without a current decision, and
    for the decision of somebody else.
    """
    why = checked_text(reason, "reason")
    with ws.writing(item_id=item_id, person_id=adjudicator_id) as session:
        who = adjudicator(session, adjudicator_id)
        item = require_item(session, who, item_id)
        made = current_decisions(session, who.project_id, item.task, item_id).get(item_id)
        if made is None:
            raise UserError("decision_none", item=name_of(session, item_id))
        refuse_other(before, made, description=made.reason)
        if made.person != who.name:
            raise UserError("decision_of_other", item=name_of(session, item_id), name=made.person)
        row = UndoneDecision(
            item_id=item_id, person_id=who.person_id, reason=why.strip(), at=ws.clock()
        )
        setattr(row, f"{decision_table(item.task).__tablename__}_id", made.number)
        return add_row(session, row)


def refer(
    ws: Workspace,
    adjudicator_id: int,
    item_id: int,
    reason: str,
    annotation_ids: Sequence[int],
) -> int:
    """Send a case back to its annotators for discussion; return the id of the row.

    `annotation_ids` are the submissions of the case shown. Raises UserError for anybody but an
    adjudicator, an unknown item, a missing reason, an item that is decided, in discussion already,
    not complete or not disputed, for submissions that are not the current ones, and if one of the
    annotators could not answer: in a closed batch, or no longer an annotator.
    """
    reason = checked_reason(reason, "referral_reason_missing")
    with ws.writing() as session:
        who = adjudicator(session, adjudicator_id)
        submissions = _sendable_submissions(session, require_item(session, who, item_id))
        if set(annotation_ids) != {submission.annotation_id for submission in submissions}:
            raise UserError("case_changed")
        refuse_unanswerable(session, item_id, [submission.person_id for submission in submissions])
        chosen = sorted(set(annotation_ids))
        return add_referral(session, who, item_id, reason, chosen, ws.clock())


def recall(ws: Workspace, adjudicator_id: int, item_id: int, reason: str = "") -> int:
    """Recall the open discussion of an item, also with one person alone; return the row's id.

    Raises UserError for a person who may not give submissions back, an unknown item, without an
    open discussion, and for anybody but an adjudicator if several people discuss.
    """
    reason = checked_text(reason, "reason")
    with ws.writing() as session:
        who = require(session, adjudicator_id, Act.GIVE_BACK)
        require_item(session, who, item_id)
        found = discussions(session, who.project_id, item_id).get(item_id)
        if found is None or not found.open:
            raise UserError("not_in_discussion")
        if not found.alone:
            adjudicator(session, adjudicator_id)
        return add_referral(session, who, item_id, reason, [], ws.clock())


def to_send(ws: Workspace, adjudicator_id: int, item_id: int) -> dict[int, str]:
    """Return the authors' names of the submissions that :func:`refer` would send back, by id.

    Raises UserError as :func:`refer` does for the item.
    """
    with ws.reading() as session:
        item = require_item(session, adjudicator(session, adjudicator_id), item_id)
        return {each.annotation_id: each.person for each in _sendable_submissions(session, item)}


def _sendable_submissions(session: Session, item: Item) -> list[Submission]:
    """Return a disputed item's submissions; raise UserError if they cannot be sent back."""
    item_id = item.id or 0
    if is_settled(session, item_id):
        raise UserError("referral_of_settled")
    if item_id in open_discussions(session, item.project_id, item_id):
        raise UserError("in_discussion")
    task = Task(item.task)
    disputed = task not in ONCE and adjudicated([task])
    found = disputes_of(task).cases(session, item.project_id, item_id) if disputed else []
    if not found or found[0].case.revising or not found[0].causes:
        raise UserError("case_closed_to_you")
    return found[0].case.submissions


def draft_of(ws: Workspace, adjudicator_id: int, item_id: int) -> tuple[int, dict[str, Any]]:
    """Return the number and content of a person's newest draft on an item; (0, {}) if none.

    Raises UserError for anybody but an adjudicator.
    """
    query = (
        select(PersonEvent.id, PersonEvent.payload)
        .where(
            PersonEvent.person_id == adjudicator_id,
            PersonEvent.kind == CASE_DRAFT,
            col(PersonEvent.payload)["item"].as_string() == str(item_id),
        )
        .order_by(col(PersonEvent.id).desc())
    )
    with ws.reading() as session:
        adjudicator(session, adjudicator_id)
        last = session.exec(query).first()
    if last is None:
        return 0, {}
    number, payload = last
    draft = dict(payload["draft"])
    if isinstance(seen := draft.get("seen"), dict):  # a decision on several parts, each a tuple
        draft["seen"] = {part: tuple(said) for part, said in seen.items()}
    return number or 0, draft


def keep_draft(ws: Workspace, adjudicator_id: int, item_id: int, draft: Mapping[str, Any]) -> int:
    """Store a draft, an empty one to discard it; return its number.

    Raises UserError for anybody but an adjudicator, and for an unknown item.
    """
    with ws.writing(item_id=item_id, person_id=adjudicator_id) as session:
        who = adjudicator(session, adjudicator_id)
        require_item(session, who, item_id)
        payload = {"item": str(item_id), "draft": dict(draft)}
        return note(session, who.person_id, CASE_DRAFT, payload, who.person_id, ws.clock())
