from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.label_import import measure


@pytest.mark.long
def test_a_small_import_is_measured_whole(tmp_path: Path) -> None:
    found = {each.name: each for each in measure(tmp_path, 60)}
    assert found["problems"].value == 0
    assert found["label_cpu_ms"].n == 60
    assert found["alone_p95_ms"].n == 200
    assert (found["again_cpu_seconds"].value or 0) < (found["cpu_seconds"].value or 0)
