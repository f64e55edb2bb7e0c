"""Court cases, typologies, queries of groups, and what models suggest of factors.

Written out in full and never edited: it must make the same tables whatever the code becomes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from storage.migrations.guards import only_added

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the tables and guard them."""
    _cases()
    _grouping()
    _suggestions()
    only_added(
        "case_import",
        "court_case",
        "typology",
        "case_setting",
        "query_choice",
        "factor_suggestion",
    )


def downgrade() -> None:
    """Refuse: the way back is the copy that `storage.db.migrate` made."""
    raise NotImplementedError


def _refers(table: str, column: str, to: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{to}.id"], name=op.f(f"fk_{table}_{column}_{to}"))


def _cases() -> None:
    op.create_table(
        "case_import",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("mapping", sa.JSON(), nullable=False),
        sa.Column("person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        _refers("case_import", "person_id", "person"),
        _refers("case_import", "project_id", "project"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_import")),
    )
    op.create_index("ix_case_import_project_id", "case_import", ["project_id"])
    op.create_table(
        "court_case",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("case_import_id", sa.Integer(), nullable=False),
        sa.Column("external_id", sa.String(), nullable=False),
        sa.Column("court", sa.String(), nullable=False),
        sa.Column("date", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("charges", sa.JSON(), nullable=False),
        sa.Column("provisions", sa.JSON(), nullable=False),
        sa.Column("language", sa.String(), nullable=False),
        sa.Column("sections", sa.JSON(), nullable=False),
        sa.Column("source", sa.JSON(), nullable=False),
        sa.Column("content_hash", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        _refers("court_case", "case_import_id", "case_import"),
        _refers("court_case", "project_id", "project"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_court_case")),
        sa.UniqueConstraint(
            "project_id", "external_id", name=op.f("uq_court_case_project_id_external_id")
        ),
    )
    op.create_index("ix_court_case_case_import_id", "court_case", ["case_import_id"])


def _grouping() -> None:
    op.create_table(
        "typology",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("text", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        _refers("typology", "by_person_id", "person"),
        _refers("typology", "project_id", "project"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_typology")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_typology_project_id_number")),
    )
    op.create_table(
        "case_setting",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("suggestions", sa.String(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "suggestions IN ('shown', 'hidden', 'after')",
            name=op.f("ck_case_setting_suggestions_is_known"),
        ),
        _refers("case_setting", "by_person_id", "person"),
        _refers("case_setting", "project_id", "project"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_case_setting")),
    )
    op.create_index("ix_case_setting_project_id", "case_setting", ["project_id"])
    op.create_table(
        "query_choice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("group_key", sa.String(), nullable=False),
        sa.Column("court_case_id", sa.Integer(), nullable=False),
        sa.Column("by_person_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        _refers("query_choice", "by_person_id", "person"),
        _refers("query_choice", "court_case_id", "court_case"),
        _refers("query_choice", "project_id", "project"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_query_choice")),
    )
    op.create_index(
        "ix_query_choice_project_id_group_key", "query_choice", ["project_id", "group_key"]
    )


def _suggestions() -> None:
    op.create_table(
        "factor_suggestion",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("court_case_id", sa.Integer(), nullable=False),
        sa.Column("sub_factor", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("quote", sa.String(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=True),
        sa.Column("stop", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("detail", sa.String(), nullable=False),
        sa.Column("server", sa.String(), nullable=False),
        sa.Column("model", sa.String(), nullable=False),
        sa.Column("codebook_version", sa.String(), nullable=False),
        sa.Column("prompt_version", sa.String(), nullable=False),
        sa.Column("llm_call_id", sa.Integer(), nullable=True),
        sa.Column("at", sa.DateTime(), nullable=False),
        sa.CheckConstraint(
            "(start IS NULL) = (stop IS NULL)",
            name=op.f("ck_factor_suggestion_start_has_its_stop"),
        ),
        sa.CheckConstraint(
            "(state = 'quoted') = (start IS NOT NULL)",
            name=op.f("ck_factor_suggestion_quoted_has_its_start"),
        ),
        sa.CheckConstraint(
            "state IN ('quoted', 'unquoted', 'not_stated', 'unknown', 'unparsed', 'refused')",
            name=op.f("ck_factor_suggestion_state_is_known"),
        ),
        _refers("factor_suggestion", "court_case_id", "court_case"),
        _refers("factor_suggestion", "llm_call_id", "llm_call"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_factor_suggestion")),
    )
    op.create_index(
        "ix_factor_suggestion_court_case_id_sub_factor",
        "factor_suggestion",
        ["court_case_id", "sub_factor"],
    )
    op.create_index("ix_factor_suggestion_llm_call_id", "factor_suggestion", ["llm_call_id"])
