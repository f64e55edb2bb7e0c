from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from commands.tagging.codebook import _tree
from construction.tagging.reading import parse
from tests.annotation.house import House
from tests.commands.called import told
from tests.construction.tagging.codebooks import SMALL


def test_a_codebook_is_shown_checked_imported_compared_and_exported(
    house: House, tmp_path: Path
) -> None:
    def said(*words: str) -> Any:
        code, found = told(house.ws.folder, "factors", "codebook", *words)
        assert code == 0, found
        return found

    whole = said("show")["sub_factors"]
    assert (len(whole), sum(each["claim"] for each in whole)) == (102, 39)
    drunk = said("show", "--group", "traffic.drunk_driving")["sub_factors"]
    assert 0 < len(drunk) < len(whole)
    (one,) = said("show", "blood_alcohol_level")["sub_factors"]
    assert (len(one["options"]), one["ordered"], one["source"]) == (3, True, "paper")
    file = tmp_path / "small.yaml"
    file.write_text(SMALL, "utf-8")
    seen = said("check", str(file))
    assert {"factor": "violence", "scope": "injury"} in seen["unknown_scopes"]
    assert said("import", str(file), "--note", "ours")["version"].startswith("2-")
    assert len(said("diff", "1")["changes"]) == len(seen["changes"]) > 100
    out = tmp_path / "out.yaml"
    said("export", str(out))
    assert out.read_text("utf-8") == SMALL


def test_the_tree_says_scope_kind_and_condition() -> None:
    lines = list(_tree(parse(SMALL), {"kind", "drink"}, "en"))
    assert lines == [
        "violence  Violence  [injury, traffic.hit_and_run]",
        "  kind  Kind (2)  several  only if weapon = yes",
        "road  Road  [traffic]",
        "  drink  Drink (2)  ordered",
    ]


@pytest.mark.parametrize(
    ("words", "error"),
    [(("show", "nothing"), "factors_none"), (("export", "/nowhere/x.yaml"), "factors_write")],
)
def test_what_cannot_be_is_refused(house: House, words: tuple[str, ...], error: str) -> None:
    code, said = told(house.ws.folder, "factors", "codebook", *words)
    assert (code, said["error"]) == (3, error)
