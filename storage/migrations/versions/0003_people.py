"""Accounts, roles, batches of work, guidelines with versions, and conversations.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0003"
down_revision = "0002"

_FIRST = sa.text("supersedes_id IS NULL")
_ROLES = "'annotator', 'lawyer', 'adjudicator', 'researcher', 'administrator'"
_EVENTS = (
    "'open', 'label', 'add', 'no_provision', 'comment', 'flag', 'skip', 'undo', 'submit', "
    "'withdraw', 'migrate'"
)
_APPEND_ONLY = (
    "account_event",
    "person_event",
    "batch_event",
    "known_answer",
    "document",
    "document_migration",
    "comment",
    "referral",
    "confidence",
)


def upgrade() -> None:
    """Make the tables, widen what a person can be, and guard what people did."""
    _accounts()
    if op.get_context().dialect.name == "postgresql":
        _widen_people()
        _widen_events()
    else:
        _people()
        _events()
    _places()
    _batches()
    _words()
    _cover()
    _failures()
    only_added(*_APPEND_ONLY)


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError


def _id() -> sa.Column[int]:
    return sa.Column("id", sa.Integer(), nullable=False)


def _number(name: str, *, nullable: bool = False) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable)


def _text(name: str, *, nullable: bool = False) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable)


def _time(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(), nullable=nullable)


def _key(table: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}"))


def _to(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}_{to}")
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=name)


def _unique(table: str, *columns: str) -> sa.UniqueConstraint:
    return sa.UniqueConstraint(*columns, name=op.f("_".join(("uq", table, *columns))))


def _index(table: str, *columns: str) -> None:
    op.create_index(op.f("_".join(("ix", table, *columns))), table, list(columns))


def _people() -> None:
    """Build the table of people anew: SQLite cannot change a check that stands.

    The foreign keys of others name it and stay as they are, since nothing is checked until the
    migration ends (`storage.db.migrate`).
    """
    op.create_table(
        "person_wider",
        _id(),
        _number("project_id"),
        _number("account_id", nullable=True),
        _text("name"),
        _text("role"),
        sa.Column("active", sa.Boolean(), nullable=False),
        _time("created_at"),
        sa.CheckConstraint(f"role IN ({_ROLES})", name=op.f("ck_person_role_is_known")),
        _to("person", "account_id", "account"),
        _to("person", "project_id", "project"),
        _unique("person", "project_id", "account_id"),
        _unique("person", "project_id", "name"),
        _key("person"),
    )
    op.execute(
        "INSERT INTO person_wider (id, project_id, name, role, active, created_at) "
        "SELECT id, project_id, name, role, true, created_at FROM person"
    )
    op.drop_table("person")
    op.rename_table("person_wider", "person")
    _index("person", "account_id")


def _widen_people() -> None:
    """Widen the table of people where it stands."""
    op.drop_constraint(op.f("ck_person_role_is_known"), "person")
    op.create_check_constraint(op.f("ck_person_role_is_known"), "person", f"role IN ({_ROLES})")
    op.add_column("person", _number("account_id", nullable=True))
    # With a default for the people who are there already, and without one from then on.
    op.add_column(
        "person", sa.Column("active", sa.Boolean(), nullable=False, server_default=sa.true())
    )
    op.alter_column("person", "active", server_default=None)
    op.create_foreign_key(
        op.f("fk_person_account_id_account"), "person", "account", ["account_id"], ["id"]
    )
    op.create_unique_constraint(
        op.f("uq_person_project_id_account_id"), "person", ["project_id", "account_id"]
    )
    _index("person", "account_id")


def _events() -> None:
    """Build the log of what people did anew, with one kind of event more, and guard it again."""
    op.create_table(
        "draft_event_wider",
        _id(),
        _number("item_id"),
        _number("person_id"),
        _text("kind"),
        sa.Column("payload", sa.JSON(), nullable=False),
        _number("undoes_id", nullable=True),
        _time("at"),
        sa.CheckConstraint(f"kind IN ({_EVENTS})", name=op.f("ck_draft_event_kind_is_known")),
        _to("draft_event", "item_id", "item"),
        _to("draft_event", "person_id", "person"),
        _to("draft_event", "undoes_id", "draft_event"),
        _unique("draft_event", "undoes_id"),
        _key("draft_event"),
    )
    columns = "id, item_id, person_id, kind, payload, undoes_id, at"
    op.execute(
        f"INSERT INTO draft_event_wider ({columns}) "  # noqa: S608  (names of columns)
        f"SELECT {columns} FROM draft_event ORDER BY id"
    )
    op.drop_table("draft_event")
    op.rename_table("draft_event_wider", "draft_event")
    op.create_index(op.f("ix_draft_event_item_person"), "draft_event", ["item_id", "person_id"])
    _index("draft_event", "person_id")
    only_added("draft_event")


def _widen_events() -> None:
    """Let the log of what people did have one kind of event more."""
    name = op.f("ck_draft_event_kind_is_known")
    op.drop_constraint(name, "draft_event")
    op.create_check_constraint(name, "draft_event", f"kind IN ({_EVENTS})")


def _accounts() -> None:
    """Make the tables of who signs in."""
    op.create_table(
        "account",
        _id(),
        _text("login"),
        _text("name"),
        _text("password_hash", nullable=True),
        _text("subject", nullable=True),
        sa.Column("steward", sa.Boolean(), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        _time("created_at"),
        _key("account"),
        _unique("account", "login"),
        _unique("account", "subject"),
    )
    op.create_table(
        "account_event",
        _id(),
        _number("account_id"),
        _text("kind"),
        sa.Column("payload", sa.JSON(), nullable=False),
        _number("by_account_id", nullable=True),
        _time("at"),
        _to("account_event", "account_id", "account"),
        _to("account_event", "by_account_id", "account"),
        _key("account_event"),
    )
    _index("account_event", "account_id")


def _places() -> None:
    """Make the tables of places in projects, and how they are taken."""
    op.create_table(
        "person_event",
        _id(),
        _number("person_id"),
        _text("kind"),
        sa.Column("payload", sa.JSON(), nullable=False),
        _number("by_person_id", nullable=True),
        _time("at"),
        _to("person_event", "by_person_id", "person"),
        _to("person_event", "person_id", "person"),
        _key("person_event"),
    )
    _index("person_event", "person_id")
    op.create_table(
        "invitation",
        _id(),
        _number("project_id"),
        _text("role"),
        _text("note"),
        _text("secret_hash"),
        _number("by_person_id", nullable=True),
        _time("created_at"),
        _time("expires_at"),
        _time("revoked_at", nullable=True),
        _number("person_id", nullable=True),
        _to("invitation", "by_person_id", "person"),
        _to("invitation", "person_id", "person"),
        _to("invitation", "project_id", "project"),
        _key("invitation"),
        _unique("invitation", "secret_hash"),
    )
    _index("invitation", "project_id")


def _batches() -> None:
    """Make the tables of what people are given to do."""
    op.create_table(
        "batch",
        _id(),
        _number("project_id"),
        _text("task"),
        _text("name"),
        _number("overlap"),
        _text("sequence"),
        _number("seed"),
        sa.Column("practice", sa.Boolean(), nullable=False),
        _time("deadline", nullable=True),
        _time("closed_at", nullable=True),
        _time("created_at"),
        sa.CheckConstraint(
            "sequence IN ('given', 'random', 'informative')",
            name=op.f("ck_batch_sequence_is_known"),
        ),
        _to("batch", "project_id", "project"),
        _key("batch"),
        _unique("batch", "project_id", "name"),
    )
    op.create_table(
        "batch_item",
        _id(),
        _number("batch_id"),
        _number("item_id"),
        _number("position"),
        sa.Column("calibration", sa.Boolean(), nullable=False),
        _to("batch_item", "batch_id", "batch"),
        _to("batch_item", "item_id", "item"),
        _key("batch_item"),
        _unique("batch_item", "batch_id", "position"),
        _unique("batch_item", "item_id"),
    )
    op.create_table(
        "batch_person",
        _id(),
        _number("batch_id"),
        _number("person_id"),
        _time("added_at"),
        _to("batch_person", "batch_id", "batch"),
        _to("batch_person", "person_id", "person"),
        _key("batch_person"),
        _unique("batch_person", "batch_id", "person_id"),
    )
    _index("batch_person", "person_id")
    op.create_table(
        "batch_event",
        _id(),
        _number("batch_id"),
        _text("kind"),
        sa.Column("payload", sa.JSON(), nullable=False),
        _number("by_person_id", nullable=True),
        _time("at"),
        _to("batch_event", "batch_id", "batch"),
        _to("batch_event", "by_person_id", "person"),
        _key("batch_event"),
    )
    _index("batch_event", "batch_id")
    op.create_table(
        "lease",
        _id(),
        _number("item_id"),
        _number("person_id"),
        _time("taken_at"),
        _time("expires_at"),
        _to("lease", "item_id", "item"),
        _to("lease", "person_id", "person"),
        _key("lease"),
        _unique("lease", "item_id", "person_id"),
    )
    _index("lease", "person_id")
    op.create_table(
        "known_answer",
        _id(),
        _number("item_id"),
        sa.Column("answer", sa.JSON(), nullable=False),
        _text("explanation"),
        _number("supersedes_id", nullable=True),
        _number("by_person_id", nullable=True),
        _time("at"),
        _to("known_answer", "by_person_id", "person"),
        _to("known_answer", "item_id", "item"),
        _to("known_answer", "supersedes_id", "known_answer"),
        _key("known_answer"),
        _unique("known_answer", "supersedes_id"),
    )
    _index("known_answer", "item_id")
    op.create_index(
        "ux_known_answer_first",
        "known_answer",
        ["item_id"],
        unique=True,
        sqlite_where=_FIRST,
        postgresql_where=_FIRST,
    )


def _words() -> None:
    """Make the tables of guidelines, codebooks and what people say to each other."""
    op.create_table(
        "document",
        _id(),
        _number("project_id"),
        _text("kind"),
        _text("task"),
        _number("number"),
        _text("language"),
        _text("text"),
        _text("note"),
        _number("by_person_id", nullable=True),
        _time("at"),
        sa.CheckConstraint(
            "kind IN ('guideline', 'codebook')", name=op.f("ck_document_kind_is_known")
        ),
        _to("document", "by_person_id", "person"),
        _to("document", "project_id", "project"),
        _key("document"),
        _unique("document", "project_id", "kind", "task", "number", "language"),
    )
    op.create_table(
        "document_migration",
        _id(),
        _number("project_id"),
        _text("kind"),
        _text("task"),
        _number("from_number"),
        _number("to_number"),
        _text("to_version"),
        sa.Column("answers", sa.JSON(), nullable=False),
        _text("reason"),
        _number("by_person_id", nullable=True),
        _time("at"),
        sa.CheckConstraint(
            "kind IN ('guideline', 'codebook')",
            name=op.f("ck_document_migration_kind_is_known"),
        ),
        _to("document_migration", "by_person_id", "person"),
        _to("document_migration", "project_id", "project"),
        _key("document_migration"),
    )
    _index("document_migration", "project_id")
    op.create_table(
        "comment",
        _id(),
        _number("item_id"),
        _number("person_id"),
        _number("reply_to_id", nullable=True),
        _text("text"),
        _time("at"),
        _to("comment", "item_id", "item"),
        _to("comment", "person_id", "person"),
        _to("comment", "reply_to_id", "comment"),
        _key("comment"),
    )
    _index("comment", "item_id")
    op.create_table(
        "referral",
        _id(),
        _number("item_id"),
        _number("person_id"),
        _text("reason"),
        sa.Column("annotation_ids", sa.JSON(), nullable=False),
        _time("at"),
        _to("referral", "item_id", "item"),
        _to("referral", "person_id", "person"),
        _key("referral"),
    )
    _index("referral", "item_id")
    op.create_table(
        "confidence",
        _id(),
        _number("annotation_id"),
        _number("value"),
        sa.CheckConstraint("value BETWEEN 1 AND 5", name=op.f("ck_confidence_value_is_in_bounds")),
        _to("confidence", "annotation_id", "annotation"),
        _key("confidence"),
        _unique("confidence", "annotation_id"),
    )


def _cover() -> None:
    """Let the index alone tell how many submissions each item has: every queue asks that."""
    op.drop_index(op.f("ix_annotation_item_person"), "annotation")
    op.create_index(
        "ix_annotation_item_person_kind", "annotation", ["item_id", "person_id", "kind"]
    )


def _failures() -> None:
    """Make the table of failed sign-ins, which all servers of a team count in together."""
    op.create_table(
        "sign_in_failure",
        _id(),
        _text("key_hash"),
        _number("failures"),
        _time("at"),
        _key("sign_in_failure"),
        _unique("sign_in_failure", "key_hash"),
    )
    _index("sign_in_failure", "at")
