"""Execution of the acts sent by a task's viewer: numbered, each exactly once.

The viewer sends every act again until it is acknowledged, because a newer message may replace an
older one on the way. Acts up to the last number carried out are therefore skipped. The first act
that fails stops the batch, so that a submission can never overtake a decision that was not saved.
While the viewer still sends a failed act, the failure has not reached it: it stops the later acts
of a newer message as well and is reported again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from annotation.adjudication import discussion_views, giving_back
from annotation.forms import form as form_commands
from annotation.work import commands, queue_service, threads
from annotation.work.commands import ANYTHING, Basis, ChangedElsewhereError
from annotation.work.threads import Message
from errors import UserError
from pages.shell.guard import defect
from pages.task.viewer import status_shown
from storage.db.workspace import Workspace
from storage.tasks import Task

Act = dict[str, Any]


@dataclass(slots=True)
class TaskSession:
    """A person's work on a task in one browser session: open item and acknowledgements.

    `client` identifies the viewer that numbers its acts, `seq` is the last act carried out. `held`
    is the key of the item whose fixed part that viewer holds. `queue`, `thread` and `notice` answer
    the newest batch and are sent once; so is `told`, with fields of the task's own. `language` is
    that of the newest batch. `steps` are the consecutive draft revisions of item `stepped` made by
    this session alone, oldest first.
    """

    project: str
    person_id: int
    item_id: int | None = None
    client: str = ""
    seq: int = 0
    held: str = ""
    failed: list[dict[str, Any]] = field(default_factory=list)
    queue: list[list[Any]] | None = None
    thread: tuple[int, tuple[Message, ...]] | None = None
    notice: dict[str, Any] | None = None
    task: str = Task.CITATION_MAPPING
    stepped: int | None = None
    steps: list[str] = field(default_factory=list)
    told: dict[str, Any] = field(default_factory=dict)
    language: str = "en"

    def answer(self) -> dict[str, Any]:
        """Return the acknowledgement: client, last number, failed acts."""
        return {"client": self.client, "seq": self.seq, "failed": self.failed}

    def forget(self) -> None:
        """Clear the response to an earlier batch."""
        self.failed, self.queue, self.thread, self.notice, self.told = [], None, None, None, {}


Handler = Callable[[Workspace, TaskSession, Act], None]
Handlers = Mapping[str, Handler]


def carry_out(
    ws: Workspace, session: TaskSession, message: Any, language: str, handlers: Handlers
) -> None:
    """Carry out the new acts of `message`; failures are recorded in the session.

    `handlers` maps each kind of act of the task to its handler, `ACTS` included.
    """
    if not isinstance(message, dict) or not isinstance(message.get("acts"), list):
        return
    if message.get("person") != session.person_id:  # sent before somebody else signed in
        return
    if message.get("client") != session.client:
        session.client, session.seq, session.failed = str(message.get("client")), 0, []
    session.held, session.language = str(message.get("have", "")), language
    fresh = [act for act in message["acts"] if _is_act(act, handlers) and act["seq"] > session.seq]
    if not fresh:  # a repeated message: its response may not have arrived yet
        return
    sent = {act.get("seq") for act in message["acts"] if isinstance(act, dict)}
    unheard = [each for each in session.failed if each["seq"] in sent]
    session.forget()
    session.failed = unheard
    failed = bool(unheard)
    for act in sorted(fresh, key=lambda each: each["seq"]):
        if act["seq"] == session.seq:
            continue
        session.seq = act["seq"]
        if failed:  # not tried
            why = {key: session.failed[-1][key] for key in ("message", "code")}
            session.failed.append({"seq": act["seq"], **why, "after": True})
        elif failure := _try(ws, session, act, handlers):
            session.failed.append({"seq": act["seq"], **failure})
            failed = True


def leave(ws: Workspace, session: TaskSession, act: Act, what: str, **more: str) -> None:
    """Go to the next item, with the notice `what` and its texts `more` about this one.

    The next item is that which the act names as `then`, else the next of the queue.
    """
    set_notice(session, act, what, **more)
    session.item_id = next_after(ws, session, act)


def next_after(ws: Workspace, session: TaskSession, act: Act) -> int | None:
    """Return the item to open after an act: the one that it names, else the next of the queue."""
    then = act.get("then")
    if isinstance(then, int):
        return then
    return queue_service.next_item(ws, session.person_id, after=act["item"])


def set_notice(session: TaskSession, act: Act, what: str, **more: str) -> None:
    """Set the notice that the viewer shows about an act's item."""
    named = str(act.get("externalId", ""))
    session.notice = {"what": what, "externalId": named, "item": act["item"], **more}


@contextmanager
def stepping(ws: Workspace, session: TaskSession, item_id: int) -> Iterator[None]:
    """Record the draft revisions before and after an act; foreign changes restart the list."""
    before = queue_service.revision(ws, session.person_id, item_id)
    if session.stepped != item_id or session.steps[-1:] != [before]:
        session.stepped, session.steps = item_id, [before]
    yield
    session.steps.append(queue_service.revision(ws, session.person_id, item_id))


def expected(session: TaskSession, act: Act) -> str | None:
    """Return the revision an act expects: the shown one, advanced by the session's own acts."""
    shown = act.get("revision")
    if session.stepped == act["item"] and shown in session.steps:
        return session.steps[-1]
    return None if shown is None else str(shown)


