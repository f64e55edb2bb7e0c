"""docs/architecture.md names every room as it is, and every path in it exists."""

from __future__ import annotations

import re

from scripts.architecture_doc import FLOORS, PICTURE, TARGET, features, picture
from tests.conftest import ROOT

PAGE = TARGET.read_text(encoding="utf-8")


def test_the_picture_shows_the_rooms_that_are_there() -> None:
    assert PICTURE.read_text(encoding="utf-8") == picture(), (
        "run python scripts/architecture_doc.py"
    )


def test_every_path_in_code_type_exists() -> None:
    for path in re.findall(r"`([\w./]+[/.]\w*)`", PAGE):
        assert (ROOT / path).exists(), path


def test_every_floor_is_linked() -> None:
    for floor in FLOORS:
        assert f"](../{floor}/" in PAGE, floor


def test_the_features_are_those_of_the_rule() -> None:
    rule = re.search(
        r"^Rooms: (.*?)\. What", (ROOT / "CONTRIBUTING.md").read_text("utf-8"), re.M | re.S
    )
    assert rule is not None
    assert sorted(re.findall(r"`(\w+)`", rule[1])) == sorted(features())
