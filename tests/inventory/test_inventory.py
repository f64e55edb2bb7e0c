"""Nothing that the product offers disappears, or comes, without its line in a list."""

from __future__ import annotations

import pytest

from tests.inventory.product import LISTS, kept, listed

REMEDY = "`python -m tests.inventory` writes the lists anew. Commit them with the change"


@pytest.mark.parametrize("name", LISTS)
def test_the_product_offers_what_its_list_says(name: str) -> None:
    now, before = set(listed(name)), set(kept(name))
    gone, new = sorted(before - now), sorted(now - before)
    assert not gone, f"{name}.txt lists what is gone: {gone}. {REMEDY}; the changelog says why."
    assert not new, f"{name}.txt lacks what is new: {new}. {REMEDY}."


@pytest.mark.parametrize("name", LISTS)
def test_a_list_is_sorted_and_says_nothing_twice(name: str) -> None:
    assert kept(name) == sorted(set(kept(name)))
