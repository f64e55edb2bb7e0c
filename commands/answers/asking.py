"""Commands about LLM-written answers: plan, ask, list, read, export.

LLM answer runs of several commands: progress, outcome, exit code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from commands.shell.arguments import argument, option
from commands.shell.groups import ANSWERS, with_options
from commands.shell.options import Gold, ended_early
from commands.shell.state import State
from errors import UserError, Where, require_known
from messages import say, say_counts

if TYPE_CHECKING:
    from services.answers.asking import AnswersDone
    from services.answers.estimate import AnswerEstimate
    from services.answers.material import NamedRun
    from services.answers.planning import AnswerOptions
    from services.answers.views import AnswerDetail, SystemLine


def ask_and_tell(state: State, options: AnswerOptions) -> None:
    """Ask for the chosen answers and print the outcome; exit with code 3 if it ended early."""
    from llm.batch import End
    from services.answers.asking import ask_answers
    from services.answers.planning import plan_answers

    ready = plan_answers(*state.chosen, options)
    done = state.run("Answering", partial(ask_answers, state.workspace, ready))
    state.emit(asdict(done), list(_outcome_lines(done)), failed=done.end is not End.DONE)


def _outcome_lines(done: AnswersDone) -> Iterator[str]:
    yield done.in_words()
    if untold := done.states.get("no_logprobs"):
        yield say("answers.no_logprobs", count=f"{untold:,}")
    yield from ended_early(done)


_CONTEXTS = ("none", "run", "rollout", "pseudo", "gold", "oracle", "pure_oracle")
_FORMATS = ("free", "per_provision", "choice_generated", "choice_likelihood")
_SHOWN = 70  # characters of a text in a list


def _options(
    state: State,
    contexts: Annotated[
        list[str] | None,
        option(
            f"What stands before the model, of {', '.join(_CONTEXTS)}; may be repeated. Of "
            "run, give --run too. Else none.",
            "--context",
        ),
    ] = None,
    form: Annotated[
        list[str] | None,
        option(
            f"How it answers, of {', '.join(_FORMATS)}; may be repeated. Else free.", "--format"
        ),
    ] = None,
    role: Annotated[
        list[str] | None,
        option("Whose model answers; may be repeated. Else that of solve.", "--role"),
    ] = None,
    model: Annotated[
        list[str] | None,
        option("Another model on the role's server; may be repeated.", "--model"),
    ] = None,
    run: Annotated[
        list[str] | None,
        option("A stored run, by its name or number; may be repeated.", "--run"),
    ] = None,
    question: Annotated[
        list[str] | None,
        option("Ask only this question, by its id; may be repeated.", "--question"),
    ] = None,
    sample: Annotated[
        int | None, option("Ask so many questions, drawn by --sample-seed.", "--sample")
    ] = None,
    sample_seed: Annotated[int, option("Draws the sample of questions.")] = 0,
    k: Annotated[int, option("Provisions in a context of a run or an oracle.", "--k")] = 10,
    seed: Annotated[int, option("Draws an oracle's distractors and its order.")] = 0,
    characters: Annotated[int, option("Where a passage is cut.")] = 3_000,
    single: Annotated[
        bool, option("Show each of the first k passages alone, one a call.", "--single")
    ] = False,
    anchor: Annotated[
        bool,
        option(
            "Ask for answers by provision with the question's topic anchor, or without it.",
            "--anchor/--no-anchor",
        ),
    ] = True,
    gold: Gold = "",
    system: Annotated[
        str, option("What the answers are called; else model, context and format.")
    ] = "",
) -> Any:
    """Convert the shared options of asking."""
    from construction.answers import Format
    from llm.roles import Role
    from services.answers.planning import AnswerOptions

    known = [each.value for each in Role]
    return AnswerOptions(
        roles=tuple(Role(_known_name(each, known, "--role")) for each in role or ["solve"]),
        contexts=tuple(_contexts(state, contexts, run, k, seed, characters, single)),
        formats=tuple(Format(_known_name(each, _FORMATS, "--format")) for each in form or ["free"]),
        models=tuple(model or ()),
        questions=tuple(question or ()),
        number=sample,
        sample_seed=sample_seed,
        system=system,
        anchor=anchor,
        gold=gold,
    )


@ANSWERS.command("plan")
@with_options(_options)
def plan(state: State, options: AnswerOptions) -> None:
    """Say what would be asked: calls, the most tokens and money they can use, and the budget."""
    from services.answers.estimate import estimated

    found = estimated(*state.chosen, options)
    state.emit(asdict(found), list(_estimate_lines(found)))


@ANSWERS.command("run")
@with_options(_options)
def ask(state: State, options: AnswerOptions) -> None:
    """Ask the questions; keep what comes of each. Exit code 3 if it ended early.

    What was stopped or killed is taken up by running it again: nothing is asked twice, but what
    failed is.
    """
    ask_and_tell(state, options)


@ANSWERS.command("list")
def listing(
    state: State,
    system: Annotated[str, argument("List the answers of this system; else the systems.")] = "",
    only: Annotated[str, option("Only answers in this state, such as refused.", "--state")] = "",
) -> None:
    """List the systems with how many answers are in each state, or the answers of one."""
    from services.answers.views import answers_of, reason_in_words, systems

    if not system:
        found = systems(*state.chosen)
        rows = [_system_row(each) for each in found]
        lines = [line for each in found for line in _system_lines(each)]
        state.emit({"systems": rows}, lines or [say("answers.list.none")])
        return
    answers = answers_of(*state.chosen, system, only)
    lines = [
        f"{each.external_id}{f' #{each.passage}' if each.passage else ''}  "
        f"{', '.join((each.state, *each.problems))}  "
        f"{_short(each.choice or each.answer or reason_in_words(each.reason))}"
        for each in answers
    ]
    state.emit({"answers": [asdict(each) for each in answers]}, lines)


@ANSWERS.command("show")
def show(
    state: State,
    system: Annotated[str, argument("The system, as list prints it.")],
    question: Annotated[str, argument("The question's id.")],
    passage: Annotated[int, option("Of passages shown one by one: which.", min=0)] = 0,
) -> None:
    """Show one answer with its context, its prompt's version, cost and latency."""
    from services.answers.views import read_answer

    found = read_answer(*state.chosen, system, question, passage)
    state.emit(_detail(found), list(_detail_lines(found)))


