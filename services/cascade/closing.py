"""The closure layer: rules that add provisions to a question's gold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from annotation.closure.completion import ADDED, INCOMPLETE, completion, keep
from annotation.closure.gold_sets import Decision, SetKey, decisions_in
from annotation.closure.proposals import Scope
from annotation.work.versioned_texts import CLOSURE_RULES
from construction.closure.rules import ClosureRules, parse
from services.cascade.walking import Closed, Missed
from storage.cascade.results import Question
from storage.closure.stored_law import StoredLaw
from storage.db.workspace import Workspace
from storage.law.graph import graph_view
from storage.projects import ProjectView
from storage.tables.augmentation import AugmentedQuestion


@dataclass(frozen=True, slots=True)
class Closing:
    """Closure of augmented questions' gold by the rules current at creation."""

    ws: Workspace
    project: ProjectView
    snapshot_id: int
    rules_number: int
    rules: ClosureRules
    decisions: Mapping[SetKey, Mapping[str, Decision]]
    graph: bool

    def __call__(self, question: Question) -> Closed | None:
        """Return what the gold of a question lacks; None without a citation graph."""
        if not self.graph:
            return None
        with self.ws.reading() as session:
            row = session.get_one(AugmentedQuestion, question.id)
            made, _ = completion(self._scope(session), row)
        units = tuple(dict.fromkeys(str(each["unit"]) for each in made.gold))
        faults = [each for each in made.reasons if each["code"] != ADDED]
        if faults:
            code = "open_end" if faults[0]["code"] == INCOMPLETE else "absent"
            about = ", ".join(str(each["values"].get("unit", "")) for each in faults)
            return Closed(units, fault=code, about=about)
        missing = tuple(_missed_provision(each["values"]) for each in made.reasons)
        return Closed(units, missing, before=self._added_before(question))

    def _added_before(self, question: Question) -> tuple[Missed, ...]:
        """Return the provisions added to a question's gold so far, in order."""
        said = self.decisions.get(("augmented", question.id), {})
        return tuple(
            Missed(each.unit, each.rule, ", ".join(fired.text for fired in each.fired))
            for _, each in sorted(said.items())
            if each.verdict == "added" and each.unit not in question.units
        )

    def keep(self, session: Session, question_id: int, at: datetime, by: int | None) -> None:
        """Store the additions to a question's gold, in the session's transaction."""
        scope = self._scope(session)
        _, rows = completion(scope, session.get_one(AugmentedQuestion, question_id))
        keep(scope, rows, at, by)

    def _scope(self, session: Session) -> Scope:
        return Scope(
            session=session,
            project=self.project,
            law=StoredLaw(session, self.snapshot_id),
            snapshot_id=self.snapshot_id,
            rules_number=self.rules_number,
            rules=self.rules,
            decisions=self.decisions,
            discussed=frozenset(),
            adjudicated={},
        )


def closing_in(session: Session, ws: Workspace, project: ProjectView, snapshot_id: int) -> Closing:
    """Return the closure by a project's current rules in that law."""
    number, text = CLOSURE_RULES.text_in(session, project.id)
    return Closing(
        ws,
        project,
        snapshot_id,
        number,
        parse(text),
        decisions_in(session, project.id),
        graph_view(session, snapshot_id) is not None,
    )


def _missed_provision(values: Mapping[str, Any]) -> Missed:
    words = ", ".join(str(each) for each in values["words"])
    return Missed(str(values["unit"]), str(values["rule"]), words)
