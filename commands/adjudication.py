"""Commands about disputes of every task: list, show, decide, refer back, withdraw."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands import attribution as asking
from commands import curation, research
from commands.mcq.disputes import fix_in, question_lines
from commands.shell.arguments import argument, option
from commands.shell.groups import ADJUDICATE
from commands.shell.options import By, Reason, id_of_actor, working_time
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from commands.tagging import tags
from commands.tasks import own_task_case, own_task_decision, side_lines
from errors import UserError, Where

if TYPE_CHECKING:
    from annotation.adjudication.decisions import Settled, SideView
    from annotation.forms.disputes import Dispute

Item = Annotated[str, argument("The question's id.")]
To = Annotated[str, option("Whose answer: the name of an annotator.", "--to")]
Task = Annotated[str, option("The item's task, e.g. mcq_solvability, where several have the name.")]


_NAMES = "mapping, mcq, rating, tagging, curation, research, attribution, or the key of an own task"
Disputed = Annotated[
    str,
    option(f"Whose disputes: {_NAMES}, as own:relevance; of a list, all.", "--task"),
]
Talked = Annotated[str, option(f"The item's task: {_NAMES}.", "--task")]


@ADJUDICATE.command("list")
def listing(state: State, by: By, task: Disputed = "mapping") -> None:
    """List the cases: what is open and why, what was sent back, agreed since, decided."""
    from annotation.adjudication.tasks import adjudicated, disputes_of, task_called
    from annotation.tasks.own import all_tasks

    who = id_of_actor(state, by)
    tasks = adjudicated(all_tasks(*state.chosen)) if task == "all" else [task_called(task)]
    lines, told = list[str](), list[dict[str, Any]]()
    for each in tasks:
        for at, entry in enumerate(disputes_of(each).queue(state.workspace, who), 1):
            lines.append(_entry_line(entry))
            told.append(_entry_json(each, entry, at))
    state.emit({"cases": told}, lines or ["Nothing to decide."])


@ADJUDICATE.command("progress")
def progress(state: State, output: Output = None, language: Language = "en") -> None:
    """Print the disputes of every task by state, and who decides them."""
    from services.agreement.task_progress import disputes_report

    check_output(output)
    emit_report(state, disputes_report(*state.chosen, language), output)


@ADJUDICATE.command("show")
def show(state: State, item: Item, by: By, task: Disputed = "mapping") -> None:
    """Show a case: each side, what was said before a discussion, and the thread."""
    from annotation.adjudication.tasks import disputes_of, task_called
    from annotation.work.threads import thread
    from storage.tasks import Task

    who, chosen = id_of_actor(state, by), task_called(task)
    entry = _entry(state, who, item, chosen)
    case = disputes_of(chosen).open_dispute(state.workspace, who, entry.item_id)
    if chosen != Task.CITATION_MAPPING:
        told_of = own_task_case if chosen.is_own else _TOLD_OF.get(chosen, _answers)
        state.emit(*told_of(case))
        return
    said = thread(state.workspace, who, entry.item_id)
    names = {candidate.unit_id: candidate.semantic_id for candidate in case.candidates}
    lines = [_entry_line(entry), case.question]
    lines += [f"before: {_side_line(each, names)}" for each in case.earlier]
    lines += [_side_line(side, names) for side in case.sides]
    lines += [f"{each.at:%Y-%m-%d %H:%M}  {each.person}: {each.text}" for each in said]
    shown = asdict(case) | {"decision": _units_json(case.decision)}
    state.emit({"case": shown, "messages": [asdict(each) for each in said]}, lines)


@ADJUDICATE.command("decide")
def decide(
    state: State,
    item: Item,
    by: By,
    reason: Reason = "",
    unit: Annotated[
        list[str] | None, option("An accepted provision by its id; may be repeated.")
    ] = None,
    no_provision: Annotated[
        bool, option("Nothing in this corpus answers it.", "--no-provision")
    ] = False,
    task: Disputed = "mapping",
    part: Annotated[
        list[str] | None,
        option(
            "What is decided in another task: verdict=drop, cause=unclear, or a sub-factor's"
            " options, motives=money,fear; of a curated question verdict (keep, edit, reject),"
            " cause, difficulty (L1 to L4), and yes or no for voice, context, framing, one_view;"
            " of a researched one outcome=none; of a claim, label_2=partial or gold_2=1; may be"
            " repeated, for one reason.",
            "--set",
        ),
    ] = None,
    fix: Annotated[
        Path | None,
        option(
            "JSON file: query, options (four) and answer, from 1; of a curated question,"
            " question and answer."
        ),
    ] = None,
    take: Annotated[
        str,
        option("Of a researched question: whose answer is taken, by name."),
    ] = "",
) -> None:
    """Decide a case; a later decision supersedes an earlier one."""
    from annotation.adjudication.tasks import disputes_of, task_called
    from storage.tasks import Task

    who, chosen = id_of_actor(state, by), task_called(task)
    entry, disputes = _entry(state, who, item, chosen), disputes_of(chosen)
    case = disputes.open_dispute(state.workspace, who, entry.item_id)
    answers: dict[str, Any] = _parts(part or ())
    if chosen == Task.FACTOR_TAGGING:
        answers = {key: value.split(",") for key, value in answers.items()}
    if chosen == Task.CURATION:
        answers = curation.decided(case, answers, unit or [], fix_in(fix))
    elif chosen.is_own:
        answers = own_task_decision(case, answers)
    elif chosen == Task.RESEARCH:
        answers = research.decided(case, answers, take)
    elif chosen == Task.ATTRIBUTION:
        answers = asking.decided(answers)
    elif fix is not None:
        answers["fix"] = fix_in(fix)
    told = {"item": item, **answers}
    if chosen == Task.CITATION_MAPPING:
        answers = {"units": _unit_row_ids(state, case, unit or ()), "no_provision": no_provision}
        told = {"item": item, "units": unit or [], "no_provision": no_provision}
    where = state.workspace, who, entry.item_id
    left = disputes.decide(*where, answers, reason, case.annotation_ids, case.before)
    state.emit(told, [f"Decided. Still open of it: {left}." if left else "Decided."])


@ADJUDICATE.command("undo")
def undo(state: State, item: Item, by: By, reason: Reason = "", task: Disputed = "mapping") -> None:
    """Withdraw one's own decision on a case: the one before it, if any, stands again."""
    from annotation.adjudication.tasks import disputes_of, task_called
    from annotation.adjudication.tasks import undo as withdraw

    who = id_of_actor(state, by)
    entry = _entry(state, who, item, task)
    withdraw(state.workspace, who, entry.item_id, reason)
    found = disputes_of(task_called(task)).queue(state.workspace, who)
    after = next((each for each in found if each.item_id == entry.item_id), None)
    made = None if after is None else after.decision
    stands = "" if made is None else f" The one of {made.person} stands again."
    told = {"item": item, "state": None if after is None else after.state}
    state.emit(told, [f"Withdrawn.{stands}"])


