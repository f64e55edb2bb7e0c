"""Training a dense retriever: what it learns, from whom, and what it is not measured on."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from corpus.model import Question
from evaluation.ranking.scoring import Measure
from llm.batch import End, Progress
from retrieval.dense.model_files import TRAINING, fingerprint, trained_about
from services.gold.splits import split_state
from services.mapping.candidate_methods import candidate_method
from services.runs.questions import query_detail
from services.runs.retriever_training import (
    EncoderOptions,
    Example,
    RetrieverTrained,
    batches,
    train_retriever,
    training_material,
)
from services.runs.retrieving import retrieve
from services.runs.rows import run_reading_notes
from services.runs.score_table import searched_notes
from services.runs.scoring import score_run
from services.runs.significance import compare_runs
from storage.db.workspace import Workspace
from storage.law.imports import keep_questions
from tests.conftest import FakeClock
from tests.projects.trainable_project import ACT, SLUG, tiny_encoder, trainable
from tests.support.refusals import code_of

torch = pytest.importorskip("torch")

RECALL = Measure("Recall", 3)
OPTIONS = EncoderOptions(epochs=40, batch=8, rate=5e-3, device="cpu", threads=1)


def go(
    ws: Workspace,
    base: Path,
    folder: Path,
    options: EncoderOptions = OPTIONS,
    stops: Callable[[int], bool] = lambda step: False,
) -> RetrieverTrained:
    """Train; `stops` says before which step it is told to stop."""
    progress = Progress(0)

    class Stop:
        def is_set(self) -> bool:
            return stops(progress.done)

    material = training_material(ws, SLUG, str(base), options)
    return asyncio.run(train_retriever(material, folder, progress, Stop()))


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    return tiny_encoder(tmp_path_factory.mktemp("base") / "tiny")


@pytest.fixture
def ws(tmp_path, clock) -> Workspace:
    return trainable(tmp_path / "ws", clock)


@pytest.fixture(scope="module")
def trained(base, tmp_path_factory) -> RetrieverTrained:
    folder = tmp_path_factory.mktemp("trained")
    return go(trainable(folder / "ws", FakeClock()), base, folder / "model")


def run_of(ws: Workspace, model: Path) -> int:
    return retrieve(ws, SLUG, {"method": "dense", "model": str(model)})


def parts_of(ws: Workspace) -> dict[str, str]:
    state = split_state(ws, SLUG)
    assert state is not None
    return dict(state.parts)


def test_it_learns_and_serves_questions_that_it_has_not_seen(ws, base, trained) -> None:
    assert trained.end is End.DONE
    assert trained.losses[-1] < trained.losses[0] / 2
    about = json.loads((trained.folder / TRAINING).read_text())
    assert about["base"] == {"name": f"{base.parent.name}/tiny", "files": fingerprint(base)}
    told = {name: about["gold"][name] for name in ("project", "gold", "split", "part")}
    assert told == {"project": SLUG, "gold": "source", "split": 1, "part": "train"}
    assert about["options"]["seed"] == 0 and about["losses"] == list(trained.losses)
    assert about["packages"]["torch"]
    runs = [run_of(ws, trained.folder), run_of(ws, base)]
    found = compare_runs(ws, SLUG, runs, [RECALL], stratum=("split", "test"))
    after, before = (run.cells[0].figure.value for run in found.runs)
    assert after is not None and before is not None
    assert before < 0.4 and after > 2 * before and after > 0.7


def test_no_question_of_test_is_learnt_and_negatives_are_never_gold(ws, base) -> None:
    material = training_material(ws, SLUG, str(base), replace(OPTIONS, negatives=4))
    parts = parts_of(ws)
    assert {parts[each.question] for each in material.examples} == {"train"}
    assert len(material.examples) == material.gold["questions"] == 18
    for each in material.examples:
        number = each.question.removeprefix("q")
        assert each.positive == f"{ACT}_article-{number}"
        assert len(set(each.negatives)) == 4 and not each.excluded & set(each.negatives)
    assert training_material(ws, SLUG, str(base), replace(OPTIONS, negatives=4)) == material


def test_the_same_gold_and_seed_give_the_same_model(ws, base, trained, tmp_path) -> None:
    few = replace(OPTIONS, epochs=2)
    one = go(ws, base, tmp_path / "one", few).folder
    other = go(ws, base, tmp_path / "other", replace(few, seed=1)).folder
    assert len({fingerprint(each) for each in (one, other, trained.folder)}) == 3
    stopped = go(ws, base, tmp_path / "stopped", few, lambda step: step == 4)
    assert (stopped.end, stopped.steps) == (End.STOPPED, 4)
    assert go(ws, base, tmp_path / "stopped", few).end is End.DONE
    assert fingerprint(tmp_path / "stopped") == fingerprint(one)


def test_what_a_model_has_seen_is_in_no_figure_of_its_runs(ws, base, trained) -> None:
    parts = parts_of(ws)
    test = {name for name, part in parts.items() if part == "test"}
    mine, plain = run_of(ws, trained.folder), run_of(ws, base)
    assert set(score_run(ws, mine).evaluation.table) == test
    assert len(score_run(ws, plain).evaluation.table) == 30
    found = compare_runs(ws, SLUG, [mine, plain], [RECALL])
    assert [run.n for run in found.runs] == [len(test)] * 2 and all(r.compared for r in found.runs)
    told = " ".join(searched_notes(found.runs))
    assert "trained on this gold (harbour, train of split 1, 18 questions)" in told
    assert "18 questions of the run" in told
    assert any("trained on this gold" in note for note in run_reading_notes(ws, mine))
    assert not any("trained on" in note for note in run_reading_notes(ws, plain))
    learnt, plain_spec = (
        {"method": "dense", "model": str(folder)} for folder in (trained.folder, base)
    )
    fused = retrieve(ws, SLUG, {"method": "rrf", "of": [{"method": "bm25"}, learnt]})
    assert set(score_run(ws, fused).evaluation.table) == test
    seen = next(name for name, part in parts.items() if part == "train")
    assert set(query_detail(ws, mine, seen).values.values()) == {None}
    before = score_run(ws, mine).trained
    later = Question("q31", "new", "–", "en", gold_ids=(f"{ACT}_article-1",))
    keep_questions(ws, SLUG, [later], "more.jsonl")
    assert run_of(ws, trained.folder) == mine
    assert score_run(ws, mine).trained == before and len(before) == 18
    # Nobody who labels is shown what it learnt.
    assert code_of(candidate_method, ws, SLUG, 1, learnt) == "method_gold"
    assert candidate_method(ws, SLUG, 1, plain_spec).asked is not None


def test_what_cannot_be_trained_is_refused(ws, base, trained, tmp_path, clock) -> None:
    whole = trainable(tmp_path / "unsplit", clock, split=False)
    assert code_of(go, whole, base, tmp_path / "m") == "retriever_split"
    assert code_of(go, ws, base, trained.folder) == "generative_trained"
    assert code_of(go, ws, base, base) == "training_folder"
    wrong = replace(OPTIONS, batch=0)
    assert code_of(go, ws, base, tmp_path / "m", wrong) == "generative_range"
    go(ws, base, tmp_path / "m", replace(OPTIONS, epochs=2), lambda step: step == 2)
    assert code_of(go, ws, base, tmp_path / "m") == "generative_other_run"
    # A model that learns on remembers what its base had seen.
    more = go(ws, trained.folder, tmp_path / "more", replace(OPTIONS, epochs=1))
    before, after = (trained_about(each.folder)["gold"]["texts"] for each in (trained, more))
    assert set(before) <= set(after)


def test_no_batch_holds_what_one_question_must_not_be_trained_away_from() -> None:
    def example(question: str, positive: str, negative: str, *more: str) -> Example:
        return Example(question, "?", positive, (negative,), frozenset({positive, *more}))

    given = [
        example("a", "1", "9"),
        example("b", "1", "8"),  # the same gold
        example("c", "2", "1"),  # a negative that is gold of a and b
        example("d", "3", "9", "4"),
        example("d", "4", "9", "3"),  # another gold unit of d
    ]
    made = batches(given, 4, 0, 0)
    assert sorted(each.positive for batch in made for each in batch) == ["1", "1", "2", "3", "4"]
    for batch in made:
        for each in batch:
            others = {unit for one in batch if one is not each for unit in one.units}
            assert not each.excluded & others
    alone = Example("e", "?", "5", (), frozenset("5"))
    assert batches([alone], 4, 0, 0) == []
