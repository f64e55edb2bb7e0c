from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from evaluation.figures.neighbourhood import (
    LIMIT,
    Link,
    Neighbourhood,
    Role,
    neighbourhood,
    project,
    units_of,
)

SEEDS = ("s1", "s2")
GOLD = {"g", "s2"}
ORIGIN = np.zeros(3, dtype=np.float32)
COSINE = {"s1": ["s2", "near"], "s2": ["s1"]}
EXPLICIT = {"s1": ["g"], "s2": ["far"]}


def made() -> tuple[list[str], Neighbourhood]:
    units = units_of(SEEDS, GOLD, COSINE, EXPLICIT)
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(len(units), 8)).astype(np.float32)
    return units, neighbourhood(SEEDS, GOLD, COSINE, EXPLICIT, vectors, vectors[0])


def test_each_unit_has_its_role_and_edges_to_gold_are_marked_in_each_panel() -> None:
    units, found = made()
    assert units == ["s1", "s2", "g", "far", "near"]
    assert [point.unit_id for point in found.points] == ["", *units]
    roles = [Role.QUERY, Role.SEED, Role.SEED_GOLD, Role.GOLD, Role.OTHER, Role.OTHER]
    assert [point.role for point in found.points] == roles
    assert [found.by_id[unit].rank for unit in units] == [1, 2, None, None, None]
    assert found.cosine.links == (
        Link("s1", "s2", True),
        Link("s1", "near", False),
        Link("s2", "s1", False),
    )
    assert found.explicit.links == (Link("s1", "g", True), Link("s2", "far", False))
    assert (found.cosine.hits, found.explicit.hits) == (1, 1)
    assert (found.cosine.others, found.explicit.others) == (("near",), ("far",))


def test_a_hub_leaves_out_its_last_neighbours_and_never_a_gold_unit() -> None:
    many = [f"n{n:03}" for n in range(LIMIT + 5)]
    explicit = {"s1": [*many, "g"], "s2": ["own"]}
    units = units_of(SEEDS, GOLD, {}, explicit)
    vectors = np.eye(len(units), dtype=np.float32)
    panel = neighbourhood(SEEDS, GOLD, {}, explicit, vectors, vectors[0]).explicit
    assert (len(panel.others), panel.left_out) == (LIMIT, 6)
    assert "own" in panel.others  # the first neighbour of each seed comes before the second
    assert Link("s1", "g", True) in panel.links


def test_vectors_of_other_units_are_refused() -> None:
    with pytest.raises(ValueError, match="5 units and 2 vectors"):
        neighbourhood(SEEDS, GOLD, COSINE, EXPLICIT, np.eye(2, dtype=np.float32), ORIGIN)


def test_points_on_a_line_are_projected_onto_it() -> None:
    # (0, 0), (3, 4), (6, 8): the line through them is the first axis, its middle the origin.
    vectors = np.array([[0, 0], [3, 4], [6, 8]], dtype=np.float32)
    placed, asked, explained = project(vectors, np.array([9, 12], dtype=np.float32))
    # The first of the two units that lie farthest out is the one at -5: the axis points to it.
    assert placed[:, 0].tolist() == pytest.approx([5, 0, -5])
    assert placed[:, 1].tolist() == pytest.approx([0, 0, 0], abs=1e-6)
    assert asked.tolist() == pytest.approx([-10, 0], abs=1e-6)
    assert explained == pytest.approx((1.0, 0.0))


def test_one_unit_and_equal_units_stand_at_the_origin() -> None:
    for rows in (1, 4):
        placed, _, explained = project(np.ones((rows, 3), dtype=np.float32), ORIGIN)
        assert not placed.any() and explained == (0.0, 0.0)


@given(
    arrays(
        np.float32,
        st.tuples(st.integers(3, 12), st.integers(2, 6)),
        elements=st.floats(-1, 1, width=16),
    )
)
def test_the_first_axis_explains_most_and_distances_never_grow(vectors: np.ndarray) -> None:
    placed, _, (first, second) = project(vectors, vectors[0])
    assert 0 <= second <= first + 1e-12
    assert first + second <= 1 + 1e-9
    before = np.linalg.norm(vectors[0].astype(float) - vectors[1])
    assert np.linalg.norm(placed[0] - placed[1]) <= before + 1e-6
    again, _, _ = project(vectors, vectors[0])
    assert placed.tobytes() == again.tobytes()
