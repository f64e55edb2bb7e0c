"""Report on multiple-choice questions: their outcomes, and how safely models answer.

`services.mcq.report_tables` makes it readable. Replies are read in one of two ways: by their text,
or by the likeliest option of their log-probabilities. The second counts replies without
log-probabilities as missing, never as wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean

from sqlmodel import Session

from annotation.mcq.state import CAUSES, Fate
from annotation.people.roles import Act, reading_as
from construction.mcq.filters import Reason
from errors import UserError, Where, require_known
from evaluation.figure import Figure, share_figure, share_of
from evaluation.mcq.safety import (
    Baseline,
    Change,
    Counts,
    Difference,
    ModelPair,
    SafetyRow,
    able_and_safe,
    baselines,
    between_models,
    between_settings,
    counts,
    needs_both,
    table,
)
from evaluation.mcq.votes import (
    Ballots,
    Key,
    Of,
    ReplyVote,
    Setting,
    Step,
    Vote,
    by_likelihood,
    funnel,
    group_replies,
)
from evaluation.replies.outcomes import READER
from normalization import storable
from services.mcq.views import QuestionState, standing_questions, wordings_of
from services.models.workspace_models import model_names
from storage.db.workspace import Workspace
from storage.mcq.questions import makings, outcomes
from storage.mcq.votes import REFUSED, ReadVote, read_votes, votes

SCOPES = ("all", "checked")
READINGS = ("text", "likelihood")
PAIR_NAME = 120  # characters
_FILTERS = ("invalid", "refused", *(reason.value for reason in Reason))


@dataclass(frozen=True, slots=True)
class Funnel:
    """From drafts to questions: `start` drafts, removals by each filter and by people.

    A dropped question counts under the most serious of its causes. Of those left, people have kept
    or fixed some; the others are disputed or waiting. `unfiltered` counts, per filter, drafts made
    with it switched off; filters applied to every draft are absent.
    """

    start: int
    filtered: tuple[Step, ...]
    dropped: tuple[Step, ...]
    fates: dict[str, int]
    unfiltered: dict[str, int]

    @property
    def left(self) -> int:
        """Number of questions that neither filters nor people removed."""
        steps = (*self.filtered, *self.dropped)
        return steps[-1].left if steps else self.start

    @property
    def need_both(self) -> Figure:
        """Share of the questions that people decided which they kept or fixed.

        They ask whether A alone answers it, and whether both do.
        """
        kept = self.fates[Fate.KEPT] + self.fates[Fate.FIXED]
        return share_figure("need_both", kept, kept + sum(step.out for step in self.dropped))


@dataclass(frozen=True, slots=True)
class ModelLine:
    """One model: shares of able and safe answers, and the gain from the provisions.

    All are shares `of` all or readable replies.
    """

    model: str
    of: Of
    able_and_safe: Figure
    helped: Difference  # correct with both, minus correct with nothing
    needs_b: Difference  # correct with both, minus correct with A alone
    needs_both: Figure  # correct with both, and with neither alone


@dataclass(frozen=True, slots=True)
class McqReport:
    """The whole report; `counts`, `rows` and `constants` are over the same questions.

    `stale` votes are on an older wording of the question and count nowhere. `reader` is the version
    of the reading rules. `reading` is one of `READINGS`; `untold` votes came without
    log-probabilities and count nowhere by likelihood. `readings` are, by model, the
    share of replies whose likeliest option is the written one.
    """

    funnel: Funnel
    scope: str
    questions: int
    counts: list[Counts]
    rows: list[SafetyRow]
    constants: list[Baseline]
    models: list[ModelLine]
    changes: list[Change]
    stale: int
    reader: int = READER
    reading: str = READINGS[0]
    untold: int = 0
    readings: Mapping[str, Figure] = field(default_factory=dict)


def mcq_report(
    ws: Workspace,
    project_slug: str,
    by: int | None = None,
    scope: str = SCOPES[0],
    pairs: Sequence[ModelPair] = (),
    reading: str = READINGS[0],
) -> McqReport:
    """Return the report over ``all`` questions not dropped, or those people have ``checked``.

    `pairs` are models before and after a change; `reading` is how replies are read. Raises
    UserError for `by` who may not read others' labels, an unknown scope or reading, a model in
    `pairs` that has not voted, a pair of one model, and two pairs of one name.
    """
    require_scope(scope)
    require_known("mcq_reading", READINGS, Where(field="reading"), reading=reading)
    with reading_as(ws, project_slug, by, Act.READ_OTHERS_LABELS) as (session, project, _):
        found = standing_questions(session, project.id)
        attempts = outcomes(session, project.id)
        unfiltered = _unfiltered(session, project.id)
        cast = votes(session, project.id)
    asked = {each.id: each for each in found if in_scope(each, scope)}
    read = read_votes(cast, wordings_of(asked.values()))
    counting = [each for each in read if each.present]
    names = model_names(cast)
    ballots = _gathered_ballots(asked, counting, names, reading)
    return McqReport(
        funnel=_funnel(attempts, found, unfiltered),
        scope=scope,
        questions=len(asked),
        counts=counts(ballots),
        rows=table(ballots),
        constants=baselines(ballots.keys),
        models=[_model_line(ballots, model, of) for model in ballots.models for of in Of],
        changes=[change for pair in named_pairs(pairs) for change in _changes(ballots, pair)],
        stale=len(read) - len(counting),
        reading=reading,
        untold=sum(each.vote.logprobs is None for each in counting),
        readings=dict(_reading_lines(asked, counting, names)),
    )


def named_pairs(pairs: Sequence[ModelPair]) -> tuple[ModelPair, ...]:
    """Return the pairs with normalised names.

    Raises UserError for a name that is too long, a pair of one model, and two pairs of one name.
    """
    cleaned = [replace(pair, name=storable(pair.name).strip()) for pair in pairs]
    for at, pair in enumerate(cleaned):
        if pair.before == pair.after:
            raise UserError("mcq_pair_of_one", Where(field="after"), model=pair.before)
        if len(pair.name) > PAIR_NAME:
            raise UserError("mcq_pair_name", Where(field="name"), limit=PAIR_NAME)
        if pair.shown in (each.shown for each in cleaned[:at]):
            raise UserError("mcq_pair_twice", Where(field="name"), name=pair.shown)
    return tuple(cleaned)


def require_scope(scope: str) -> None:
    """Raise UserError for an unknown scope."""
    require_known("mcq_scope", SCOPES, Where(field="scope"), scope=scope)


def in_scope(each: QuestionState, scope: str) -> bool:
    """Return True if a question is in a scope: ``checked`` by people, or else not dropped."""
    return each.checked if scope == "checked" else not each.dropped


_Names = Mapping[tuple[str, str], str]


def _gathered_ballots(
    asked: Mapping[int, QuestionState], counting: Sequence[ReadVote], names: _Names, reading: str
) -> Ballots:
    """Return the votes that have this reading as ballots, with their questions' answer keys."""
    keys = {
        str(n): Key(each.item.answer - 1, each.item.abstention - 1) for n, each in asked.items()
    }
    said = (
        Vote(
            str(each.vote.mcq_id),
            Setting(each.vote.setting),
            names[each.vote.server, each.vote.model],
            reply,
            each.vote.repeat,
        )
        for each in counting
        if (reply := _reply(each, keys[str(each.vote.mcq_id)], reading)) is not None
    )
    return group_replies(keys, said)


