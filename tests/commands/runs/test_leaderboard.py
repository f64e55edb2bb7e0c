"""The leaderboard, methods, runs, what is said of them, views and indexes on the command line."""

from __future__ import annotations

import json

import pytest

from retrieval.core.contract import CHECKS
from services.gold import gold_set
from services.runs.methods.unit_search import search_units
from tests.commands.called import command_line
from tests.projects.small_law import small_workspace
from tests.retrieval.core.test_own import TEMPLATE
from tests.services.small_gold import FIRST, FORM, LAMP, LIFE_JACKETS, Gold


@pytest.fixture
def called(tmp_path, clock, monkeypatch):
    monkeypatch.setattr(gold_set, "derived", lambda *_: FIRST)
    small_workspace(tmp_path / "w", clock).engine.dispose()
    return lambda *words: command_line(tmp_path / "w", *words)


def test_runs_are_compared_the_best_first(called, tmp_path):
    assert called("retrieve", "--method", "bm25_whitespace", "--k", "10").returncode == 0
    spec = tmp_path / "method.yaml"
    spec.write_text("method: bm25\nb: 0.5\n", encoding="utf-8")
    done = called("retrieve", "--spec", str(spec), "--name", "Half length")
    assert done.returncode == 0, done.stderr
    lines = called("leaderboard", "--measure", "Recall@10").stdout.splitlines()
    assert lines[0].split() == ["Run", "Recall@10", "n"]
    assert lines[1].startswith("2  Half length") and "* " in lines[1]  # the run's number first
    told = json.loads(called("--json", "leaderboard", "--measure", "Recall@10").stdout)
    assert set(told["runs"]) == {"1", "2"}
    simple = told["simple_baselines"]["Recall@10"]
    assert {simple["strongest"], simple["weakest"]} == {1, 2}
    weakest = str(simple["weakest"])
    assert set(simple["tests"][weakest]) == {"strongest"}
    assert simple["tests"][weakest]["strongest"]["difference"]["n"] == 2
    assert "Difference from the strongest simple baseline" in lines
    assert any("by Recall@10" in line and "is the strongest and" in line for line in lines)
    asked = ("leaderboard", "--resamples", "5000", "--holm-over", "table")
    assert "(5,000 resamples" in called(*asked).stdout
    told = json.loads(called("--json", *asked).stdout)
    assert (told["resamples"], told["holm_over"]) == (5_000, "table")
    board = tmp_path / "board.json"
    said = called("leaderboard", "--measure", "Recall@10", "--output", str(board)).stdout
    assert f"Wrote {board}." in said
    assert [row["run"] for row in json.loads(board.read_text("utf-8"))["intervals"]] == [2, 1]
    latex = called("leaderboard", "--table", "latex", "--measure", "Recall@10").stdout
    assert "\\begin{tabular}{lrr}" in latex and "from the weakest simple baseline" in latex


@pytest.mark.parametrize(
    "words",
    [
        ("leaderboard", "--stratum", "language"),
        ("retrieve", "--spec", "nowhere.yaml"),
        ("methods", "guess"),
        ("methods", "check"),
        ("evaluate", "1", "--against", "theirs.run"),
    ],
)
def test_what_cannot_be_is_refused_with_a_remedy(called, words):
    refused = called(*words)
    assert refused.returncode == 3
    assert "Remedy:" in refused.stderr


def test_methods_and_presets_are_listed_and_told_one_by_one(called):
    listed = called("methods").stdout
    assert "bm25_whitespace" in listed and "Latent semantic analysis" in listed
    told = called("methods", "sar").stdout.splitlines()
    assert told[0].startswith("Structure-Aware Reranking")
    assert told[told.index("K (1 to 1,000; default 15)") + 1].startswith("  How many")
    assert "base (default LSA bigram)" in told
    assert called("methods", "recommended").stdout.startswith("method: ")


