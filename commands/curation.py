"""Commands about curation: create items, list, admit kept questions, report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import option
from commands.shell.groups import CURATION
from commands.shell.options import number_of, working_time
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from errors import Where, require_known

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.work.submissions import Submission

_STAGES = (
    *("unseen", "held", "through"),
    *("waiting", "disputed", "kept", "edited", "rejected", "admitted"),
)


@CURATION.command("items")
def items(
    state: State,
    unchecked: Annotated[
        bool,
        option("Questions that no layer has looked at too: all layers are off.", "--unchecked"),
    ] = False,
) -> None:
    """Give questions that have come through the cascade to people to curate. Safe to repeat."""
    from services.curation.items import give_to_curation

    done = give_to_curation(*state.chosen, unchecked=unchecked)
    lines = [
        f"{number_of(done.items, 'question')} given to curation; {done.before:,} there before."
    ]
    if done.unchecked:
        lines.append(f"  Of them, {done.unchecked:,} went through no layer of the cascade.")
    if done.renewed:
        lines.append(f"  {done.renewed:,} show the law in use and the newest run from now on.")
    if done.held:
        lines.append(f"Not through the cascade: {done.held:,}.")
    if done.unseen:
        lines.append(
            f"Looked at by no layer: {done.unseen:,}. Run the cascade, or give them with"
            " --unchecked where all layers are off."
        )
    state.emit(asdict(done), lines)


@CURATION.command("list")
def listing(
    state: State,
    stage: Annotated[str, option(f"Only those that have come so far: {', '.join(_STAGES)}.")] = "",
) -> None:
    """List the augmented questions with how far each has come."""
    from services.curation.items import question_lines

    if stage:
        require_known("curation_stage", _STAGES, Where(field="stage"), stage=stage)
    found = [each for each in question_lines(*state.chosen) if stage in ("", each.stage)]
    lines = [
        f"{each.external_id:<12} {each.stage:<10} {each.target or '–':<3}"
        f" {each.type or '–':<24} {' '.join(each.text.split())[:80]}".rstrip()
        for each in found
    ]
    state.emit({"questions": [each.as_dict() for each in found]}, lines or ["No question."])


@CURATION.command("admit")
def admit(
    state: State,
    only: Annotated[
        list[str] | None,
        option("Only the question of this id; may be repeated. Else all.", "--id"),
    ] = None,
) -> None:
    """Make questions of the project of those that people kept or edited, with their gold."""
    from services.curation.items import admit as let_in

    done = let_in(*state.chosen, only=tuple(only or ()))
    named = f": {', '.join(done.admitted)}" if done.admitted else ""
    lines = [
        f"{number_of(len(done.admitted), 'question')} admitted{named}.",
        f"Admitted before: {done.before:,}. Waiting for a decision: {done.waiting:,}."
        f" Rejected: {done.rejected:,}.",
    ]
    state.emit(asdict(done), lines)


@CURATION.command("report")
def report(state: State, output: Output = None, language: Language = "en") -> None:
    """Show what people made of the questions, each share with n and 95 % interval (Wilson)."""
    from services.curation.report import as_report, curation_report

    check_output(output)
    emit_report(state, as_report(curation_report(*state.chosen), language), output)


def case_output(case: FormDisputeView) -> tuple[dict[str, Any], list[str]]:
    """Return a dispute over a curated question as JSON values and as lines, with each side."""
    asked = case.question
    axes = ", ".join(f"{name} {value}" for name, value in _flat_axes(asked.axes))
    lines = [asked.text, "", asked.answer, "", axes, ""]
    for each in asked.provisions:
        lines += [f"{each.unit}{' (added)' if each.added else ''}: {each.head}", each.text, ""]
    lines += [
        f"{each.layer}: {each.outcome} {', '.join(str(r.get('code', '')) for r in each.reasons)}"
        for each in asked.layers or ()
    ]
    return {"case": asdict(case)}, [*lines, *(_side_line(side) for side in case.sides)]


def _flat_axes(axes: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield (axis, value) of the non-empty axes, facets flattened."""
    for name, value in axes.items():
        if isinstance(value, Mapping):
            yield from _flat_axes(value)
        elif value:
            yield name, value


def _side_line(side: Submission) -> str:
    answers = {name: value for name, value in side.answers.items() if name != "revealed"}
    said = (f"{name} {_value_text(value)}" for name, value in answers.items())
    notes = [text for text in (side.flag, side.comment) if text]
    return f"{side.person} ({working_time(side.seconds)}): {'; '.join([*said, *notes])}"


def _value_text(value: Any) -> str:
    """Return an answer as text."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {said}" for name, said in value.items())
    return str(value)


def decided(
    case: FormDisputeView,
    parts: dict[str, Any],
    units: list[str],
    edit: dict[str, Any] | None,
) -> dict[str, Any]:
    """Return an adjudicator's decision; `units`, if given, are the complete gold."""
    answers = dict(parts)
    if units:
        listed = {each.unit for each in case.question.provisions if not each.added}
        gold = dict.fromkeys(listed, "no") | dict.fromkeys(units, "yes")
        answers["gold"] = dict(sorted(gold.items()))
    return answers | ({} if edit is None else {"edit": edit})
