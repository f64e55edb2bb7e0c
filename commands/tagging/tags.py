"""Commands about tags of court cases: items, suggestions, agreement, disputes, files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.shell.groups import FACTORS
from commands.shell.options import By, Reason, ended_early, id_of_actor
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from commands.shell.tables import write_text
from errors import UserError, Where

if TYPE_CHECKING:
    from annotation.tagging.disputes import DisputeView, Part
    from corpus.cases.model import Judgment


@FACTORS.command("items")
def items(
    state: State,
    group: Annotated[
        list[str] | None,
        typer.Option(
            help="Only cases of this standard group, charge or category (its key). Repeat it."
        ),
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many new items.")] = None,
    seed: Annotated[int, typer.Option(help="Draws the cases where there is a limit.")] = 0,
) -> None:
    """Make items of the court cases in standard groups, for people to tag their factors.

    A case that has an item keeps it; where the typology has moved it, it shows its groups now.
    """
    from services.tagging.items import make_items

    done = make_items(*state.chosen, tuple(group or ()), limit, seed)
    lines = [f"{done.made:,} new items; {done.there:,} were there before."]
    if done.moved:
        lines.append(f"{done.moved:,} of these show other groups from now on.")
    if done.left:
        lines.append(f"{done.left:,} more are in these groups and have none.")
    if done.unmapped:
        lines.append(f"{done.unmapped:,} court cases are in no group and are not tagged.")
    state.emit(asdict(done), lines)


@FACTORS.command("suggest")
def suggest(
    state: State,
    case: Annotated[
        list[str] | None, typer.Option(help="Only this court case (its id); may be repeated.")
    ] = None,
    factor: Annotated[
        list[str] | None, typer.Option(help="Only this factor (its key); may be repeated.")
    ] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many cases.")] = None,
    seed: Annotated[int, typer.Option(help="Draws the cases where there is a limit.")] = 0,
) -> None:
    """Ask the model of the role tag_factors about the court cases that have items.

    Quotations are checked against the judgment. What was answered is not asked again. Exit code 3
    if the run ended early.
    """
    from services.tagging.suggestions import SuggestionOptions, plan_suggesting
    from services.tagging.suggestions import suggest as ask

    wish = SuggestionOptions(tuple(case or ()), tuple(factor or ()), limit, seed)
    ready = plan_suggesting(*state.chosen, wish)
    done = state.run("Suggesting", partial(ask, state.workspace, ready))
    lines = [
        f"{done.cases:,} cases, {done.calls:,} calls; {done.recalled:,} were known before.",
        f"{done.new:,} suggestions are new; {done.shown:,} items show something newer.",
    ]
    lines += [f"  {name:<11} {n:>8,}" for name, n in done.states.items()]
    lines += [f"  {'no answer':<11} {done.failed:>8,}"] if done.failed else []
    state.emit(asdict(done), [*lines, *ended_early(done)], failed=done.end != "done")


@FACTORS.command("suggestions")
def setting(
    state: State,
    value: Annotated[
        str, typer.Argument(help="shown, hidden or after; left out, say which one holds.")
    ] = "",
) -> None:
    """Set when those who tag see a model's suggestions, or say what holds."""
    from annotation.tagging.suggestion_visibility import read_setting, set_suggestions

    slug = state.project_slug()
    if value:
        changed = set_suggestions(state.workspace, slug, value)
        lines = [f"Suggestions are {value}. Items shown anew: {changed:,}."]
        state.emit({"setting": value, "items": changed}, lines)
        return
    found = read_setting(state.workspace, slug)
    who = f", by {found.person}" if found.person else ""
    when = f" since {found.at:%Y-%m-%d %H:%M}{who}" if found.at else ""
    state.emit(asdict(found), [f"Suggestions are {found.setting}{when}."])


Case = Annotated[str, typer.Argument(help="The court case's id.")]
SubFactor = Annotated[str, typer.Argument(help="The sub-factor's key.")]


@FACTORS.command("report")
def report(
    state: State,
    scope: Annotated[
        str, typer.Option(help="Only cases of this category, charge or group (its key).")
    ] = "",
    output: Output = None,
    language: Language = "en",
) -> None:
    """Show how well people and models agree on each sub-factor, and which need work first."""
    from services.tagging.report import factor_report
    from services.tagging.report_tables import as_report

    check_output(output)
    emit_report(state, as_report(factor_report(*state.chosen, scope=scope), language), output)


