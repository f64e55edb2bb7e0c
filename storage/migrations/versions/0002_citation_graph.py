"""The citation graph, the hyperlinks that units came with, and which snapshot is in use.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables of links, edges, references, graphs, and of the snapshot in use."""
    _use()
    _links()
    _graphs()
    _edges()
    _references()


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer(), nullable=False)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _key(table: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}"))


def _to(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{to}")
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=name)


def _index(table: str, *columns: str) -> None:
    op.create_index(op.f("_".join(("ix", table, *columns))), table, list(columns))


def _use() -> None:
    """Until now the newest snapshot of a project was the one in use."""
    op.create_table(
        "snapshot_use",
        _id(),
        _number("project_id"),
        _number("snapshot_id"),
        sa.Column("at", sa.DateTime(), nullable=False),
        _to("snapshot_use", "project_id", "project"),
        _to("snapshot_use", "snapshot_id", "snapshot"),
        _key("snapshot_use"),
    )
    _index("snapshot_use", "project_id")
    op.execute(
        "INSERT INTO snapshot_use (project_id, snapshot_id, at) "
        "SELECT project_id, id, created_at FROM snapshot "
        "WHERE id IN (SELECT max(id) FROM snapshot GROUP BY project_id) ORDER BY id"
    )


def _links() -> None:
    op.create_table(
        "unit_link",
        _id(),
        _number("unit_id"),
        _number("start"),
        _number("end"),
        _text("href"),
        _to("unit_link", "unit_id", "unit"),
        _key("unit_link"),
    )
    _index("unit_link", "unit_id")


def _graphs() -> None:
    op.create_table(
        "graph",
        _id(),
        _number("snapshot_id"),
        _text("method"),
        _number("edges"),
        _number("references"),
        sa.Column("created_at", sa.DateTime(), nullable=False),
        _to("graph", "snapshot_id", "snapshot"),
        sa.UniqueConstraint("snapshot_id", name=op.f("uq_graph_snapshot_id")),
        _key("graph"),
    )


def _edges() -> None:
    op.create_table(
        "edge",
        _id(),
        _number("snapshot_id"),
        _number("source_unit_id"),
        _number("target_unit_id"),
        _text("type"),
        _text("origin"),
        _number("start"),
        _number("end"),
        _text("pinpoint"),
        _text("part"),
        _text("term"),
        _to("edge", "snapshot_id", "snapshot"),
        _to("edge", "source_unit_id", "unit"),
        _to("edge", "target_unit_id", "unit"),
        _key("edge"),
    )
    # A step of a walk reads the index alone.
    _index("edge", "source_unit_id", "type", "target_unit_id")
    _index("edge", "target_unit_id", "type", "source_unit_id")
    _index("edge", "snapshot_id", "type")


def _references() -> None:
    op.create_table(
        "reference",
        _id(),
        _number("snapshot_id"),
        _number("unit_id"),
        _number("start"),
        _number("end"),
        _text("text"),
        _text("status"),
        _text("reason", nullable=True),
        _text("form"),
        sa.Column("targets", sa.JSON(), nullable=False),
        _to("reference", "snapshot_id", "snapshot"),
        _to("reference", "unit_id", "unit"),
        _key("reference"),
    )
    _index("reference", "unit_id")
    _index("reference", "snapshot_id", "form", "status")
