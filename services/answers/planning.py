"""Planning of model questions: the chosen systems, their contexts and remaining calls."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from sqlmodel import Session

from annotation.people.roles import Act, reading_as
from construction.answers import (
    LABELS,
    MOST,
    ContextSpec,
    Format,
    Kind,
    Shown,
    claims_schema,
    options_of,
    prompt_before,
    prompt_of,
    read_spec,
    values_of,
)
from errors import UserError, Where
from llm.request import Request
from llm.roles import Endpoint, Role
from llm.structured.answers import formed
from llm.structured.shapes import SHAPES
from retrieval.rewriting.llm_method import language_of
from retrieval.text.passages import readable
from services.answers.material import (
    AskedQuestion,
    Material,
    NamedRun,
    asked_questions,
    named_runs,
    no_such_run,
    unfit,
)
from services.models.prompts import Prompts
from services.models.workspace_models import load_settings, require_files
from storage.answers import AnswerRunView, runs, standing_states
from storage.db.workspace import Workspace
from storage.judging import cases
from storage.law.corpus import id_in_use, snapshot_year

NAME_CHARACTERS = 200  # of a system's name
_LETTER_TOKENS = 16  # enough where only the letter's likelihood matters
_ALTERNATIVES = 20  # log-probabilities requested per token: servers give no more
FAILED = "failed"  # answers in this state are asked again


@dataclass(frozen=True, slots=True)
class AnswerOptions:
    """What to ask whom: each role's model, under each context, in each format.

    `models` replace the role's model on its server, where only one role is chosen. `questions` are
    external ids, none for all; `number` of them are drawn by `sample_seed`. `gold` names the gold
    set of contexts that show gold, "" for the widest. `system` names the answers where they are of
    one system. With `anchor`, answers by provision are asked with the question's topic anchor.
    """

    roles: tuple[Role, ...] = (Role.SOLVE,)
    contexts: tuple[ContextSpec, ...] = (ContextSpec(Kind.NONE),)
    formats: tuple[Format, ...] = (Format.FREE,)
    models: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    number: int | None = None
    sample_seed: int = 0
    system: str = ""
    anchor: bool = True
    gold: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    """One model call: a question, its passages, and the position of a single passage (0: all).

    `shown` is None until the pseudo-passage is written. `anchor` is the question's topic anchor.
    """

    question: AskedQuestion
    passage: int
    shown: tuple[Shown, ...] | None
    anchor: str = ""


@dataclass(frozen=True)
class SystemPlan:
    """A system (model, context, format) and its remaining calls.

    `before` is the model that writes pseudo-passages or anchors, `year` that of the law. `run` is
    its stored row, if any. `left_out` counts questions by why they cannot be asked, `already`
    existing answers by state.
    """

    system: str
    endpoint: Endpoint
    before: Endpoint
    year: str
    context: ContextSpec
    form: Format
    snapshot_id: int | None
    prompt_version: str
    run: AnswerRunView | None
    questions: int
    calls: tuple[Call, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    already: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class AnswerPlan:
    """Everything needed to ask models."""

    project_id: int
    slug: str
    person_id: int | None
    systems: tuple[SystemPlan, ...]
    prompts: Prompts


def plan_answers(
    ws: Workspace, project_slug: str, options: AnswerOptions, by: int | None = None
) -> AnswerPlan:
    """Plan the calls that remain: unanswered questions and failed calls.

    Raises UserError for `by` without permission, a role without a model, a missing local model, an
    invalid choice, an unknown gold set, a name taken by another setting, and where no question
    fits.
    """
    prompts = Prompts(ws, project_slug)
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        endpoints = _endpoints(ws, options)
        snapshot = id_in_use(session, project.id)
        questions = _questions(asked_questions(session, project.id), options)
        stored = named_runs(session, project.id)
        names = _Names(session, project.id, options.system)
        states = standing_states(session, project.id)
        laws = {snapshot, *(each.snapshot_id for each in stored)}
        years = {law: snapshot_year(session, law) for law in laws}
    expands = load_settings(ws).endpoints.get(Role.GENERATE)
    settings = _settings(options, endpoints, stored, snapshot)
    whose = {each.name: each.question.jurisdiction for each in questions}
    material = cache(lambda law: Material(ws, project_slug, law, whose))
    planned = []
    for endpoint, context, form, law in settings:
        place = material(law)
        if context.kind.needs_gold:
            context = replace(context, gold=place.gold(options.gold).label)
        used = prompt_of(form, context.kind), prompt_before(context)
        version, before = prompts.version(*filter(None, used)), endpoint
        if prompt_before(context) and context.kind is not Kind.PSEUDO:
            before = (
                expands or endpoint
            )  # as retrieval asks, so that a run's reply is reused from the cache
            context = replace(context, writer=before.model)
        name, run = names.of(endpoint, context, form, law, version)
        about = context, form, law, version, run
        started = SystemPlan(name, endpoint, before, years[law], *about, 0, ())
        planned.append(_with_calls(started, questions, place, states))
    if not any(each.questions for each in planned):
        raise UserError("answers_no_questions")
    return AnswerPlan(project.id, project_slug, by, tuple(planned), prompts)


def request_of(plan: AnswerPlan, system: SystemPlan, call: Call) -> Request:
    """Return the request of a call whose passages are known."""
    question, shown = call.question.question, call.shown or ()
    kind = system.context.kind
    wording = plan.prompts.of(prompt_of(system.form, kind), question.language)
    values = values_of(system.form, kind, question, shown, system.year, call.anchor)
    said = wording.messages(values)
    if system.form is Format.PER_PROVISION:
        schema = claims_schema(each.unit for each in shown)
        return Request(system.endpoint, said, wording.name, schema=schema)
    if system.form is not Format.CHOICE_LIKELIHOOD:
        return Request(system.endpoint, said, wording.name)
    most = min(system.endpoint.max_tokens, _LETTER_TOKENS)
    return Request(
        replace(system.endpoint, max_tokens=most),
        said,
        wording.name,
        logprobs=_ALTERNATIVES,
        options=tuple(each.letter for each in options_of(question)),
    )


def request_before(plan: AnswerPlan, system: SystemPlan, call: Call) -> Request | None:
    """Return the request for a call's pseudo-passage or anchor, None if it needs neither.

    Retrieval methods send the same request, so replies to a run are reused.
    """
    name, question = prompt_before(system.context), call.question.question
    if not name:
        return None
    wording = plan.prompts.of(name, language_of(question.text))
    about = {"jurisdiction": question.jurisdiction, "year": system.year}
    said = wording.messages({"question": readable(question.text), **about})
    request = Request(system.before, said, wording.name)
    return formed(request, SHAPES[wording.schema]) if wording.schema else request


def requests_before(plan: AnswerPlan) -> Iterator[Request]:
    """Yield the requests for pseudo-passages and anchors, duplicates included."""
    for system in plan.systems:
        found = (request_before(plan, system, call) for call in system.calls)
        yield from (each for each in found if each is not None)


def _endpoints(ws: Workspace, options: AnswerOptions) -> list[Endpoint]:
    """Return each role's endpoint, or the only role's for each named model. Raises UserError."""
    settings = load_settings(ws)
    found = [settings.of(role) for role in dict.fromkeys(options.roles)]
    names = list(dict.fromkeys(each.strip() for each in options.models if each.strip()))
    if not found:
        raise UserError("answers_choice", Where(field="roles"))
    if names and len(found) > 1:
        raise UserError("answers_models", Where(field="models"))
    chosen = [replace(found[0], model=each) for each in names] if names else found
    for each in chosen:
        require_files(each)
    return chosen


def _questions(known: Sequence[AskedQuestion], options: AnswerOptions) -> list[AskedQuestion]:
    """Return the chosen questions (none: all), or `number` of them drawn, in order of import."""
    wanted = set(options.questions)
    unknown = sorted(wanted - {each.name for each in known})
    if unknown:
        raise UserError("answers_question_unknown", Where(field="questions"), id=unknown[0])
    chosen = [each for each in known if not wanted or each.name in wanted]
    if options.number is None:
        return chosen
    if options.number < 1:
        raise UserError("answers_number", Where(field="number"))
    drawn = random.Random(options.sample_seed)
    order = sorted(chosen, key=lambda each: each.name)
    picked = drawn.sample(order, min(options.number, len(order)))
    return sorted(picked, key=lambda each: each.id)


_Setting = tuple[Endpoint, ContextSpec, Format, int | None]


def _settings(
    options: AnswerOptions,
    endpoints: Sequence[Endpoint],
    stored: Sequence[NamedRun],
    snapshot: int | None,
) -> list[_Setting]:
    """Return all valid combinations. Raises UserError for none, and for one name of several."""
    known = {each.id: each for each in stored}
    settings: list[_Setting] = []
    for endpoint in endpoints:
        for context in _contexts(options.contexts):
            law = snapshot
            if context.kind is Kind.RUN:
                run = known.get(context.run_id or 0)
                if run is None:
                    raise no_such_run(stored, context.run or str(context.run_id or ""))
                context, law = replace(context, run=run.name), run.snapshot_id
            for form in dict.fromkeys(options.formats):
                anchor = options.anchor and form is Format.PER_PROVISION
                if form.fits(context.kind):
                    settings.append((endpoint, replace(context, anchor=anchor), form, law))
    if not settings:
        raise UserError("answers_choice", Where(field="formats"))
    if options.system and len(settings) > 1:
        raise UserError("answers_name_one", Where(field="system"), count=len(settings))
    return settings


def _contexts(chosen: Sequence[ContextSpec]) -> list[ContextSpec]:
    """Return the distinct contexts. Raises UserError for an invalid one."""
    for each in chosen:
        if not 1 <= each.k <= MOST:
            raise UserError("answers_k", Where(field="k"), k=each.k, most=MOST)
        if each.characters < 1:
            raise UserError("answers_characters", Where(field="characters"))
        if each.single and not each.kind.provisions:
            raise UserError("answers_single", Where(field="single"))
    return list({each.identity: each for each in chosen}.values())


class _Names:
    """Finds the stored row of a setting, or a free name for it."""

    def __init__(self, session: Session, project_id: int, wished: str) -> None:
        self._wished = " ".join(wished.split())
        if len(self._wished) > NAME_CHARACTERS:
            raise UserError("judging_name_long", limit=NAME_CHARACTERS)
        self._runs = runs(session, project_id)
        systems = {each.system for each in self._runs}
        self._taken = systems | {each.system for each in cases(session, project_id)}

    def of(
        self,
        endpoint: Endpoint,
        context: ContextSpec,
        form: Format,
        snapshot: int | None,
        version: str,
    ) -> tuple[str, AnswerRunView | None]:
        """Return the system's name and its stored row, None if new. Raises UserError if taken."""
        mine = [
            each
            for each in self._runs
            if (each.server, each.model, each.format) == (endpoint.server, endpoint.model, form)
            and (each.snapshot_id, each.prompt_version) == (snapshot, version)
            and read_spec(each.context).identity == context.identity
        ]
        if self._wished:
            for each in mine:
                if each.system == self._wished:
                    return each.system, each
            if self._wished in self._taken:
                raise UserError("answers_name_taken", Where(field="system"), name=self._wished)
            return self._wished, None
        if mine:
            return mine[0].system, mine[0]
        return self._free_name(endpoint, context, form), None

    def _free_name(self, endpoint: Endpoint, context: ContextSpec, form: Format) -> str:
        """Return a name that no other system of the project has, and reserve it."""
        form_words = f"{LABELS[form]}{' with anchor' if context.anchor else ''}"
        about = ", ".join(part for part in (context.label, form_words) if part)
        base = f"{endpoint.model} ({about})"[: NAME_CHARACTERS - 6]
        name, number = base, 2
        while name in self._taken:
            name, number = f"{base} #{number}", number + 1
        self._taken.add(name)
        return name