@FACTORS.command("tags")
def tags(
    state: State,
    output: Annotated[Path, typer.Argument(help="The CSV file to write.")],
) -> None:
    """Write the tags of all cases that are tagged completely to a CSV file."""
    from services.law.watch import unconfirmed, unconfirmed_lines
    from services.tagging.report_tables import tags_csv
    from storage.tasks import Task

    text = tags_csv(*state.chosen)
    write_text(output, text)
    rows, law = text.count("\n") - 1, unconfirmed(*state.chosen, (Task.FACTOR_TAGGING,))
    told = {"file": str(output), "rows": rows, "law": law}
    state.emit(told, [f"Wrote {rows:,} rows to {output}.", *unconfirmed_lines(law)])


@FACTORS.command("disputes")
def disputes(state: State, by: By) -> None:
    """List the sub-factors on which people differ, with the cases that wait for a decision."""
    from annotation.tagging.disputes import disputes as read

    found = read(state.workspace, id_of_actor(state, by))
    lines, told = [], []
    for each in found:
        waiting = ", ".join(entry.external_id for entry in each.waiting) or "–"
        lines.append(f"{each.sub.key:<28} {len(each.waiting):>4} open  {waiting}")
        names = {"factor": each.factor.key, "sub_factor": each.sub.key}
        told.append(names | {"cases": [asdict(entry) for entry in each.cases]})
    state.emit({"sub_factors": told}, lines or ["Nothing to settle."])


@FACTORS.command("dispute")
def show(state: State, case: Case, sub_factor: SubFactor, by: By) -> None:
    """Show what each person said of a sub-factor of a case, with their evidence."""
    from annotation.tagging.disputes import open_dispute

    who = id_of_actor(state, by)
    found = open_dispute(state.workspace, who, _item_id(state, who, case, sub_factor), sub_factor)
    [part] = found.parts
    told = {"sub_factor": sub_factor, **case_json(found), **part_json(found, part)}
    state.emit(told, list(part_lines(found, part)))


@FACTORS.command("settle")
def settle(
    state: State,
    case: Case,
    sub_factor: SubFactor,
    by: By,
    option: Annotated[list[str], typer.Option(help="The option that holds; may be repeated.")],
    reason: Reason = "",
) -> None:
    """Decide a sub-factor of a case; a later decision supersedes an earlier one."""
    from annotation.tagging.disputes import decide, open_dispute

    who = id_of_actor(state, by)
    item = _item_id(state, who, case, sub_factor)
    view = open_dispute(state.workspace, who, item, sub_factor)
    after = decide(state.workspace, who, item, {sub_factor: option}, reason, view.annotation_ids)
    left = sorted(after.open)
    words = f"Still open of {case}: {', '.join(left)}." if left else f"{case} is settled."
    told = {"case": case, "sub_factor": sub_factor, "options": option, "open": left}
    state.emit(told, [words])


def _item_id(state: State, who: int, case: str, sub_factor: str) -> int:
    """Return the id of a case's item, if the sub-factor is disputed or decided; else UserError."""
    from annotation.tagging.disputes import queue

    for each in queue(state.workspace, who):
        if each.external_id == case and sub_factor in (*each.open, *each.decided):
            return each.item_id
    raise UserError("factor_settled", Where(field="factor"), factor=sub_factor)


def case_json(dispute: DisputeView) -> dict[str, Any]:
    """Return a disputed case as JSON values."""
    judgment: Judgment = dispute.question
    names = {"item_id": dispute.item_id, "external_id": dispute.external_id}
    told = {each: getattr(judgment, each) for each in ("title", "court", "date", "language")}
    sections = [(str(each.section), each.start, each.end) for each in judgment.parts]
    return {**names, **told, "sections": sections}


def part_json(dispute: DisputeView, part: Part) -> dict[str, Any]:
    """Return a sub-factor of a disputed case as JSON values."""
    sides = [
        {"annotation_id": side.annotation_id, "person": side.person, "options": options}
        | {"evidence": evidence, "comment": side.comment, "flag": side.flag}
        for side, options, evidence in zip(dispute.sides, part.options, part.evidence, strict=True)
    ]
    reason = dispute.reason if part.decided else ""
    told = {"decided": part.decided, "reason": reason, "stale": part.stale, "left": dispute.left}
    return {"sides": sides, **told}


def part_lines(dispute: DisputeView, part: Part) -> Iterator[str]:
    """Yield the lines of a sub-factor of a disputed case."""
    yield f"{part.sub.label['en']}: {part.sub.help['en']}"
    yield from (f"  {option.key:<24} {option.label['en']}" for option in part.sub.options)
    for side, options, evidence in zip(dispute.sides, part.options, part.evidence, strict=True):
        yield f"{side.person}: {'not asked' if options is None else ', '.join(options)}"
        yield from (f"    “{each.quote}” ({each.start}–{each.end})" for each in evidence)
        yield from (f"    {words}" for words in (side.flag, side.comment) if words)
    if part.decided:
        yield f"Settled: {', '.join(part.decided)} ({dispute.reason})"
