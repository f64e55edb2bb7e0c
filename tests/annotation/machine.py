"""What stories of a house under every order of acts share: how they begin, end, and are told."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine

from tests.annotation.house import House, build
from tests.conftest import FakeClock
from tests.support.examples import scaled


class HouseMachine(RuleBasedStateMachine):
    """A house that lasts for one story; it is looked over when that ends."""

    house: House

    def furnish(self, overlap: int = 2) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.clock = FakeClock()
        self.house = build(Path(self.folder.name) / "workspace", self.clock, overlap)

    def look_over(self) -> None:
        raise NotImplementedError

    def teardown(self) -> None:
        if hasattr(self, "house"):
            self.look_over()
            self.house.ws.engine.dispose()
            self.folder.cleanup()


def stories(machine: type[HouseMachine], steps: int = 40) -> Any:
    """Return the test that tells stories of this machine."""
    machine.TestCase.settings = settings(
        max_examples=scaled(3),
        stateful_step_count=steps,
        phases=[Phase.generate],  # shrinking so long a story takes longer than a test may
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    return machine.TestCase
