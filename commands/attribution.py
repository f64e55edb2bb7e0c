"""Commands that split answers into claims, label them, and show an answer's claims.

Command that reports claims and citations per system.

Commands about claims under human review, and the display of their disputes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import ATTRIBUTION, with_options
from commands.shell.options import Resamples, Systems, working_time
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State

if TYPE_CHECKING:
    from annotation.forms.disputes import FormDisputeView
    from annotation.work.submissions import Submission
    from services.attribution.claims import AskingDone, AttributionOptions


Temperature = Annotated[float, option("Of the judge: 0 to 2.")]
TopP = Annotated[float, option("Of the judge: above 0 and at most 1.")]
Again = Annotated[
    bool,
    option("Ask once more what was refused, cut off or could not be read.", "--again"),
]
CutAll = Annotated[
    bool,
    option("Answers by provision are cut by the model too, as free ones are.", "--cut-all"),
]
Repeat = Annotated[int, option("Another number asks everything anew.", min=0)]


def _options(
    state: State,
    system: Systems = None,
    temperature: Temperature = 0.6,
    top_p: TopP = 0.95,
    repeat: Repeat = 0,
    again: Again = False,
    cut_all: CutAll = False,
) -> Any:
    """Convert the options of asking the judge."""
    from services.attribution.claims import AttributionOptions

    numbers = temperature, top_p, repeat
    return AttributionOptions(tuple(system or ()), *numbers, again=again, cut_all=cut_all)


@ATTRIBUTION.command("split")
@with_options(_options)
def split(state: State, options: AttributionOptions) -> None:
    """Have the model of the role judge cut answers and official answers into atomic claims.

    Answers by provision list theirs, unless --cut-all has all cut alike. What was cut is not asked
    again. Exit code 3 if it ended early; run it again to go on.
    """
    from services.attribution.claims import plan_splits, split_claims

    plan = plan_splits(*state.chosen, options)
    done = state.run("Cutting", partial(split_claims, state.workspace, plan))
    _print_outcome(state, done, "answers list their claims")


@ATTRIBUTION.command("label")
def label(
    state: State,
    system: Systems = None,
    temperature: Temperature = 0.6,
    top_p: TopP = 0.95,
    repeat: Repeat = 0,
    splitter: Annotated[
        str, option("Label the claims that this model cut; else those of the judge.")
    ] = "",
    again: Again = False,
    cut_all: CutAll = False,
) -> None:
    """Have the model of the role judge label every claim against those of the official answer.

    What was labelled is not asked again. Exit code 3 if it ended early; run it again to go on.
    """
    from services.attribution.labelling import label_claims, plan_labels

    options = _options(state, system, temperature, top_p, repeat, again, cut_all)
    plan = plan_labels(*state.chosen, replace(options, splitter=splitter))
    done = state.run("Labelling", partial(label_claims, state.workspace, plan))
    _print_outcome(state, done, "answers have no claim to label", plan.not_cut, plan.no_claims)


@ATTRIBUTION.command("show")
def show(
    state: State,
    question: Annotated[str, argument("The question's id, as its file has it.")],
    system: Annotated[str, argument("The system that answered.")],
    judge: Annotated[str | None, option("Whose labels; else of who labelled it last.")] = None,
    output: Output = None,
    language: Language = "en",
) -> None:
    """Show the claims of one answer with their labels, and its citations beside the gold."""
    from services.attribution.answer_claims import citations_of_answers, claims_of_answer
    from services.attribution.report_tables import answer_report

    check_output(output)
    found = claims_of_answer(*state.chosen, question, system, judge)
    cited = citations_of_answers(*state.chosen, (system,))
    own = [each for each in cited if each.question == question]
    emit_report(state, answer_report(found, own, language), output)


def _print_outcome(
    state: State, done: AskingDone, without: str, not_cut: int = 0, no_claims: int = 0
) -> None:
    """Print the outcome (`without`: said of answers without a call); exit code 3 if ended early."""
    from llm.batch import End

    told = asdict(done) | {"not_cut": not_cut, "no_claims": no_claims}
    told["unanswered"] = done.unanswered
    came = ", ".join(f"{count:,} {name}" for name, count in done.states.items())
    lines = [f"{done.asked:,} calls: {came or 'nothing'}; {done.already:,} done before."]
    if done.without_call:
        lines.append(f"{done.without_call:,} {without}.")
    if done.unsaid:
        lines.append(
            f"{done.unsaid:,} of those done before were refused, cut off or could not be read: "
            "--again asks them once more."
        )
    if no_claims:
        lines.append(
            f"{no_claims:,} answers have no claims, as cutting them or their official answer was "
            "refused, cut off or could not be read: attribution split --again."
        )
    if not_cut:
        lines.append(f"{not_cut:,} answers are not cut into claims yet: attribution split.")
    if done.end is not End.DONE:
        lines.append(f"Ended early: {done.end.value}. {done.reason}".strip())
    state.emit(told, lines, failed=done.end is not End.DONE)


@ATTRIBUTION.command("report")
def report(
    state: State,
    judge: Annotated[
        str | None, option("Whose labels of claims; else those of who gave most.")
    ] = None,
    output: Output = None,
    language: Language = "en",
    resamples: Resamples = 1000,
    split: Annotated[
        list[str] | None,
        option("Column of the questions whose values have figures of their own; may be repeated."),
    ] = None,
    all_pairs: Annotated[
        bool,
        option("Compare every two systems, not only those that differ.", "--all-pairs"),
    ] = False,
) -> None:
    """Print precision, recall and F1 of claims and citations, and what was cited wrongly."""
    from evaluation.ranking.compare import CROSSED
    from services.attribution.report import report as made
    from services.attribution.report_tables import as_report

    check_output(output)
    found = made(*state.chosen, judge, resamples, split=CROSSED.join(split or ()))
    emit_report(state, as_report(found, language, all_pairs), output)


@ATTRIBUTION.command("items")
def items(
    state: State,
    sample: Annotated[
        int | None, option("Add so many more at random; without it, all.", min=1)
    ] = None,
    seed: Annotated[int, option("By which they are drawn.")] = 0,
    suggestions: Annotated[
        str | None,
        option("When a model's labels are seen: shown, hidden or after (answering)."),
    ] = None,
    judge: Annotated[
        str | None, option("Whose labels; without it, the newest of each answer.")
    ] = None,
    system: Systems = None,
    each_system: Annotated[bool, option("Draw so many of each system.", "--each-system")] = False,
) -> None:
    """Make an item to review of every answer that was cut into claims, or of a random sample."""
    from services.attribution.items import make_review_items

    made = make_review_items(
        *state.chosen, sample, seed, suggestions, judge, tuple(system or ()), each_system
    )
    lines = [
        f"{made.added:,} added: {made.items:,} answers to review; {made.waiting:,} have no item."
    ]
    if made.empty:
        lines.append(f"{made.empty:,} have no claim: there is nothing to review.")
    state.emit(asdict(made), lines)


@ATTRIBUTION.command("suggestions")
def suggestions(
    state: State,
    setting: Annotated[
        str | None, argument("shown, hidden or after; without it, what holds.")
    ] = None,
) -> None:
    """Set when those who review see a model's labels, or say what holds; complete items stay."""
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
    system: Annotated[str | None, option("Only answers of this system.")] = None,
    judge: Annotated[str | None, option("Only the labels of this judge.")] = None,
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
    """Return a dispute over an answer's claims as JSON values and as lines, with each side."""
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
