from __future__ import annotations

from pathlib import Path

import pytest

from storage.law.imports import keep_statutes
from tests.annotation.adjudication.test_disputes import submit
from tests.annotation.gold.test_rechecks import amended_law
from tests.annotation.house import SLUG, House, build
from tests.commands.called import printed, told
from tests.conftest import FakeClock


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    made = build(tmp_path / "workspace", clock)
    for person in (made.ann, made.ben):
        submit(made, person, made.items[0], (1,))
    return made


def test_what_changed_and_what_to_check_is_told_to_people_and_to_scripts(house: House) -> None:
    keep_statutes(house.ws, SLUG, [amended_law()], "second")
    lines = printed(house.ws.folder, "compare")[1].splitlines()
    assert lines[:3] == [
        "Old: snapshot 1 (first, effective 2026-01-01)",
        "New: snapshot 2 (second, effective 2026-01-01, in use)",
        "Statutes: 1 statute differs, 0 equal.",
    ]
    assert "Lake Act (changed): 1 changed, 1 removed, 1 renumbered, 2 unchanged" in lines
    assert "  renumbered Article 2-1 (Lamps), before: Article 2" in lines
    assert "Provisions: 1 changed, 1 removed, 1 renumbered, 2 unchanged." in lines
    again = "To check again after amendments: 1 question, 1 of them gold before."
    assert again in lines
    assert lines[-1] == (
        "  q1: lake-act_article-1 (changed, gold; "
        "accept by Ann 2026-01-05, accept by Ben 2026-01-05)"
    )
    _, said = told(house.ws.folder, "compare", "1", "2")
    assert said["units"]["changed"] == 1
    assert said["rechecks"][0]["decisions"][0]["person"] == "Ann"
    assert told(house.ws.folder, "compare", "2", "1")[1]["rechecks"] == []
