"""Standard groups as CSV: the table of coverage, and one line for each case and group."""

from __future__ import annotations

from construction.cases.group_mapping import Mapped
from evaluation.tables import csv_text
from services.cases.standard_groups import CaseGroups


def coverage_csv(found: CaseGroups) -> str:
    """Return the categories with their groups and cases, and the totals in the last line."""
    labels = {each.key: each.label for each in found.typology.categories}
    covered = found.coverage
    rows = [
        (row.key, labels[row.key]["en"], labels[row.key]["ko"], row.groups, row.filled, row.cases)
        for row in covered.rows
    ]
    total = ("total", "", "", covered.groups, covered.filled, covered.mapped)
    names = ("category", "english", "korean", "groups", "groups_with_cases", "cases")
    return csv_text((names, *rows, total))


def members_csv(found: CaseGroups) -> str:
    """Return a line for each case and group with the rule that decided, and for each case left out.

    ``query`` is 1 where the case asks for the others of the group.
    """
    names = ("case", "group", "query", "title", "rule", "provisions")
    rows: list[tuple[object, ...]] = []
    for number, each in found.mapped.items():
        rows += _rows(found, number, each)
    return csv_text((names, *rows))


def _rows(found: CaseGroups, number: int, each: Mapped) -> list[tuple[object, ...]]:
    name = found.cases[number].external_id
    asks = {group for group, query in found.queries.items() if query.case_id == number}
    if not each.groups:
        titles = " / ".join(missed.title for missed in each.missed)
        return [(name, "", 0, titles, "; ".join(missed.reason for missed in each.missed), "")]
    return [
        (name, why.group, int(why.group in asks), why.title, why.rule, "; ".join(why.provisions))
        for why in each.why
    ]
