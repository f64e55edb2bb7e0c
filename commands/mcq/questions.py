"""Commands about multiple-choice questions: generate, import, solve, report, export."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from commands.shell.arguments import argument, option
from commands.shell.groups import MCQ
from commands.shell.options import ended_early, outcome_counts
from commands.shell.reports import Language, Output, check_output, emit_report
from commands.shell.state import State
from errors import UserError, Where, require_known

if TYPE_CHECKING:
    from construction.mcq.model import PairFilter
    from corpus.model import Tier
    from evaluation.mcq.safety import ModelPair

EDGE_NAMES = ("delegates_to", "references", "applies")
SETTING_NAMES = ("zero", "a", "b", "ab")
OUTCOME_NAMES = ("answered", "abstained_option", "abstained_words", "refused", "unreadable")
"""The names of `LEADING` edges, of `Setting` and of `Outcome`: --help need not load them."""
_Filters = Annotated[
    str, option("Which filters drafts pass: standard, or paper (parsing and wording).")
]
_Without = Annotated[
    list[str] | None,
    option("A filter to switch off: format, meta, citing, …; may be repeated."),
]

_Checked = Annotated[bool, option("Only questions that people kept or put right.", "--checked")]


_Before = Annotated[
    list[str] | None,
    option("A model before something was done to it; with --after. May be repeated."),
]
_After = Annotated[list[str] | None, option("The same model after it; as often as --before.")]
_Named = Annotated[
    list[str] | None,
    option("What the pair of --before and --after is called; as often as those."),
]


@MCQ.command("generate")
def generate(
    state: State,
    number: Annotated[int, option("How many pairs of provisions.", min=1)] = 100,
    seed: Annotated[int, option("Draws the pairs and the order of options.")] = 0,
    edge: Annotated[
        list[str] | None,
        option(f"How A leads to B: {', '.join(EDGE_NAMES)}; may be repeated."),
    ] = None,
    tiers: Annotated[
        list[str] | None,
        option("Authority tiers of A and B, such as 1:2; may be repeated."),
    ] = None,
    statute: Annotated[
        list[str] | None, option("Only pairs whose A is of this statute (its id).")
    ] = None,
    per_a: Annotated[int | None, option("At most so many pairs that share their A.", min=1)] = None,
    filters: _Filters = "standard",
    without: _Without = None,
    count: Annotated[bool, option("Only say how many pairs there are.", "--count")] = False,
) -> None:
    """Have a model write questions on linked provisions; keep those that pass the filters.

    What was stopped or killed is taken up by running it again: nothing is asked twice.
    """
    from construction.mcq.filters import FilterChoice
    from services.mcq.generation import GenerationOptions, count_pairs, plan
    from services.mcq.generation import generate as write

    wanted = _pair_filter(edge, tiers, statute)
    if count:
        pairs = count_pairs(*state.chosen, wanted)
        state.emit({"pairs": pairs}, [f"{pairs:,} pairs of provisions."])
        return
    choice = FilterChoice(filters, tuple(without or ()))
    wish = GenerationOptions(wanted, number, seed, per_a, choice)
    ready = plan(*state.chosen, wish)
    done = state.run("Writing questions", partial(write, state.workspace, ready))
    asked = f"Asked about {done.drawn:,} of {done.linked:,} pairs"
    lines = [f"{asked}; {done.already:,} had been asked about before."]
    lines += [*outcome_counts(done.outcomes, done.unanswered), *ended_early(done)]
    state.emit(asdict(done), lines, failed=done.end != "done")


@MCQ.command("import")
def bring_in(
    state: State,
    file: Annotated[Path, argument("JSONL file of questions, see docs/mcq.md.")],
    seed: Annotated[int, option("Draws the order of options of drafts.")] = 0,
    filters: _Filters = "standard",
    without: _Without = None,
) -> None:
    """Import questions written elsewhere; they pass the same filters."""
    from construction.mcq.filters import FilterChoice
    from services.mcq.importing import import_mcqs

    choice = FilterChoice(filters, tuple(without or ()))
    done = import_mcqs(*state.chosen, file, seed, filters=choice)
    lines = [f"Read {done.read:,} questions; {done.already:,} were there before."]
    state.emit(asdict(done), [*lines, *outcome_counts(done.outcomes)])


@MCQ.command("votes")
def bring_votes(
    state: State,
    file: Annotated[Path, argument("JSONL file of votes, see docs/mcq.md.")],
) -> None:
    """Import what models answered elsewhere; it is counted apart from what we asked."""
    from services.mcq.importing import import_votes

    done = import_votes(*state.chosen, file)
    lines = [f"Read {done.read:,} votes; {done.already:,} were there before."]
    state.emit(asdict(done), [*lines, *outcome_counts(done.states)])


@MCQ.command("solve")
def solve(
    state: State,
    model: Annotated[
        list[str] | None,
        option("A model of the server that solves; may be repeated. Else the role's."),
    ] = None,
    setting: Annotated[
        list[str] | None,
        option(f"What is given: {', '.join(SETTING_NAMES)}; may be repeated. Else all."),
    ] = None,
    repeats: Annotated[int, option("How often each is asked.", min=1)] = 1,
) -> None:
    """Have models answer the questions with nothing, with A, with B and with both.

    What was stopped or killed is taken up by running it again: nothing is asked twice.
    """
    from evaluation.mcq.votes import Setting
    from services.mcq.solving import SolvingOptions, plan_solving
    from services.mcq.solving import solve as ask_models

    for name in setting or ():
        if name not in SETTING_NAMES:
            raise UserError("mcq_settings", Where(field="setting"))
    settings = tuple(Setting(name) for name in setting or SETTING_NAMES)
    ask = SolvingOptions(tuple(model or ()), tuple(dict.fromkeys(settings)), repeats)
    ready = plan_solving(*state.chosen, ask)
    done = state.run("Solving", partial(ask_models, state.workspace, ready))
    lines = [
        f"{done.questions:,} questions, {done.calls:,} calls; {done.recalled:,} were known before."
    ]
    lines += [*outcome_counts(done.states, done.failed), *ended_early(done)]
    state.emit(asdict(done), lines, failed=done.end != "done")


@MCQ.command("report")
def report(
    state: State,
    checked: _Checked = False,
    before: _Before = None,
    after: _After = None,
    named: _Named = None,
    reading: Annotated[
        str,
        option(
            "How replies are read: text, or likelihood (the option with the highest "
            "log-probability, where those were kept)."
        ),
    ] = "text",
    output: Output = None,
    language: Language = "en",
) -> None:
    """Show the outcomes of the drafts, and how safely models answer, each figure with n and CI.

    Each share stands twice: of all replies, and of those whose outcome could be read.
    """
    from services.mcq.report import mcq_report
    from services.mcq.report_tables import as_report

    check_output(output)
    pairs = _pairs(before, after, named)
    scope = "checked" if checked else "all"
    found = mcq_report(*state.chosen, scope=scope, pairs=pairs, reading=reading)
    emit_report(state, as_report(found, language), output)


@MCQ.command("retrieve")
def retrieve(
    state: State,
    file: Annotated[Path, argument("Experiment file (YAML): methods and measures.")],
    checked: _Checked = False,
    output: Output = None,
    language: Language = "en",
) -> None:
    """Search for the two provisions of each question with the methods of an experiment's file.

    The options are no part of the query, and nothing is stored.
    """
    from corpus.files.rows import printable, read_text
    from services.mcq.retrieval import mcq_retrieval, retrieval_report

    check_output(output)
    name, scope = printable(file.name), "checked" if checked else "all"
    with state.progress("Searching") as progress:
        text = read_text(file, name)
        found = mcq_retrieval(*state.chosen, text, name, scope, progress=progress)
    emit_report(state, retrieval_report(found, language), output)


def _pairs(
    before: list[str] | None, after: list[str] | None, named: list[str] | None
) -> list[ModelPair]:
    """Return the pairs of models in the options. Raises UserError if their numbers differ."""
    from evaluation.mcq.safety import ModelPair

    first, second = before or [], after or []
    names = named or [""] * len(first)
    if not len(first) == len(second) == len(names):
        raise UserError("mcq_pairs", Where(field="before, after, named"))
    return [ModelPair(*each) for each in zip(first, second, names, strict=True)]


@MCQ.command("replies")
def replies(
    state: State,
    model: Annotated[str | None, option("Only what this model replied.")] = None,
    setting: Annotated[
        str | None, option(f"Only with this given: {', '.join(SETTING_NAMES)}.")
    ] = None,
    outcome: Annotated[
        str | None, option(f"Only what came to this: {', '.join(OUTCOME_NAMES)}.")
    ] = None,
    checked: _Checked = False,
) -> None:
    """List the replies that the report counts: the outcome of each, and the text that says so."""
    from evaluation.mcq.votes import Setting
    from evaluation.replies.outcomes import Outcome
    from services.mcq.replies import Which, mcq_replies

    if setting is not None and setting not in SETTING_NAMES:
        raise UserError("mcq_settings", Where(field="setting"))
    if outcome is not None:
        require_known("mcq_outcome", OUTCOME_NAMES, Where(field="outcome"), outcome=outcome)
    which = Which(
        model,
        None if setting is None else Setting(setting),
        None if outcome is None else Outcome(outcome),
    )
    scope = "checked" if checked else "all"
    found = mcq_replies(*state.chosen, scope=scope, which=which)
    lines = [
        f"{each.question}  {each.setting}  {each.model}  {each.repeat + 1}  {each.outcome}"
        f"{'' if each.option is None else f' {each.option}'}  {each.rule}  "
        f"{' '.join(each.quote.split())}".rstrip()
        for each in found
    ]
    state.emit({"replies": [asdict(each) for each in found]}, [*lines, f"{len(found):,} replies."])


@MCQ.command("export")
def export(
    state: State,
    folder: Annotated[Path, argument("Folder to write into; made when absent.")],
    unchecked: Annotated[
        bool, option("With questions that people have not checked yet.", "--unchecked")
    ] = False,
    before: _Before = None,
    after: _After = None,
    named: _Named = None,
) -> None:
    """Export the questions, what people made of each, every vote, and the figures."""
    from services.law.watch import unconfirmed_lines
    from services.mcq.export import export_mcqs

    scope = "all" if unchecked else "checked"
    pairs = _pairs(before, after, named)
    done = export_mcqs(*state.chosen, folder, scope, pairs=pairs)
    line = f"Wrote {done.questions:,} of {done.all:,} questions and {done.votes:,} votes"
    state.emit(asdict(done), [f"{line} to {done.folder}.", *unconfirmed_lines(done.law)])


def _pair_filter(
    edges: list[str] | None, tiers: list[str] | None, statutes: list[str] | None
) -> PairFilter:
    """Return the criteria of pairs in the options; without edge types, the first of EDGE_NAMES."""
    from construction.mcq.model import PairFilter
    from corpus.graph.model import EdgeType

    for name in edges or ():
        require_known("edge_type_unknown", EDGE_NAMES, type=name)
    kinds = frozenset(EdgeType(name) for name in edges or EDGE_NAMES[:1])
    return PairFilter(kinds, tuple(_tiers(tier) for tier in tiers or ()), tuple(statutes or ()))


def _tiers(text: str) -> tuple[Tier, Tier]:
    """Parse two tiers: ``1:3``. Raises UserError for anything else."""
    from corpus.model import Tier

    first, colon, second = text.partition(":")
    known = {str(int(tier)) for tier in Tier}
    if not colon or not {first, second} <= known:
        raise UserError("mcq_tiers", Where(field="tiers"), tiers=text)
    return Tier(int(first)), Tier(int(second))
