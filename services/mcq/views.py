"""A project's multiple-choice questions with their state, most doubtful first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import Session

from annotation.mcq.state import WAITING, Fate, McqState, mcq_states
from annotation.people.roles import Act, reading_as
from construction.mcq.model import Mcq
from errors import UserError
from evaluation.mcq.votes import Setting
from evaluation.replies.outcomes import Outcome
from normalization.grouping import grouped
from services.models.workspace_models import model_names
from storage.db.workspace import Workspace
from storage.mcq.questions import Kept, questions
from storage.mcq.votes import ReadVote, VoteView, Wordings, read_votes, votes


@dataclass(frozen=True, slots=True)
class QuestionState:
    """A question with its outcome; `item` has people's corrections applied."""

    id: int
    item: Mcq
    kept: Kept
    state: McqState

    @property
    def dropped(self) -> bool:
        """Whether people dropped it."""
        return self.state.fate is Fate.DROPPED

    @property
    def checked(self) -> bool:
        """Whether people kept it, as written or corrected."""
        return self.state.fate in (Fate.KEPT, Fate.FIXED)


def standing_questions(session: Session, project_id: int) -> list[QuestionState]:
    """Return every question of the project, dropped ones too, with its outcome, in order of id."""
    states = mcq_states(session, project_id)
    return [
        QuestionState(question.id, _with_correction(question.question, state), question, state)
        for question in questions(session, project_id)
        for state in (states.get(question.id, WAITING),)
    ]


def wordings_of(questions: Iterable[QuestionState]) -> dict[int, Wordings]:
    """Return the wordings that votes may be on: the current and the original one."""
    return {each.id: Wordings.of(each.item, [each.kept.question]) for each in questions}


def _with_correction(question: Mcq, state: McqState) -> Mcq:
    """Return a question with its reviewers' correction, if there is one."""
    fix = state.fix
    if fix is None:
        return question
    options = (*fix.options, question.options[-1])
    return replace(question, query=fix.query, options=options, answer=fix.answer + 1)


@dataclass(frozen=True, slots=True)
class ItemLine:
    """One question with its outcome and the models' success on it.

    `right_a` and `right_ab` are the shares of answers and abstentions that chose the stored answer
    with A alone and with both; None without any. Refusals and unreadable replies do not count.
    `tiers` are those of A and B.
    """

    id: int
    external_id: str
    query: str
    fate: str
    tiers: tuple[int, int]
    right_a: float | None
    right_ab: float | None

    @property
    def doubt(self) -> float:
        """How strongly the models contradict it, 0 to 2; 0 without answers."""
        told = self.right_a or 0.0
        return told + (0.0 if self.right_ab is None else 1.0 - self.right_ab)


@dataclass(frozen=True, slots=True)
class ItemDetail:
    """One question with its provisions and the models' choices.

    `choices` counts chosen options by setting, `outcomes` the outcomes of replies.
    """

    standing: QuestionState
    choices: Mapping[Setting, Mapping[int | None, int]]
    outcomes: Mapping[Setting, Mapping[Outcome, int]]
    models: tuple[str, ...]


def mcq_lines(ws: Workspace, project_slug: str, by: int | None = None) -> list[ItemLine]:
    """Return every question, most doubtful first, then in order of id.

    Raises UserError for who may not read others' labels.
    """
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = standing_questions(session, project.id)
        cast = votes(session, project.id)
    by_question = grouped((vote.mcq_id, vote) for vote in cast)
    lines = [_item_line(each, by_question.get(each.id, ())) for each in found]
    return sorted(lines, key=lambda line: (-line.doubt, line.id))


def mcq_detail(ws: Workspace, project_slug: str, number: int, by: int | None = None) -> ItemDetail:
    """Return one question. Raises UserError for who may not read others' labels, and if unknown."""
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = {question.id: question for question in standing_questions(session, project.id)}
        if number not in found:
            raise UserError("mcq_unknown", id=number)
        names = model_names(votes(session, project.id))
        cast = _current_votes(found[number], votes(session, project.id, number))
    under = {s: [each for each in cast if each.vote.setting == s] for s in Setting}
    choices = {s: Counter(each.option for each in there) for s, there in under.items()}
    came_to = {s: Counter(each.reading.outcome for each in there) for s, there in under.items()}
    models = sorted({names[each.vote.server, each.vote.model] for each in cast})
    return ItemDetail(found[number], choices, came_to, tuple(models))


def _item_line(each: QuestionState, cast: Sequence[VoteView]) -> ItemLine:
    """Return a question with its state, and the share of right votes by setting."""
    present = _current_votes(each, cast)
    pair = each.item.pair
    return ItemLine(
        id=each.id,
        external_id=each.item.id,
        query=each.item.query,
        fate=each.state.fate.value,
        tiers=(int(pair.source.tier), int(pair.target.tier)),
        right_a=_share_right(present, Setting.A, each.item.answer - 1),
        right_ab=_share_right(present, Setting.BOTH, each.item.answer - 1),
    )


def _current_votes(each: QuestionState, cast: Iterable[VoteView]) -> list[ReadVote]:
    """Return the votes on a question's present wording."""
    return [read for read in read_votes(cast, wordings_of([each])) if read.present]


def _share_right(cast: Sequence[ReadVote], setting: Setting, right: int) -> float | None:
    """Return the share of right votes under a setting, of those that answer or abstain, if any."""
    said = [
        each
        for each in cast
        if each.vote.setting == setting
        and (each.reading.outcome is Outcome.ANSWERED or each.reading.outcome.abstained)
    ]
    return sum(each.option == right for each in said) / len(said) if said else None
