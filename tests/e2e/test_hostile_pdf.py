"""A PDF made to hold up whoever reads it: the app answers everybody else meanwhile."""

from __future__ import annotations

import os
import time
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.e2e.people import at_rest, come_in
from tests.support.hostile_files import nested_forms

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(600)]
WORKER = "corpus.ocr.worker"


def answer_seconds(address: str) -> float:
    """Return how long the health check takes."""
    began = time.perf_counter()
    with urllib.request.urlopen(f"{address}/_stcore/health", timeout=60) as said:  # noqa: S310  (our own)
        assert said.status == 200
    return time.perf_counter() - began


def readers_at_work() -> dict[int, float]:
    """Return the processes that read pages, and how many seconds of processor each has taken."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            times = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if WORKER.encode() in words:
            ticks = int(times[11]) + int(times[12])
            found[int(folder.name)] = ticks / os.sysconf("SC_CLK_TCK")
    return found


def test_the_app_answers_while_a_hostile_pdf_is_read(
    page: Page, address: str, tmp_path: Path
) -> None:
    before = readers_at_work()
    file = tmp_path / "annex.pdf"
    file.write_bytes(nested_forms())
    come_in(page, address, "Choi Yuna", "ocr_report")
    page.get_by_role("radio", name="Import, draft, publish").click()
    at_rest(page)
    page.locator('[data-testid="stFileUploader"] input').set_input_files(file)
    at_rest(page)
    page.get_by_role("button", name="Import", exact=True).click()
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:  # until one works on it, beyond what starting takes
        if any(spent > 4 for pid, spent in readers_at_work().items() if pid not in before):
            break
        time.sleep(0.1)
    else:
        raise AssertionError("nothing reads the file")
    waits = sorted(answer_seconds(address) for _ in range(30))
    assert waits[-1] < 1.0
    with page.context.new_page() as other:  # and so does a page of somebody else
        come_in(other, address, "Kim Ara")