def test_what_is_searched_is_set_and_told_with_the_gold_that_is_not(called, monkeypatch):
    gold = [Gold("q1", (LIFE_JACKETS, FORM)), Gold("q2", (LAMP,))]
    monkeypatch.setattr(gold_set, "derived", lambda *_: gold)
    assert called("levels").stdout.startswith("Searched: article, section, annex.\n")
    done = called("retrieve", "--name", "usual")
    assert "Searched: articles, sections, annexes." in done.stdout
    assert "counts as missed: 1 unit of 1 question (1 form)." in done.stdout
    said = called("levels", "form", "article").stdout
    assert "Searched: article, form, set by the operator on" in said
    assert "  annex             1 units, not searched" in said
    told = json.loads(called("--json", "levels").stdout)
    assert (told["levels"], told["changed"], told["by"]) == (["article", "form"], False, None)
    assert told["units"]["form"] == 1
    other = json.loads(called("--json", "retrieve", "--name", "forms too").stdout)
    assert other["searched"] == "article+form" and other["not_searched"]["units"] == 0
    board = json.loads(called("--json", "leaderboard", "--measure", "Recall@10").stdout)
    assert set(board["runs"]["1"]) == {"Recall@10"}
    assert board["searched"]["1"]["not_searched"]["reasons"] == {"form": 1}
    assert board["searched"]["2"]["searched"] == "article+form"
    assert board["searched"]["2"]["compared"] is True
    text = called("leaderboard", "--measure", "Recall@10").stdout
    assert "usual (articles, sections, annexes)" in text
    assert "Gold not searched by usual, which counts as missed: 1 unit" in text
    assert ",article+form,0,0,true" in called("leaderboard", "--table", "csv").stdout


def test_a_run_file_becomes_a_run(called, tmp_path):
    file = tmp_path / "their.run"
    file.write_text(f"q2 Q0 {LAMP} 1 2.0 theirs\nq2 Q0 x 2 1.0 theirs\n", "utf-8")
    refused = called("run", "import", str(file))
    assert refused.returncode == 3 and f"{file}, line 2" in refused.stderr
    bring = ("run", "import", str(file), "--unknown", "keep")
    done = called(*bring)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "Run 1 (theirs) is stored: 1 question.",
        "3 questions are not in the file, so nothing is known of them.",
        "1 rank is held by a unit that the snapshot lacks.",
    ]
    told = json.loads(called("--json", *bring).stdout)
    assert (told["run"], told["was_there"], told["unknown_units"]) == (1, True, 1)
    scores = json.loads(called("--json", "evaluate", "1").stdout)
    assert scores["Recall@1"]["value"] == 1.0 and scores["Recall@1"]["n"] == 1
    assert scores["MRR@10"] == {"value": None, "n": 0, "ci": None}
    blank, said, note = called("evaluate", "1", "--measure", "MRR@10").stdout.splitlines()
    assert blank.split() == ["MRR@10", "–", "n=0"] and said.startswith("Gold: ")
    assert note.startswith("Deeper than the run") and "of 1 run kept to depth 2" in note


def test_run_files_are_scored_and_tested_against_each_other(tmp_path):
    (tmp_path / "qrels").write_text("".join(f"q{at} 0 u 1\n" for at in range(6)))
    (tmp_path / "good").write_text("".join(f"q{at} Q0 u 1 1 t\n" for at in range(6)))
    (tmp_path / "poor").write_text("q0 Q0 u 1 1 t\n")
    words = ("evaluate", "--qrels", str(tmp_path / "qrels"), "--run-file", str(tmp_path / "good"))
    more = ("--measure", "RR@1", "--measure", "FullCov@1", "--against", str(tmp_path / "poor"))
    found = json.loads(command_line(tmp_path / "w", "--json", *words, *more).stdout)
    assert list(found) == ["RR@1", "FullCov@1"]
    assert found["RR@1"]["against"]["p"] == 0.0625 and found["RR@1"]["against"]["wins"] == 5
    told = command_line(tmp_path / "w", *words, *more, "--holm-over", "table")
    # Five differences of one sign: 2 of the 32 sign patterns are as far from zero.
    assert told.stdout.splitlines()[0] == (
        "RR@1         1.000 [–]  n=6  difference 0.833 [0.500, 1.000]  p=0.0625  "
        "corrected p=0.1250  5 won, 1 tied, 0 lost"
    )


