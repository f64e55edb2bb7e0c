"""What docs/court-cases.md says of the codebook of factors is what the product does."""

from __future__ import annotations

import re

from annotation.guidelines.documents import EVERY, packaged
from construction.tagging.codebook import in_scope
from construction.tagging.reading import parse
from storage.tasks import Task
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "court-cases.md").read_text("utf-8")
GROUPS = {
    "drunk driving": "traffic.drunk_driving",
    "fraud": "fraud.fraud",
    "injury": "violence.injury",
    "rape": "sexual.rape",
    "insult": "defamation.insult",
    "drugs (psychotropic)": "drug.psychotropic",
    "murder": "murder.murder",
    "a charge for which Table 17 lists nothing": "theft.larceny",
}


def test_the_example_is_a_codebook() -> None:
    (text,) = re.findall(r"```yaml\n(order:.*?)```", PAGE, re.DOTALL)
    assert parse(text).order == ("weapon", "kind_of_weapon", "self_defense")


def test_the_numbers_of_questions_are_those_of_the_packaged_codebook() -> None:
    found = packaged("codebook", Task.FACTOR_TAGGING)
    assert found is not None
    book = parse(found.texts[EVERY])
    for name, group in GROUPS.items():
        asked = in_scope(book, [group])
        required = sum(each.required for each in asked)
        assert f"| {name} | {len(asked)} | {required} |" in PAGE
