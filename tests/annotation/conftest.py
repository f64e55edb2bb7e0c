from pathlib import Path

import pytest

from tests.annotation.house import House, build
from tests.conftest import FakeClock


@pytest.fixture
def house(tmp_path: Path, clock: FakeClock) -> House:
    """Return a project with three items, three annotators and an adjudicator."""
    return build(tmp_path / "workspace", clock)