@ANSWERS.command("export")
def export(
    state: State,
    folder: Annotated[Path, argument("Folder to write the files into.")],
) -> None:
    """Write systems and answers as JSONL, every answer whatever its state."""
    from services.answers.views import export_answers

    done = export_answers(*state.chosen, folder)
    lines = [f"{folder / name}: {count:,} lines" for name, count in done.items()]
    state.emit({"folder": str(folder), "files": done}, lines)


def _contexts(
    state: State,
    names: Sequence[str] | None,
    stored: Sequence[str] | None,
    k: int,
    seed: int,
    characters: int,
    single: bool,
) -> list[Any]:
    """Return the named contexts, that of stored runs once for each named run."""
    from construction.answers import ContextSpec, Kind
    from services.answers.material import contexts_with, run_called
    from services.answers.views import stored_runs

    asked = list(names or ([] if stored else ["none"]))
    if stored and "run" not in asked:
        asked.append("run")  # naming a run implies its context
    kinds = [Kind(_known_name(each, _CONTEXTS, "--context")) for each in asked]
    if single and not any(kind.provisions for kind in kinds):
        raise UserError("answers_single", Where(field="--single"))
    runs: list[NamedRun] = []
    if Kind.RUN in kinds:
        known = stored_runs(*state.chosen)
        runs = [run_called(known, name) for name in stored or [""]]
    usual = ContextSpec(Kind.NONE, k, seed, characters, single=single)
    return contexts_with(usual, kinds, runs)


def _known_name(name: str, known: Sequence[str], field: str) -> str:
    """Return `name` if it is one of `known`, else raise UserError with these."""
    require_known("answers_word", known, Where(field=field), word=name)
    return name


