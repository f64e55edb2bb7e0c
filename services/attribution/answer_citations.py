"""False, missing and invalid citations of each answer compared with gold.

Units are articles, as in the citation scores of `services.attribution.report`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from annotation.people.roles import Act, reading_as
from construction.attribution.cited import Cited, Law
from services.attribution.claims import answers_by_case, chosen_cases
from services.attribution.report import cited_by_answer, rolled
from services.gold.gold_set import gold_set
from storage.attribution.answers import model_answers
from storage.db.workspace import Workspace
from storage.judging.verdicts import CaseView, cases
from storage.law.catalogues import catalogue
from storage.law.corpus import id_in_use

Units = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AnswerCitations:
    """The articles that an answer cites, ascending, compared with gold.

    `gold` and all that depends on it is None where the gold is not settled. False citations are
    `inside` or `outside` of the passages shown, `unplaced` where these are unknown. `missed` is
    gold that is not cited, `invalid` what resolves to no article, as written.
    """

    question: str
    system: str
    cited: Units
    gold: Units | None
    inside: Units | None
    outside: Units | None
    unplaced: Units | None
    missed: Units | None
    invalid: Units

    def as_json(self) -> dict[str, Any]:
        """Return JSON values."""
        return asdict(self)

    @property
    def wrong(self) -> bool:
        """Whether there is a false, invalid or missing citation."""
        parts = self.inside, self.outside, self.unplaced, self.missed, self.invalid
        return any(parts)


def citations_of_answers(
    ws: Workspace, project_slug: str, systems: Sequence[str] = (), by: int | None = None
) -> list[AnswerCitations]:
    """Return the citations of each answer of these systems, by default of all.

    Ordered by system, then by import; empty without a law in use. Compared with the widest gold
    set. Raises UserError for `by` (None: the operator) who may not see scores, for an unknown
    system, and without any answer.
    """
    with reading_as(ws, project_slug, by, Act.SEE_SCORES) as (session, project, _):
        chosen = chosen_cases(cases(session, project.id), systems)
        by_case = answers_by_case(model_answers(session, project.id))
        snapshot = id_in_use(session, project.id)
    if snapshot is None:
        return []
    law, gold = Law.of(catalogue(ws, snapshot)), gold_set(ws, project_slug, name="").qrels
    found = []
    for each in sorted(chosen, key=lambda case: (case.system, case.id)):
        answer = by_case.get(each.id)
        cited = cited_by_answer(law, each, answer)
        wanted = gold.get(each.external_id)
        shown = None if answer is None else set(rolled(law, answer.shown))
        found.append(
            _compared_with_gold(
                each, cited, None if wanted is None else set(rolled(law, wanted)), shown
            )
        )
    return found


def _compared_with_gold(
    case: CaseView, cited: Cited, gold: set[str] | None, shown: set[str] | None
) -> AnswerCitations:
    false = None if gold is None else set(cited.units) - gold
    known = false is not None and shown is not None
    return AnswerCitations(
        case.external_id,
        case.system,
        cited.units,
        _units(gold),
        inside=_units(false & shown if false is not None and shown is not None else None),
        outside=_units(false - shown if false is not None and shown is not None else None),
        unplaced=None if known else _units(false),
        missed=None if gold is None else _units(gold - set(cited.units)),
        invalid=cited.invalid,
    )


def _units(units: set[str] | None) -> Units | None:
    return None if units is None else tuple(sorted(units))
