"""Every table whose rows are only ever added."""

from __future__ import annotations

from storage.tables.cases import CASE_APPEND_ONLY
from storage.tables.core import (
    ANSWER_APPEND_ONLY,
    APPEND_ONLY,
    UNDONE_APPEND_ONLY,
    WAY_APPEND_ONLY,
)
from storage.tables.judging import JUDGE_APPEND_ONLY
from storage.tables.mcq import MCQ_APPEND_ONLY
from storage.tables.models import MODEL_APPEND_ONLY, PROMPT_APPEND_ONLY
from storage.tables.ocr import OCR_APPEND_ONLY
from storage.tables.people import PEOPLE_APPEND_ONLY
from storage.tables.runs import EXPERIMENT_APPEND_ONLY, LEVELS_APPEND_ONLY

GUARDED = (
    *APPEND_ONLY,
    *PEOPLE_APPEND_ONLY,
    *MODEL_APPEND_ONLY,
    *ANSWER_APPEND_ONLY,
    *OCR_APPEND_ONLY,
    *MCQ_APPEND_ONLY,
    *JUDGE_APPEND_ONLY,
    *PROMPT_APPEND_ONLY,
    *CASE_APPEND_ONLY,
    *EXPERIMENT_APPEND_ONLY,
    *LEVELS_APPEND_ONLY,
    *WAY_APPEND_ONLY,
    *UNDONE_APPEND_ONLY,
)
