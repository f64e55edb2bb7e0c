"""Tables written out: what is read back is what was written, whatever the text."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evaluation.tables import (
    ENDINGS,
    FORMATS,
    LETTERS,
    Strong,
    Table,
    columns,
    csv_text,
    latex_text,
    markdown_lines,
    one_line,
    table_lines,
    written,
)
from tests.conftest import ROOT
from tests.support.refusals import code_of

TABLE = Table(
    head=("Method", "nDCG@10", "n"),
    rows=(
        ("BM25 | bigram", Strong("0.713 [0.650, 0.771] ▲"), 219),
        ("<b>법_1</b> & co", "0.500 [0.400, 0.600]", None),
    ),
    title="Runs of 50 %",
    notes=("n counts questions.",),
)
TEXT = st.text(st.characters(blacklist_categories=["Cs", "Cc"]), max_size=12)


def test_csv_is_written_to_the_byte():
    assert written(TABLE, "csv") == (
        "Method,nDCG@10,n\n"
        'BM25 | bigram,"0.713 [0.650, 0.771] ▲",219\n'
        '<b>법_1</b> & co,"0.500 [0.400, 0.600]",\n'
    )


def test_markdown_is_written_to_the_byte():
    assert written(TABLE, "markdown").splitlines() == [
        "**Runs of 50 %**",
        "",
        "| Method | nDCG@10 | n |",
        "| --- | ---: | ---: |",
        r"| BM25 \| bigram | **0.713 \[0.650, 0.771\] ▲** | 219 |",
        r"| &lt;b&gt;법\_1&lt;/b&gt; &amp; co | 0.500 \[0.400, 0.600\] |  |",
        "",
        "n counts questions.",
    ]


def test_latex_is_written_to_the_byte():
    assert written(TABLE, "latex").splitlines() == [
        r"\begin{table}",
        r"\centering",
        r"\caption{Runs of 50 \%}",
        r"\begin{tabular}{lrr}",
        r"\hline",
        r"Method & nDCG@10 & n \\",
        r"\hline",
        r"BM25 \textbar{} bigram & \textbf{0.713 [0.650, 0.771] $\uparrow$} & 219 \\",
        r"\textless{}b\textgreater{}법\_1\textless{}/b\textgreater{} \& co"
        r" & 0.500 [0.400, 0.600] &  \\",
        r"\hline",
        r"\end{tabular}",
        r"\par\footnotesize n counts questions.",
        r"\end{table}",
    ]


@given(st.lists(TEXT, min_size=2, max_size=2))
def test_csv_reads_back(cells):
    line = list(csv.reader(io.StringIO(written(Table(("a", "b"), (tuple(cells),)), "csv"))))[1]
    assert [cell.removeprefix("'") for cell in line] == [cell.removeprefix("'") for cell in cells]
    assert not any(cell.startswith(("=", "@")) for cell in line)


def test_no_spreadsheet_runs_a_cell_and_numbers_stay_numbers():
    cells = ("=1+1", "@x", "-0.5 [-1, 0]", "-0.5", -0.25, "+1")
    table = Table(tuple("abcdef"), (cells,))
    assert written(table, "csv").splitlines()[1] == "'=1+1,'@x,\"'-0.5 [-1, 0]\",-0.5,-0.25,+1"
    wide = Table(("a", "b"), (("＝1+1", "\n=1"),))
    assert written(wide, "csv") == "a,b\n'＝1+1,\"'\n=1\"\n"


@given(st.lists(TEXT, min_size=2, max_size=2))
def test_markdown_shows_every_letter(cells):
    text = written(Table(("a", "b"), (("x", *cells[:1]), ("y", *cells[1:]))), "markdown")
    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    shown = [
        "".join(child.content for child in token.children or ())
        for token in tokens
        if token.type == "inline"
    ]
    assert [shown[3], shown[5]] == [one_line(cell) for cell in cells]
    assert not any(
        child.type != "text" and child.type != "text_special"
        for token in tokens
        for child in token.children or ()
    )


@given(TEXT)
def test_latex_leaves_no_letter_that_commands(text):
    set_as = latex_text(text)
    for letter, escape in sorted(LETTERS.items(), key=lambda each: -len(each[1])):
        set_as = set_as.replace(escape, "") if letter not in "{}" else set_as
    assert not set(set_as.replace(r"\{", "").replace(r"\}", "").replace("{}", "")) & set(
        "\\&%$#_{}~^"
    )


def test_a_row_that_begins_with_a_bracket_is_no_space_between_rows():
    text = written(Table(("a",), (("x",), ("[1]",), ("*",))), "latex")
    assert r"{}[1] \\" in text and r"{}* \\" in text
    assert latex_text("a---b") == "a-{}-{}-b"


def test_a_column_is_of_numbers_when_all_of_it_is():
    table = Table(("a", "b", "c"), ((1, "–", "1st"), ("2.5e-05", "−0.1 ▼", "2nd"), (None, "", "")))
    assert [table.numeric(at) for at in range(3)] == [True, True, False]


def test_wrong_tables_and_formats_are_refused():
    with pytest.raises(ValueError, match="cell for each"):
        Table(("a",), ((1, 2),))
    assert code_of(written, TABLE, "word") == "table_format_unknown"
    assert set(ENDINGS) == set(FORMATS)


def test_no_control_character_reaches_a_program_that_sets_text():
    table = Table(("a\x07", "b"), (("x\x00\x1by", "c\x7f \x85d"),))
    assert "| a | b |\n| --- | --- |\n| x y | c d |\n" in written(table, "markdown")
    assert "x y & c d" in written(table, "latex")


def test_rows_of_any_values_are_csv_and_nothing_in_them_is_run():
    rows = (("name", "n"), ("-x", -1), ("@y", None), ("-0.25", True), ("\t=1", 0.1))
    assert csv_text(rows) == "name,n\n'-x,-1\n'@y,\n-0.25,True\n'\t=1,0.1\n"


def test_a_cell_of_a_markdown_table_is_on_one_line_and_ends_nothing():
    rows = [("a|b", "x\n| y |"), ("_c_", "[0, 1]")]
    assert markdown_lines(("", "of"), rows) == [
        "|  | of |",
        "| --- | --- |",
        r"| a\|b | x \| y \| |",
        "| _c_ | [0, 1] |",
    ]
    assert markdown_lines(("n",), [("_c_",)], special="|_", rule="|---:|")[1:] == [
        "|---:|",
        r"| \_c\_ |",
    ]


def test_no_other_module_writes_a_table():
    """But for the files of BEIR, which programs read and which take every name as it is."""
    floors = (
        "pages commands services annotation storage construction retrieval evaluation corpus llm"
    )
    sign = re.compile(r"csv\.(writer|DictWriter)|\\hline|\| [\"']\.join")
    writing = {
        path.relative_to(ROOT).as_posix()
        for floor in floors.split()
        for path in (ROOT / floor).rglob("*.py")
        if sign.search(path.read_text("utf-8"))
    }
    assert writing == {"evaluation/tables.py", "storage/export/beir.py"}


def test_a_table_without_a_head_is_its_title_and_notes():
    line = Table((), (), "a_b: nothing is scored.", ("Why.",))
    assert written(line, "markdown") == "a\\_b: nothing is scored.\n\nWhy.\n"
    assert written(line, "latex") == "a\\_b: nothing is scored.\n\nWhy.\n"


def test_columns_stand_below_each_other() -> None:
    rows = [("name", "n"), ("a", "1,000"), ("", "")]
    assert columns(rows, left=True) == ["name  n", "a     1,000", ""]
    assert columns(rows) == ["name      n", "a     1,000", ""]


def test_the_best_of_a_table_has_a_star() -> None:
    table = Table(("run", "R@5"), (("one", Strong("0.5")), ("two", None)), "Runs", ("A note.",))
    assert table_lines(table) == ["Runs", "run    R@5", "one  * 0.5", "two"]


def test_letters_of_double_width_count_twice() -> None:
    table = Table(("법", "n"), (("ab", "1"), ("c", "2")), "Law")
    assert table_lines(table, left=True) == ["Law", "법  n", "ab  1", "c   2"]
    assert table_lines(Table((), (), "Nothing")) == ["Nothing"]
