"""Inputs of the downstream report: settings with the outcome of each question.

A chosen option is correct by the question file's key, or for a yes/no question by its official
answer. A text answer is correct by people's or a judge's verdict.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from sqlmodel import Session

from annotation.judging.state import judges_of, states
from annotation.people.roles import Act, reading_as
from construction.answers import ContextSpec, Format, Kind, options_of, read_spec
from corpus.model import Question
from errors import UserError, Where, require_known
from evaluation.downstream import (
    ANSWERED,
    Attempt,
    Groups,
    Outcome,
    Picked,
    most_confident,
)
from evaluation.ranking.compare import Rows
from messages import say
from services.models.workspace_models import model_names
from services.runs.strata import question_columns
from storage.answers import (
    AnswerRunView,
    OutcomeView,
    outcomes_revision,
    runs,
    standing_outcomes,
)
from storage.db.workspace import ByDatabase, Workspace
from storage.law.corpus import load_questions
from storage.reformulation import parentages

TOPS = (1, 10)  # single passages: the most confident answer counts (Zheng et al. 2025, Table 30)
MOST_TOP = 100
KEY, PEOPLE = "key", "people"  # scored by the question's own key, or by people


@dataclass(frozen=True, slots=True)
class Setting:
    """A model with answer format and context, and the outcome of each question.

    `top` is 0 where the whole context was shown; else the answer is that of the most confident of
    the first `top` passages, `picked` by question. `scored_by` is KEY, PEOPLE or a judge.
    `outcomes` has every scorable question, asked or not, `choices` the chosen labels.
    """

    run: AnswerRunView
    spec: ContextSpec
    model: str
    scored_by: str
    outcomes: Mapping[str, Outcome]
    choices: Mapping[str, str] = field(default_factory=dict)
    top: int = 0
    picked: Mapping[str, Picked] = field(default_factory=dict)
    apart: bool = False  # another setting of the model has the same context name

    @property
    def name(self) -> str:
        """Unique name: the answers' system, and the number of passages."""
        return f"{self.run.system} · top {self.top}" if self.top else self.run.system

    @property
    def reader(self) -> tuple[str, str, str]:
        """Model, answer format and scorer, within which contexts are compared."""
        return self.model, self.run.format, self.scored_by

    def words(self, language: str = "en") -> str:
        """Return the display name of the context."""
        spec, name = self.spec, f"downstream.context.{self.spec.kind}"
        values = {"run": spec.run or f"run {spec.run_id}", "k": spec.k}
        if self.top:
            name, values["k"] = f"{name}_single", self.top
        said = say(name, language, **values)
        if spec.seed and spec.kind in (Kind.ORACLE, Kind.PURE_ORACLE):
            said = say("downstream.context.seeded", language, context=said, seed=spec.seed)
        return f"{said} ({self.run.system})" if self.apart else said


@dataclass(frozen=True, slots=True)
class Material:
    """All inputs of the figures.

    `keys` are the labels of the correct options per question with a key, `groups` the question each
    yes/no question was derived from. `unkeyed` counts chosen options of questions without a key,
    which cannot be scored. `judges` are those with verdicts on text answers, PEOPLE first.
    """

    questions: Mapping[str, Question]
    keys: Mapping[str, tuple[str, ...]]
    groups: Groups
    columns: Rows
    settings: tuple[Setting, ...]
    judges: tuple[str, ...]
    unkeyed: int


def read_material(
    ws: Workspace,
    project_slug: str,
    verdicts: str = "",
    tops: Sequence[int] = (),
    by: int | None = None,
) -> Material:
    """Return the settings of a project with the outcome of each question.

    `verdicts` is the scorer of text answers: PEOPLE or a judge; without it they are left out.
    `tops` are as in `Wanted`. Raises UserError for `by` who may not read others' labels, a judge
    without verdicts, and a number of passages below 1 or above MOST_TOP.
    """
    _check_tops(tops)
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        version = outcomes_revision(session)
    return _read_material(ByDatabase.of(ws), project.id, verdicts, tuple(tops), version)


# Tables are append-only, so the data of one revision never changes.
@lru_cache(maxsize=4)
def _read_material(
    source: ByDatabase, project_id: int, verdicts: str, tops: tuple[int, ...], version: str
) -> Material:
    """Read settings, outcomes and answer keys of a project, cached per state of the database."""
    with source.ws.reading() as session:
        found = runs(session, project_id)
        answers = standing_outcomes(session, project_id)
        questions = load_questions(session, project_id)
        columns = question_columns(session, project_id)
        made = {name: of.parent for name, of in parentages(session, project_id).items()}
        judges, verdict_of = _verdicts(session, project_id, verdicts)
    keys = {name: labels for name in questions if (labels := right_labels(questions[name]))}
    sorter = _Sorter(questions, keys, answers, verdict_of)
    names = model_names(found)
    settings = [
        setting
        for run in found
        for setting in sorter.settings(run, names[run.server, run.model], verdicts, tops)
    ]
    return Material(
        questions=questions,
        keys=keys,
        groups=made,
        columns=columns,
        settings=tuple(_with_name_clashes(settings)),
        judges=judges,
        unkeyed=sorter.unkeyed(found),
    )