def _estimate_lines(estimate: AnswerEstimate) -> Iterator[str]:
    """Yield the estimated calls, tokens and cost as text, and the limits that they exceed."""
    for each in estimate.systems:
        yield each.system
        counts = {name: f"{getattr(each, name):,}" for name in ("questions", "calls", "known")}
        there = say_counts("answers.state", each.already) or "–"
        left = say_counts("answers.left_out", each.left_out) or "–"
        yield f"  {say('answers.plan.system', **counts, already=there, left_out=left)}"
    for key, values in estimate.words():
        yield say(f"answers.plan.{key}", **values)
    if estimate.over:
        yield say(
            "answers.plan.over",
            kinds=", ".join(say(f"answers.plan.kind.{each}") for each in estimate.over),
        )


def _system_row(each: SystemLine) -> dict[str, Any]:
    """Return a system with its counts as JSON values."""
    setting = ("system", "format", "model", "role", "prompt_version")
    figures = ("questions", "answers", "not_asked", "cost", "seconds", "tokens_in", "tokens_out")
    return {
        **{name: getattr(each.run, name) for name in setting},
        **{name: getattr(each, name) for name in figures},
        "context": dict(each.run.context),
        "states": dict(each.states),
        "problems": dict(each.problems),
    }


def _system_lines(each: SystemLine) -> Iterator[str]:
    """Yield a system's counts of answers by state as text."""
    yield f"{each.run.system}: {say_counts('answers.state', each.states) or '–'}"
    if each.not_asked:
        whole = each.questions + each.not_asked
        yield f"  {say('answers.list.not_asked', count=f'{each.not_asked:,}', of=f'{whole:,}')}"
    if untold := each.states.get("no_logprobs"):
        yield f"  {say('answers.no_logprobs', count=f'{untold:,}')}"
    if each.problems:
        yield f"  {say_counts('answers.problem', each.problems)}"
    cost = "–" if each.cost is None else f"{each.cost:,.4f}"
    seconds = "–" if each.seconds is None else f"{each.seconds:,.2f}"
    yield f"  {say('answers.list.cost', cost=cost, seconds=seconds)}"


def _detail(detail: AnswerDetail) -> dict[str, Any]:
    """Return an answer as JSON values."""
    answer = detail.answer
    own = ("state", "answer", "raw", "choice", "logprobs", "claims", "prompt_version")
    call = ("parameters", "cost", "seconds")
    return {
        **{name: getattr(detail.run, name) for name in ("system", "format", "model")},
        "context": dict(detail.run.context),
        **{name: getattr(detail, name) for name in ("question", "reference", "anchor")},
        **{name: getattr(answer, name) for name in (*own, *call)},
        "problems": list(detail.problems),
        "json_asked_by": answer.form or None,
        "shown": [asdict(each) for each in detail.shown],
        "gold_not_shown": list(detail.gold_missing),
        "at": answer.at.isoformat(),
    }


def _detail_lines(detail: AnswerDetail) -> Iterator[str]:
    """Yield an answer with its question, state and passages as text."""
    from services.answers.views import reason_in_words, reason_of

    answer = detail.answer
    states = [say(f"answers.state.{answer.state}")]
    states += [say(f"answers.problem.{name}") for name in detail.problems]
    yield f"{detail.run.system} · {answer.external_id}: {', '.join(states)}"
    yield detail.question
    yield ""
    yield reason_in_words(reason_of(answer)) or answer.answer or answer.raw or "–"
    if answer.choice is not None:
        yield say("answers.one.choice", choice=answer.choice)
    yield ""
    if detail.anchor:
        yield say("answers.one.anchor", anchor=detail.anchor)
    for each in detail.shown:
        gold = f" · {say('answers.origin.gold')}" if each.gold and each.origin != "gold" else ""
        yield f"[{each.unit or '–'}] {each.label} ({say(f'answers.origin.{each.origin}')}{gold})"
        missing = "text_gone" if each.text is None else "no_text"
        yield f"  {_short(each.text or say(f'answers.one.{missing}'))}"
        yield from (f"  · {claim}" for claim in each.claims)
    cost = "–" if answer.cost is None else f"{answer.cost:,.6f}"
    seconds = "–" if answer.seconds is None else f"{answer.seconds:,.2f}"
    yield say(
        "answers.one.call",
        prompt=answer.prompt_version,
        cost=cost,
        seconds=seconds,
        parameters=detail.parameters,
    )


def _short(text: str) -> str:
    """Return the beginning of a text on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]}…"
