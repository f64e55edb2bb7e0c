"""Every table: importing this module loads the whole schema."""

from __future__ import annotations

from sqlmodel import SQLModel

from storage.tables import (  # noqa: F401  (their classes are known then)
    answers,
    augmentation,
    cases,
    core,
    exchange,
    law,
    mcq,
    models,
    ocr,
    people,
    runs,
    tasks,
)

TABLES = SQLModel.metadata
