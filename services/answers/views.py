"""Models' answers for reading: counts per system and state, and one answer with its context.

Only for readers of others' labels: raters of answers must not learn which system wrote one.

Export of models' answers as JSONL, reproducible byte for byte.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sqlmodel import Session

from annotation.people.roles import Act, reading_as
from construction.answers import ContextSpec, Format, Option, Origin, options_of, read_spec
from errors import UserError, Where, require_known
from evaluation.replies.per_provision import PerProvision
from messages import say
from normalization.hashing import text_hash
from services.answers.material import Askable, AskedQuestion, NamedRun, asked_questions, named_runs
from services.answers.replies import form_of, problems_of
from services.bundle import publish_lines
from services.gold.gold_set import gold_set
from services.models.asking import reason_words
from storage.answers import (
    STATES,
    AnswerFigures,
    AnswerRunView,
    AnswerView,
    runs,
    standing_answers,
    standing_figures,
)
from storage.db.workspace import Workspace
from storage.law.passages import passages_by_id

PROBLEMS = (
    *("no_json", "several", "no_answer", "claims", "missing_keys", "unknown_ids"),
    *("no_schema", "no_anchor"),
)
"""Problems of form of an answer by provision, besides its state."""


@dataclass(frozen=True, slots=True)
class SystemLine:
    """A system with counts of its answers per state and problem of form.

    `questions` counts questions with `answers` rows (more where passages were shown one by one);
    `not_asked` are the others that could be asked under the setting, left by a run that ended early
    or took a sample. `cost` is the sum over the calls with a known cost, `seconds` the
    mean.
    """

    run: AnswerRunView
    context: ContextSpec
    questions: int
    answers: int
    not_asked: int
    states: Mapping[str, int]
    problems: Mapping[str, int]
    cost: float | None
    seconds: float | None
    tokens_in: int
    tokens_out: int


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One answer in a list; `reason` is why there is none, see `reason_in_words`."""

    external_id: str
    passage: int
    question: str
    state: str
    problems: tuple[str, ...]
    answer: str
    choice: str | None
    reason: str


@dataclass(frozen=True, slots=True)
class ShownPassage:
    """A passage as the model saw it; `gold` says whether it is gold now.

    `text` is None where its exact wording is lost: the current text does not match the stored
    digest. It is empty where only a heading was shown.
    """

    unit: str
    label: str
    origin: Origin
    text: str | None
    gold: bool
    claims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerDetail:
    """One answer with everything it rests on.

    `form` is the parsed form of an answer by provision, `options` those of the question,
    `gold_missing` the gold provisions not shown, by label.
    """

    run: AnswerRunView
    context: ContextSpec
    answer: AnswerView
    question: str
    reference: str
    language: str
    options: tuple[Option, ...]
    shown: tuple[ShownPassage, ...]
    form: PerProvision | None
    problems: tuple[str, ...]
    gold_missing: tuple[str, ...]

    @property
    def anchor(self) -> str:
        """The topic anchor given to the model, "" for none."""
        return str(self.answer.context[0].get("anchor", "")) if self.answer.context else ""

    @property
    def parameters(self) -> str:
        """Parameters of the call, as ``name value``; – where unknown."""
        said = sorted((self.answer.parameters or {}).items())
        return ", ".join(f"{name} {value}" for name, value in said) or "–"


_FILTERED, _UNKNOWN = "filtered", "unknown"  # reasons that the catalogue has words for


def reason_of(answer: AnswerView) -> str:
    """Return why an answer is missing; "" if it is there or its reply states the reason."""
    if answer.state == "failed":
        return answer.raw.strip() or _UNKNOWN
    return _FILTERED if answer.state == "refused" and not answer.raw.strip() else ""


def reason_in_words(reason: str, language: str = "en") -> str:
    """Return the display text of a reason."""
    if reason in (_FILTERED, _UNKNOWN):
        return say(f"answers.reason.{reason}", language)
    return reason_words(reason, language)


