"""What splits and what one answer moves, each held against doing it for every cell."""

from hypothesis import given

from construction.stricter.codes import encoded
from construction.stricter.grouping import Grouping, grouping
from construction.stricter.moving import CodeMove, changed, left_out, moves
from construction.stricter.splitting import CodeRows, Split, splits
from tests.construction.stricter.test_grouping import tables


@given(tables)
def test_the_moves_are_those_that_changing_every_cell_finds(table):
    codes = encoded(*table)
    now = grouping(codes)
    told = {(m.row, m.column, m.then): m for m in moves(codes, now.depth)}
    for row, column, then in _changes(codes):
        after = changed(codes, row, column, then)
        group = next((g for g in after.groups if row in g), None)
        before = next((g for g in now.groups if row in g), None)
        shorter = (after.depth or 0) < (now.depth or 0)  # the pair it leaves was alone
        if group is None or shorter or (after.depth, group) == (now.depth, before):
            assert (row, column, then) not in told
        else:
            move = told.pop((row, column, then))
            assert (move.depth, move.now) == (after.depth, codes[row, column])
            assert sorted((*move.beside, row)) == list(group)
    assert told == {}


@given(tables)
def test_leaving_a_row_out_is_grouping_the_others(table):
    codes = encoded(*table)
    for row in range(len(codes)):
        without = [rows for at, rows in enumerate(table[0]) if at != row]
        there = grouping(encoded(without, table[1]))
        others = [at for at in range(len(codes)) if at != row]
        groups = tuple(tuple(others[at] for at in group) for group in there.groups)
        assert left_out(codes, row) == Grouping(there.depth, groups)


def test_a_changed_answer_can_bring_in_a_case_or_make_a_longer_match():
    codes = encoded(["abc", "abd", "xbe"], 3)
    assert list(moves(codes, 2)) == [
        CodeMove(0, 0, 0, 1, 2, (2,)),
        CodeMove(1, 0, 0, 1, 2, (2,)),
        CodeMove(2, 0, 1, 0, 2, (0, 1)),
        CodeMove(0, 2, 0, 1, 3, (1,)),
        CodeMove(1, 2, 1, 0, 3, (0,)),
    ]


def test_a_further_answer_parts_the_group_the_largest_part_first():
    codes = encoded(["ax1", "ay1", "ay1", "bq1"], 3)
    found = splits(codes, (0, 1, 2), (1, 2))
    assert found == (
        Split(1, (CodeRows(1, (1, 2)), CodeRows(0, (0,)))),
        Split(2, (CodeRows(0, (0, 1, 2)),)),
    )
    assert [split.whole for split in found] == [False, True]


def _changes(codes):
    for row in range(len(codes)):
        for column in range(codes.shape[1]):
            for then in sorted(set(codes[:, column].tolist()) - {int(codes[row, column])}):
                yield row, column, then
