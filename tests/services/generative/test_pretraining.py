"""Continued pretraining: the loss on the law falls, and the folder serves as a local model."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from errors import UserError
from llm.batch import End, Progress
from llm.local.files import files_of
from retrieval.dense.model_files import fingerprint, trained_about
from services.generative.pretraining import LawTexts, Pretrained, law_texts, pretrain
from services.generative.small_model import trained_tokeniser
from services.generative.training_loop import LoopOptions
from tests.projects.small_law import SLUG

torch = pytest.importorskip("torch")

OPTIONS = LoopOptions(epochs=12, batch=2, rate=5e-3, max_length=16, device="cpu", threads=1)


@pytest.fixture
def base(tmp_path: Path, ws) -> Path:
    """Return a GPT-2 of random weights with a tokeniser trained on the law."""
    from transformers import GPT2Config, GPT2LMHeadModel

    tokeniser = trained_tokeniser(law_texts(ws, SLUG).texts, 200)
    tokeniser.save_pretrained(tmp_path / "base")
    torch.manual_seed(0)
    sizes = {"n_embd": 32, "n_layer": 1, "n_head": 2, "n_positions": 32}
    config = GPT2Config(vocab_size=len(tokeniser), eos_token_id=tokeniser.eos_token_id, **sizes)
    GPT2LMHeadModel(config).save_pretrained(tmp_path / "base")
    return tmp_path / "base"


def go(
    law: LawTexts, base: Path, folder: Path, options: LoopOptions = OPTIONS, stop: int = -1
) -> Pretrained:
    """Pretrain; `stop` is the step before which it is told to stop."""
    progress = Progress(0)

    class Stop:
        def is_set(self) -> bool:
            return progress.done == stop

    return asyncio.run(pretrain(law, str(base), folder, options, progress, Stop()))


def test_the_loss_falls_and_the_folder_serves_as_a_local_model(ws, base, tmp_path) -> None:
    law = law_texts(ws, SLUG)
    done = go(law, base, tmp_path / "m")
    assert done.end is End.DONE and done.units == len(law.texts) > 3
    assert done.losses[-1] < 0.7 * done.losses[0]
    assert files_of(f"local:{tmp_path}", "m").folder == tmp_path / "m"
    about = trained_about(tmp_path / "m")
    assert about["pretraining"] == {**law.about, "tokens": done.tokens}
    assert about["base"]["files"] == fingerprint(base)
    with pytest.raises(UserError) as caught:
        go(law, base, tmp_path / "m")
    assert caught.value.code == "generative_trained"


def test_a_stopped_run_comes_to_the_same_files(ws, base, tmp_path) -> None:
    law, few = law_texts(ws, SLUG), replace(OPTIONS, epochs=2)
    go(law, base, tmp_path / "one", few)
    assert go(law, base, tmp_path / "other", few, stop=3).end is End.STOPPED
    assert go(law, base, tmp_path / "other", few).end is End.DONE
    assert fingerprint(tmp_path / "one") == fingerprint(tmp_path / "other")
