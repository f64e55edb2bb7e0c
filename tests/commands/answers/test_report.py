from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from evaluation.answers.bertscore import BertScore, Pair
from services.answers import scores
from tests.annotation.judging.answered import SLUG, Answered
from tests.commands.called import Done, command_line
from tests.conftest import FakeClock
from tests.services.answers.answered_questions import COUNT, build, rate


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Answered]:
    found = build(tmp_path_factory.mktemp("answers"), FakeClock())
    rate(found)
    found.ws.engine.dispose()
    yield found


def run(made: Answered, *words: str) -> Done:
    return command_line(made.ws.folder, "--project", SLUG, "answers", "report", *words)


def test_the_report_in_lines(made: Answered, tmp_path: Path) -> None:
    file = tmp_path / "answers.csv"
    words = ("--stratum", "language=ko", "--tokeniser", "characters", "--measure", "rouge1")
    done = run(made, *words, "--resamples", "100", "--output", str(file))
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0] == "Answer report: language = ko"
    strong = next(line for line in lines if line.startswith("strong") and "n = " in line)
    assert re.search(r"0\.\d{3} \[0\.\d{3}, 1\.000\] \(n = 12\)\.$", strong)
    assert "Which score agrees with people" in lines
    assert lines[-1] == f"Wrote {file}."
    assert "strong" in file.read_text("utf-8")


@pytest.mark.long  # the screen asks the same scores, in `tests/pages/answers`
def test_an_encoder_scores_what_has_no_score(
    made: Answered, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What an encoder makes of texts is tested with the scores; here each gives its length."""

    def lengths(_encoder: Any, pairs: Sequence[Pair], _weights: Any) -> list[BertScore]:
        return [BertScore(*[1 / (1 + len(answer))] * 3) for answer, _ in pairs]

    encoder = tmp_path / "tiny"
    encoder.mkdir()
    (encoder / "config.json").write_text("{}")
    monkeypatch.setattr(scores, "Encoder", lambda folder, layer: None)
    monkeypatch.setattr(scores, "bert_scores", lengths)
    words = ("--bertscore", str(encoder), "--layer", "2", "--measure", "bertscore")
    done = command_line(made.ws.folder, "--project", SLUG, "--json", "answers", "report", *words)
    assert done.returncode == 0
    told = json.loads(done.stdout)
    assert told["unscored"] == 0
    assert told["bertscore"].endswith("tiny, layer 2")
    strong = next(each for each in told["scores"] if each["system"] == "strong")
    assert strong["bertscore"]["n"] == COUNT
    strong = next(each for each in told["states"] if each["system"] == "strong")
    assert strong["absent"] == 3
    [trusted] = told["trust"]
    assert (trusted["measure"], trusted["n"]) == ("bertscore", 2 * COUNT)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--measure", "bleu"), '"bleu" is not a measure'),
        (("--stratum", "language"), "does not name a stratum"),
        (("--output", "x.docx"), ".docx"),
    ],
)
def test_what_cannot_be(made: Answered, words: tuple[str, ...], said: str) -> None:
    done = run(made, *words)
    assert done.returncode == 3
    assert said in done.stderr


def test_groups_of_answers_are_compared_and_every_score_is_written(
    made: Answered, tmp_path: Path
) -> None:
    rows = tmp_path / "scores.csv"
    words = ("answers", "compare", "quality", "--measure", "rougeL", "--against", "each")
    done = command_line(*(made.ws.folder, "--project", SLUG, "--json", *words, "--rows", str(rows)))
    told = json.loads(done.stdout)
    assert {row["measure"] for row in told["scores"]} == {"rougeL"}
    assert {(row["group"], row["against"]) for row in told["tests"]} >= {("weak", "strong")}
    assert rows.read_text("utf-8").startswith("answer,question,system,context,measure,value")
    done = command_line(made.ws.folder, "--project", SLUG, "answers", "compare", "beauty")
    assert "quality" in done.stderr and done.returncode == 3
