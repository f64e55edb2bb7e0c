"""Every table: importing this module loads the whole schema."""

from __future__ import annotations

from sqlmodel import SQLModel

from storage.tables import (  # noqa: F401  (their classes are known then)
    answers,
    attribution,
    augmentation,
    cascade,
    cases,
    closure,
    core,
    curation,
    exchange,
    gold,
    graph,
    judging,
    law,
    mcq,
    models,
    ocr,
    parallel,
    people,
    reformulation,
    runs,
)

TABLES = SQLModel.metadata
