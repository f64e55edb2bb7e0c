"""Record which tests run which lines of the product: ``pytest -p scripts.covered_lines``.

Each pytest process writes its own two files into $COVERED_LINES: coverage's data, with the test as
its context, and the seconds that each test took.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from coverage import Coverage

_FOLDER = Path(os.environ["COVERED_LINES"])
_SECONDS: dict[str, float] = {}
_COVERAGE = Coverage(
    data_file=_FOLDER / f"lines.{os.getpid()}",
    source=os.environ["COVERED_ROOMS"].split(),
    config_file=False,
    messages=False,
)


def pytest_configure() -> None:
    """Begin to watch."""
    _COVERAGE.start()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Run one test with its function's name as the context; its parameters are not told apart."""
    name, began = item.nodeid.split("[")[0], time.monotonic()
    _COVERAGE.switch_context(name)
    yield
    _COVERAGE.switch_context("")
    _SECONDS[name] = _SECONDS.get(name, 0) + time.monotonic() - began


def pytest_unconfigure() -> None:
    """Write what was run."""
    _COVERAGE.stop()
    _COVERAGE.save()
    (_FOLDER / f"seconds.{os.getpid()}.json").write_text(json.dumps(_SECONDS))
