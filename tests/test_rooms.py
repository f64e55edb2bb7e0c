"""Every folder of a floor is a feature's room or a shared one that docs/architecture.md names."""

from __future__ import annotations

import re

import pytest

from scripts.architecture_doc import FLOORS, TARGET, features, folders, modules

FEATURES = features()
NAMED = set(re.findall(r"\]\(\.\./([a-z_]+/[a-z_]+)/\)", TARGET.read_text(encoding="utf-8")))
MOST = 12


@pytest.mark.parametrize("floor", FLOORS)
def test_every_folder_of_a_floor_is_a_room_that_the_page_names(floor: str) -> None:
    assert {f"{floor}/{each}" for each in folders(floor)} - NAMED == set()


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_keeps_few_modules_outside_its_rooms(floor: str) -> None:
    assert len([each for each in modules(floor) if each not in FEATURES]) <= MOST


@pytest.mark.parametrize("floor", FLOORS)
def test_tests_have_the_rooms_of_their_floor(floor: str) -> None:
    known = {*folders(floor), *modules(floor)}
    assert {each for each in folders(f"tests/{floor}") if each != "data"} <= known
