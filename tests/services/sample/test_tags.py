"""The tagged court cases of the sample: one stricter group, and something to settle."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotation.people.members import list_people
from annotation.tagging.disputes import disputes
from services.sample.loading import SAMPLE, SLUG, load_sample
from services.sample.tags import tag_sample_cases
from services.stricter.groups import stricter
from storage.db.migrate import migrate
from storage.db.workspace import Workspace
from tests.conftest import FakeClock


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    ws = Workspace(tmp_path_factory.mktemp("sample") / "workspace", FakeClock())
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOUCHSTONE_WORKSPACE", str(ws.folder))
        migrate(ws)
        assert load_sample(ws)
    return ws


def test_two_cases_are_alike_in_all_that_counts(sample: Workspace) -> None:
    told = stricter(sample, SLUG)
    found = told.group("fraud.fraud")
    assert found.backed_off == 0
    ((*alike,),) = found.groups
    assert [told.cases[case].external_id for case in alike] == ["fraud-1", "fraud-4"]
    assert [told.cases[case].external_id for case in found.table.gaps] == ["fraud-2", "fraud-3"]


def test_an_adjudicator_has_one_sub_factor_of_two_cases_to_settle(sample: Workspace) -> None:
    people = {each.name: each.id for each in list_people(sample, SLUG)}
    waiting = {
        each.sub.key: [entry.external_id for entry in each.waiting]
        for each in disputes(sample, people["Lee Sora"])
    }
    assert waiting == {"admission": ["fraud-2"], "settlement": ["fraud-3"]}


def test_loading_the_tags_again_changes_nothing(sample: Workspace) -> None:
    before = stricter(sample, SLUG)
    tag_sample_cases(sample, SLUG, Path(SAMPLE) / "factor_tags.jsonl")
    assert stricter(sample, SLUG) == before
