"""The gold as retrieval needs it: settled questions, judgements, and a hash of both."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from annotation.gold import GoldItem, derive
from errors import UserError
from storage.workspace import Workspace


@dataclass(frozen=True)
class GoldSet:
    """A project's settled items by ascending external id; `pending` counts the others."""

    items: Sequence[GoldItem]
    pending: int

    @cached_property
    def qrels(self) -> dict[str, dict[str, int]]:
        """Question → unit → 1. A question without provision has no unit, so it is not scored."""
        return {item.external_id: dict.fromkeys(sorted(item.units), 1) for item in self.items}

    @cached_property
    def units(self) -> list[str]:
        """Return every gold unit once, ascending."""
        return sorted({unit for item in self.items for unit in item.units})

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of what is gold: equal exactly when questions and their units are."""
        rows = [[item.external_id, item.no_provision, sorted(item.units)] for item in self.items]
        return sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()


def gold_set(ws: Workspace, project_slug: str) -> GoldSet:
    """Return the project's gold as it stands. Raises UserError for an unknown project."""
    items = derive(ws, project_slug)
    decided = [item for item in items if item.settled]
    return GoldSet(
        items=tuple(sorted(decided, key=lambda item: item.external_id)),
        pending=len(items) - len(decided),
    )


def required_gold(ws: Workspace, project_slug: str) -> GoldSet:
    """Return the project's gold. Raises UserError when no question is settled."""
    gold = gold_set(ws, project_slug)
    if not gold.items:
        raise UserError("no_gold", slug=project_slug, pending=gold.pending)
    return gold