def basis(session: TaskSession, act: Act) -> Basis:
    """Return the state that an act builds on: the previous value it names, or the shown draft."""
    if "revision" in act:
        return Basis(revision=expected(session, act))
    return Basis(act["was"]) if "was" in act else ANYTHING


def _is_act(value: object, handlers: Mapping[str, Any]) -> bool:
    """Return True for an act that the page handles."""
    if not isinstance(value, dict) or type(value.get("seq")) is not int:
        return False
    kind = value.get("kind")
    return isinstance(kind, str) and kind in handlers


def _try(ws: Workspace, session: TaskSession, act: Act, handlers: Handlers) -> dict[str, Any]:
    """Carry out one act; return its failure (message and code), empty if none.

    `met` holds the value and time of a conflicting change from another window of the person.
    """
    try:
        handlers[act["kind"]](ws, session, act)
    except UserError as error:
        parts = error.what(session.language), error.remedy(session.language)
        failure: dict[str, Any] = {"message": " ".join(parts), "code": error.code, "parts": parts}
        failure |= {"field": error.where.field}
        failure |= {name: error.params.get(name) for name in ("block", "unit")}
        if isinstance(error, ChangedElsewhereError):
            failure["met"] = {"now": error.now, "at": error.at.isoformat()}
        return failure
    except Exception:
        return {"message": defect(session.language), "code": ""}
    return {}


def on_draft(command: Callable[..., object], *fields: str) -> Handler:
    """Return the handler of an act on the draft: a command that takes these fields of the act."""

    def handle(ws: Workspace, session: TaskSession, act: Act) -> None:
        """Carry out the command on what the screen showed."""
        given = (act.get(field) for field in fields)
        with stepping(ws, session, act["item"]):
            command(ws, session.person_id, act["item"], *given, basis(session, act))

    return handle


def reopening(command: Callable[[Workspace, int, int], object]) -> Handler:
    """Return the handler of an act that restarts the item, and stays at it."""

    def handle(ws: Workspace, session: TaskSession, act: Act) -> None:
        """Carry out the command; the notice says that the item was reopened."""
        command(ws, session.person_id, act["item"])
        session.item_id = act["item"]
        set_notice(session, act, "rechecked")

    return handle


def _skip(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Skip the item and go to the next."""
    commands.skip(ws, session.person_id, act["item"], str(act["reason"]), basis(session, act))
    leave(ws, session, act, "skipped")


def _post_message(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Post a message in the item's thread; load the thread for the viewer."""
    item = act["item"]
    threads.say(ws, session.person_id, item, str(act["text"]), act.get("replyTo"))
    _thread(ws, session, act)


def _thread(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Load the item's comment thread for the viewer."""
    session.thread = act["item"], threads.thread(ws, session.person_id, act["item"])


def _next(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Go to the item that the act names, else to the next of the queue."""
    session.item_id = next_after(ws, session, act)


def _undo(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Undo the last act on the item, and open it."""
    with stepping(ws, session, act["item"]):
        commands.undo(ws, session.person_id, act["item"], expected(session, act))
    session.item_id = act["item"]


def _withdraw(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Withdraw the person's submission of an item, and open it."""
    commands.take_back(ws, session.person_id, act["item"])
    session.item_id = act["item"]
    set_notice(session, act, "taken_back")


def _reopen_last(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Open the item that the person left or submitted last. Raises UserError without one."""
    find = queue_service.last_submitted if act.get("submitted") else queue_service.last_undoable
    found = find(ws, session.person_id, session.task)
    if found is None:
        raise UserError("nothing_submitted" if act.get("submitted") else "nothing_left")
    session.item_id = found


def _request_withdrawal(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Request, with a reason, that the submission be given back; set a notice."""
    giving_back.ask_back(ws, session.person_id, act["item"], str(act["reason"]))
    set_notice(session, act, "asked_back")


def _keep_answers(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Keep one's own answers in a discussed item, and go to the next."""
    discussion_views.keep(ws, session.person_id, act["item"])
    leave(ws, session, act, "kept")


def _submit(ws: Workspace, session: TaskSession, act: Act) -> None:
    """Submit the item and go to the next."""
    where = ws, session.person_id, act["item"]
    commands.submit(*where, act.get("confidence"), expected(session, act))
    leave(ws, session, act, "submitted")


def _open(_ws: Workspace, session: TaskSession, act: Act) -> None:
    """Go to an item."""
    session.item_id = act["item"]


def _queue(ws: Workspace, session: TaskSession, _act: Act) -> None:
    """Load the person's queue into the session as rows for the viewer."""
    session.queue = [
        [
            each.item_id,
            each.position,
            each.external_id,
            each.question,
            status_shown(each),
            each.messages,
        ]
        for each in queue_service.queue(ws, session.person_id, session.task)
    ]


def _refresh(_ws: Workspace, session: TaskSession, _act: Act) -> None:
    """Let the viewer load everything again."""
    session.held = ""


ACTS: Handlers = {
    "comment": on_draft(commands.set_comment, "text"),
    "flag": on_draft(commands.set_flag, "reason"),
    "skip": _skip,
    "say": _post_message,
    "thread": _thread,
    "next": _next,
    "undo": _undo,
    "take_back": _withdraw,
    "back": _reopen_last,
    "ask_back": _request_withdrawal,
    "keep": _keep_answers,
    "answer": on_draft(form_commands.answer, "field", "value"),
    "submit": _submit,
    "recheck": reopening(form_commands.take_up),
    "open": _open,
    "queue": _queue,
    "refresh": _refresh,
}