def _reply(each: ReadVote, key: Key, reading: str) -> ReplyVote | None:
    """Return a vote's outcome in the given reading; None where it cannot be read so.

    A refusal declared by the server is one in either reading.
    """
    if reading == READINGS[0] or each.vote.state == REFUSED:
        return ReplyVote(each.reading.outcome, each.option)
    if each.vote.logprobs is None:
        return None
    return by_likelihood(each.vote.logprobs, key.abstention)


def _reading_lines(
    asked: Mapping[int, QuestionState], counting: Sequence[ReadVote], names: _Names
) -> Iterator[tuple[str, Figure]]:
    """Yield, by model, the share of equal options by both readings, among replies with two."""
    same: dict[str, dict[int, list[bool]]] = {}
    for each in counting:
        vote = each.vote
        if vote.logprobs is None or each.option is None:
            continue
        likely = by_likelihood(vote.logprobs, asked[vote.mcq_id].item.abstention - 1).option
        if likely is not None:
            of_model = same.setdefault(names[vote.server, vote.model], {})
            of_model.setdefault(vote.mcq_id, []).append(likely == each.option)
    for model in sorted(same):
        shares = [fmean(same[model][question]) for question in sorted(same[model])]
        yield model, share_of("same_option", shares)


def _unfiltered(session: Session, project_id: int) -> dict[str, int]:
    """Count, by filter, the drafts made while it was switched off."""
    counted = Counter[str]()
    for making, drafts in makings(session, project_id):
        for reason in making.wanted.get("filters", {}).get("off", ()):
            counted[reason] += drafts
    return {reason: counted[reason] for reason in _FILTERS if counted[reason]}


def _funnel(
    attempts: Counter[str], found: Sequence[QuestionState], unfiltered: dict[str, int]
) -> Funnel:
    """Count the questions at each step, from drafts to those kept."""
    out = [(reason, attempts[reason]) for reason in _FILTERS]
    causes = Counter((*each.state.causes, "other")[0] for each in found if each.dropped)
    known = [cause for cause in CAUSES if cause in causes]
    listed = known + sorted(causes.keys() - set(known))
    dropped = [(cause, causes[cause]) for cause in listed]
    fates = Counter(each.state.fate for each in found)
    left = {fate.value: fates[fate] for fate in Fate if fate is not Fate.DROPPED}
    start = sum(attempts.values())
    steps = funnel(start, [*out, *dropped])
    return Funnel(start, steps[: len(out)], steps[len(out) :], left, unfiltered)


def _model_line(ballots: Ballots, model: str, of: Of) -> ModelLine:
    return ModelLine(
        model,
        of,
        able_and_safe(ballots, model, of),
        between_settings(ballots, model, Setting.ZERO, Setting.BOTH, of),
        between_settings(ballots, model, Setting.A, Setting.BOTH, of),
        needs_both(ballots, model, of),
    )


def _changes(ballots: Ballots, pair: ModelPair) -> list[Change]:
    """Compare two models, setting by setting. Raises UserError for an unknown one."""
    for model in (pair.before, pair.after):
        require_known("mcq_model_unknown", ballots.models, model=model)
    return between_models(ballots, pair)
