"""Changes that the mutation check draws, and what the tests near to them make of one."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.mutation import Covering, Mutation, draw, mutated, mutations_of, outcomes, record

PATH = "evaluation/figure.py"


def test_the_same_seed_draws_the_same_changes_and_each_changes_what_runs() -> None:
    rooms = ("llm/transport",)
    drawn = draw(3, seed=5, rooms=rooms)
    assert drawn == draw(3, seed=5, rooms=rooms) != draw(3, seed=6, rooms=rooms)
    assert all(one.path.startswith(rooms) and mutated(one) for one in drawn)


UNSEEN = """\
from dataclasses import dataclass
if TYPE_CHECKING:
    import more
@dataclass(frozen=True)
class Kept:
    x: int | None
    @abstractmethod
    def own(self): ...
class Shape(Protocol):
    @property
    def x(self) -> int: ...
_ROWS_AT_ONCE = 5
LEAST, MOST = 5, 400
MOST = 400
def more(x: int | None, *, y: int) -> int | str:
    return (x or 0) + 1
    return x is None
    return sha256(x).hexdigest()[:12]
"""


def test_what_nobody_sees_is_not_changed(tmp_path: Path) -> None:
    module = tmp_path / "kept.py"
    module.write_text(UNSEEN, encoding="utf-8")
    found = mutations_of(str(module))
    changed = {one.line for of in found.values() for one in of if mutated(one) is not None}
    assert {2, 4, 7, 10, 12, 13, 14, 15, 16, 17, 18} <= set(found)
    assert changed == {13, 16, 17}


@pytest.mark.long
def test_a_change_that_a_test_notices_is_killed(tmp_path: Path) -> None:
    record(tmp_path / "covered", 1, "tests/evaluation/test_figure.py")
    covering = Covering(tmp_path / "covered")
    [line] = [
        number
        for number, text in enumerate(Path(PATH).read_text(encoding="utf-8").split("\n"), 1)
        if text.startswith("def wilson(")
    ]
    of = [one for at, there in mutations_of(PATH).items() if at > line for one in there]
    first = next(one for one in of if one.operator == "ReplaceBinaryOperator_Div_Mul")
    [outcome] = outcomes([first], covering, processes=1)
    assert isinstance(outcome.mutation, Mutation)
    assert outcome.killer in covering.tests(PATH, first.line)
    # a signature is run by the import alone: all that runs anything of the module is near
    assert len(covering.tests(PATH, line)) >= outcome.tests > 0
