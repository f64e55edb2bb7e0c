"""Text files by their ending."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.shell.tables import check_ending, read_text, write_table
from errors import UserError
from tests.support.refusals import code_of

WRITERS = {".csv": "a,{}".format, ".md": "| {} |".format, ".tex": r"\cell{{{}}}".format}


@pytest.mark.parametrize(
    ("name", "text"), [("t.csv", "a,1"), ("t.MD", "| 1 |"), ("t.tex", r"\cell{1}")]
)
def test_a_value_is_written_as_the_ending_says(tmp_path: Path, name: str, text: str) -> None:
    write_table(tmp_path / name, 1, WRITERS)
    assert (tmp_path / name).read_text("utf-8") == text
    write_table(None, 1, WRITERS)
    assert len(list(tmp_path.iterdir())) == 1


def test_an_ending_that_nobody_writes_is_refused(tmp_path: Path) -> None:
    check_ending(None, ".csv")
    check_ending(tmp_path / "x.CSV", ".csv")
    with pytest.raises(UserError) as refused:
        check_ending(tmp_path / "x.pdf", ".csv", ".json", error="map_ending")
    assert (refused.value.code, refused.value.where.file) == ("map_ending", str(tmp_path / "x.pdf"))


def test_a_folder_that_is_not_there_is_the_users_to_mend(tmp_path: Path) -> None:
    assert code_of(write_table, tmp_path / "no" / "t.csv", 1, WRITERS) == "report_unwritable"


def test_a_text_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "text.yaml"
    file.write_bytes(b"\xef\xbb\xbfkey: 1\n")
    assert read_text(file) == "key: 1\n"
    file.write_bytes(b"\xb0\xa1")
    for path, code in ((file, "guideline_file"), (tmp_path / "none", "typology_file")):
        assert code_of(read_text, path, code) == code