def _with_calls(
    system: SystemPlan,
    questions: Sequence[AskedQuestion],
    material: Material,
    states: Mapping[tuple[int, int, int], str],
) -> SystemPlan:
    """Return the system with its remaining calls, and counts of the questions left out."""
    left_out: Counter[str] = Counter()
    fit = []
    for each in questions:
        why = unfit(system.form, each)
        left_out.update([why] if why else [])
        fit += [] if why else [each]
    spec = system.context
    contexts = material.contexts(spec, [each.name for each in fit])
    calls, already, asked = [], Counter[str](), 0
    for each in fit:
        found = contexts.get(each.name)
        if found is None or (spec.kind.provisions and not found):
            left_out["no_gold" if spec.kind.needs_gold else "not_in_run"] += 1
            continue
        asked += 1
        for call in _calls(spec, each, found):
            state = states.get((system.run.id, each.id, call.passage)) if system.run else None
            if state is None or state == FAILED:
                calls.append(call)
            already.update([state] if state else [])
    return replace(
        system,
        questions=asked,
        calls=tuple(calls),
        left_out=dict(sorted(left_out.items())),
        already=dict(sorted(already.items())),
    )


def _calls(spec: ContextSpec, question: AskedQuestion, provisions: tuple[Shown, ...]) -> list[Call]:
    """Return the calls of a question: one, or one per provision if passages are shown singly."""
    if spec.kind.written:
        return [Call(question, 0, None)]
    if spec.single:
        return [Call(question, place, (each,)) for place, each in enumerate(provisions, 1)]
    return [Call(question, 0, provisions)]
