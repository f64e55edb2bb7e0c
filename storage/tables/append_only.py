"""Every table whose rows are only ever added."""

from __future__ import annotations

from storage.db.columns import AppendOnly
from storage.tables import (
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

_ALL = (
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
    judging,
    law,
    mcq,
    models,
    ocr,
    parallel,
    people,
    reformulation,
    runs,
)  # their classes are known then
GUARDED = tuple(sorted(str(table.__tablename__) for table in AppendOnly.__subclasses__()))
