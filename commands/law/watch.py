"""Commands of the amendment watch: what depends on amended law, and decisions on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import argument, option
from commands.shell.groups import AMENDED, with_options
from commands.shell.options import Reason, id_of_person
from commands.shell.state import State
from errors import UserError, Where

if TYPE_CHECKING:
    from annotation.gold.law_checks import Kind
    from annotation.gold.rechecks import Recheck
    from services.law.watch import TaskCounts

Watched = Annotated[
    str,
    option(
        "Whose items: mapping, mcq, rating, tagging, curation, research, attribution or ocr;"
        " else all.",
        "--task",
    ),
]
Item = Annotated[str, argument("The item's id, as lists call it.")]
Unit = Annotated[str, option("The provision, by its id; may be left out where it is the only one.")]
Who = Annotated[str, option("Who acts: the name of a person; else nobody.", "--by")]


@AMENDED.command("list")
def listing(
    state: State,
    task: Watched = "",
    every: Annotated[
        bool, option("Also what was confirmed, done again or set aside.", "--all")
    ] = False,
) -> None:
    """List the items of every task that rest on amended law, with counts by task."""
    from messages import say
    from services.law.watch import law_watch

    found = law_watch(*state.chosen, task=task)
    shown = found.entries if every else found.open
    lines = [_task_line(each) for each in found.counts] or [say("watch.nothing")]
    state.emit(found.as_dict(), [*lines, *(["", *map(_entry_line, shown)] if shown else [])])


@AMENDED.command("show")
def show(state: State, item: Item, task: Watched = "", unit: Unit = "") -> None:
    """Show an item's amended provisions: the wording it rests on, and the one in use."""
    from services.law.watch import change_in_words, wordings

    lines, told = [], []
    for entry in _entries(state, item, task, unit):
        words = wordings(*state.chosen, entry)
        lines += ["", _entry_line(entry), f"  {change_in_words(entry)}"]
        lines += [f"- {words.old.place}", words.old.text] if words.old else []
        for each in words.new:
            lines += [f"+ {each.place}", each.text]
        old = None if words.old is None else {"place": words.old.place, "text": words.old.text}
        new = [{"place": each.place, "text": each.text} for each in words.new]
        told.append(entry.as_dict() | {"old": old, "new": new})
    state.emit({"entries": told}, lines[1:])


def _decision_arguments(
    state: State,
    item: Item,
    by: Who = "",
    task: Watched = "",
    unit: Unit = "",
    reason: Reason = "",
) -> tuple[str, ...]:
    """Return the options of a decision on amended law, in the order of `_record_action`."""
    return item, by, task, unit, reason


@AMENDED.command("confirm")
@with_options(_decision_arguments)
def confirm(state: State, decision: tuple[str, ...]) -> None:
    """Say that an item holds unchanged for the law in use."""
    _record_action(state, "confirm", *decision)


@AMENDED.command("send-back")
@with_options(_decision_arguments)
def send_back(state: State, decision: tuple[str, ...]) -> None:
    """Send an item back to be done again by those who did it."""
    _record_action(state, "send_back", *decision)


@AMENDED.command("set-aside")
@with_options(_decision_arguments)
def set_aside(state: State, decision: tuple[str, ...]) -> None:
    """Set an item aside, with the reason why it is left as it is."""
    _record_action(state, "set_aside", *decision)


@AMENDED.command("reopen")
@with_options(_decision_arguments)
def reopen(state: State, decision: tuple[str, ...]) -> None:
    """Take back what was said last of an item: it waits again."""
    _record_action(state, "reopen", *decision)


def _record_action(
    state: State, kind: Kind, item: str, by: str, task: str, unit: str, reason: str
) -> None:
    """Record a re-check of one provision, and print it."""
    from messages import say
    from services.law.watch import add_check

    who = id_of_person(state, by, "by") if by else None
    entry, *others = found = _entries(state, item, task, unit)
    if others:
        known = ", ".join(f"--task {each.task} --unit {each.unit}" for each in found)
        raise UserError("law_check_several", Where(field="unit"), item=item, known=known)
    before = None if entry.check is None else entry.check.id
    ws, slug = state.chosen
    number = add_check(ws, slug, kind, entry.item_id, entry.unit_id, reason, before=before, by=who)
    told = {"id": number, "kind": kind, "item": item, "task": entry.task, "unit": entry.unit}
    state.emit(told, [say(f"watch.done.{kind}", id=item)])


def _entries(state: State, item: str, task: str, unit: str) -> list[Recheck]:
    """Return the entries of an item. Raises UserError if there are none."""
    from services.law.watch import law_watch

    found = [
        each
        for each in law_watch(*state.chosen, task=task).entries
        if each.external_id == item and unit in ("", each.unit)
    ]
    if not found:
        raise UserError("law_check_gone", Where(field="item"), item=item)
    return found


def _task_line(each: TaskCounts) -> str:
    return (
        f"{each.task:<18} {each.items:>6} items: {each.waiting} waiting, {each.sent_back} sent "
        f"back, {each.set_aside} set aside, {each.redone} done again, {each.confirmed} confirmed, "
        f"{each.unchanged} on unchanged law, {each.unknown} on no provision known"
    )


def _entry_line(each: Recheck) -> str:
    """Return a re-check as a line."""
    became = each.became or each.reason
    said = f", {each.check.person or '–'} {each.check.at:%Y-%m-%d}" if each.check else ""
    via = f"; {', '.join(each.via)}" if each.via else ""
    via += f"; evidence {each.words}" if each.words else ""
    return f"{each.task} {each.external_id}: {each.unit or '–'} ({became}{via}) {each.state}{said}"