def systems(ws: Workspace, project_slug: str, by: int | None = None) -> list[SystemLine]:
    """Return every system with counts of its answers, in order of first use.

    Raises UserError for who may not read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = runs(session, project.id)
        figures = standing_figures(session, project.id)
        formed = [each.id for each in found if each.format == Format.PER_PROVISION]
        answers = standing_answers(session, project.id, formed) if formed else []
        questions = asked_questions(session, project.id)
    numbers = {each.id: each.name for each in questions}
    askable = Askable(ws, project_slug, questions)
    by_run: dict[int, list[AnswerFigures]] = {each.id: [] for each in found}
    for row in figures:
        by_run[row.answer_run_id].append(row)
    problems: dict[int, Counter[str]] = {}
    for answer in answers:
        problems.setdefault(answer.answer_run_id, Counter()).update(problems_of(answer))
    return [
        _system_line(
            each,
            by_run[each.id],
            problems.get(each.id, {}),
            len(askable.under(each) - {numbers[row.question_id] for row in by_run[each.id]}),
        )
        for each in found
    ]


def answers_of(
    ws: Workspace, project_slug: str, system: str, state: str = "", by: int | None = None
) -> list[AnswerLine]:
    """Return a system's answers, all or those with a state or problem.

    Raises UserError for who may not read others' labels, and for an unknown system or state.
    """
    if state:
        require_known("answers_word", (*STATES, *PROBLEMS), Where(field="--state"), word=state)
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        run = _run_of_system(session, project.id, system)
        answers = standing_answers(session, project.id, run.id)
        texts = {each.id: each.question.text for each in asked_questions(session, project.id)}
    lines = [_answer_line(each, texts[each.question_id]) for each in answers]
    return [each for each in lines if state in ("", each.state, *each.problems)]


def read_answer(
    ws: Workspace,
    project_slug: str,
    system: str,
    question: str,
    passage: int = 0,
    by: int | None = None,
) -> AnswerDetail:
    """Return one answer with its context and the question's official answer.

    Raises UserError for who may not read others' labels, and where there is no such answer.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        run = _run_of_system(session, project.id, system)
        answers = {
            each.passage: each for each in standing_answers(session, project.id, run.id, question)
        }
        if passage not in answers:
            raise _no_answer_error(system, question, list(answers))
        found = answers[passage]
        asked = next(
            each for each in asked_questions(session, project.id) if each.id == found.question_id
        )
    return _detail(ws, project_slug, run, found, asked)


def stored_runs(ws: Workspace, project_slug: str, by: int | None = None) -> list[NamedRun]:
    """Return the stored runs usable as contexts, newest first.

    Raises UserError for who may not see scores.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        return named_runs(session, project.id)


def counts(lines: Iterable[SystemLine]) -> list[str]:
    """Return the names of the states and problems that occur in the lines, in table order."""
    some = list(lines)
    states = [each for each in STATES if any(line.states.get(each) for line in some)]
    return states + [each for each in PROBLEMS if any(line.problems.get(each) for line in some)]


def _run_of_system(session: Session, project_id: int, system: str) -> AnswerRunView:
    """Return a system's run. Raises UserError, naming the known ones."""
    known = {each.system: each for each in runs(session, project_id)}
    if not known:
        raise UserError("answers_none_yet", Where(field="system"), system=system)
    require_known("answers_system_unknown", known, Where(field="system"), system=system)
    return known[system]


def _no_answer_error(system: str, question: str, passages: Sequence[int]) -> UserError:
    """Return the error for a missing answer, naming passages answered for the question."""
    where = Where(field="question")
    if any(passages):
        known = ", ".join(map(str, passages))
        values = {"system": system, "question": question, "known": known}
        return UserError("answers_passage", Where(field="--passage"), **values)
    return UserError("answers_unknown", where, system=system, question=question)


def _system_line(
    run: AnswerRunView,
    answers: Sequence[AnswerFigures],
    problems: Mapping[str, int],
    not_asked: int,
) -> SystemLine:
    """Return a system's counts, with the summed cost and mean seconds where these are known."""
    costs = [each.cost for each in answers if each.cost is not None]
    seconds = [each.seconds for each in answers if each.seconds is not None]
    return SystemLine(
        run=run,
        context=read_spec(run.context),
        questions=len({each.question_id for each in answers}),
        answers=len(answers),
        not_asked=not_asked,
        states=_in_order(Counter(each.state for each in answers), STATES),
        problems=_in_order(problems, PROBLEMS),
        cost=sum(costs) if costs else None,
        seconds=sum(seconds) / len(seconds) if seconds else None,
        tokens_in=sum(each.tokens_in or 0 for each in answers),
        tokens_out=sum(each.tokens_out or 0 for each in answers),
    )


def _in_order(counted: Mapping[str, int], names: Iterable[str]) -> dict[str, int]:
    """Return the non-zero counts in the order of `names`."""
    return {name: counted[name] for name in names if counted.get(name)}


