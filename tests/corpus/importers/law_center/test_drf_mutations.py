from __future__ import annotations

import time

from hypothesis import HealthCheck, given, settings

from corpus.importers.law_center import drf
from corpus.model import Statute
from errors import UserError
from tests.corpus.importers.fixtures import fixture
from tests.corpus.importers.law_center.xml_mutations import reshaped
from tests.corpus.importers.mutations import CASES, damaged

FILES = [fixture("drf/act.xml"), fixture("drf/rule.xml")]


def check(statute: Statute) -> None:
    """Assert what holds of every statute, however its file was damaged."""
    ids = [unit.semantic_id for unit in statute.units]
    assert ids and len(set(ids)) == len(ids)
    assert [unit.order for unit in statute.units] == list(range(len(ids)))
    for unit in statute.units:
        assert unit.text_missing == (not unit.text)
        spans = [*((p.start, p.end) for p in unit.parts), *((x.start, x.end) for x in unit.links)]
        assert all(0 <= start < end <= len(unit.text) for start, end in spans)
        assert len({part.path for part in unit.parts}) == len(unit.parts)
        assert "\0" not in unit.text and "\ufdd0" not in unit.text


@settings(max_examples=CASES, deadline=None, suppress_health_check=list(HealthCheck))
@given(damaged([text.encode() for text in FILES]) | reshaped(FILES))
def test_damage_raises_nothing_but_errors_a_person_can_mend(raw: bytes) -> None:
    began = time.process_time()
    try:
        check(drf.parse(raw, "x.xml"))
    except UserError as error:
        assert error.what("ko") and error.remedy("en") and error.where.file == "x.xml"
    assert time.process_time() - began < 5
