"""A stored snapshot reads as the law in memory does."""

from __future__ import annotations

from pathlib import Path

from corpus.graph.model import EdgeType
from storage.closure.stored_law import StoredLaw
from tests.conftest import FakeClock
from tests.projects.closure_law import ACT, FINE, REPORT, in_memory
from tests.projects.closure_project import ferry


def test_provisions_edges_and_statutes_are_those_of_the_snapshot(
    tmp_path: Path, clock: FakeClock
) -> None:
    ws, memory = ferry(tmp_path / "ws", clock).ws, in_memory()
    types = [each for each in EdgeType if each is not EdgeType.PART_OF]
    with ws.reading() as session:
        law = StoredLaw(session, 1)
        assert tuple(law.beside(ACT)) == tuple(memory.beside(ACT)) != ()
        for unit in [*law.beside(ACT), *law.beside("나루-비용-기준"), *law.beside("나루법-시행령")]:
            assert law.unit(unit) == memory.unit(unit)
            for direction in ("out", "in", "both"):
                for chosen in (types, [EdgeType.REFERENCES], []):
                    found = law.edges(unit, chosen, direction)
                    assert set(found) == set(memory.edges(unit, chosen, direction))
                    assert found == law.edges(unit, chosen, direction)
        assert [each.source for each in law.edges(REPORT, [EdgeType.REFERENCES], "in")] == [FINE]
        assert law.unit("없는법_1조") is None and law.place("없는법_1조") == "없는법_1조"
        assert law.edges("없는법_1조", types, "both") == [] and law.beside("없는법") == ()
        assert law.place(FINE) == "나루법 제10조"
        assert StoredLaw(session, 2).unit(FINE) is None
