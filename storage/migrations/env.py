"""How Alembic runs: on the connection that `storage.db.migrate` opened, inside its transaction."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

import storage.tables.cases
import storage.tables.core
import storage.tables.judging
import storage.tables.mcq
import storage.tables.models  # noqa: F401  (registers the tables that migrations are compared with)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    compare_type=True,
    compare_server_default=True,
)
context.run_migrations()
