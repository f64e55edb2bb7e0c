"""Commands about claims under human review, and the display of their disputes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from commands.shell.groups import ATTRIBUTION
from commands.shell.options import Systems, working_time
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.work.submissions import Submission


@ATTRIBUTION.command("items")
def items(
    state: State,
    sample: Annotated[
        int | None, typer.Option(min=1, help="Add so many more at random; without it, all.")
    ] = None,
    seed: Annotated[int, typer.Option(help="By which they are drawn.")] = 0,
    suggestions: Annotated[
        str | None,
        typer.Option(help="When a model's labels are seen: shown, hidden or after (answering)."),
    ] = None,
    judge: Annotated[
        str | None, typer.Option(help="Whose labels; without it, the newest of each answer.")
    ] = None,
    system: Systems = None,
    each_system: Annotated[
        bool, typer.Option("--each-system", help="Draw so many of each system.")
    ] = False,
) -> None:
    """Make an item to review of every answer that was cut into claims, or of a random sample."""
    from services.attribution.items import make_review_items

    made = make_review_items(
        *state.chosen, sample, seed, suggestions, judge, tuple(system or ()), each_system
    )
    told = asdict(made)
    lines = [
        f"{made.added:,} added: {made.items:,} answers to review; {made.waiting:,} have no item."
    ]
    if made.empty:
        lines.append(f"{made.empty:,} have no claim: there is nothing to review.")
    state.emit(told, lines)


@ATTRIBUTION.command("suggestions")
def suggestions(
    state: State,
    setting: Annotated[
        str | None, typer.Argument(help="shown, hidden or after; without it, what holds.")
    ] = None,
) -> None:
    """Say when those who review see a model's labels; what is complete is left as it is."""
    from annotation.attribution.suggestion_setting import read_setting, set_suggestions

    if setting is None:
        held = read_setting(*state.chosen)
        state.emit({"setting": held}, [held])
        return
    changed = set_suggestions(*state.chosen, setting)
    state.emit(
        {"setting": setting, "items": changed}, [f"{setting}: {changed:,} items are shown anew."]
    )


@ATTRIBUTION.command("corrected")
def corrected(
    state: State,
    system: Annotated[str | None, typer.Option(help="Only answers of this system.")] = None,
    judge: Annotated[str | None, typer.Option(help="Only the labels of this judge.")] = None,
    output: Output = None,
    language: Language = "en",
) -> None:
    """Print claim scores as a model's labels give them, and corrected by what people found."""
    from services.attribution.corrected import corrected as scores
    from services.attribution.corrected_table import corrected_report

    check_output(output)
    found = scores(*state.chosen, system, judge)
    emit_report(state, corrected_report(found, language), output)


_LABELS = {"match": "match", "partial": "partial match", "none": "no gold claim matches"}
_SUPPORT = {
    "yes": "supported by the provisions",
    "partly": "partly supported",
    "no": "not supported",
    "uncited": "cites none",
}
_HOW = (
    "Decide with --set label_1=match (partial, none), --set gold_1=2 and --set supported_1=yes "
    "(partly, no, uncited), the claim's number behind each."
)


def case_output(case: FormDisputeView) -> tuple[dict[str, Any], list[str]]:
    """Return a disputed answer as JSON values and as lines."""
    shown = case.question
    lines = [shown.question, ""]
    lines += [f"gold claim {at}: {text}" for at, text in enumerate(shown.gold, 1)]
    for at, claim in enumerate(shown.claims, 1):
        lines += ["", f"claim {at}: {claim.text}"]
        if not claim.own:
            lines.append("  It names no provision itself; the whole answer cites these.")
        for each in claim.cited:
            lines.append(f"  {each.written}: {each.text or 'no provision of this law'}")
    said = [line for side in case.sides for line in _side_lines(side)]
    return {"case": asdict(case)}, [*lines, "", *said, "", _HOW]


def _side_lines(side: Submission) -> Iterator[str]:
    """Yield a line with the annotator, then a line per claim."""
    from annotation.attribution.form import CRITERIA, SPEC, field_of

    yield f"{side.person} ({working_time(side.seconds)}):"
    for number in sorted({SPEC.place(field)[1] for field in side.answers}):
        label, gold, supported = (side.answers.get(field_of(each, number)) for each in CRITERIA)
        told = [_LABELS.get(str(label), "not compared with the gold claims")]
        told += [] if gold is None else [f"gold claim {gold}"]
        told += [] if supported is None else [_SUPPORT[str(supported)]]
        yield f"  claim {number}: {', '.join(told)}"
    yield from (f"  {text}" for text in (side.flag, side.comment) if text)


def decided(parts: dict[str, Any]) -> dict[str, Any]:
    """Return an adjudicator's decision, with gold claims as numbers."""
    return {
        name: int(value) if name.startswith("gold_") and value.isdecimal() else value
        for name, value in parts.items()
    }
