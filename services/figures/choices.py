"""What figures can be made of: a project's settled questions, its dense methods, other projects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotation.people.accounts import places
from annotation.people.members import list_people
from annotation.people.roles import Act, allow, may
from errors import UserError
from retrieval.core.method import Dense
from retrieval.core.model import Spec
from retrieval.core.registry import complete, method_class
from services.figures.dataset_statistics import OtherProject
from services.figures.figure_data import STANDARD
from services.gold.gold_set import chosen_snapshot, gold_set
from services.runs.methods.run_key import spec_of
from storage.db.workspace import Workspace
from storage.law.corpus import load_items
from storage.projects import find_project, list_projects
from storage.runs.run_store import list_runs


@dataclass(frozen=True, slots=True)
class Askable:
    """A settled question with gold: its id and its text."""

    external_id: str
    question: str


def askable(ws: Workspace, project_slug: str, *, by: int | None = None) -> list[Askable]:
    """Return the questions that have gold in the snapshot in use, by ascending id.

    Raises UserError for an unknown project, one without law, and for `by` (None: the operator) who
    may not see scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    gold = gold_set(ws, project_slug, chosen_snapshot(ws, project_slug).id)
    with ws.reading() as session:
        items = load_items(session, find_project(session, project_slug).id)
    texts = {item.question.external_id: item.question.text for item in items}
    return [Askable(query, texts[query]) for query, units in gold.qrels.items() if units]


def dense_specs(ws: Workspace, project_slug: str, *, by: int | None = None) -> list[dict[str, Any]]:
    """Return the specs of dense methods: that without download, then those of stored runs.

    A run whose method or parameters this version does not know is passed over.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    with ws.reading() as session:
        runs = list_runs(session, find_project(session, project_slug).id)
    found = [complete(STANDARD.spec)]
    for run in runs:
        spec = _dense(spec_of(run.key))
        if spec is not None and spec not in found:
            found.append(spec)
    return found


def _dense(spec: Spec) -> dict[str, Any] | None:
    try:
        whole = complete(spec)
    except UserError:
        return None
    return whole if issubclass(method_class(whole["method"]), Dense) else None


def other_projects(
    ws: Workspace, project_slug: str, account_id: int | None, *, by: int | None = None
) -> list[OtherProject]:
    """Return the other projects whose scores whoever asks may see, oldest first.

    With an account they are those that it takes part in. Without accounts whoever sits here may be
    any of the people of a project, so each project is asked about as its first person who may.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    if account_id is not None:
        known = [(each.slug, [each.person]) for each in places(ws, account_id)]
    else:
        known = [(each.slug, list_people(ws, each.slug)) for each in list_projects(ws)]
    found = []
    for slug, people in known:
        able = [each.id for each in people if each.active and may(each.role, Act.SEE_SCORES)]
        if slug != project_slug and able:
            found.append(OtherProject(slug, able[0]))
    return found
