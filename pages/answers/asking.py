"""Form that asks models: which model, contexts and questions, with an estimate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from annotation.work.submissions import beginning
from construction.answers import CHARACTERS, MOST, ContextSpec, Format, K, Kind
from llm.roles import Role
from messages import say_counts
from pages.shell.context import Context
from pages.shell.fields import Fields
from pages.shell.gold_choice import draw_gold_choice
from pages.shell.guard import fragment, md_literal
from pages.shell.task_progress import begin, draw_end, draw_task, start_button
from pages.shell.widgets import draw_table
from services.answers.asking import AnswersDone, start_answers
from services.answers.estimate import AnswerEstimate, estimated
from services.answers.material import NamedRun, contexts_with
from services.answers.planning import AnswerOptions
from services.answers.views import askable, stored_runs
from services.background.tasks import TaskKind
from services.models.workspace_models import roles

_LONGEST = 100_000  # characters of a passage
_SEED = 2**31 - 1


def draw_under_way(context: Context) -> None:
    """Draw the progress of the running task, or its outcome."""
    draw_task(context, TaskKind.ANSWER, "answers.running", partial(_draw_outcome, context))


def draw_asking(context: Context) -> None:
    """Draw the form, its estimate and the button that asks; only a note if no model is set."""
    models: dict[Role, str] = {
        each.role: each.endpoint.model
        for each in roles(context.workspace)
        if each.endpoint is not None and each.role is not Role.EMBED
    }
    if not models:
        st.info(context.say("answers.ask.no_model"), icon=":material/power_off:")
        return
    _form(context, models)


@fragment
def _form(context: Context, models: Mapping[Role, str]) -> None:
    """Draw the form that plans and starts the asking of models."""
    options, key = _options(context, models), f"answers-planned-{context.project}"
    planned = st.session_state.get(key)
    if _fields(context).press("plan", icon=":material/calculate:"):
        planned = options, estimated(*context.here, options, context.by)
        st.session_state[key] = planned
    if planned is None or planned[0] != options:
        st.caption(context.say("answers.ask.plan_first"))
        return
    _draw_estimate(context, planned[1])
    calls = sum(each.calls for each in planned[1].systems)
    asked = start_button(
        context,
        TaskKind.ANSWER,
        context.say("answers.ask.start", count=f"{calls:,}"),
        disabled=not calls,
        type="primary",
        icon=":material/forum:",
        key="answers-start",
    )
    if asked:
        del st.session_state[key]
        begin(context, start_answers, options)


def _fields(context: Context) -> Fields:
    """Return the fields of the form, whose input is kept to continue a run later."""
    return Fields(context, "answers.ask", "answers", f"answers-ask-{context.project}")


def _options(context: Context, models: Mapping[Role, str]) -> AnswerOptions:
    """Draw the choice of models, contexts and formats; return it."""
    say, fields = context.say, _fields(context)
    whom, other = fields.row([3, 2])
    first = Role.SOLVE if Role.SOLVE in models else next(iter(models))

    def model_words(role: Role) -> str:
        """Return a model with its role."""
        return f"{models[role]} ({say(f'llm.role.{role}')})"

    chosen = whom.several("models", models, model_words, [first], key="roles")
    names = other.text("other_models", key="models", max_chars=500)
    contexts = _contexts(context)
    needs = any(each.kind.needs_gold for each in contexts)
    gold = draw_gold_choice(context) if needs else ""
    forms = fields.several("formats", Format, "answers.format", [Format.FREE])
    anchor = Format.PER_PROVISION not in forms or fields.tick("anchor", True)
    questions, number, seed = _questions(context)
    name = fields.text("name", max_chars=200)
    return AnswerOptions(
        roles=tuple(chosen),
        contexts=tuple(contexts),
        formats=tuple(forms),
        models=tuple(each.strip() for each in names.split(",") if each.strip()),
        questions=tuple(questions),
        number=number or None,
        sample_seed=seed,
        system=name.strip(),
        anchor=anchor,
        gold=gold,
    )


def _contexts(context: Context) -> list[ContextSpec]:
    """Draw the choice of contexts; return them, one per stored run."""
    say, fields = context.say, _fields(context)
    kinds = fields.several("contexts", Kind, "answers.kind", [Kind.NONE], key="kinds")
    stored: list[NamedRun] = []
    if Kind.RUN in kinds:
        known = {each.id: each for each in stored_runs(*context.here, context.by)}
        hint = say("answers.ask.runs_none" if not known else "answers.ask.runs_pick")
        numbers = fields.several("runs", known, lambda each: known[each].name, placeholder=hint)
        stored = [known[number] for number in numbers]
    if not any(kind is not Kind.NONE for kind in kinds):
        return [ContextSpec(kind) for kind in kinds]
    return contexts_with(_parameters(context, kinds), kinds, stored)


def _parameters(context: Context, kinds: Sequence[Kind]) -> ContextSpec:
    """Draw the number of passages, seed, cut and mode, which all contexts share."""
    first, second, third, fourth = _fields(context).row(4, vertical_alignment="bottom")
    return ContextSpec(
        Kind.NONE,
        first.number("k", 1, MOST, K),
        second.number("seed", 0, _SEED, 0),
        third.number("characters", 1, _LONGEST, CHARACTERS),
        single=fourth.tick("single", disabled=not any(kind.provisions for kind in kinds)),
    )


def _questions(context: Context) -> tuple[list[str], int, int]:
    """Draw the choice of questions; return their ids (none for all), the number, the seed."""
    texts = dict(askable(*context.here, context.by))
    which, number, seed = _fields(context).row([4, 1, 1])
    chosen = which.several(
        "questions",
        texts,
        lambda each: f"{each} · {beginning(texts[each], 80)}",
        placeholder=context.say("answers.ask.all", count=f"{len(texts):,}"),
    )
    many = number.number("number", 0, max(1, len(texts)), 0)
    return chosen, many, seed.number("sample_seed", 0, _SEED, 0)


def _draw_estimate(context: Context, estimate: AnswerEstimate) -> None:
    """Draw each system's number of calls, and its maximum token use beside the budget."""
    say, said = context.say, partial(say_counts, language=context.language)
    columns: dict[str, list[object]] = {
        "system": [each.system for each in estimate.systems],
        "questions": [each.questions for each in estimate.systems],
        "calls": [each.calls for each in estimate.systems],
        "known": [each.known for each in estimate.systems],
        "already": [said("answers.state", each.already) for each in estimate.systems],
        "left_out": [said("answers.left_out", each.left_out) for each in estimate.systems],
    }
    draw_table(context, "answers.plan.column", columns, "answers-estimate", wide="system")
    lines = [say(f"answers.plan.{key}", **values) for key, values in estimate.words()]
    st.markdown(md_literal("\n\n".join(lines)))
    if estimate.over:
        kinds = ", ".join(say(f"answers.plan.kind.{each}") for each in estimate.over)
        st.warning(say("answers.plan.over", kinds=kinds), icon=":material/savings:")


def _draw_outcome(context: Context, done: AnswersDone) -> None:
    """Draw the outcome of a run."""
    draw_end(context, done.in_words(context.language), done.end, done.reason)
    if untold := done.states.get("no_logprobs"):
        words = context.say("answers.no_logprobs", count=f"{untold:,}")
        st.warning(words, icon=":material/visibility_off:")
