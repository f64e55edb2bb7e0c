"""Training and continued pretraining: the folder, the curve, and what a stop leaves."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from construction.stricter.benchmark import BenchmarkKind
from errors import UserError
from llm.batch import End, Progress
from llm.local.files import files_of
from retrieval.dense.model_files import fingerprint, trained_about
from services.generative import training
from services.generative.evaluation import evaluate
from services.generative.learning_curve import (
    CHECKPOINT,
    CURVE,
    Checkpoint,
    curve_table,
    draw_curve,
    keep_checkpoint,
    read_curve,
    spread,
)
from services.generative.pair_files import PAIRS, PairFolder, read_pairs
from services.generative.pretraining import LawTexts, Pretrained, law_texts, pretrain
from services.generative.small_model import Size, trained_tokeniser
from services.generative.training import Trained, TrainingOptions, train
from services.generative.training_loop import LoopOptions
from tests.projects.small_law import SLUG as LAW
from tests.projects.stricter_project import SLUG, build
from tests.services.generative.toy_pairs import TOY, toy_pairs
from tests.support.refusals import code_of, refused

torch = pytest.importorskip("torch")


@pytest.fixture(scope="module")
def pairs(tmp_path_factory) -> PairFolder:
    return toy_pairs(tmp_path_factory.mktemp("pairs") / "toy")


@pytest.fixture(scope="module")
def whole(pairs, tmp_path_factory) -> Trained:
    return go(pairs, tmp_path_factory.mktemp("model") / "whole")


def stopping(before: int | None) -> tuple[Progress, Any]:
    """Return a progress, and a stop that is set when so many steps are done."""
    progress = Progress(0)

    class Stop:
        def is_set(self) -> bool:
            return before is not None and progress.done >= before

    return progress, Stop()


def go(
    pairs: PairFolder, folder: Path, options: TrainingOptions = TOY, stop: int | None = None
) -> Trained:
    """Train; `stop` is the step before which it is told to stop."""
    return asyncio.run(train(pairs, folder, options, *stopping(stop)))


def weights(folder: Path) -> dict[str, object]:
    from safetensors.numpy import load_file

    return {name: each.tolist() for name, each in load_file(folder / "model.safetensors").items()}


def test_what_comes_of_it_is_a_hugging_face_folder(whole: Trained, pairs) -> None:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    tokeniser = AutoTokenizer.from_pretrained(whole.folder, local_files_only=True)
    model = AutoModelForSeq2SeqLM.from_pretrained(whole.folder, local_files_only=True)
    assert (whole.end, whole.steps, whole.pairs) == (End.DONE, 8, 32)
    assert whole.parameters == sum(each.numel() for each in model.parameters())
    ids = tokeniser("소방시설에 관한 사항")["input_ids"]
    assert ids[-1] == tokeniser.eos_token_id == 1
    # A word is cut alike in the middle of a text and at its beginning.
    inside = tokeniser("시장은 「소방시설에 관한 사항", add_special_tokens=False)["input_ids"]
    assert inside[1 - len(ids) :] == ids[:-1]
    said = model.generate(torch.tensor([ids]), max_new_tokens=4)
    assert said.shape[0] == 1
    about = trained_about(whole.folder)
    assert about["pairs"] == json.loads(json.dumps(pairs.about))
    assert about["options"]["seed"] == 0 and about["last"]["step"] == 8
    assert not (whole.folder / CHECKPOINT).exists()


def test_a_run_that_was_stopped_or_killed_comes_to_the_same_weights(
    pairs, whole, tmp_path, monkeypatch
) -> None:
    stopped = go(pairs, tmp_path / "a", stop=3)
    assert (stopped.end, stopped.steps) == (End.STOPPED, 3)
    assert go(pairs, tmp_path / "a").steps == 8
    assert weights(tmp_path / "a") == weights(whole.folder)

    class KilledError(BaseException):
        pass

    with monkeypatch.context() as patch:
        seen: list[int] = []

        def dies(folder: Path, checkpoint: Checkpoint) -> None:
            keep_checkpoint(folder, checkpoint)
            seen.append(checkpoint.step)
            if len(seen) == 2:
                (folder / CURVE).open("a").write('{"step": 5, "pai')  # half a line
                raise KilledError

        patch.setattr(training, "keep_checkpoint", dies)
        with pytest.raises(KilledError):
            go(pairs, tmp_path / "b")
    assert seen == [2, 4]
    assert go(pairs, tmp_path / "b").steps == 8
    assert weights(tmp_path / "b") == weights(whole.folder)
    curves = [
        [each.step for each in read_curve(folder)] for folder in (tmp_path / "b", whole.folder)
    ]
    assert curves[0] == curves[1] == [2, 4, 6, 8]


def test_another_seed_or_other_pairs_are_another_run(pairs, tmp_path) -> None:
    go(pairs, tmp_path / "a", stop=2)
    with refused("generative_other_run"):
        go(pairs, tmp_path / "a", replace(TOY, seed=1))
    other = PairFolder(pairs.folder, {**pairs.about, "made": "of something else"})
    with pytest.raises(UserError):
        go(other, tmp_path / "a")


def test_a_complete_model_is_not_trained_over_but_can_be_begun_with(pairs, whole, tmp_path) -> None:
    assert code_of(go, pairs, whole.folder) == "generative_trained"
    more = go(pairs, tmp_path / "more", replace(TOY, start=whole.folder, steps=2))
    assert more.parameters == whole.parameters
    assert trained_about(more.folder)["options"]["start"] == "whole"
    with refused("model_folder"):
        go(pairs, tmp_path / "none", replace(TOY, start=tmp_path / "nothing"))
    broken = tmp_path / "broken"
    broken.mkdir()
    (broken / "config.json").write_text("{}")
    with refused("generative_unreadable"):
        go(pairs, tmp_path / "none", replace(TOY, start=broken))


def test_it_learns_until_the_clock_ends_it(pairs, tmp_path) -> None:
    done = go(pairs, tmp_path / "ended", replace(TOY, minutes=1e-9))
    assert (done.steps, done.end) == (1, End.DONE)
    done = go(pairs, tmp_path / "m", replace(TOY, steps=60, every=20, dropout=0.0, rate=2e-2))
    first, *_, last = read_curve(done.folder)
    assert last.loss < first.loss
    assert last.held_out_loss is not None and last.held_out_loss < (first.held_out_loss or 0)


def test_the_curve_is_a_table_and_a_figure(whole, tmp_path) -> None:
    points = read_curve(whole.folder)
    table = curve_table(spread(points, 2))
    assert [row[0] for row in table.rows] == ["2", "8"]
    draw_curve(points, tmp_path / "curve.svg", "ko")
    assert b"<svg" in (tmp_path / "curve.svg").read_bytes()
    with pytest.raises(UserError):
        draw_curve(points, tmp_path / "curve.txt")
    assert code_of(read_curve, tmp_path) == "generative_curve"


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (replace(TOY, batch=0), "generative_range"),
        (replace(TOY, device="tpu"), "generative_option"),
        (replace(TOY, size=Size(width=30, heads=4)), "generative_size"),
        (replace(TOY, size=Size(120, 4096, 4096, 8, 6, 6)), "generative_large"),
    ],
)
def test_what_cannot_be_is_refused(pairs, tmp_path, options, code) -> None:
    assert code_of(go, pairs, tmp_path / "m", options) == code


def test_pairs_that_were_changed_are_refused(tmp_path) -> None:
    made = toy_pairs(tmp_path / "pairs")
    assert read_pairs(made.folder).identity == made.identity
    lines = (made.folder / PAIRS).read_text(encoding="utf-8").splitlines()
    (made.folder / PAIRS).write_text("\n".join(lines[1:]), encoding="utf-8")
    assert code_of(read_pairs, made.folder) == "generative_pairs"
    (made.folder / PAIRS).write_text('{"kind": "none"}\n', encoding="utf-8")
    with pytest.raises(UserError) as raised:
        made.pairs()
    assert (raised.value.code, raised.value.where.line) == ("generative_line", 1)


def test_what_was_trained_ranks_court_cases_and_a_project_without_gold_is_scored_on_them(
    whole, tmp_path
) -> None:
    house = build(tmp_path / "ws")
    found = evaluate(house.ws, SLUG, whole.folder, decoding={"beam": 2, "length": 3})
    assert found.questions is None and found.cases is not None
    ours, bm25 = found.cases
    assert (ours.method, bm25.method) == ("legalsearchlm", "bm25")
    for kind in BenchmarkKind:
        assert ours.queries[kind] == bm25.queries[kind] > 0
        assert [figure.name for figure in ours.scores[kind].figures][:1] == ["P@5"]
    assert code_of(evaluate, house.ws, SLUG, whole.folder, "questions") == "corpus_missing"


def test_a_step_in_parts_comes_to_what_it_comes_to_at_once(
    pairs: PairFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = replace(TOY, dropout=0.0, steps=3)
    go(pairs, tmp_path / "whole", options)
    monkeypatch.setattr("services.generative.training._ROOM", 1)
    go(pairs, tmp_path / "parts", options)
    whole, parts = weights(tmp_path / "whole"), weights(tmp_path / "parts")
    for name, values in whole.items():
        assert np.allclose(np.array(parts[name]), np.array(values), atol=1e-4), name


def test_what_of_sources_is_cut_is_told(pairs: PairFolder, tmp_path: Path) -> None:
    done = go(pairs, tmp_path / "cut", replace(TOY, source=4, steps=1))
    assert (done.source, done.cut) == (4, {"paragraph_to_own": 1.0})
    assert trained_about(tmp_path / "cut")["cut"] == {"paragraph_to_own": 1.0}


OPTIONS = LoopOptions(epochs=12, batch=2, rate=5e-3, max_length=16, device="cpu", threads=1)


@pytest.fixture
def base(tmp_path: Path, ws) -> Path:
    """Return a GPT-2 of random weights with a tokeniser trained on the law."""
    from transformers import GPT2Config, GPT2LMHeadModel

    tokeniser = trained_tokeniser(law_texts(ws, LAW).texts, 200)
    tokeniser.save_pretrained(tmp_path / "base")
    torch.manual_seed(0)
    sizes = {"n_embd": 32, "n_layer": 1, "n_head": 2, "n_positions": 32}
    config = GPT2Config(vocab_size=len(tokeniser), eos_token_id=tokeniser.eos_token_id, **sizes)
    GPT2LMHeadModel(config).save_pretrained(tmp_path / "base")
    return tmp_path / "base"


def pretrained(
    law: LawTexts, base: Path, folder: Path, options: LoopOptions = OPTIONS, stop: int | None = None
) -> Pretrained:
    """Pretrain; `stop` is the step before which it is told to stop."""
    return asyncio.run(pretrain(law, str(base), folder, options, *stopping(stop)))


def test_the_loss_falls_and_the_folder_serves_as_a_local_model(ws, base, tmp_path) -> None:
    law = law_texts(ws, LAW)
    done = pretrained(law, base, tmp_path / "m")
    assert done.end is End.DONE and done.units == len(law.texts) > 3
    assert done.losses[-1] < 0.7 * done.losses[0]
    assert files_of(f"local:{tmp_path}", "m").folder == tmp_path / "m"
    about = trained_about(tmp_path / "m")
    assert about["pretraining"] == {**law.about, "tokens": done.tokens}
    assert about["base"]["files"] == fingerprint(base)
    assert code_of(pretrained, law, base, tmp_path / "m") == "generative_trained"


def test_a_stopped_run_comes_to_the_same_files(ws, base, tmp_path) -> None:
    law, few = law_texts(ws, LAW), replace(OPTIONS, epochs=2)
    pretrained(law, base, tmp_path / "one", few)
    assert pretrained(law, base, tmp_path / "other", few, stop=3).end is End.STOPPED
    assert pretrained(law, base, tmp_path / "other", few).end is End.DONE
    assert fingerprint(tmp_path / "one") == fingerprint(tmp_path / "other")
