"""Columns that split a project's figures, and the questions of each stratum.

A run is scored on the gold of its snapshot and split by that gold too: which questions are settled,
and how many units are gold, may differ between snapshots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sqlmodel import Session

from annotation.people.roles import Act, allow
from errors import UserError, Where
from evaluation.ranking.compare import Cell, Rows, columns, gold_count, in_order, strata
from messages import say
from normalization.grouping import grouped
from services.gold.gold_set import GoldSet, GoldSets, gold_sets
from services.gold.reference_sets import reference_sets
from services.gold.search_coverage import NotSearched, gold_not_searched, gold_without_text
from storage.db.workspace import Workspace
from storage.gold import SPLIT, parts_now
from storage.law.corpus import load_questions, question_files
from storage.law.passages import Levels
from storage.projects import find_project
from storage.reformulation import parentages
from storage.runs.run_store import list_runs
from storage.runs.search_levels import levels_searched

REFORMULATED = "reformulated"
Stratum = tuple[str, str]
"""A column and one of its values."""


def strata_of(
    ws: Workspace, project_slug: str, by: int | None = None, gold: str | GoldSets = ""
) -> dict[str, dict[str, tuple[str, ...]]]:
    """Return column → value → the questions of that stratum, by ascending id.

    Columns are those that split the questions judged for the snapshot in use, or for one that a
    run was made on: `language`, `source` (the file that they came from), `jurisdiction`,
    `reformulated` (whether they were made of an option of another), `split` (their part, "" for
    none, where the gold has been divided), `gold_count`, `gold_difficulty` (the level that the
    project's rubric finds in its gold), `gold_searched` (whether ``all``, ``some``
    or ``none`` of their gold is of the levels that the project searches now), `gold_text` (whether
    ``all``, ``some`` or ``none`` of it has a text, and not a heading alone), and what their file
    said of them; where it has one of these names itself, the file's is meant, but for the split and
    the gold. Raises UserError for an unknown project and for `by` (None: the operator) who may not
    see scores.
    """
    allow(ws, project_slug, by, Act.SEE_SCORES)
    return _merged(query_columns(ws, project_slug, *_gold_sets(ws, project_slug, gold)))


def questions_in(
    ws: Workspace, project_slug: str, gold: GoldSet, stratum: Stratum, golds: str | GoldSets
) -> frozenset[str]:
    """Return the questions of a stratum on the gold of one run, whose sets are `golds`.

    Raises UserError for an unknown column or value.
    """
    all_sets = _gold_sets(ws, project_slug, golds or gold.label)
    rows = query_columns(ws, project_slug, gold, *all_sets)
    return questions_of(rows, stratum)[0]


def _gold_sets(ws: Workspace, project_slug: str, gold: str | GoldSets) -> list[GoldSet]:
    """Return the gold sets for the snapshot in use and those of the project's runs."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        snapshots = {run.key.snapshot_id for run in list_runs(session, project.id)}
    return gold_sets(ws, project_slug, snapshots, gold).all


def value_in_words(stratum: Stratum, language: str) -> str:
    """Return the display name of a stratum's value; an empty one in words."""
    column, value = stratum
    unsaid = "significance.in_no_part" if column == SPLIT else "significance.not_stated"
    return value or say(unsaid, language)


def query_columns(ws: Workspace, project_slug: str, *golds: GoldSet) -> list[Rows]:
    """Return, per gold set, the columns of its questions with final gold, by external id."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        said = question_columns(session, project.id)
        levels = levels_searched(session, project.id)
        lacking = [_lacking(session, gold, levels) for gold in golds]
    hard = [reference_sets(ws, project_slug, gold) for gold in golds]
    return [
        {
            query: {
                **row,
                "gold_count": gold_count(gold.qrels[query]),
                **({"gold_difficulty": level[query][1]} if query in level else {}),
                "gold_searched": _share_present(query, outside),
                "gold_text": _share_present(query, headed),
            }
            for query, row in said.items()
            if query in gold.qrels
        }
        for gold, (outside, headed), level in zip(golds, lacking, hard, strict=True)
    ]


def question_columns(session: Session, project_id: int) -> dict[str, Mapping[str, Cell]]:
    """Return the columns of every question of a project, by external id, except gold ones."""
    asked = load_questions(session, project_id)
    files = question_files(session, project_id)
    made = parentages(session, project_id)
    parts = parts_now(session, project_id)
    several = any(question.jurisdiction for question in asked.values())
    return {
        name: {
            "language": question.language,
            "source": files[name],
            **({"jurisdiction": question.jurisdiction} if several else {}),
            **({REFORMULATED: str(name in made).lower()} if made else {}),
            **dict(question.columns),
            **({SPLIT: parts.get(name, "")} if parts else {}),
        }
        for name, question in asked.items()
    }


def _lacking(session: Session, gold: GoldSet, levels: Levels) -> tuple[NotSearched, NotSearched]:
    """Return the gold that is not searched, and the gold without text."""
    if gold.snapshot_id is None:  # there is no law yet, and so no gold
        return NotSearched(), NotSearched()
    outside = gold_not_searched(session, gold.snapshot_id, levels, gold)
    return outside, gold_without_text(session, gold.snapshot_id, gold, outside)


def gold_headed(ws: Workspace, project_slug: str, gold: GoldSet) -> NotSearched:
    """Return the gold units without text, which are searched by heading alone."""
    with ws.reading() as session:
        project = find_project(session, project_slug)
        return _lacking(session, gold, levels_searched(session, project.id))[1]


def _share_present(query: str, lacking: NotSearched) -> str:
    """Return ``all``, ``some`` or ``none``: how much of a question's gold is not in `lacking`."""
    if query not in lacking.questions:
        return "all"
    return "none" if query in lacking.wholly else "some"


def questions_of(rows: Sequence[Rows], stratum: Stratum) -> list[frozenset[str]]:
    """Return the questions of a stratum for each gold set's columns in `rows`.

    Raises UserError, listing what exists, for an unknown column or value.
    """
    column, value = stratum
    known = _merged(rows)
    if column not in known:
        raise no_column(column, known)
    if value not in known[column]:
        values = ", ".join(known[column])
        raise UserError("stratum_unknown", column=column, value=value, known=values)
    return [frozenset(strata(row, column).get(value, ())) for row in rows]


def no_column(column: str, known: Iterable[str], where: Where | None = None) -> UserError:
    """Return the error for a column that splits nothing; `known` are those that do.

    For `split` it says that the gold has not been divided yet.
    """
    if column == SPLIT:
        return UserError("split_none", where)
    return UserError("column_unknown", where, name=column, known=", ".join(known) or "–")


def _merged(rows: Iterable[Rows]) -> dict[str, dict[str, tuple[str, ...]]]:
    """Merge column → value → questions over several gold sets."""
    merged = grouped((column, strata(row, column)) for row in rows for column in columns(row))
    return {
        column: {
            value: tuple(sorted({query for some in several for query in some.get(value, ())}))
            for value in in_order({value for some in several for value in some})
        }
        for column, several in sorted(merged.items())
    }
