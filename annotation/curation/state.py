"""State of a curated question with what each reader may see, and its disputes.

A question waits until it is complete, and while it is discussed. If the submissions agree it is
kept, edited or rejected; if they differ it is disputed until an adjudicator decides. If all reject
a question, nothing else has to agree, as nothing of it is published.

The level that a question was written for and the findings of the cascade's layers are shown to
people who have judged it without them, and to adjudicators.

Disputes on curated questions.

The form of curation, beyond what its declaration says (`annotation/tasks/curation.yaml`).

A person first judges the question by itself, by four criteria and its difficulty, without the level
that it was written for and without the findings of the cascade's layers. Then both are revealed,
for good, and they choose the gold provisions and a verdict. The judgment made before cannot be
recovered afterwards (`docs/decisions/0043-curated-questions.md`).

The provisions that a curated question rests on: listed ones, and those that people named.

The gold of an admitted question is checked like other gold (`annotation.gold.validity`); this shows
curators the amendments of the law that they saw.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from sqlmodel import Session

from annotation.forms.form import Answers
from annotation.gold.resting import Resting, Rests, Scope, Via
from annotation.people.roles import Act, ProjectMember, annotator, require
from annotation.tasks.form import DeclaredForm, chosen_units
from annotation.tasks.outcomes import DeclaredDisputes, ItemState, Outcomes
from annotation.tasks.reading import packaged
from annotation.tasks.spec import NO
from annotation.work.queue_service import ItemView
from annotation.work.submissions import complete
from errors import UserError, Where
from storage.curation import (
    LayerLine,
    Provision,
    known_units,
    layer_results,
    listed_units,
    provisions,
    question_by_id,
    questions,
)
from storage.db.columns import view_of
from storage.db.workspace import Workspace
from storage.mapping import newest_set_id
from storage.subjects import shown_of
from storage.tables.augmentation import AugmentedQuestion
from storage.tables.core import CandidateSet, Item
from storage.tasks import Task

if TYPE_CHECKING:
    from storage.cascade.names import Names


SPEC = packaged(Task.CURATION)
CRITERIA = ("voice", "context", "framing", "one_view")
"""Practitioner voice, concrete context, situational framing, one institution's view."""

DIFFICULTY, GOLD, CAUSE, EDIT = "difficulty", "gold", SPEC.coded, "edit"
LEVELS = SPEC.fields[DIFFICULTY].values
(REVEALED,) = SPEC.seals
ALONE_FIELDS = (*CRITERIA, DIFFICULTY)


class Stage(StrEnum):
    """The material of an item that a person has been shown."""

    ALONE = "alone"  # question, answer and provisions
    TOLD = "told"  # also the level it was written for, and the layers' findings
    DONE = "done"  # the item is submitted


class Verdict(StrEnum):
    """The decision on the question."""

    KEEP = "keep"
    EDIT = "edit"
    REJECT = "reject"


@dataclass(frozen=True, slots=True)
class Edited:
    """A corrected question with its answer."""

    question: str
    answer: str


def stage_of(answers: Answers, submitted: bool = False) -> Stage:
    """Return the stage that a person has reached by these answers."""
    return Stage.DONE if submitted else Stage(SPEC.stage_at(answers).key)


def edited_of(answers: Answers) -> Edited | None:
    """Return the corrected question of these answers, None if there is none."""
    said = SPEC.visible(answers).get(EDIT)
    return None if said is None else Edited(said["question"], said["answer"])


def gold_of(answers: Answers) -> tuple[str, ...]:
    """Return the gold provisions of these answers, as ascending semantic ids; none if rejected."""
    return chosen_units(SPEC.visible(answers).get(GOLD))


class Curation(DeclaredForm):
    """The form of curation."""

    def contradicts_itself(self, answers: Answers) -> bool:
        """Return True if the question is kept although it fails a criterion."""
        return answers["verdict"] == Verdict.KEEP and NO in (answers[each] for each in CRITERIA)

    def refuse_for(self, session: Session, item: Item, answers: Answers) -> None:
        """Raise UserError for a listed provision not judged, and an unchanged correction."""
        row = session.get_one(AugmentedQuestion, item.subject_id)
        if (judged := SPEC.visible(answers).get(GOLD)) is not None:
            listed = listed_units(session, [row])[row.id or 0]
            open_ = [unit for unit in listed if unit not in judged]
            if open_:
                raise UserError("curation_gold_open", Where(field=GOLD), units=", ".join(open_))
        if edited_of(answers) == Edited(row.text.strip(), row.answer.strip()):
            raise UserError("curation_edit_same", Where(field=EDIT))

    def known(self, session: Session, item: Item, field: str, value: Any, answers: Answers) -> Any:
        """Return a checked value; provisions have to be in the law that the item shows.

        Unlisted provisions are kept only if they belong to the gold.
        """
        if field != GOLD:
            return super().known(session, item, field, value, answers)
        row, belongs = session.get_one(AugmentedQuestion, item.subject_id), chosen_units(value)
        unknown = sorted(set(belongs) - known_units(session, item.id or 0, belongs))
        if unknown:
            raise UserError("curation_unit_unknown", Where(field=GOLD), unit=unknown[0])
        keep = {*listed_units(session, [row])[row.id or 0], *belongs}
        return {unit: said for unit, said in value.items() if unit in keep}


FORM = Curation(SPEC)


