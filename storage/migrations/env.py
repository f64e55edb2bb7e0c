"""How Alembic runs: on the connection that `storage.migrate` opened, inside its transaction."""

from __future__ import annotations

from alembic import context
from sqlmodel import SQLModel

import storage.answer_tables
import storage.candidate_ways
import storage.case_tables
import storage.experiment_tables
import storage.judge_tables
import storage.llm_calls
import storage.mcq_tables
import storage.ocr_tables
import storage.people_tables
import storage.prompt_table
import storage.tables  # noqa: F401  (registers the tables that migrations are compared with)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    compare_type=True,
    compare_server_default=True,
)
context.run_migrations()
