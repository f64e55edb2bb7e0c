"""How fast a 20-page judgment opens on the Factor tagging screen, and a tag saves.

    python -m benchmarks.cases_tagging [--cases 100] [--opened 20] [--json]

A real app serves a temporary workspace to a real Chromium: court cases of 34,000 characters each,
the packaged codebook, and suggestions that come with the answers. Medians in milliseconds, and
what 95 of 100 stay under:

* ``tagging_open_ms``: a script run that opens a case, from its first line to its last, as the app
  itself notes it; ``tagging_save_ms``: one that saves an answer or a piece of evidence.
* ``tagging_key_to_painted_ms``: from a key press to the frame after the one in which its answer is
  shown as saved, which is after the database has committed it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from benchmarks.program import program

PARSER = program(
    __doc__,
    "tagging_open_ms tagging_open_p95_ms tagging_save_ms tagging_save_p95_ms "
    "tagging_key_to_painted_ms tagging_key_to_painted_p95_ms",
)
PARSER.add_argument("--cases", type=int, default=100, help="in the person's queue")
PARSER.add_argument("--opened", type=int, default=20, help="of these, one after the other")
if __name__ == "__main__":
    PARSER.parse_args()  # --help and a wrong option are answered before the imports below


from argparse import Namespace

import numpy as np
from playwright.sync_api import Page

from benchmarks.app_latency import PROBE, run_times
from benchmarks.program import median_figure, run
from evaluation.figure import Figure
from pages.shell.entry.timing import TIMING_VARIABLE
from tests.e2e.harness import chromium, running_app
from tests.projects.tagging_project import CLAIMS, REASONS, SLUG, TaggingHouse, build

LENGTH = 34_000  # characters of a judgment of 20 pages
SENTENCE = (
    "피고인은 {n}. 1.경 서울 강남구에 있는 사무실에서 피해자 김가온에게 투자금 {n}만 원을 주면 "
    "매월 이익을 나누어 주겠다고 거짓말하였으나, 사실은 그 돈을 개인 채무를 갚는 데 쓸 "
    "생각이었다.\n"
)
KEYS = ("1", "2", "j", "1", "2", "j", "x")  # answers and changes of them, sub-factor by sub-factor
PROBE_HERE = PROBE.replace("mapping-viewer", "tagging-viewer")


def figures_of(options: Namespace, folder: Path) -> list[Figure]:
    """Return the figures over the cases opened of the person's queue."""
    house = build(folder / "workspace", number=options.cases, body=long_body(), book=None)
    noted = folder / "timing.jsonl"
    variables = {TIMING_VARIABLE: str(noted)}
    with running_app(house.ws.folder, variables) as address, chromium() as browser:
        page = browser.new_page(viewport={"width": 1440, "height": 900})
        page.add_init_script(PROBE_HERE)
        return one_session(page, house, address, noted, options.opened)


def long_body() -> tuple[str, str, str]:
    """Return facts, claims and reasons that make a judgment of `LENGTH` characters."""
    sentences = (SENTENCE.format(n=number) for number in range(1, LENGTH))
    facts = ""
    for each in sentences:
        if len(facts) + len(each) + len(CLAIMS) + len(REASONS) > LENGTH:
            return facts.rstrip("\n"), CLAIMS, REASONS
        facts += each
    raise AssertionError("the sentences are too short")


def one_session(
    page: Page, house: TaggingHouse, address: str, noted: Path, opened: int
) -> list[Figure]:
    """Open cases one after the other, and answer, change answers and attach evidence in each."""
    opening, saving, painted = list[float](), list[float](), list[float]()
    for item in house.items[: opened + 1]:
        page.goto(f"{address}/factor_tagging?project={SLUG}&person={house.ann}&item={item}")
        page.get_by_test_id("court-text").wait_for()
        opening += run_times(noted)[-1:]
        for key in (*KEYS, "k", "e", "Enter"):
            page.keyboard.press(key)
            if key not in ("j", "k", "e"):
                painted.append(page.evaluate("() => window.touchstoneLatency"))
        saving += run_times(noted)
    warm = len(painted) // (opened + 1)  # the first case pays for the process's imports and caches
    found = {
        "tagging_open": opening[1:],
        "tagging_save": saving[warm:],
        "tagging_key_to_painted": painted[warm:],
    }
    return [
        figure
        for name, values in found.items()
        for figure in (
            median_figure(f"{name}_ms", values),
            Figure(f"{name}_p95_ms", float(np.percentile(values, 95)), len(values)),
        )
    ]


if __name__ == "__main__":
    sys.exit(run(PARSER, figures_of))
