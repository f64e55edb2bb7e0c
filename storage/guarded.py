"""Every table whose rows are only ever added."""

from __future__ import annotations

from storage.answer_tables import ANSWER_APPEND_ONLY
from storage.candidate_ways import WAY_APPEND_ONLY
from storage.case_tables import CASE_APPEND_ONLY
from storage.experiment_tables import EXPERIMENT_APPEND_ONLY
from storage.judge_tables import JUDGE_APPEND_ONLY
from storage.llm_calls import MODEL_APPEND_ONLY
from storage.mcq_tables import MCQ_APPEND_ONLY
from storage.ocr_tables import OCR_APPEND_ONLY
from storage.people_tables import PEOPLE_APPEND_ONLY
from storage.prompt_table import PROMPT_APPEND_ONLY
from storage.search_levels import LEVELS_APPEND_ONLY
from storage.tables import APPEND_ONLY

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
)
