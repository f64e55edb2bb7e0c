"""TREC files: written so that any reader ranks as we do, and read with named errors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from errors import UserError
from normalization import composed
from storage.export.beir import write_qrels as write_beir_qrels
from storage.export.trec import (
    RankedUnit,
    read_qrels,
    read_rankings,
    read_run,
    write_qrels,
    write_run,
)
from tests.support.refusals import fault_of, refusal

IDS = st.text(st.characters(categories=["L", "N", "P"]), min_size=1, max_size=6).map(
    lambda text: "u" + composed(text.replace("%", "").replace('"', ""))
)
SCORES = st.floats(0, 1000, width=32)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    return tmp_path_factory.mktemp("trec") / "file"


@given(st.dictionaries(IDS, st.dictionaries(IDS, st.integers(-2, 3), min_size=1), min_size=1))
def test_judgements_read_back(file, qrels):
    write_qrels(file, qrels)
    assert read_qrels(file) == qrels
    write_beir_qrels(file, qrels)
    assert read_qrels(file) == qrels


@given(
    st.dictionaries(
        IDS, st.lists(st.tuples(IDS, SCORES), min_size=1, unique_by=lambda hit: hit[0]), min_size=1
    )
)
def test_a_run_reads_back_in_its_order_whatever_ties(file, run):
    run = {query: sorted(hits, key=lambda hit: -hit[1]) for query, hits in run.items()}
    lines = write_run(file, run, "tag")
    assert lines == sum(map(len, run.values()))
    assert read_run(file) == {query: [unit for unit, _ in hits] for query, hits in run.items()}
    scores: dict[str, list[np.float32]] = {}
    for line in file.read_text("utf-8").splitlines():
        query, _, _, _, score, _ = line.split(" ")
        scores.setdefault(query, []).append(np.float32(score))
    assert all((np.diff(falling) < 0).all() for falling in scores.values())


def test_the_bytes(tmp_path):
    write_qrels(tmp_path / "q", {"2": {"b": 1, "a": 1}, "1 x": {"법_1조": 1}})
    assert (tmp_path / "q").read_text("utf-8") == "1%20x 0 법_1조 1\n2 0 a 1\n2 0 b 1\n"
    write_run(tmp_path / "r", {"q": [("a", 2.5), ("b", 2.5)]}, "bm25")
    assert (tmp_path / "r").read_text() == "q Q0 a 1 2.5 bm25\nq Q0 b 2 2.4999998 bm25\n"


@pytest.mark.filterwarnings("error")
def test_scores_that_no_32_bit_float_holds_give_way_to_their_ranks(tmp_path):
    far = [("a", 1e300), ("b", 1e299), ("c", 0.5), ("d", -1e39), ("e", -2e39)]
    write_run(tmp_path / "r", {"q": far, "r": far[2:3]}, "t")
    scores = [line.split()[4] for line in (tmp_path / "r").read_text().splitlines()]
    assert scores == ["5.0", "4.0", "3.0", "2.0", "1.0", "0.5"]
    assert read_run(tmp_path / "r") == {"q": list("abcde"), "r": ["c"]}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_line_end_and_a_mark_at_the_beginning_are_read(tmp_path, end):
    lines = ["\ufeffq\tQ0  a 1 2e1 t", "q Q0 b 2 -.5 t", "", "q Q0 c 3 x t"]
    (tmp_path / "run").write_bytes(end.join(lines[:3]).encode())
    assert read_run(tmp_path / "run") == {"q": ["a", "b"]}
    (tmp_path / "run").write_bytes(end.join(lines).encode())
    assert fault_of(read_run, tmp_path / "run")[1] == 4


def test_equal_scores_are_read_by_rank_then_id(tmp_path):
    lines = ["q Q0 c 2 1.0 t", "q Q0 b 2 1.0 t", "q Q0 z 1 1.0 t", "", "q Q0 a 9 3 t"]
    (tmp_path / "run").write_text("\n".join(lines))
    assert read_run(tmp_path / "run") == {"q": ["a", "z", "b", "c"]}


@pytest.mark.parametrize(
    ("text", "code", "line", "field"),
    [
        ("q Q0 a 1 1.0 t\nq Q0 a 1 1.0", "trec_shape", 2, None),
        ("q Q0 a 1 high t", "trec_number", 1, "score"),
        ("q Q0 a 1 nan t", "trec_number", 1, "score"),
        ("q Q0 a 1 1_0 t", "trec_number", 1, "score"),
        ("q Q0 a 1 ١٢ t", "trec_number", 1, "score"),
        ("q Q0 a first 1 t", "trec_number", 1, "rank"),
        ("q Q0 a 1 2 t\n\nq Q0 a 2 1 t", "trec_repeated", 3, None),
    ],
)
def test_a_bad_run_names_its_line(tmp_path, text, code, line, field):
    path = tmp_path / "run"
    path.write_text(text)
    assert fault_of(read_run, path) == (code, line, field)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("q 0 a", "trec_shape", 1),
        ("q 0 a 1\nq 0 a 0", "trec_repeated", 2),
        ("q 0 a 0.5", "trec_number", 1),
        ("q 0 a ١", "trec_number", 1),
        ("query-id\tcorpus-id\tscore\nq\ta", "trec_shape", 2),
    ],
)
def test_bad_judgements_name_their_line(tmp_path, text, code, line):
    path = tmp_path / "qrels"
    path.write_text(text)
    assert fault_of(read_qrels, path)[:2] == (code, line)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", None])
def test_a_file_that_is_no_text_is_refused(tmp_path, content):
    if content is not None:
        (tmp_path / "run").write_bytes(content)
    assert refusal(read_run, tmp_path / "run").where.file == str(tmp_path / "run")


@pytest.mark.parametrize(
    "name", ["50%", "a b", "a%20b", 'he said "so"', "tab\there", "이름\u3000둘", "#1"]
)
def test_a_run_and_both_kinds_of_judgements_name_a_thing_alike(tmp_path, name):
    write_run(tmp_path / "run", {name: [(name, 1.0)]}, "t")
    write_qrels(tmp_path / "trec", {name: {name: 1}})
    write_beir_qrels(tmp_path / "beir", {name: {name: 1}})
    ((query, (unit,)),) = read_run(tmp_path / "run").items()
    assert read_qrels(tmp_path / "trec") == {query: {unit: 1}}
    assert read_qrels(tmp_path / "beir") == {query: {unit: 1}}


def test_ids_of_others_are_read_as_they_stand(tmp_path):
    (tmp_path / "run").write_text("q%41 Q0 <dbpedia:Caf%C3%A9> 1 1.0 t\n")
    (tmp_path / "beir").write_text("query-id\tcorpus-id\tscore\nq%41\t<dbpedia:Caf%C3%A9>\t1\n")
    assert read_run(tmp_path / "run") == {"q%41": ["<dbpedia:Caf%C3%A9>"]}
    assert read_qrels(tmp_path / "beir") == {"q%41": {"<dbpedia:Caf%C3%A9>": 1}}


def test_rankings_tell_score_line_and_tag(tmp_path):
    (tmp_path / "run").write_text("q Q0 b 1 0.5 t\n\nq Q0 a 2 1.5 t\n")
    assert read_rankings(tmp_path / "run") == {
        "q": [RankedUnit("a", 1.5, 3, "t"), RankedUnit("b", 0.5, 1, "t")]
    }


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=40),
            st.sampled_from(
                [b"q Q0 u 1 1 t", b"q Q0 v nan 1 t", b"q Q0 w 1 1e999 t", b"q\x00 Q0 u 1 1 t"]
            ),
        ),
        max_size=4,
    )
)
def test_whatever_the_bytes_a_run_is_read_or_refused_by_name(file, lines):
    file.write_bytes(b"\n".join(lines))
    try:
        found = read_rankings(file, "their.run")
    except UserError as error:
        assert error.where.file == "their.run"
    else:
        assert all(np.isfinite([each.score for each in units]).all() for units in found.values())