def right_labels(question: Question) -> tuple[str, ...]:
    """Return the labels of the correct options, empty without a key."""
    return tuple(each.label for each in options_of(question) if each.correct)


def _check_tops(tops: Sequence[int]) -> None:
    """Raise UserError for a number of single passages out of range."""
    for top in tops:
        if not 1 <= top <= MOST_TOP:
            raise UserError("downstream_top", Where(field="top"), k=top, most=MOST_TOP)


_Verdict = Callable[[int], bool | None]


def _verdicts(session: Session, project_id: int, judge: str) -> tuple[tuple[str, ...], _Verdict]:
    """Return the scorers of text answers, and the look-up of `judge`'s verdict by case id."""
    found = states(session, project_id)
    judges = judges_of(found)
    known = (PEOPLE, *judges) if found else ()
    if judge:
        require_known("downstream_judge", (PEOPLE, *judges), Where(field="judge"), judge=judge)
    by_case = {each.id: each.people if judge == PEOPLE else each.verdict(judge) for each in found}
    return known, by_case.get


class _Sorter:
    """Derives the outcome of each question under each setting from the latest answers."""

    def __init__(
        self,
        questions: Mapping[str, Question],
        keys: Mapping[str, tuple[str, ...]],
        answers: Iterable[OutcomeView],
        verdict_of: _Verdict,
    ) -> None:
        self._questions, self._keys, self._verdict_of = questions, keys, verdict_of
        self._answers: dict[int, dict[str, dict[int, OutcomeView]]] = {}
        for each in answers:
            of_run = self._answers.setdefault(each.answer_run_id, {})
            of_run.setdefault(each.external_id, {})[each.passage] = each

    def settings(
        self, run: AnswerRunView, model: str, verdicts: str, tops: Sequence[int]
    ) -> list[Setting]:
        """Return the settings of an answer run: one, one per number of passages, or none.

        None of text answers without a scorer, or on single passages.
        """
        spec, chooses = read_spec(run.context), Format(run.format).chooses
        if not chooses and (not verdicts or spec.single):
            return []
        scored_by = KEY if chooses else verdicts
        asked = self._keys if chooses else self._questions
        whole = Setting(run, spec, model, scored_by, {})
        if not spec.single:
            rows = {q: self._answers_by_passage(run.id, q).get(0) for q in asked}
            outcome = self._outcome_of_choice if chooses else self._outcome_of_text
            outcomes = {
                q: Outcome.NOT_ASKED if row is None else outcome(q, row) for q, row in rows.items()
            }
            choices = {q: row.choice for q, row in rows.items() if row and row.choice}
            return [replace(whole, outcomes=outcomes, choices=choices)]
        sizes = sorted({*(tops or (*TOPS, spec.k))})
        wanted = [top for top in sizes if top <= spec.k] or [spec.k]
        return [self._single(whole, top, asked) for top in wanted]

    def unkeyed(self, runs: Iterable[AnswerRunView]) -> int:
        """Return the number of questions without a key asked for an option, over all settings."""
        return sum(
            question not in self._keys
            for run in runs
            if Format(run.format).chooses
            for question in self._answers.get(run.id, {})
        )

    def _answers_by_passage(self, run_id: int, question: str) -> dict[int, OutcomeView]:
        """Return a question's answers by the place of their passage."""
        return self._answers.get(run_id, {}).get(question, {})

    def _single(self, whole: Setting, top: int, questions: Iterable[str]) -> Setting:
        """Return a setting of single passages, using the most confident among the first `top`."""
        picked, outcomes = {}, {}
        for question in questions:
            places = self._answers_by_passage(whole.run.id, question)
            attempts = {
                place: Attempt(
                    each.state, each.choice, (each.logprobs or {}).get(each.choice or "")
                )
                for place, each in places.items()
            }
            picked[question] = most_confident(attempts, top)
            outcomes[question] = self._outcome_of_choice(question, picked[question])
        choices = {q: each.choice for q, each in picked.items() if each.choice}
        return replace(whole, outcomes=outcomes, choices=choices, top=top, picked=picked)

    def _outcome_of_choice(self, question: str, said: OutcomeView | Picked) -> Outcome:
        """Return the outcome of a choice: right, wrong, unreadable, or why there is none."""
        if said.state != ANSWERED:
            return Outcome(said.state)
        if said.choice is None:
            return Outcome.UNREAD
        return Outcome.RIGHT if said.choice in self._keys[question] else Outcome.WRONG

    def _outcome_of_text(self, _question: str, row: OutcomeView) -> Outcome:
        """Return whether a free answer is right by its verdict."""
        if row.state != ANSWERED:
            return Outcome(row.state)
        right = None if row.judge_case_id is None else self._verdict_of(row.judge_case_id)
        if right is None:
            return Outcome.UNJUDGED
        return Outcome.RIGHT if right else Outcome.WRONG


def _with_name_clashes(settings: Sequence[Setting]) -> list[Setting]:
    """Mark settings of one model whose contexts share a name."""
    often = Counter((each.reader, each.words()) for each in settings)
    return [replace(each, apart=often[each.reader, each.words()] > 1) for each in settings]
