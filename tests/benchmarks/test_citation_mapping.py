"""The benchmark's command: its output, its refusals, and what it must reach."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.citation_mapping import Result, Scored, figures, main
from benchmarks.labels import Pair, Verdict

ROOT = Path(__file__).resolve().parent.parent.parent
SAMPLE = [
    f"--statutes={ROOT / 'sample' / 'statutes'}",
    f"--questions={ROOT / 'sample' / 'questions.jsonl'}",
]
TARGETS = {"resolver_precision": 0.97, "resolver_recall": 0.95, "candidate_recall_at_10": 0.99}


def test_json_is_one_object_of_figures(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SAMPLE, "--json"]) == 0
    printed = capsys.readouterr()
    figures = json.loads(printed.out)
    assert printed.out.count("\n") == 1 and printed.err == ""
    assert set(TARGETS) <= set(figures)
    for figure in figures.values():
        assert set(figure) == {"value", "n", "ci"}
        assert figure["ci"] is None or figure["ci"][0] <= figure["value"] <= figure["ci"][1]


def test_the_table_lists_every_pair_that_is_no_hit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(SAMPLE) == 0
    printed = capsys.readouterr().out
    assert "resolver_precision" in printed
    assert "ko-12  가온-화재안전-기본법_14조" in printed  # the misprint of the sample


def test_equal_input_gives_equal_figures(capsys: pytest.CaptureFixture[str]) -> None:
    runs = []
    for _ in range(2):
        main([*SAMPLE, "--json"])
        figures = json.loads(capsys.readouterr().out)
        runs.append({k: v for k, v in figures.items() if not k.endswith("seconds")})
    assert runs[0] == runs[1]


def scored(verdicts: str, top: str = "") -> Scored:
    """Return a question with one article per verdict, called a, b, c …; `top` names those found."""
    pairs = [
        Pair("1", unit, Verdict(verdict))
        for unit, verdict in zip("abcdefgh", verdicts.split(), strict=False)
    ]
    return Scored(pairs, [], frozenset(top))


def test_every_figure_by_hand() -> None:
    """Two questions: shares are of pairs, not of questions, and each class counts where it must."""
    one = scored("hit hit hit missed label_not_cited label_other_instrument", top="abce")
    two = scored("hit extra unlisted label_omits_verbatim", top="a")
    measured = figures(Result([one, two], 0, 0, 1.0, 1.0))
    found = {f.name: (f.value and round(f.value, 9), f.n) for f in measured}
    assert found["resolver_recall"] == (round(4 / 5, 9), 5)
    assert found["resolver_precision"] == (round(4 / 5, 9), 5)
    assert found["candidate_recall_at_10"] == (round(4 / 5, 9), 5)
    assert found["resolver_recall_strict"] == (round(4 / 7, 9), 7)
    assert found["resolver_precision_strict"] == (round(4 / 7, 9), 7)
    assert found["candidate_recall_at_10_strict"] == (round(5 / 7, 9), 7)
    assert found["annex_recall"] == (None, 0)


def run_on(
    folder: Path, capsys: pytest.CaptureFixture[str], answer: str, labels: list[str], **more: object
) -> dict[str, dict[str, object]]:
    """Run the benchmark on one question about the sample's statutes and return its figures."""
    row = {"question_id": 1, "question": "질문", "answer": answer, "semantic_ids": labels} | more
    file = folder / "one.jsonl"
    file.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8")
    assert main([SAMPLE[0], f"--questions={file}", "--json"]) == 0
    found: dict[str, dict[str, object]] = json.loads(capsys.readouterr().out)
    return found


def test_only_the_first_ten_candidates_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    labels = ["가온-화재안전-기본법_8조", "가온-화재안전-기본법_11조"]
    answer = "「가온 화재안전 기본법」 제1조부터 제11조까지"
    found = run_on(tmp_path, capsys, answer, labels)
    assert found["resolver_recall"]["value"] == 1.0
    assert found["candidate_recall_at_10"]["value"] == 0.5


def test_a_question_whose_labels_the_corpus_lacks_still_counts_what_resolved(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer = "「가온 화재안전 기본법」 제1조"
    found = run_on(tmp_path, capsys, answer, ["다른-법_1조"])
    assert (found["resolver_precision_strict"]["value"], found["resolver_recall"]["n"]) == (0.0, 0)
    assert found["labels_outside_the_corpus"]["value"] == 1.0


def test_fields_that_the_source_adds_or_leaves_out_change_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer, labels = "「가온 화재안전 기본법」 제1조", ["가온-화재안전-기본법_1조"]
    plain = run_on(tmp_path, capsys, answer, labels)
    more = run_on(tmp_path, capsys, answer, labels, topic={"a": [1]}, law_references=None)
    assert plain["resolver_recall"] == more["resolver_recall"] == {"value": 1.0, "n": 1, "ci": None}


def test_the_folder_above_the_tree_serves_as_well(capsys: pytest.CaptureFixture[str]) -> None:
    """DIR or DIR/kr: hidden folders and README.md apart, every statute below counts."""
    main([*SAMPLE, "--json"])
    inner = json.loads(capsys.readouterr().out)
    main([f"--statutes={ROOT / 'sample'}", SAMPLE[1], "--json"])
    outer = json.loads(capsys.readouterr().out)
    assert inner["resolver_recall"] == outer["resolver_recall"]


@pytest.mark.parametrize("missing", ["statutes", "questions"])
def test_absent_input_is_said(
    missing: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    absent = tmp_path / "absent"
    assert main([*SAMPLE, f"--{missing}={absent}"]) != 0
    printed = capsys.readouterr()
    assert str(absent) in printed.err and printed.out == ""


def test_input_that_cannot_be_read_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"question_id": 1, "question": "', encoding="utf-8")
    assert main([SAMPLE[0], f"--questions={broken}", "--json"]) != 0
    printed = capsys.readouterr()
    assert "broken.jsonl" in printed.err and printed.out == ""


@pytest.mark.real_data
def test_the_real_questions_reach_the_targets(
    shared_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    statutes = shared_data / "korean-law" / "fire-safety" / "kr"
    questions = shared_data / "searchfiresafety" / "qna.jsonl"
    assert main([f"--statutes={statutes}", f"--questions={questions}", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    for name, least in TARGETS.items():
        assert figures[name]["value"] >= least, name
    assert figures["resolver_precision"]["n"] > 150
    assert figures["resolver_precision_strict"]["value"] >= 0.85
    assert figures["resolver_recall_strict"]["value"] >= 0.78
    assert figures["candidate_recall_at_10_strict"]["value"] >= 0.9
    assert figures["import_and_build_seconds"]["value"] < 20
