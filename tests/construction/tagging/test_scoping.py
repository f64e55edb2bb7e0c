from __future__ import annotations

from annotation.guidelines.builtin_documents import EVERY, packaged
from construction.cases import typology_reading
from construction.cases.starter import starter
from construction.tagging.reading import parse
from construction.tagging.scoping import by_category, parts, unknown_parts
from storage.tasks import Task
from tests.construction.tagging.codebooks import SMALL

TYPOLOGY = typology_reading.parse(starter())


def test_a_part_is_a_category_a_charge_or_a_group() -> None:
    known = parts(TYPOLOGY)
    assert known["traffic"] == TYPOLOGY.categories[0].label
    assert {"traffic.drunk_driving", "sexual.filming", "sexual.filming.shooting"} <= known.keys()
    groups = [g.key for c in TYPOLOGY.categories for x in c.charges for g in x.groups]
    assert set(groups) <= known.keys()


def test_every_scope_of_the_packaged_codebook_is_a_part_of_the_packaged_typology() -> None:
    found = packaged("codebook", Task.FACTOR_TAGGING)
    assert found is not None
    assert unknown_parts(parse(found.texts[EVERY]), parts(TYPOLOGY)) == ()


def test_a_scope_that_the_typology_lacks_is_told_with_its_factor() -> None:
    missing = (("violence", "injury"), ("violence", "traffic.hit_and_run"))
    assert unknown_parts(parse(SMALL), parts(TYPOLOGY)) == missing


def test_parts_come_by_category() -> None:
    assert by_category(["a.x", "b", "a.y.z"]) == {"a": ("a.x", "a.y.z"), "b": ()}
