"""The versions of the layers of a project."""

from __future__ import annotations

from pathlib import Path

from annotation.work.versioned_texts import CASCADE_LAYERS
from construction.cascade.layers import starter
from storage.cascade.results import layers_by_number
from tests.conftest import FakeClock
from tests.projects.cascade_project import SLUG, project, without
from tests.support.refusals import code_of


def test_versions_of_the_layers_stay(tmp_path: Path, clock: FakeClock) -> None:
    ws, lead = project(tmp_path / "workspace", clock)
    assert [each.number for each in CASCADE_LAYERS.editions(ws, SLUG)] == [1]
    assert CASCADE_LAYERS.save(ws, SLUG, without("judge"), "too dear", 1, lead) == 2
    assert [(e.number, e.note, e.person) for e in CASCADE_LAYERS.editions(ws, SLUG)] == [
        (2, "too dear", "Han Bora"),
        (1, "", None),
    ]
    assert CASCADE_LAYERS.edition(ws, SLUG, 1).text == starter()
    with ws.reading() as session:
        found = layers_by_number(session, 1, [1, 2])
    assert [len(found[number].asked) for number in (1, 2)] == [5, 4]
    for text, expected, code in (
        (without("judge"), 2, "document_same"),
        (without("gate"), 1, "document_stale"),
        ("layers: []", 2, "cascade_empty"),
    ):
        assert code_of(CASCADE_LAYERS.save, ws, SLUG, text, "", expected, lead) == code
