"""Normal forms, families and codes."""

from __future__ import annotations

import pytest

from corpus.citations.model import (
    Role,
    canonical_code,
    family,
    normal,
    plain_name,
    relative_title,
    role_of,
)


@pytest.mark.parametrize("written", ["수로ㆍ등대법", "수로·등대법", "수로 등대 법", "수로, 등대법"])
def test_normal_form(written: str) -> None:
    assert normal(written) == normal("수로등대법")


@pytest.mark.parametrize(
    ("title", "base", "role"),
    [
        ("등대기본법", "등대기본법", Role.ACT),
        ("등대기본법 시행령", "등대기본법", Role.DECREE),
        ("등대기본법시행규칙", "등대기본법", Role.RULE),
        ("Harbour Light Act", "Harbour Light Act", Role.ACT),
        ("Enforcement Decree of the Harbour Light Act", "Harbour Light Act", Role.DECREE),
        ("Enforcement Rules of the Harbour Light Act", "Harbour Light Act", Role.RULE),
    ],
)
def test_family(title: str, base: str, role: Role) -> None:
    assert (family(title).base, family(title).role) == (normal(base), role)


@pytest.mark.parametrize(
    ("title", "role"),
    [
        ("등대기본법", Role.ACT),
        ("부두의 기준에 관한 규칙", Role.RULE),
        ("등대공무원 임용령", Role.DECREE),
        ("등명기의 기술기준(LBTC 102)", Role.STANDARD),
        ("Act on Harbour Lights", Role.ACT),
    ],
)
def test_role(title: str, role: Role) -> None:
    assert role_of(title) is role


@pytest.mark.parametrize("written", ["LBTC 102A", "LBTC102A", "(LBTC-102A)", "기준(LBTC  102A)"])
def test_codes(written: str) -> None:
    assert canonical_code(written.replace("  ", " ")) == "LBTC102A"


@pytest.mark.parametrize("written", ["KS B 1101", "IEC 60331", "FK-5-1-12", "LBTC", "102"])
def test_what_is_no_code(written: str) -> None:
    assert canonical_code(written) == ""


def test_asides_are_no_part_of_a_name() -> None:
    assert plain_name('등대기본법 (이하, "법"이라 함) 시행령') == "등대기본법 시행령"


def test_relatives() -> None:
    assert relative_title("등대기본법 시행령", Role.RULE) == "등대기본법 시행규칙"
    assert relative_title("Harbour Light Act", Role.DECREE) == (
        "Enforcement Decree of the Harbour Light Act"
    )