class CurationResting(Resting):
    """The reader of `annotation.gold.resting` for curated questions."""

    def rests(self, scope: Scope, items: Sequence[Item]) -> Iterator[Rests]:
        """Yield each question's listed provisions and those called gold, in the law shown.

        Annotators get only the listed ones.
        """
        laws = scope.decided_on(items)
        listed = listed_units(scope.session, questions(scope.session, scope.project_id))
        named = {} if scope.blind else _gold_by_item(scope)
        for each in items:
            number, law = each.id or 0, laws.get(each.id or 0, 0)
            via: dict[str, Via] = dict.fromkeys(listed[each.subject_id or 0], "source")
            via |= dict.fromkeys(named.get(number, ()), "gold")
            yield Rests(number, places=tuple((unit, law, how) for unit, how in via.items()))


def _gold_by_item(scope: Scope) -> dict[int, tuple[str, ...]]:
    """Return the semantic ids that any submission considers gold, by item."""
    made = complete(scope.session, scope.project_id, Task.CURATION)
    return {
        item: tuple(sorted({unit for each in said for unit in gold_of(each.answers)}))
        for item, said in made.items()
    }


RESTS = CurationResting()


_TARGET = "difficulty"  # an axis that is revealed with the layers


class Fate(StrEnum):
    """The outcome of a question."""

    KEPT = "kept"
    EDITED = "edited"
    REJECTED = "rejected"
    DISPUTED = "disputed"
    WAITING = "waiting"


class CurationState(ItemState):
    """The outcome of one question; `causes` are ascending."""

    __slots__ = ()

    @property
    def stands(self) -> bool:
        """True if reviewers accept the question, as it is or corrected."""
        return self.fate in (Fate.KEPT, Fate.EDITED)

    @property
    def gold(self) -> tuple[str, ...]:
        """Its provisions as semantic ids, ascending; none unless it stands."""
        return gold_of(self.agreed)

    @property
    def declined(self) -> tuple[str, ...]:
        """Semantic ids of the provisions judged not to be gold, ascending."""
        judged = self.agreed.get(GOLD) or {}
        return tuple(sorted(judged.keys() - {*self.gold}))

    @property
    def difficulty(self) -> str:
        """Its level as judged; "" unless it stands."""
        return str(self.agreed[DIFFICULTY]) if self.stands else ""

    @property
    def criteria(self) -> dict[str, str] | None:
        """The judgment of each criterion; None unless it stands."""
        return {name: self.agreed[name] for name in CRITERIA} if self.stands else None

    @property
    def edited(self) -> Edited | None:
        """The correction; None unless it is edited."""
        return edited_of(self.agreed)


WAITING = CurationState(Fate.WAITING)
_OUTCOMES = Outcomes(SPEC, CurationState, Fate)
curation_states, state_of, state_of_case = _OUTCOMES.by_subject, _OUTCOMES.of, _OUTCOMES.of_case


@dataclass(frozen=True, slots=True)
class CurationView:
    """A question with what its reader may see of it; None for parts not revealed yet.

    `axes` are what it was written for, without the level until `layers` are revealed.
    """

    external_id: str
    language: str
    text: str
    answer: str
    axes: Mapping[str, Any]
    provisions: tuple[Provision, ...]
    layers: tuple[LayerLine, ...] | None


def own_view(ws: Workspace, person_id: int, item: ItemView) -> CurationView:
    """Return an item's question as far as the person's own answers have revealed it."""
    stage = stage_of(item.answers, item.status == "submitted")
    added = (item.answers.get(GOLD) or {}).keys()
    with ws.reading() as session:
        project_id = annotator(session, person_id).project_id
        where = session, project_id, item.subject_id, item.candidate_set_id
        return curation_view(*where, stage, added=tuple(added))


def names_shown(ws: Workspace, person_id: int) -> Names:
    """Return the display names of the keys of the project's questions.

    Raises UserError for an unknown person.
    """
    from storage.cascade.names import names_in  # reads the declarations of closure and cascade

    with ws.reading() as session:
        return names_in(session, require(session, person_id, Act.READ_LAW).project_id)


def curation_view(
    session: Session,
    project_id: int,
    question_id: int,
    set_id: int,
    stage: Stage,
    added: Sequence[str] = (),
) -> CurationView:
    """Return a question at a stage, with the law that the candidate set `set_id` shows.

    Provisions added by closure are revealed with the layers, as one of these found them. Raises
    UserError for a question of another project.
    """
    row = question_by_id(session, project_id, question_id)
    shown, law = shown_of(session, set_id), session.get_one(CandidateSet, set_id).snapshot_id
    told = stage is not Stage.ALONE
    axes = {name: value for name, value in row.axes.items() if told or name != _TARGET}
    return view_of(
        CurationView,
        row,
        axes=axes,
        provisions=tuple(
            each for each in provisions(session, row, law, added) if told or not each.closed
        ),
        layers=layer_results(session, question_id, shown.get("run")) if told else None,
    )


class CurationDisputes(DeclaredDisputes):
    """Curation disputes, with what they show of a question."""

    def question(self, session: Session, who: ProjectMember, item: Item) -> CurationView:
        """Return the full question, with every provision that anybody named."""
        number = item.id or 0
        found = self.cases(session, who.project_id, number)
        said = [each.answers for dispute in found for each in dispute.case.submissions]
        said += [each.decision.answers for each in found if each.decision is not None]
        added = sorted({unit for each in said for unit in each.get(GOLD) or {}})
        sets = [each.candidate_set_id for dispute in found for each in dispute.case.submissions]
        set_id = max(sets, default=newest_set_id(session, number) or 0)
        where = session, who.project_id, item.subject_id or 0, set_id
        return curation_view(*where, Stage.DONE, added)


DISPUTES = CurationDisputes(_OUTCOMES)
