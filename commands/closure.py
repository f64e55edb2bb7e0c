"""Commands about gold closure: missing provisions by rule, decisions, rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.editions import add_version_commands
from commands.shell.groups import CLOSURE, RULES, with_options
from commands.shell.options import Reason, id_of_person
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from commands.shell.tables import read_text
from errors import UserError, Where, require_known
from messages import say

if TYPE_CHECKING:
    from annotation.closure.gold_sets import Kind, Verdict

RulesFile = Annotated[Path, argument("YAML file with all rules (UTF-8).")]
Question = Annotated[str, argument("The question's id, as lists call it.")]
Units = Annotated[
    list[str] | None,
    option("A proposed provision by its id; else all that are waiting.", "--unit"),
]
OfKind = Annotated[str, option("Only of these: question or augmented; else both.", "--kind")]
Asked = Annotated[str, option("Only of this question, by its id.", "--question")]
Who = Annotated[str, option("Who acts: the name of a person; else nobody.", "--by")]
Every = Annotated[bool, option("Also what was dismissed or declined.", "--all")]


@CLOSURE.command("check")
def check(
    state: State,
    question: Asked = "",
    kind: OfKind = "",
    every: Every = False,
    output: Output = None,
    language: Language = "en",
) -> None:
    """List gold that lacks a provision by rule, with the words that say so, and shares by rule."""
    from services.closure.report import check as look
    from services.closure.report_tables import as_report

    check_output(output)
    found = look(*state.chosen, question=question, kinds=_kinds(kind))
    emit_report(state, as_report(found, language, every or state.as_json), output)


@CLOSURE.command("fix")
def fix(
    state: State,
    question: Annotated[str, argument("The question's id; else all augmented questions.")] = "",
    units: Units = None,
    by: Who = "",
    reason: Reason = "",
    kind: OfKind = "",
) -> None:
    """Send gold back to those who made it, with what it lacks; complete augmented questions.

    Without a question, every augmented question is completed and nothing else is touched. Gold of
    people is never edited: they look again.
    """
    if not question:
        _complete_references(state, by)
        return
    _decide(state, question, units, by, reason, kind, "added")


def _decision(
    state: State,
    question: Question,
    units: Units = None,
    by: Who = "",
    reason: Reason = "",
    kind: OfKind = "",
) -> Any:
    """Return the function that records a decision with these options."""
    return partial(_decide, state, question, units, by, reason, kind)


@CLOSURE.command("dismiss")
@with_options(_decision)
def dismiss(state: State, decide: Callable[[Verdict], None]) -> None:
    """Say, with a reason, that proposed provisions do not belong to a question's gold."""
    decide("dismissed")


@CLOSURE.command("reopen")
@with_options(_decision)
def reopen(state: State, decide: Callable[[Verdict], None]) -> None:
    """Take back what was decided last on proposed provisions: they wait again."""
    decide("reopened")


@CLOSURE.command("audit")
def audit(
    state: State,
    question: Asked = "",
    kind: OfKind = "",
    output: Output = None,
    language: Language = "en",
) -> None:
    """List paragraph references that are not, or probably not, of the article they name."""
    from services.closure.audit import audit_references
    from services.closure.report_tables import audit_report

    check_output(output)
    found = audit_references(*state.chosen, question=question, kinds=_kinds(kind))
    emit_report(state, audit_report(found, language), output)


add_version_commands(
    RULES,
    "CLOSURE_RULES",
    RulesFile,
    "the rules",
    saving="Save rules as a new version; the versions before it stay.",
)


@RULES.command("preview")
def preview(state: State, file: RulesFile) -> None:
    """Say what changed rules would propose; nothing is changed."""
    from services.closure.report import changes

    found = changes(*state.chosen, read_text(file))
    now, then = found.counts
    lines = [f"Gold sets that lack something: {now} now, {then} then."]
    lines += [
        f"  {key}: {before} provisions now, {after} then"
        for key, (before, after) in found.by_rule.items()
    ]
    lines += [say("closure.problem", rule=key, unit=unit) for key, unit in found.problems]
    said = {"sets": list(found.counts), "provisions": list(found.provisions)}
    problems = [{"rule": key, "unit": unit} for key, unit in found.problems]
    by_rule = {key: list(both) for key, both in found.by_rule.items()}
    state.emit(
        said | {"by_rule": by_rule, "problems": problems, "diff": found.diff}, [*lines, found.diff]
    )


def _complete_references(state: State, by: str) -> None:
    """Add the provisions that augmented questions' gold refers to; print what each became."""
    from services.closure.audit import close_references
    from services.closure.report import check as look

    ws, slug = state.chosen
    who = id_of_person(state, by, "by") if by else None
    names = [each.case.external_id for each in look(ws, slug, kinds=_kinds("augmented")).sets]
    made = close_references(ws, slug, names, who)
    told, lines = [], []
    for name, each in made.items():
        said = {"reasons": list(each.reasons), "leaks": list(each.leaks)}
        told.append({"question": name, "outcome": each.outcome} | said)
        words = [
            say(f"closure.reason.{one['code']}", **one["values"])
            for one in (*each.reasons, *each.leaks)
        ]
        if words:
            lines.append(f"{name}: {each.outcome}: {'; '.join(words)}")
    changed = sum(bool(each.reasons) for each in made.values())
    lines.append(f"{len(made)} augmented questions, {changed} not complete before.")
    state.emit({"questions": told}, lines)


def _decide(
    state: State,
    question: str,
    units: Sequence[str] | None,
    by: str,
    reason: str,
    kind: str,
    verdict: Verdict,
) -> None:
    """Record a decision on the proposed provisions of one question."""
    from annotation.closure.decisions import decide
    from services.closure.report import check as look

    who = id_of_person(state, by, "by") if by else None
    ws, slug = state.chosen
    found = look(ws, slug, question=question, kinds=_kinds(kind)).sets
    if len(found) > 1:
        raise UserError("closure_several", Where(field="--kind"), question=question)
    (one,) = found
    wanted = "dismissed" if verdict == "reopened" else "waiting"
    chosen = units or [each.unit for each in one.proposals if each.state == wanted]
    if not chosen:
        raise UserError("closure_none", Where(field="question"), question=question)
    numbers = decide(ws, slug, verdict, one.case.kind, question, chosen, reason, by=who)
    state.emit({"ids": numbers}, [say(f"closure.done.{verdict}", id=question)])


def _kinds(kind: str) -> tuple[Kind, ...]:
    """Return the kinds of gold sets of an option, by default all."""
    from annotation.closure.gold_sets import KINDS

    if kind:
        require_known("closure_unknown", KINDS, Where(field="--kind"), said=kind)
    return tuple(each for each in KINDS if kind in ("", each))
