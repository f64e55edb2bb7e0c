"""The fixtures of the suites that run again here, on a database of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.annotation.house import House, build
from tests.conftest import FakeClock

# They make a second workspace beside the first, which here would be on the same database.
SEVERAL_WORKSPACES = {
    "test_what_one_annotator_sees_does_not_depend_on_what_another_says",
    "test_labels_of_others_are_not_even_read_from_the_database",
    "test_two_projects_of_the_same_texts_have_the_same_versions",
    "test_a_migration_is_nobodys_work",
    "test_whatever_was_done_the_log_replays_and_gold_that_stays_is_the_same",
    "test_migrated_answers_come_back_from_a_file_the_same",
    "test_a_sample_hangs_on_the_seed_and_grows_by_the_rest",
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests that cannot run here; they run in the folder that they come from."""
    here = Path(__file__).parent
    out = [i for i in items if i.path.parent == here and i.name in SEVERAL_WORKSPACES]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if item not in out]


@pytest.fixture(autouse=True)
def everything_on_postgres(on_postgres: str) -> None:
    """Put every workspace of this folder's tests on a database of their own."""


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock, everything_on_postgres: None) -> House:
    """Return the small project of the annotation tests."""
    return build(tmp_path / "workspace", clock)
