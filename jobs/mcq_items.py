"""The questions of a project one by one, for whoever leads: the most doubtful first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from annotation.roles import Act
from annotation.standing import require_by
from construction.mcq.items import wording_of
from errors import UserError
from evaluation.mcq.votes import Setting
from jobs.mcq_questions import Standing, standing_questions
from jobs.mcq_report import solver_names
from storage.mcq_votes import VoteView, votes
from storage.projects import find_project
from storage.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ItemLine:
    """One question: what has become of it, and how models do on it.

    `right_a` and `right_ab` are the shares of answers that chose the stored answer with A alone
    and with both; None where nothing was read. `tiers` are those of A and B.
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
        """How much models speak against it, 0 to 2; what nobody answered is not in doubt."""
        told = self.right_a or 0.0
        return told + (0.0 if self.right_ab is None else 1.0 - self.right_ab)


@dataclass(frozen=True, slots=True)
class ItemDetail:
    """One question with its provisions and what was chosen.

    `choices` counts, by setting, each option chosen; None is an answer that chose nothing plainly.
    """

    standing: Standing
    choices: Mapping[Setting, Mapping[int | None, int]]
    models: tuple[str, ...]


def mcq_lines(ws: Workspace, project_slug: str, by: int | None = None) -> list[ItemLine]:
    """Return every question, the most doubtful first, then in order of id.

    Raises UserError for who may not read others' labels.
    """
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.READ_OTHERS_LABELS)
        found = standing_questions(session, project.id)
        cast = votes(session, project.id)
    by_question: dict[int, list[VoteView]] = {}
    for vote in cast:
        by_question.setdefault(vote.mcq_id, []).append(vote)
    lines = [_line(each, by_question.get(each.id, ())) for each in found]
    return sorted(lines, key=lambda line: (-line.doubt, line.id))


def mcq_detail(ws: Workspace, project_slug: str, number: int, by: int | None = None) -> ItemDetail:
    """Return one question. Raises UserError for who may not read others' labels, and if unknown."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        require_by(session, project.id, by, Act.READ_OTHERS_LABELS)
        found = {each.id: each for each in standing_questions(session, project.id)}
        if number not in found:
            raise UserError("mcq_unknown", id=number)
        names = solver_names(votes(session, project.id))
        cast = _present(found[number], votes(session, project.id, number))
    choices = {s: Counter(v.choice for v in cast if v.setting == s) for s in Setting}
    models = sorted({names[vote.server, vote.model] for vote in cast})
    return ItemDetail(found[number], choices, tuple(models))


def _line(each: Standing, cast: Sequence[VoteView]) -> ItemLine:
    present = _present(each, cast)
    pair = each.item.pair
    return ItemLine(
        id=each.id,
        external_id=each.item.id,
        query=each.item.query,
        fate=each.state.fate.value,
        tiers=(int(pair.source.tier), int(pair.target.tier)),
        right_a=_share(present, Setting.A, each.item.answer - 1),
        right_ab=_share(present, Setting.BOTH, each.item.answer - 1),
    )


def _present(each: Standing, cast: Iterable[VoteView]) -> list[VoteView]:
    wording = wording_of(each.item)
    return [vote for vote in cast if vote.wording == wording]


def _share(cast: Sequence[VoteView], setting: Setting, right: int) -> float | None:
    read = [v.choice for v in cast if v.setting == setting and v.choice is not None]
    return sum(choice == right for choice in read) / len(read) if read else None
