"""Commands that assign work to people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from commands.shell.arguments import argument, option
from commands.shell.groups import ASSIGN
from commands.shell.state import State

Name = Annotated[str, argument("Name of the batch.")]


@ASSIGN.command("make")
def make(
    state: State,
    name: Name,
    people: Annotated[list[str], option("Who gets it; repeat it.", "--person")],
    task: Annotated[
        str, option("citation_mapping, ocr_correction, mcq_solvability …")
    ] = "citation_mapping",
    overlap: Annotated[int, option("Submissions wanted for each item, 1 to 5.")] = 2,
    order: Annotated[str, option("given, random (per person) or informative.")] = ("given"),
    sample: Annotated[int | None, option("Draw so many of the items; else all.")] = None,
    seed: Annotated[int, option("Seed of every draw and of random orders.")] = 0,
    language: Annotated[str | None, option("Only questions of it, e.g. ko.")] = None,
    unresolved: Annotated[
        bool | None,
        option(
            "Only with an unresolved citation, or with citations that are all resolved.",
            "--unresolved/--resolved",
        ),
    ] = None,
    gold: Annotated[bool | None, option("Only with, or without, gold.", "--gold/--no-gold")] = None,
    ids: Annotated[
        Path | None, option("Text file with the ids of the questions, one per line.")
    ] = None,
    calibration: Annotated[float, option("Share of items with a known answer, 0 to 0.5.")] = 0.0,
    practice: Annotated[
        bool, option("A practice round: known answers, with feedback.", "--practice")
    ] = False,
    deadline: Annotated[str | None, option("Last day, YYYY-MM-DD (UTC).")] = None,
    audit: Annotated[
        str | None,
        option("Audit the source's labels blind; strata of the sample, e.g. all."),
    ] = None,
) -> None:
    """Make a batch of items that are in none yet, and give it to people.

    With --audit the source's labels are candidates among others, with nothing to tell them by;
    people's answers are compared with them afterwards (see agreement). Strata are all, labels (by
    their number), statute, language and jurisdiction.
    """
    from annotation.batches.commands import BatchPlan, make_batch
    from annotation.batches.sampling import Choice
    from services.batches import deadline_of, people_named, read_ids
    from services.mapping.candidates import make_audit

    ws, slug = state.chosen
    chosen = None if ids is None else read_ids(ids)
    plan = BatchPlan(
        name=name,
        people=people_named(ws, slug, people),
        choice=Choice(language, unresolved, gold, chosen, task),
        sample=sample,
        seed=seed,
        overlap=overlap,
        sequence=order,  # type: ignore[arg-type]  # make_batch refuses any other word
        calibration=calibration,
        deadline=None if deadline is None else deadline_of(deadline),
        practice=practice,
    )
    if audit is None:
        _show(state, make_batch(ws, slug, plan))
        return
    with state.progress("Proposing candidates") as report:
        made = make_audit(ws, slug, plan, audit, progress=report)
    _show(state, made)


@ASSIGN.command("people")
def people(
    state: State,
    name: Name,
    add: Annotated[list[str] | None, option("Give it to them too; repeat it.")] = None,
    remove: Annotated[
        list[str] | None, option("Take it from them; what they submitted stays.")
    ] = None,
) -> None:
    """Change who has the batch."""
    from annotation.batches.commands import add_people, remove_person
    from annotation.batches.views import batch_named
    from services.batches import people_named

    ws, slug = state.chosen
    batch_id = batch_named(ws, slug, name)
    new, leaving = people_named(ws, slug, add or []), people_named(ws, slug, remove or [])
    if new:
        add_people(ws, slug, batch_id, new)
    for person in leaving:
        remove_person(ws, slug, batch_id, person)
    _show(state, batch_id)


@ASSIGN.command("overlap")
def overlap(
    state: State,
    name: Name,
    number: Annotated[int, argument("Submissions wanted for each item, 1 to 5.")],
) -> None:
    """Change how many submissions each item of the batch takes; what is done stays."""
    from annotation.batches.commands import set_overlap

    _change(state, name, set_overlap, number)


@ASSIGN.command("pool")
def pool(
    state: State,
    is_open: Annotated[
        bool, option("Also for people who have a batch, or not.", "--open/--closed")
    ],
) -> None:
    """Open questions in no batch to people who have a batch, or close them to these."""
    from annotation.batches.commands import set_pool

    set_pool(*state.chosen, is_open)
    state.emit({"open_pool": is_open}, [_pool_line(is_open)])


@ASSIGN.command("evidence")
def evidence(
    state: State,
    asked: Annotated[bool, option("Whether it is asked for.", "--ask/--do-not-ask")],
) -> None:
    """Ask for the words of accepted provisions that answer the question, or no longer."""
    from annotation.batches.commands import set_evidence

    set_evidence(*state.chosen, asked)
    state.emit({"evidence": asked}, [f"Evidence is {'' if asked else 'not '}asked for."])


@ASSIGN.command("close")
def close(
    state: State,
    name: Name,
    reopen: Annotated[bool, option("Let work on it go on.", "--reopen")] = False,
) -> None:
    """End work on the batch, or let it go on; drafts stay."""
    from annotation.batches import commands

    _change(state, name, commands.reopen if reopen else commands.close)


@ASSIGN.command("deadline")
def deadline(
    state: State,
    name: Name,
    day: Annotated[str | None, argument("Last day, YYYY-MM-DD (UTC); none takes it away.")] = None,
) -> None:
    """Change until when the batch should be done; later work is accepted all the same."""
    from annotation.batches.commands import set_deadline
    from services.batches import deadline_of

    _change(state, name, set_deadline, None if day is None else deadline_of(day))


@ASSIGN.command("out")
def take_out(
    state: State,
    name: Name,
    ids: Annotated[list[str], argument("Ids of the questions.")],
) -> None:
    """Take questions that nobody has begun out of the batch."""
    from annotation.batches.commands import move_out

    _change(state, name, move_out, ids)


@ASSIGN.command("known")
def known(
    state: State,
    file: Annotated[
        Path | None,
        argument(
            "JSONL: question_id, units or no_provision, explanation; of a form item, answers."
        ),
    ] = None,
    gold: Annotated[bool, option("Take all settled gold as known answers.", "--from-gold")] = False,
    question: Annotated[str | None, option("Set the answer of this one question.")] = None,
    unit: Annotated[
        list[str] | None, option("Id of a provision that answers it; repeat it.")
    ] = None,
    none: Annotated[
        bool, option("No provision of the corpus answers it.", "--no-provision")
    ] = False,
    explanation: Annotated[str, option("Why; shown in a practice round.")] = "",
    task: Annotated[
        str, option("Whose items these are, of which decisions are taken as known.")
    ] = "citation_mapping",
) -> None:
    """Set known answers, for calibration and practice."""
    from annotation.agreement.calibration import Known, set_known_answers
    from services.batches import import_known, take_known

    ws, slug = state.chosen
    if [file is not None, gold, question is not None].count(True) != 1:
        raise typer.BadParameter("Give a file, --from-gold, or --question.")
    if task != "citation_mapping" and question is not None:
        raise typer.BadParameter("Answers to a form are given in a file, or --from-gold.")
    if file is not None:
        changed = import_known(ws, slug, file, task=task)
    elif question is not None:
        answer = Known(question, tuple(unit or ()), none, explanation.strip())
        changed = set_known_answers(ws, slug, [answer])
    else:
        changed = take_known(ws, slug, task=task)
    state.emit({"changed": changed}, [f"Known answers set: {changed}."])


@ASSIGN.command("list")
def list_all(state: State) -> None:
    """List the batches, how far each is, and who holds what."""
    from annotation.batches.views import list_batches, open_batch
    from storage.projects import project_by_slug

    ws, slug = state.chosen
    lines, found = [], []
    for view in list_batches(ws, slug):
        lines.append(_line(view.as_dict()))
        holders = open_batch(ws, slug, view.id).holders
        lines += [
            f"  {holder.person} holds {holder.external_id} until {holder.until:%H:%M} UTC"
            for holder in holders
        ]
        held = [{"person": holder.person, "question": holder.external_id} for holder in holders]
        found.append(view.as_dict() | {"holders": held})
    is_open = project_by_slug(ws, slug).open_pool
    lines.append(_pool_line(is_open) if found else "No batches: everybody may annotate everything.")
    state.emit({"batches": found, "open_pool": is_open}, lines)


def _pool_line(is_open: bool) -> str:
    """Return whether the pool is open, as a line."""
    who = "everybody" if is_open else "whoever has no batch"
    return f"Items in no batch are open to {who}."


def _change(state: State, name: str, act: Callable[..., object], *said: object) -> None:
    """Carry out an act on the batch of that name, and print the batch."""
    from annotation.batches.views import batch_named

    batch_id = batch_named(*state.chosen, name)
    act(*state.chosen, batch_id, *said)
    _show(state, batch_id)


def _show(state: State, batch_id: int) -> None:
    """Print a batch."""
    from annotation.batches.views import open_batch

    shown = open_batch(*state.chosen, batch_id)
    result = shown.batch.as_dict()
    names = [member.name for member in shown.members]
    state.emit(result | {"names": names}, [_line(result), f"  given to: {', '.join(names)}"])


def _line(batch: dict[str, object]) -> str:
    """Return a batch as a line."""
    notes = [word for word in ("practice", "closed", "finished") if batch[word]]
    if batch["deadline"]:
        notes.append(f"until {str(batch['deadline'])[:10]}")
    tail = f" ({', '.join(notes)})" if notes else ""
    return (
        f"{batch['name']}: {batch['made']} of {batch['wanted']} submissions, "
        f"{batch['items']} items, {batch['calibration']} for calibration, "
        f"overlap {batch['overlap']}, {batch['sequence']} order{tail}"
    )