def test_a_method_of_ones_own_is_listed_checked_and_run(called, tmp_path):
    folder = tmp_path / "w" / "methods"
    folder.mkdir()
    (folder / "word_overlap.py").write_text(TEMPLATE, "utf-8")
    (folder / "lost.py").write_text("import nothing_there\n", "utf-8")
    lines = called("methods").stdout.splitlines()
    mine = lines[lines.index("Methods of your own:") :]
    assert mine[1].split()[:2] == ["lost", "broken:"] and "nothing_there" in mine[1]
    assert mine[2].split()[:2] == ["word_overlap", "Counts"]
    told = json.loads(called("--json", "methods").stdout)
    assert "word_overlap" in told["methods"] and "word_overlap" in told["presets"]
    assert [each["name"] for each in told["own"]] == ["lost", "word_overlap"]
    assert told["own"][0]["problem"]["error"] == "own_method_import"
    assert "heading_weight" in called("methods", "word_overlap").stdout
    assert called("methods", "lost").returncode == 3
    assert called("retrieve", "--method", "word_overlap", "--k", "3").returncode == 0
    assert "word overlap" in called("leaderboard").stdout


def test_a_file_is_checked_wherever_it_lies(called, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(TEMPLATE, "utf-8")
    done = called("methods", "check", str(file))
    assert done.returncode == 0 and done.stdout.count("  ok ") == len(CHECKS)
    file.write_text(TEMPLATE.replace("if score > 0", "if len(found) < 0"), "utf-8")
    done = called("methods", "check", str(file))
    assert done.returncode == 3 and "FAILED finds units" in done.stdout
    assert "1 part of the contract is not held." in done.stderr
    told = json.loads(called("--json", "methods", "check", str(file)).stdout)
    assert told["error"] == "own_method_check"
    assert [each["held"] for each in told["checks"]["word_overlap"]].count(False) == 1
    assert "word_overlap" not in called("methods").stdout
    # What a method prints is no part of the JSON, and one that ends Python fails.
    told = TEMPLATE.replace("found = {}", "print('asked'); found = {}")
    file.write_text(f"print('read')\n{told}")
    done = called("--json", "methods", "check", str(file))
    assert done.returncode == 0 and json.loads(done.stdout)["checks"]["word_overlap"]
    assert "read" in done.stderr and "asked" in done.stderr
    file.write_text(TEMPLATE.replace("found = {}", "raise SystemExit(0)"))
    done = called("methods", "check", str(file))
    assert done.returncode == 3 and "SystemExit: 0" in done.stdout


def test_a_view_is_saved_with_what_was_printed_read_listed_and_removed(called):
    for b in ("0.1", "0.4", "0.9"):
        assert called("retrieve", "--b", b).returncode == 0
    words = ("--run", "1", "--run", "3", "--baseline", "1", "--measure", "RR@10", "--save", "Paper")
    done = called("leaderboard", *words)
    assert done.stdout.splitlines()[-1] == "The view “Paper” is saved."
    assert "1 test shown by each measure: 1 run against run 1." in done.stdout
    assert called("run", "retire", "3").returncode == 0
    board = json.loads(called("--json", "leaderboard", "--view", "Paper").stdout)
    assert list(board["runs"]) == ["3", "1"] and list(board["runs"]["1"]) == ["RR@10"]
    assert (board["view"], board["retired_in_view"], board["gone"]) == ("Paper", [3], [])
    text = called("leaderboard", "--view", "Paper").stdout
    assert text.splitlines()[-1] == "Retired now, and still in this view: run 3."
    assert called("leaderboard", "--view", "Paper", "--run", "2").returncode != 0
    assert called("run", "view", "list").stdout.splitlines()[0] == "Paper: 3, 1 (operator)"
    assert called("run", "view", "remove", "Paper").stdout == "The view “Paper” is removed.\n"
    assert called("run", "view", "list").stdout == "No saved views.\n"


def test_indexes_are_listed_and_cleared(tmp_path, clock):
    ws = small_workspace(tmp_path / "w", clock)
    search_units(ws, 1, "구명조끼")
    ws.engine.dispose()
    told = json.loads(command_line(tmp_path / "w", "--json", "index", "list").stdout)
    [index] = told["indexes"]
    assert told["bytes"] == index["bytes"] > 0 and told["cache_bytes"] == 0
    lines = command_line(tmp_path / "w", "index", "list").stdout.splitlines()
    assert index["name"] in lines[0] and lines[1].startswith("1 indexes, ")
    assert command_line(tmp_path / "w", "index", "clear", "--unused-days", "-1").returncode == 2
    assert "Removed 1 indexes" in command_line(tmp_path / "w", "index", "clear").stdout
    missing = command_line(tmp_path / "none", "index", "clear")
    assert missing.returncode == 3 and "Remedy" in missing.stderr


@pytest.fixture
def called_marks(called, tmp_path):
    """Call commands where there are two runs."""
    file = tmp_path / "their.run"
    file.write_text(f"q2 Q0 x 1 2.0 theirs\nq2 Q0 {LAMP} 2 1.0 theirs\n", "utf-8")
    assert called("retrieve", "--name", "ours").returncode == 0
    assert called("run", "import", str(file), "--unknown", "keep").returncode == 0
    return called


def test_runs_are_listed_retired_tagged_and_noted(called_marks):
    lines = called_marks("run", "list").stdout.splitlines()
    assert lines[0].split() == ["Run", "Name", "Snapshot", "Questions", "answered", "By"]
    assert lines[1].startswith("2    theirs") and "1 of 2 (50 %)" in lines[1]
    assert lines[1].endswith("operator") and "2 of 2 (100 %)" in lines[2]
    assert called_marks("run", "tag", "paper", "1", "2").stdout == "Tagged: run 1, 2.\n"
    assert called_marks("run", "note", "1", "Keep\nthis").stdout == "The note of run 1 is kept.\n"
    listed = called_marks("run", "list", "--tag", "paper").stdout
    assert "#paper; Keep this" in listed
    assert called_marks("run", "retire", "2", "--why", "Too few").stdout == "Retired: run 2.\n"
    again = called_marks("run", "retire", "2").stdout
    assert again == "Unchanged, as it was so before: 2.\n"
    assert called_marks("run", "list").stdout.splitlines()[-1] == "Not in the table: 1 retired run."
    board = json.loads(called_marks("--json", "leaderboard").stdout)
    assert list(board["runs"]) == ["1"] and board["retired"] == 1
    told = json.loads(called_marks("--json", "run", "list", "--retired").stdout)
    why = [(run["run"], run["retired"], run["why"]) for run in told["runs"]]
    assert why == [(2, True, "Too few"), (1, False, "")]
    assert called_marks("run", "tag", "paper", "1", "--remove").stdout == "Tag removed: run 1.\n"
    assert called_marks("run", "restore", "2").stdout == "Back on the leaderboard: run 2.\n"
    assert set(json.loads(called_marks("--json", "leaderboard").stdout)["runs"]) == {"1", "2"}


def test_the_questions_behind_a_figure_are_listed_opened_and_written(called_marks, tmp_path):
    poor = tmp_path / "poor.run"
    poor.write_text(f"q1 Q0 x 1 1 p\nq2 Q0 x 1 2 p\nq2 Q0 {LAMP} 2 1 p\n", "utf-8")
    assert called_marks("run", "import", str(poor), "--unknown", "keep").returncode == 0
    text = called_marks("run", "questions", "3", "--measure", "Recall@1", "--against", "1").stdout
    lines = text.splitlines()
    assert lines[0].split()[:4] == ["Id", "Gold", "Missed", "at"]
    assert [line.split()[0] for line in lines[1:-1]] == ["q2", "q1"]  # those that the file has
    assert lines[-1].startswith("All 2 · Missed 2 · Won 0 · Lost 2")
    assert lines[-1].endswith("Nothing found 0 · No gold 0 · Not in the gold set 0")
    none = called_marks("run", "questions", "1", "--only", "no_gold").stdout.splitlines()
    assert [line.split()[0] for line in none[1:-1]] == ["q4"]
    counts = json.loads(called_marks("--json", "run", "questions", "1").stdout)["counts"]
    assert (counts["won"], counts["lost"], counts["tied"], counts["all"]) == (None, None, None, 4)
    moved = called_marks("run", "question", "3", "q2", "--against", "1", "--path").stdout
    assert "1 → 2" in moved and "Rank before → after" in moved
    file = tmp_path / "missed.csv"
    done = called_marks("run", "failures", "3", str(file), "--measure", "Recall@1", "--paths")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Wrote 3 missed provisions of 2 questions to ")
    rows = file.read_text("utf-8").splitlines()
    assert rows[0].startswith("run,question,text,measure,value") and len(rows) == 4
    refused = called_marks("run", "failures", "1", "x.docx")
    assert refused.returncode == 3 and "Remedy:" in refused.stderr
