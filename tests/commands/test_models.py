"""`llm status`, `calls` and `test` against the scripted server, and no key anywhere they write."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from llm.roles import PREFIX, Role
from messages import say
from tests.commands.called import printed
from tests.llm.conftest import KEY
from tests.llm.server import Server, Step

Run = Callable[..., tuple[int, str, str]]
ADDRESS = 'base_url = "{}"\nmodel = "local"\nattempts = 1\n[embed]\nmodel = "vectors"\n'


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Run:
    monkeypatch.setenv(PREFIX, KEY)

    call = partial(printed, tmp_path / "w")
    assert call("init")[0] == 0
    return call


def settings(tmp_path: Path, text: str) -> None:
    (tmp_path / "w" / "models.toml").write_text(text, "utf-8")


def test_a_local_model_that_is_not_there_is_said_with_what_to_do(run: Run, tmp_path: Path) -> None:
    settings(tmp_path, '[solve]\nbase_url = "local:/nowhere"\nmodel = "small"\n')
    code, out, _ = run("llm", "status")
    assert code == 0
    assert "small at local:/nowhere, on this machine" in out
    assert "config.json" in out
    code, out, _ = run("--json", "llm", "status")
    [solve] = [each for each in json.loads(out)["roles"] if each["set"]]
    assert (solve["local"], "/nowhere" in solve["trouble"]) == (True, True)
    code, _, err = run("llm", "test")
    assert code == 3
    assert "/nowhere" in err


def test_without_a_server_it_says_what_one_would_add(run: Run) -> None:
    code, out, _ = run("llm", "status")
    assert code == 0
    for role in ("draft_ocr", "generate", "solve", "judge", "embed"):
        assert f"{role:<10} not set. {say(f'llm.adds.{role}')}" in out
    assert "No call was made yet." in run("llm", "calls")[1]
    assert say("llm.none_set") in run("llm", "test")[1]
    code, out, err = run("llm", "test", "--role", "judge")
    assert code == 3
    assert "No model is set up for judge." in err


def test_what_is_set_whether_it_answers_and_what_it_costs(
    run: Run, server: Server, tmp_path: Path
) -> None:
    price = "[judge]\nprice_in = 100\nprice_out = 1000\n"
    settings(tmp_path, ADDRESS.format(server.base_url) + price)
    assert f"judge      local at {server.base_url}, with a key" in run("llm", "status")[1]
    assert run("llm", "test", "--role", "judge")[0] == 0
    assert len(server.seen) == 1
    assert "judge      local: 1 calls (1 answered), 10 + 5 tokens" in run("llm", "calls")[1]
    assert "cost 0.0060" in run("llm", "calls")[1]
    code, out, _ = run("--json", "llm", "test")
    assert code == 0
    said = json.loads(out)
    assert said["answered"] is True
    assert [each["status"] for each in said["roles"]] == ["answered"] * len(Role)
    paths = [seen.path for seen in server.seen[1:]]
    assert paths == ["/v1/chat/completions"] * (len(Role) - 1) + ["/v1/embeddings"]
    told = json.loads(run("--json", "llm", "calls")[1])["calls"]
    assert sorted(each["role"] for each in told) == sorted(Role)


def test_a_role_that_does_not_answer_is_told(run: Run, server: Server, tmp_path: Path) -> None:
    settings(tmp_path, ADDRESS.format(server.base_url))
    server.on("ready", Step("error", status=401, message=f"Incorrect key {KEY}"))
    code, out, err = run("llm", "test", "--role", "judge")
    assert code == 3
    assert "unauthorised" in out
    assert KEY not in out + err


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f'base_url = "http://{KEY}@host/v1"\nmodel = "m"', "contain a key"),
        (f'concurrency = "{KEY}"', "should be a valid integer"),
    ],
)
def test_unfit_settings_are_named_without_repeating_a_key(
    run: Run, tmp_path: Path, text: str, said: str
) -> None:
    settings(tmp_path, text)
    code, out, err = run("llm", "status")
    assert code == 3
    assert said in err
    assert KEY not in out + err


def test_settings_elsewhere(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[judge]\nbase_url = "http://h/v1"\nmodel = "m"\n')
    monkeypatch.setenv("TOUCHSTONE_MODELS", str(file))
    assert "m at http://h/v1" in run("llm", "status")[1]


def test_the_key_is_in_no_file_no_log_and_no_output(
    run: Run, server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    settings(tmp_path, ADDRESS.format(server.base_url))
    server.on("ready", Step(text=f"You sent Bearer {KEY}"))
    printed = [run("project", "gaon"), run("llm", "test"), run("llm", "test", "--role", "judge")]
    server.rules.clear()
    server.on("ready", Step("error", status=500, message=f"trace: {KEY}"))
    printed.append(run("--json", "llm", "test"))
    for words in (
        ("llm", "status"),
        ("llm", "calls"),
        ("backup", str(tmp_path / "backup.tar")),
        ("export", "annotations", str(tmp_path / "annotations")),
        ("history",),
        ("status",),
        ("check",),
    ):
        printed.append(run(*words))
    assert len(server.seen) >= 11
    for _, out, err in printed:
        assert KEY not in out + err
    assert KEY not in caplog.text
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"touchstone.db", "backup.tar"} <= {path.name for path in files}
    for path in files:
        assert KEY.encode() not in path.read_bytes(), path
