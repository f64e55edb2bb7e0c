"""Very many rows are read without a search for cycles among them."""

from __future__ import annotations

import gc

import pytest

from corpus.long_work import in_bulk


def test_the_search_is_put_off_until_the_block_ends_however_it_ends():
    with in_bulk(), in_bulk():
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="stop"), in_bulk():
        raise ValueError("stop")
    assert gc.isenabled()
