"""The parallel groups screen: what is declared, what is proposed, and the declaration itself."""

from __future__ import annotations

import pytest

from annotation.parallel import Verdict
from annotation.work.versioned_texts import PARALLEL_GROUPS
from services.parallel import decide
from tests.pages import screens
from tests.pages.screens import table
from tests.pages.small_project import shown
from tests.projects.parallel_law import COSTS, REPORTS, SLUG, declared, parallel_workspace


@pytest.fixture
def project(tmp_path, clock):
    return parallel_workspace(tmp_path / "ws", clock)


def opened(project, tab="", by=1):
    at = screens.opened("parallel_groups", project[0], project[by], SLUG)
    if tab:
        at = at.segmented_control(key="parallel-groups-tab").set_value(tab).run()
    return at


def test_a_group_stands_with_its_slots_and_what_makes_no_edge(project):
    PARALLEL_GROUPS.save(project[0], SLUG, declared(second="경비기준_99조"), "", 1)
    at = opened(project)
    slots = table(at, "Slot")
    assert slots["Id"].tolist() == [COSTS[0], "경비기준_99조"]
    assert slots["Slot"].tolist() == ["Company", "University"]
    assert "경비기준_99조" in at.warning[0].value.replace("\\", "")


def test_a_proposal_is_confirmed_and_another_refused(project):
    ws = project[0]
    at = opened(project, "proposed")
    assert table(at, "Slot")["Id"].tolist() == list(COSTS)
    at = at.button(key="parallel-confirmed-" + "-".join(COSTS)).click().run()
    assert at.success
    assert [each.number for each in PARALLEL_GROUPS.editions(ws, SLUG)] == [2, 1]
    at = at.button(key="parallel-refused-" + "-".join(REPORTS)).click().run()
    assert at.success
    at = at.segmented_control(key="parallel-state").set_value("refused").run()
    assert "Sora" in shown(at) and table(at, "Slot")["Id"].tolist() == list(REPORTS)
    keys = [each.key for each in at.button]
    assert "parallel-confirmed-" + "-".join(REPORTS) in keys
    assert "parallel-refused-" + "-".join(REPORTS) not in keys
    assert "key\\: confirmed" in shown(opened(project, "declared")), "a key, not a state"


def test_who_may_not_edit_reads_only(project):
    decide(project[0], SLUG, [REPORTS], Verdict.REFUSED, "no")
    for tab in ("proposed", "declaration"):
        at = opened(project, tab, by=2)
        assert not [each for each in at.button if "confirmed" in str(each.key)]
        assert not at.text_area


def test_a_changed_declaration_is_previewed_and_saved(project):
    at = opened(project, "declaration")
    at = at.text_area[0].set_value(declared()).run()
    assert "indirect" in shown(at) and "**2** afterwards" in shown(at)
    at = at.button(key="parallel-groups-save").click().run()
    assert "Version 2 is now in use" in at.success[0].value
    at = opened(project, "declaration")
    at = at.text_area[0].set_value(declared(tier="thing")).run()
    assert "no tier" in at.error[0].value