def _answer_line(answer: AnswerView, question: str) -> AnswerLine:
    """Return an answer for a list: its text, else the raw reply; no text where the call failed."""
    return AnswerLine(
        external_id=answer.external_id,
        passage=answer.passage,
        question=question,
        state=answer.state,
        problems=problems_of(answer),
        answer="" if answer.state == "failed" else answer.answer or answer.raw,
        choice=answer.choice,
        reason=reason_of(answer),
    )


def _detail(
    ws: Workspace, slug: str, run: AnswerRunView, answer: AnswerView, question: AskedQuestion
) -> AnswerDetail:
    """Return an answer with its context, the gold and the official answer."""
    context = read_spec(run.context)
    name = context.gold if context.kind.needs_gold else ""
    gold = sorted(gold_set(ws, slug, run.snapshot_id, name).qrels.get(answer.external_id, ()))
    shown = [str(each["unit"]) for each in answer.context]
    with ws.reading() as session:
        law, units = run.snapshot_id, {*shown, *gold} - {""}
        known = {} if law is None else passages_by_id(session, law, units)
        texts = {unit: each.text for unit, each in known.items()}
        passages = tuple(_passage(each, texts, context, answer, gold) for each in answer.context)
    return AnswerDetail(
        run=run,
        context=context,
        answer=answer,
        question=question.question.text,
        reference=question.question.answer,
        language=question.question.language,
        options=options_of(question.question) if Format(run.format).chooses else (),
        shown=passages,
        form=form_of(answer),
        problems=problems_of(answer),
        gold_missing=tuple(
            known[unit].title if unit in known else unit for unit in gold if unit not in shown
        ),
    )


def _passage(
    stored: Mapping[str, Any],
    texts: Mapping[str, str],
    context: ContextSpec,
    answer: AnswerView,
    gold: Sequence[str],
) -> ShownPassage:
    """Return a passage of the context, with its text if unchanged since."""
    unit, origin = str(stored["unit"]), Origin(stored["origin"])
    text = stored.get("text") if origin is Origin.PSEUDO else texts.get(unit)
    claims = (answer.claims or {}).get(unit, ()) if unit else ()
    return ShownPassage(
        unit=unit,
        label=str(stored["label"]),
        origin=origin,
        text=_verified_text(text, context.characters, stored),
        gold=unit in gold,
        claims=tuple(str(each) for each in claims),
    )


def _verified_text(text: str | None, characters: int, stored: Mapping[str, Any]) -> str | None:
    """Return the text, cut as it was shown; None where it is gone or its digest differs."""
    if stored.get("characters") == 0:
        return ""
    if text is None:
        return None
    cut = text[:characters]
    return cut if text_hash(cut) == stored["text_sha256"] else None


def askable(ws: Workspace, project_slug: str, by: int | None = None) -> list[tuple[str, str]]:
    """Return id and text of every question of the project, in order of import.

    Raises UserError for who may not have models run.
    """
    with reading_as(ws, project_slug, by, Act.MAKE_ITEMS) as (session, project, _):
        found = asked_questions(session, project.id)
    return [(each.name, each.question.text) for each in found]


_INNER = ("id", "project_id", "person_id", "answer_run_id", "question_id")


def export_answers(
    ws: Workspace, project_slug: str, folder: Path, by: int | None = None
) -> dict[str, int]:
    """Write settings and answers into a new folder; return the number of lines per file.

    ``systems.jsonl`` has each system's setting, ``answers.jsonl`` the result of every question,
    whatever its state, with the snapshot of its context, its prompt, cost and latency. Raises
    UserError for `by` without permission, and for a folder that cannot be written.
    """
    with reading_as(ws, project_slug, by, Act.EXPORT_GOLD) as (session, project, _):
        settings = sorted(runs(session, project.id), key=lambda each: each.system)
        answers = standing_answers(session, project.id)
    answers.sort(key=lambda each: (each.system, each.external_id, each.passage))
    files = {
        "systems.jsonl": [
            _public_fields(asdict(each)) | {"at": each.at.isoformat()} for each in settings
        ],
        "answers.jsonl": [_answer(each) for each in answers],
    }
    return publish_lines(folder, files)


def _answer(answer: AnswerView) -> dict[str, Any]:
    """Return an answer as JSON values, its context without ids of calls."""
    line = _public_fields(asdict(answer)) | {"at": answer.at.isoformat()}
    for name in ("judge_case_id", "llm_call_id"):
        del line[name]
    line["context"] = [
        {name: value for name, value in each.items() if name != "call"} for each in answer.context
    ]
    return {"id": line.pop("external_id"), **line, "problems": list(problems_of(answer))}


def _public_fields(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields without those of internal use."""
    return {name: value for name, value in line.items() if name not in _INNER}
