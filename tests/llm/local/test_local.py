"""A local model through the client: what it says, how likely each option is, and every failure."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Never

import pytest

from errors import UserError
from evaluation.replies.likelihood import LikelihoodState, choice_by_likelihood
from llm.batch import End, ask_all
from llm.budget import Budget, Limit
from llm.client import Client
from llm.local import causal_model
from llm.local.files import ABSENT, files_of, identity
from llm.local.transport import LocalTransport
from llm.reply import Problem, Reply, Status
from llm.request import Image, Message, Request
from llm.roles import Endpoint, Role, Secret
from llm.settings import read_settings
from tests.llm.conftest import MemoryStore
from tests.llm.local import tiny
from tests.support.refusals import code_of, refused

LETTERS = ("A", "B", "C", "D")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    top = tmp_path_factory.mktemp("models")
    tiny.make(top / "first")
    tiny.make(top / "plain", template=None, seed=1)
    tiny.make(top / "severe", template=tiny.NO_SYSTEM, seed=0)
    return top


@pytest.fixture(autouse=True)
def nothing_held() -> Iterator[None]:
    yield
    causal_model._held.clear()


def endpoint(folder: Path, model: str = "first", more: str = "") -> Endpoint:
    text = f'base_url = "local:{folder.as_posix()}"\nmodel = "{model}"\nmax_tokens = 6\n{more}'
    return read_settings(text).of(Role.SOLVE)


def request(at: Endpoint, text: str = "question 1 2 3", **more: Any) -> Request:
    said = (Message("system", "system"), Message("user", text))
    return Request(at, more.pop("messages", said), "test@1-abc", **more)


def ask(at: Endpoint, *requests: Request, budget: Budget | None = None) -> list[Reply]:
    async def work() -> list[Reply]:
        async with Client(at, Secret(""), MemoryStore(), budget) as client:
            return [await client.ask(each) for each in requests]

    return asyncio.run(work())


def loaded(folder: Path) -> tuple[Any, list[int]]:
    """Return the first model as the library has it, and the tokens of the usual question."""
    address = f"local:{folder.as_posix()}"
    model = causal_model.loaded(files_of(address, "first"), identity(address, "first"))
    said = {"system": "system", "user": "question 1 2 3"}
    return model, model.tokens([{"role": role, "content": text} for role, text in said.items()])


def after(model: Any, ids: list[int]) -> Any:
    """Return the log-probabilities of the token after these, as the library has them."""
    import torch

    with torch.inference_mode():
        return model.network(torch.tensor([ids])).logits[0, -1].double().log_softmax(-1)


def test_it_says_what_the_library_says(folder: Path) -> None:
    at = endpoint(folder)
    [reply] = ask(at, request(at))
    model, prompt = loaded(folder)
    import torch

    whole = model.network.generate(torch.tensor([prompt]), max_new_tokens=6, do_sample=False)
    expected = model.tokeniser.decode(whole[0][len(prompt) :], skip_special_tokens=True)
    assert reply.status is Status.ANSWERED
    assert reply.text == expected
    assert (reply.tokens_in, reply.cost, reply.attempts) == (len(prompt), 0.0, 1)
    assert reply.tokens_out is not None
    assert 1 <= reply.tokens_out <= 6
    assert reply.finish_reason == ("length" if reply.tokens_out == 6 else "stop")
    assert reply.server.startswith(f"local:{folder.as_posix()}#")
    model.network.generation_config.eos_token_id = [2, 3]
    assert causal_model._end_tokens(model.network, model.tokeniser) == {2, 3}


def test_alternatives_are_those_of_the_first_tokens(folder: Path) -> None:
    at = endpoint(folder)
    [reply] = ask(at, request(at, logprobs=4))
    assert reply.logprobs is not None
    for place in reply.logprobs:
        values = [value for _, value in place]
        assert len(place) == 4
        assert values == sorted(values, reverse=True)  # greedy: the first is the likeliest
        assert sum(map(math.exp, values)) <= 1 + 1e-9
    assert reply.text.startswith(reply.logprobs[0][0][0].strip())


def test_every_option_is_told_exactly_also_outside_of_the_top(folder: Path) -> None:
    at = endpoint(folder)
    [reply] = ask(at, request(at, logprobs=1, options=LETTERS))
    found = choice_by_likelihood(reply, LETTERS)
    assert found.state is LikelihoodState.CHOSEN
    model, prompt = loaded(folder)
    told = after(model, prompt).exp()
    chance = {word: float(told[at]) for at, word in enumerate(tiny.WORDS)}
    expected = {"A": chance["A"] + chance["a"], "B": chance["B"] + chance["b"]}
    expected |= {"C": chance["C"], "D": chance["D"]}
    assert {k: math.exp(v) for k, v in found.logprobs.items()} == pytest.approx(expected)
    assert found.label == max(expected, key=lambda label: expected[label])


def test_options_without_a_token_of_their_own_have_that_of_their_tokens_in_a_row(
    folder: Path,
) -> None:
    at = endpoint(folder)
    [reply] = ask(at, request(at, options=("yes", "no yes")))
    found = choice_by_likelihood(reply, ("yes", "no yes"))
    model, prompt = loaded(folder)
    no, yes = tiny.WORDS.index("no"), tiny.WORDS.index("yes")
    first, second = after(model, prompt), after(model, [*prompt, no])
    assert found.logprobs["no yes"] == pytest.approx(float(first[no] + second[yes]))
    assert found.logprobs["yes"] == pytest.approx(float(first[yes]))


def test_a_temperature_draws_by_its_seed_and_repeat(folder: Path) -> None:
    at = endpoint(folder, more="parameters = { temperature = 2.0, top_p = 0.9, seed = 7 }\n")
    asked = [request(at, repeat=repeat) for repeat in range(6)]
    texts = [reply.text for reply in ask(at, *asked)]
    assert len(set(texts)) > 1
    assert [reply.text for reply in ask(at, *asked)] == texts
    other = endpoint(folder, more="parameters = { temperature = 2.0, top_p = 0.9, seed = 8 }\n")
    assert [r.text for r in ask(other, *(request(other, repeat=n) for n in range(6)))] != texts


def test_without_a_chat_template_the_texts_stand_as_they_are(folder: Path) -> None:
    at = endpoint(folder, "plain")
    [reply] = ask(at, request(at))
    assert reply.tokens_in == 5  # "system", "question" and three numbers


def test_a_template_without_a_system_has_its_words_before_the_users(folder: Path) -> None:
    at, severe = endpoint(folder), endpoint(folder, "severe")
    said = (Message("user", "system\n\nquestion"),)
    [merged] = ask(severe, request(severe, "question"))
    [plain] = ask(at, request(at, messages=said))
    assert (merged.text, merged.tokens_in) == (plain.text, plain.tokens_in)


def test_other_weights_in_the_same_folder_are_another_model(tmp_path: Path) -> None:
    tiny.make(tmp_path / "m")
    at = endpoint(tmp_path, "m")
    before = request(at).key
    assert request(at).key == before
    tiny.make(tmp_path / "m", seed=5)
    assert request(at).key != before
    tiny.make(tmp_path / "copy", seed=5)
    address = f"local:{tmp_path.as_posix()}"
    assert identity(address, "copy") == identity(address, "m")


def test_keys_of_calls_to_servers_are_what_they_were() -> None:
    """Kept calls are found by these; options make no difference to a server."""
    at = Endpoint(Role.SOLVE, "http://x/v1", "m", {"temperature": 0}, max_tokens=8)
    said = (Message("user", "q"),)
    known = "3a1b69571956c80736bfa2987323a99b1312fe91a4e011bd3379c45163039c45"
    assert Request(at, said, "p@1", logprobs=5).key == known
    assert Request(at, said, "p@1", logprobs=5, options=LETTERS).key == known
    assert at.server == "http://x/v1"


def failed(at: Endpoint, *, of: Request | None = None) -> Problem | None:
    [reply] = ask(at, of or request(at))
    assert reply.status is Status.FAILED
    assert reply.attempts == 1
    return reply.problem


def test_what_the_model_cannot_take(folder: Path) -> None:
    at = endpoint(folder)
    said = (Message("user", "q", (Image(b"x"),)),)
    assert failed(at, of=request(at, "1 " * 200)) is Problem.TOO_LONG
    assert failed(at, of=request(at, messages=said)) is Problem.BAD_REQUEST
    assert failed(at, of=Request(at, inputs=("q",))) is Problem.BAD_REQUEST
    assert failed(endpoint(folder, more="timeout_s = 0.0000001\n")) is Problem.TIMEOUT


def test_a_folder_that_is_not_there_ends_a_batch_with_its_remedy(folder: Path) -> None:
    at = replace(endpoint(folder), model="gone")

    async def work() -> Any:
        async with Client(at, Secret(""), MemoryStore()) as client:
            return await ask_all(client, [request(at, f"q {n}") for n in range(5)])

    told = asyncio.run(work())
    assert (told.end, told.problems[Problem.NOT_FOUND]) == (End.HOPELESS, 2)
    assert "gone" in told.last_reason
    assert at.server.endswith(ABSENT)


def test_weights_that_are_no_numbers_or_missing_give_no_answer(tmp_path: Path) -> None:
    tiny.make(tmp_path / "half")
    from safetensors.torch import load_file, save_file

    file = tmp_path / "half" / "model.safetensors"
    weights = load_file(file)
    weights["lm_head.weight"][3] = float("nan")
    save_file(weights, file, {"format": "pt"})
    assert failed(endpoint(tmp_path, "half")) is Problem.NOT_FINITE
    weights.pop("lm_head.weight")
    save_file(weights, file, {"format": "pt"})
    assert failed(endpoint(tmp_path, "half")) is Problem.UNLOADABLE
    file.write_bytes(b"no weights")
    assert failed(endpoint(tmp_path, "half")) is Problem.UNLOADABLE


def test_memory_that_is_not_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> Never:
        raise RuntimeError("DefaultCPUAllocator: not enough memory: you tried to allocate …")

    def broken(*_: object) -> Never:
        raise RuntimeError("the template failed")

    for fails, problem in ((broken, Problem.BAD_REQUEST), (full, Problem.MEMORY)):
        monkeypatch.setattr(LocalTransport, "_generated", fails)
        assert failed(endpoint(folder)) is problem
    monkeypatch.undo()
    monkeypatch.setattr(causal_model, "_load_files", full)
    assert failed(endpoint(folder)) is Problem.MEMORY


def test_json_is_asked_for_as_plain_text_and_a_budget_counts_tokens(folder: Path) -> None:
    at = endpoint(folder)
    budget = Budget(Limit(tokens=100_000))
    replies = ask(at, request(at), request(at, "question 4"), budget=budget)
    spent = sum((each.tokens_in or 0) + (each.tokens_out or 0) for each in replies)
    assert (budget.used.calls, budget.used.tokens, budget.used.money) == (2, spent, 0.0)
    [reply] = ask(at, request(at, schema={"type": "object"}))
    assert (reply.status, reply.form) == (Status.ANSWERED, "plain")


def test_a_model_of_another_kind_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "bert").mkdir()
    (tmp_path / "bert" / "config.json").write_text('{"architectures": ["BertForMaskedLM"]}')
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "config.json").write_text("{")
    for name in ("bert", "torn"):
        assert code_of(files_of, f"local:{tmp_path}", name) == "models_local_kind"


@pytest.mark.parametrize("name", ["..", "../x", ".", "", "/etc", "a/../../x"])
def test_no_name_leads_out_of_the_folder(tmp_path: Path, name: str) -> None:
    top = tmp_path / "models"
    top.mkdir()
    (tmp_path / "config.json").write_text("{}")
    (top / "config.json").write_text("{}")
    with refused("models_local_absent") as caught:
        files_of(f"local:{top}", name)
    assert str(top) in caught.value.what()


def test_a_name_on_the_hub_is_read_from_this_machine_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    kept = tmp_path / "models--org--name"
    for revision in ("abc", "def"):
        (kept / "snapshots" / revision).mkdir(parents=True)
        config = f'{{"architectures": ["LlamaForCausalLM"], "x": "{revision}"}}'
        (kept / "snapshots" / revision / "config.json").write_text(config)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text("abc\n")
    assert files_of("local:", "org/name").folder == kept / "snapshots" / "abc"
    assert files_of("local:", "org/name@def").folder == kept / "snapshots" / "def"
    assert identity("local:", "org/name") != identity("local:", "org/name@def")
    for name in ("org/other", "../name", "org/name@../x", "org/name@gone", ""):
        assert code_of(files_of, "local:", name) == "models_local_not_kept"


def test_a_gguf_file_needs_its_packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "small.gguf").write_bytes(b"GGUF")
    (tmp_path / "one").mkdir()
    (tmp_path / "one" / "other.gguf").write_bytes(b"GGUF")
    monkeypatch.setattr("llm.local.files.find_spec", lambda name: None)
    with pytest.raises(UserError) as caught:
        files_of(f"local:{tmp_path}", "small.gguf")
    assert (caught.value.code, "gguf accelerate" in caught.value.remedy()) == (
        "models_local_gguf",
        True,
    )
    monkeypatch.setattr("llm.local.files.find_spec", lambda name: object())
    assert files_of(f"local:{tmp_path}", "small.gguf").gguf == "small.gguf"
    assert files_of(f"local:{tmp_path}", "one").gguf == "other.gguf"
