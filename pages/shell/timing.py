"""How long a script run took on the server, for the latency benchmark.

Nothing is measured unless $TOUCHSTONE_TIMING_FILE names a file to append to.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import streamlit as st

TIMING_VARIABLE = "TOUCHSTONE_TIMING_FILE"
_STARTED = "timing_started"


def start() -> None:
    """Note when this run began; a later call in the same run changes nothing."""
    if os.environ.get(TIMING_VARIABLE):
        st.session_state.setdefault(_STARTED, time.perf_counter())


def finish(page: str) -> None:
    """Append ``{"page", "ms"}`` for the run that :func:`start` began, if one did."""
    file = os.environ.get(TIMING_VARIABLE)
    started = st.session_state.pop(_STARTED, None)
    if file and started is not None:
        line = {"page": page, "ms": round((time.perf_counter() - started) * 1000, 3)}
        with Path(file).open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
