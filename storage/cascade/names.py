"""Display names of the keys of generated questions: axes, closure rules, wordings of layers.

A question keeps keys: of its axes, of the rule that added a provision, of the wording that a layer
found. The name is that of the newest version that has the key, in English and Korean; a key that no
version has any more is shown as it is.

Text of governing provisions in a snapshot, and versions of the axes by number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from sqlmodel import Session, col, select

from construction.augmentation.axes import parse as parse_axes
from construction.augmentation.axes import starter as packaged_axes
from construction.augmentation.rubric import Governing
from construction.cascade.layers import parse as parse_layers
from construction.cascade.layers import starter as packaged_layers
from construction.closure.rules import parse as parse_rules
from construction.closure.rules import starter as packaged_rules
from messages import catalogue, say
from storage.db.rows import rows_with
from storage.law.parallel_groups import declaration_in
from storage.tables.augmentation import AxesRow, CascadeLayersRow, ClosureRulesRow
from storage.tables.core import StatuteRow, UnitRow

Labels = Mapping[str, Mapping[str, str]]
"""Display names of each key, by language."""


_WORDING = "wording."


class _Called(Protocol):
    @property
    def key(self) -> str: ...
    @property
    def label(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Names:
    """Display names of axes (types, facets, values, domains, groups), rules and wordings."""

    types: Labels
    facets: Labels
    values: Mapping[str, Labels]
    domains: Labels
    groups: Labels
    rules: Labels
    wordings: Labels


def names_in(session: Session, project_id: int) -> Names:
    """Return the display names of the keys of a project's generated questions."""
    axes = [parse_axes(text) for text in _texts(session, AxesRow, project_id, packaged_axes())]
    layers = _texts(session, CascadeLayersRow, project_id, packaged_layers())
    rules = _texts(session, ClosureRulesRow, project_id, packaged_rules())
    values: dict[str, dict[str, Mapping[str, str]]] = {}
    for facet in (each for one in axes for each in one.facets):
        values.setdefault(facet.key, {}).update(_labels(facet.values))
    wordings: dict[str, Mapping[str, str]] = {}
    for text in layers:
        wordings |= parse_layers(text).labels()
    return Names(
        types=_labels(each for one in axes for each in one.types),
        facets=_labels(each for one in axes for each in one.facets),
        values=values,
        domains=_labels(each for one in axes for each in one.domains),
        groups=_labels(declaration_in(session, project_id).groups),
        rules=_labels(each for text in rules for each in parse_rules(text).rules),
        wordings=wordings,
    )


def _labels(entries: Iterable[_Called]) -> dict[str, Mapping[str, str]]:
    """Return labels by key."""
    return {each.key: each.label for each in entries}


def _texts(
    session: Session,
    table: type[AxesRow] | type[CascadeLayersRow] | type[ClosureRulesRow],
    project_id: int,
    packaged: str,
) -> list[str]:
    """Return the packaged text, then every version that the project saved, oldest first."""
    query = select(table.text).where(table.project_id == project_id)
    return [packaged, *session.exec(query.order_by(col(table.number)))]


def label_in(key: str, labels: Labels, language: str) -> str:
    """Return the display name of a key; the key itself if it has none."""
    return labels.get(key, {}).get(language, key)


def reason_name(code: str, wordings: Labels, language: str) -> str:
    """Return the display name of a rejection reason; `wordings` names wording rules."""
    if code.startswith(_WORDING):
        return label_in(code.removeprefix(_WORDING), wordings, language)
    for place in (f"cascade.reason_name.{code}", f"cascade.reason.{code}"):
        if place in catalogue():
            return catalogue_name(place, code, language)
    return code


def catalogue_name(place: str, otherwise: str, language: str) -> str:
    """Return the message of key `place` if it takes no values, else `otherwise`."""
    entry = catalogue().get(place)
    return otherwise if entry is None or "{" in entry[language] else say(place, language)


def governing(session: Session, snapshot_id: int, units: Collection[str]) -> dict[str, Governing]:
    """Return those of the units that the snapshot has and that are not deleted, by semantic id."""
    query = (
        select(UnitRow.semantic_id, StatuteRow.semantic_id, StatuteRow.tier, UnitRow.text)
        .join(StatuteRow)
        .where(UnitRow.snapshot_id == snapshot_id, col(UnitRow.deleted).is_(False))
    )
    rows = rows_with(session, query, UnitRow.semantic_id, units)
    return {row[0]: Governing(*row) for row in rows}


def axes_texts(session: Session, project_id: int) -> dict[int, str]:
    """Return the text of every version of the axes that the project has saved, by number."""
    query = select(AxesRow.number, AxesRow.text).where(AxesRow.project_id == project_id)
    return dict(session.exec(query).all())
