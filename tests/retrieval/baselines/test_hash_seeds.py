"""What LightRAG and PIKE-RAG find does not depend on how Python hashes."""

from __future__ import annotations

import os
import subprocess
import sys

from tests.retrieval.baselines.hashing import digest


def test_nothing_depends_on_how_python_hashes() -> None:
    code = "from tests.retrieval.baselines.hashing import digest; print(digest())"
    said = {digest()}
    seeded = os.environ | {"PYTHONHASHSEED": "1"}
    ran = subprocess.run([sys.executable, "-c", code], env=seeded, capture_output=True, check=True)
    said.add(ran.stdout.decode().strip())
    assert len(said) == 1