def _answers(case: Any) -> tuple[dict[str, Any], list[str]]:
    """Return a dispute over a form's answers as JSON values and as lines."""
    texts = [text for text in asdict(case.question).values() if isinstance(text, str)]
    return {"case": asdict(case)}, [*texts, *side_lines(case)]


def _tags(case: Any) -> tuple[dict[str, Any], list[str]]:
    """Return a dispute over a court case's tags as JSON values and as lines."""
    parts = [{"sub_factor": part.sub.key, **tags.part_json(case, part)} for part in case.parts]
    lines = [line for part in case.parts for line in tags.part_lines(case, part)]
    return {**tags.case_json(case), "parts": parts}, lines


_TOLD_OF: dict[str, Callable[[Any], tuple[dict[str, Any], list[str]]]] = {
    "mcq_solvability": lambda case: ({"question": asdict(case)}, list(question_lines(case))),
    "factor_tagging": _tags,
    "curation": curation.case_output,
    "research": research.case_output,
    "attribution_review": asking.case_output,
}


def _unit_row_ids(state: State, case: Any, semantic_ids: Sequence[str]) -> list[int]:
    """Return the database ids of units by semantic id. Raises UserError for an unknown one."""
    from storage.law.corpus import unit_ids

    with state.workspace.reading() as session:
        known = unit_ids(session, case.snapshot_id)
    for name in semantic_ids:
        if name not in known:
            raise UserError("unit_unknown", Where(field="unit"), unit=name)
    return [known[name] for name in semantic_ids]


def _parts(arguments: Sequence[str]) -> dict[str, Any]:
    """Parse ``field=value`` arguments into a dict. Raises UserError for anything else."""
    found = {}
    for each in arguments:
        field, sign, value = each.partition("=")
        if not sign:
            raise UserError("part_unreadable", Where(field="set"), part=each)
        found[field.strip()] = value.strip()
    return found


@ADJUDICATE.command("send-back")
@ADJUDICATE.command("refer")
def refer(state: State, item: Item, by: By, reason: Reason = "", task: Talked = "mapping") -> None:
    """Send a case back to its annotators, who then see each other's answers."""
    from annotation.adjudication.tasks import SHORT, TASKS, to_send
    from annotation.adjudication.tasks import refer as send_back

    who, known = id_of_actor(state, by), task in SHORT or task in TASKS
    number = _entry(state, who, item, task).item_id if known else id_of_item(state, item, task)
    sent = to_send(state.workspace, who, number)
    send_back(state.workspace, who, number, reason, list(sent))
    people = list(sent.values())
    state.emit({"item": item, "to": people}, [f"Sent back to {', '.join(people)}."])


@ADJUDICATE.command("recall")
def recall(state: State, item: Item, by: By, reason: Reason = "", task: Task = "") -> None:
    """End the discussion of a case that was sent back, or take back what was given back."""
    from annotation.adjudication.tasks import SHORT
    from annotation.adjudication.tasks import recall as end

    number = id_of_item(state, item, SHORT.get(task, task))
    end(state.workspace, id_of_actor(state, by), number, reason)
    state.emit({"item": item}, ["Recalled."])


