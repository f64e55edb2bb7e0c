"""Timing on the server: how long a script run took, and how long a thread holds the interpreter.

Nothing is measured unless $TOUCHSTONE_TIMING_FILE names a file to append to.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

import streamlit as st

TURN_SECONDS = 0.001  # Python's own 0.005 makes opening an item beside such work half as slow again
TIMING_VARIABLE = "TOUCHSTONE_TIMING_FILE"
_STARTED = "timing_started"


def take_short_turns() -> None:
    """Shorten the thread switch interval so that long work does not slow pages down.

    Everybody's pages are drawn by threads of one process, and a retrieval method that is fitted to
    200,000 texts is one of them. A thread waits for its turn anew each time it comes back from the
    database, which drawing one item asks many times.
    """
    sys.setswitchinterval(TURN_SECONDS)


def start() -> None:
    """Record the start time of this run, unless it has one already."""
    if os.environ.get(TIMING_VARIABLE):
        st.session_state.setdefault(_STARTED, (time.perf_counter(), time.process_time()))


def finish(page: str) -> None:
    """Append ``{"page", "ms", "cpu_ms"}`` for the run that :func:`start` began, if one did.

    ``cpu_ms`` is the processor time of the whole process meanwhile.
    """
    file = os.environ.get(TIMING_VARIABLE)
    started = st.session_state.pop(_STARTED, None)
    if file and started is not None:
        ended = time.perf_counter(), time.process_time()
        ms, cpu_ms = (round((b - a) * 1000, 3) for a, b in zip(started, ended, strict=True))
        line = {"page": page, "ms": ms, "cpu_ms": cpu_ms}
        with Path(file).open("a", encoding="utf-8") as out:
            out.write(json.dumps(line) + "\n")
