"""Every table: importing this module loads the whole schema."""

from __future__ import annotations

from sqlmodel import SQLModel

TABLES = SQLModel.metadata
