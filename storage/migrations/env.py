"""How Alembic runs: on the connection that `storage.db.migrate` opened, inside its transaction."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    compare_type=True,
    compare_server_default=True,
)
context.run_migrations()
