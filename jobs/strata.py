"""The columns by which a project's figures can be split, and the questions of a stratum."""

from __future__ import annotations

from collections.abc import Mapping

from annotation.roles import Act
from annotation.standing import allow
from errors import UserError
from evaluation.strata import Cell, Rows, columns, gold_count, strata
from jobs.gold_set import GoldSet, gold_set
from storage.corpus import load_items, question_files
from storage.projects import project_by_slug
from storage.workspace import Workspace

Stratum = tuple[str, str]
"""A column and one of its values."""


def strata_of(
    ws: Workspace, project_slug: str, by: int | None = None
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return column → value → the settled questions of that stratum, by ascending id.

    Columns are those that split the questions: `language`, `source` (the file that they came from)
    and `gold_count`, and what their file said of them; where it has one of these names itself,
    the file's is meant, but for the gold. Raises UserError for an unknown project and for `by`
    (None: the operator) who may not see scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    rows = query_columns(ws, project_slug, gold_set(ws, project_slug))
    return {name: strata(rows, name) for name in columns(rows)}


def query_columns(ws: Workspace, project_slug: str, gold: GoldSet) -> Rows:
    """Return the columns of every settled question, by its external id."""
    project = project_by_slug(ws, project_slug)
    with ws.reading() as session:
        items = load_items(session, project.id)
        files = question_files(session, project.id)
    found: dict[str, Mapping[str, Cell]] = {}
    for question in (item.question for item in items):
        if question.external_id in gold.qrels:
            found[question.external_id] = {
                "language": question.language,
                "source": files[question.external_id],
                **dict(question.columns),
                "gold_count": gold_count(gold.qrels[question.external_id]),
            }
    return found


def questions_of(rows: Rows, stratum: Stratum) -> frozenset[str]:
    """Return the questions of a stratum. Raises UserError, naming what there is, for any other."""
    column, value = stratum
    names = columns(rows)
    if column not in names:
        raise UserError("column_unknown", name=column, known=", ".join(names) or "–")
    found = strata(rows, column)
    if value not in found:
        raise UserError("stratum_unknown", column=column, value=value, known=", ".join(found))
    return frozenset(found[value])
