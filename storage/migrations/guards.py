"""How migrations guard tables whose rows are only ever added, on either database.

Migrations rest on it: it is never edited, a new way of guarding gets a new function.
"""

from __future__ import annotations

from alembic import op

_FUNCTION = """
CREATE OR REPLACE FUNCTION rows_are_only_added() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are only ever added', TG_TABLE_NAME
        USING ERRCODE = 'restrict_violation';
END $$
"""


def only_added(*tables: str) -> None:
    """Let nobody change or remove a row of the tables."""
    on_server = op.get_context().dialect.name == "postgresql"
    if on_server:
        op.execute(_FUNCTION)
    for table in tables:
        _on_server(table) if on_server else _in_file(table)


def _on_server(table: str) -> None:
    for act, each in (("UPDATE", "ROW"), ("DELETE", "ROW"), ("TRUNCATE", "STATEMENT")):
        op.execute(
            f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
            f"FOR EACH {each} EXECUTE FUNCTION rows_are_only_added()"
        )


def _in_file(table: str) -> None:
    for act in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER {table}_no_{act.lower()} BEFORE {act} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} are only ever added'); END"
        )
