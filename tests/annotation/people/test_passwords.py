from __future__ import annotations

import unicodedata

import pytest
from argon2 import PasswordHasher, Type, extract_parameters
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.people.passwords import (
    LONGEST,
    SHORTEST,
    checked_password,
    hashed,
    is_outdated,
    verify,
)
from errors import UserError

PHRASE = "four plain words here"


def test_hashes_have_the_second_recommended_parameters_of_rfc_9106() -> None:
    kept = extract_parameters(hashed(PHRASE))
    assert (kept.type, kept.time_cost, kept.memory_cost, kept.parallelism) == (
        Type.ID,
        3,
        2**16,
        4,
    )
    assert (kept.salt_len, kept.hash_len) == (16, 32)


def test_only_the_password_fits_its_hash() -> None:
    kept = hashed(PHRASE)
    assert kept != hashed(PHRASE)
    assert verify(kept, PHRASE)
    assert not verify(kept, PHRASE + " ")
    assert not verify(kept, "")
    assert not verify("no hash", PHRASE)
    assert not verify(None, "the password of nobody")


def test_a_password_is_the_same_in_another_encoding() -> None:
    composed = "비밀번호를 길게 짓는다"
    decomposed = unicodedata.normalize("NFD", composed)
    assert composed != decomposed
    assert verify(hashed(checked_password(decomposed, "ara")), composed)


def test_a_hash_of_weaker_parameters_is_outdated() -> None:
    assert is_outdated(PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PHRASE))
    assert not is_outdated(hashed(PHRASE))


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=LONGEST + 5))
def test_only_length_and_the_login_are_asked_for(text: str) -> None:
    try:
        kept = checked_password(text, "somebody@example.org")
    except UserError as error:
        assert error.code == "password_length"
    else:
        assert SHORTEST <= len(kept) <= LONGEST


def test_the_login_is_no_password() -> None:
    with pytest.raises(UserError) as caught:
        checked_password("Somebody@Example.org", "somebody@example.org")
    assert caught.value.code == "password_login"