@ADJUDICATE.command("ask")
def ask(
    state: State,
    item: Item,
    by: Annotated[str, option("Who asks: the name of an annotator.", "--by")],
    reason: Reason = "",
    task: Task = "",
) -> None:
    """Ask for one's answer back, once all that the item takes are in."""
    from annotation.adjudication.giving_back import ask_back

    number = id_of_item(state, item, task)
    request = ask_back(state.workspace, id_of_actor(state, by), number, reason)
    state.emit({"item": item, "request": request}, ["Asked. It stays until it is sent back."])


@ADJUDICATE.command("requests")
def requests(state: State, by: By) -> None:
    """List who asks to have an answer back, and why."""
    from annotation.adjudication.giving_back import requests as waiting

    found = waiting(state.workspace, id_of_actor(state, by))
    lines = [f"{e.external_id:<12} {e.task:<18} {e.person}: {e.reason}" for e in found]
    state.emit({"requests": [asdict(each) for each in found]}, lines or ["Nobody asks."])


@ADJUDICATE.command("give-back")
def give_back(
    state: State, item: Item, to: To, by: By, reason: Reason = "", task: Task = ""
) -> None:
    """Give one person their answer back to change, without showing them the others'."""
    from annotation.adjudication.giving_back import give_back as send_back

    number = id_of_item(state, item, task)
    who, whom = id_of_actor(state, by), id_of_actor(state, to)
    send_back(state.workspace, who, number, whom, reason)
    state.emit({"item": item, "to": to}, [f"Sent back to {to}."])


@ADJUDICATE.command("decline")
def decline(state: State, item: Item, to: To, by: By, reason: Reason = "", task: Task = "") -> None:
    """Answer somebody's request with why their answer stays."""
    from annotation.adjudication.giving_back import decline as answer
    from annotation.adjudication.giving_back import requests as waiting

    number, who = id_of_item(state, item, task), id_of_actor(state, by)
    for each in waiting(state.workspace, who):
        if (each.item_id, each.person) == (number, to):
            answer(state.workspace, who, each.id, reason)
            state.emit({"item": item, "to": to}, ["Declined."])
            return
    raise UserError("request_unknown", Where(field="item"))


def id_of_item(state: State, name: str, task: str) -> int:
    """Return the id of the named item, in the task if one is given.

    Raises UserError if there is none, or if several tasks have one of that name.
    """
    from annotation.adjudication.giving_back import items_called

    found = items_called(*state.chosen, name)
    here = [number for number, of in found if task in ("", of)]
    if len(here) == 1:
        return here[0]
    tasks = ", ".join(of for _, of in found)
    code = "item_in_tasks" if here else "history_item"
    raise UserError(code, Where(field="item"), item=name, tasks=tasks)


def _entry(state: State, who: int, item: str, task: str = "mapping") -> Dispute:
    """Return the dispute about an item. Raises UserError if there is none."""
    from annotation.adjudication.tasks import disputes_of, task_called

    for each in disputes_of(task_called(task)).queue(state.workspace, who):
        if each.external_id == item:
            return each
    raise UserError("case_unknown", Where(field="item"), item=item)


def _entry_json(task: str, entry: Dispute, position: int) -> dict[str, Any]:
    """Return a queue entry as JSON values."""
    made, about = entry.decision, {"item_id": entry.item_id, "external_id": entry.external_id}
    standing = {"causes": entry.causes, "state": entry.state, "waiting": entry.waiting}
    if task == "citation_mapping":
        asked = {"position": position, "question": entry.title, "own": entry.own}
        return {**about, **asked, **standing, "decision": _units_json(made)}
    return {"task": task, **about, **standing, "decision": None if made is None else asdict(made)}


def _units_json(made: Settled | None) -> dict[str, Any] | None:
    """Return a decision on units as JSON values, None for none."""
    names = [*("person", "at", "unit_ids", "labels", "no_provision", "reason", "conflict")]
    names += ["administrator", "number"]
    return None if made is None else {name: getattr(made, name) for name in names}


def _entry_line(entry: Dispute) -> str:
    """Return a dispute as a line: item, state, causes."""
    why = ", ".join(entry.causes) or "–"
    waiting = f", waiting for {', '.join(entry.waiting)}" if entry.waiting else ""
    own = ", labelled by you too" if entry.own else ""
    return f"{entry.external_id:<12} {entry.state:<10} {why}{waiting}{own}"


def _side_line(side: SideView, names: dict[int, str]) -> str:
    """Return one annotator's labels, time and notes as a line; `names` are unit numbers → ids."""
    said = [f"{label} {names[unit]}" for unit, label in sorted(side.decisions.items())]
    if side.no_provision:
        said.append("no provision")
    sure = "" if side.confidence is None else f", confidence {side.confidence} of 5"
    notes = "".join(f"; {text}" for text in (side.flag, side.comment) if text)
    return f"{side.person.name} ({working_time(side.seconds)}{sure}): {', '.join(said)}{notes}"
