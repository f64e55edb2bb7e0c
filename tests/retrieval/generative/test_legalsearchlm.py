"""The method with models of a few thousand random weights, made here; and once with a real one."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from retrieval.core.method import Resources
from retrieval.core.model import Corpus, Query
from retrieval.core.registry import make
from retrieval.generative.language_model import ModelWriter, Reading, Tokeniser
from retrieval.generative.legalsearchlm import LegalSearchLM
from tests.retrieval.generative import tiny
from tests.retrieval.test_every_method import QUERIES, SMALL, law, law_of, written
from tests.support.refusals import code_of, refused

KINDS = ("seq2seq", "bart", "decoder")
ASKED = [query for query in QUERIES if query.id not in ("q7", "q8")]  # long: cut to the same


@pytest.fixture(scope="module")
def models(tmp_path_factory) -> Path:
    top: Path = tmp_path_factory.mktemp("models")
    for kind in KINDS:
        getattr(tiny, kind)(top / kind)
    return top


@pytest.fixture(scope="module", autouse=True)
def one_thread():
    """Models so small are slower with several threads, most of all beside other work."""
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def of(models: Path, kind: str = "seq2seq", **more) -> LegalSearchLM:
    spec = {"method": "legalsearchlm", "model": str(models / kind), "beam": 6, "length": 5}
    made = make(spec | {"weighting": "likelihood"} | more)
    assert isinstance(made, LegalSearchLM)
    return made


def fitted(models: Path, kind: str = "seq2seq", corpus: Corpus | None = None, **more):
    method = of(models, kind, **more)
    method.fit(law() if corpus is None else corpus)
    return method


@pytest.mark.parametrize("kind", KINDS)
def test_rankings_fall_and_do_not_depend_on_depth_or_company(models, kind):
    method = fitted(models, kind)
    run = method.search(ASKED, 100)
    assert any(run.values())
    assert not run["q2"] and not run["q3"]
    for hits in run.values():
        assert list(hits) == sorted(hits, key=lambda hit: (-hit.score, hit.unit_id))
        assert len({hit.unit_id for hit in hits}) == len(hits)
    for k in (0, 1, 2):
        assert method.search(ASKED, k) == {query: hits[:k] for query, hits in run.items()}
    again = fitted(models, kind)
    for query in ASKED:
        assert again.search([query], 100)[query.id] == run[query.id]
        scores = dict(zip(law().ids, method.score(query, law().ids).tolist(), strict=True))
        assert {unit: score for unit, score in scores.items() if score} == {
            hit.unit_id: hit.score for hit in run[query.id]
        }
    with pytest.raises(KeyError):
        method.score(ASKED[0], ["beyond"])


@pytest.mark.parametrize("corpus", SMALL)
def test_small_and_odd_corpora_are_ranked_kept_and_opened(models, corpus, tmp_path):
    whole = Corpus.of(SMALL[corpus])
    method, back = fitted(models, corpus=whole), of(models)
    method.save(tmp_path)
    back.load(tmp_path, whole)
    run = method.search(QUERIES[:2], 10)
    assert written(back.search(QUERIES[:2], 10)) == written(run)
    assert all(math.isfinite(hit.score) for hits in run.values() for hit in hits)
    for query in QUERIES[:2]:
        units = [hit.unit_id for hit in run[query.id]]
        assert back.identifiers(query, units) == method.identifiers(query, units)


def test_a_question_is_answered_in_its_own_law_alone(models):
    method = fitted(models, corpus=law_of())
    for jurisdiction in ("kr", "de", "fr"):
        alone = fitted(models, corpus=law_of(jurisdiction))
        asked = [replace(query, jurisdiction=jurisdiction) for query in ASKED[:3]]
        assert written(method.search(asked, 9)) == written(alone.search(ASKED[:3], 9))
        units = [hit.unit_id for hit in method.search(asked, 9)["q0"]]
        found = method.identifiers(asked[0], units)
        assert found == alone.identifiers(ASKED[0], units)


def test_identifiers_stand_where_they_say_and_add_up_to_the_score(models):
    method = fitted(models)
    documents = dict(zip(law().ids, law().documents, strict=True))
    seen = set()
    for query in ASKED:
        hits = method.search([query], 9)[query.id]
        for hit in hits:
            found = method.identifiers(query, [hit.unit_id])[hit.unit_id]
            assert math.fsum(each.added for each in found) == pytest.approx(hit.score)
            assert [each.added for each in found] == sorted((e.added for e in found), reverse=True)
            for each in found:
                document = documents[hit.unit_id]
                text = document.title if each.in_title else document.body
                assert text[each.start : each.end] == each.text
                assert each.text and each.times >= 1 and each.logprob <= 0
                seen.add(each.in_title)
    assert seen == {True, False}
    assert method.identifiers(Query("q", " "), ["가법_1조"]) == {}
    with pytest.raises(KeyError):
        method.identifiers(ASKED[0], ["beyond"])


@pytest.mark.parametrize("kind", KINDS)
def test_what_beams_are_told_is_what_the_library_says_of_each_run_alone(models, kind):
    import torch
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM, AutoTokenizer

    folder = models / kind
    writer = ModelWriter(Tokeniser(folder, "x"), "fire 12", Reading(), 5)
    said = [writer.begin()[None]]
    said.append(writer.go_on([0, 0, 0], [10, 20, 30]))
    said.append(writer.go_on([2, 0, 2, 1], [40, 50, 60, 70]))
    runs: list[list[tuple[int, ...]]] = [
        [()],
        [(10,), (20,), (30,)],
        [(30, 40), (10, 50), (30, 60), (20, 70)],
    ]
    tokeniser = AutoTokenizer.from_pretrained(folder)
    paired = kind != "decoder"
    read = tokeniser("fire 12" if paired else "fire 12\n")["input_ids"]
    model = (AutoModelForSeq2SeqLM if paired else AutoModelForCausalLM).from_pretrained(folder)
    start = {"seq2seq": [0], "bart": [1, 2]}.get(kind, read)
    for rows, step in zip(said, runs, strict=True):
        assert len(rows) == len(step)
        for row, run in zip(rows, step, strict=True):
            ids = torch.tensor([[*start, *run]])
            given = {"input_ids": torch.tensor([read]), "decoder_input_ids": ids}
            with torch.inference_mode():
                out = model.eval()(**(given if paired else {"input_ids": ids}))
            wanted = out.logits[0, -1].log_softmax(-1).numpy()
            assert row == pytest.approx(wanted, abs=1e-4)


def test_a_model_that_cannot_keep_what_it_computed_reads_its_beams_anew(models, monkeypatch):
    kept = written(fitted(models).search(ASKED[:2], 9))
    method = fitted(models)
    plain = ModelWriter._next

    def forgetting(self, rows):
        said = plain(self, rows)
        self._past = None
        return said

    monkeypatch.setattr(ModelWriter, "_next", forgetting)
    again = method.search(ASKED[:2], 9)
    for query, hits in fitted(models).search(ASKED[:2], 9).items():
        assert [hit.unit_id for hit in hits] == [hit.unit_id for hit in again[query]]
    assert kept


def test_notes_count_questions_and_first_tokens_that_the_law_lacks(models):
    method = fitted(models)
    for _ in range(2):  # also where what was written is remembered
        before = dict(method.notes)
        method.search(ASKED[:2], 9)
        more = {name: n - before.get(name, 0) for name, n in method.notes.items()}
        assert more["legalsearchlm.questions"] == 2
        assert more["legalsearchlm.first_token_absent"] > 0
    inside = fitted(models, first="corpus")
    inside.search(ASKED[:2], 9)
    assert inside.notes == {"legalsearchlm.questions": 2}
    nothing = fitted(models, weighting="seal", smoothing=1e6)
    assert nothing.search(ASKED[:1], 9)["q0"] == ()
    assert nothing.notes["legalsearchlm.nothing_counts"] == 1


def test_a_long_question_is_cut_where_the_model_ends(models):
    long = [Query("q", "fire alarm " * 500)]
    for kind in ("bart", "decoder"):  # with 64 and 128 places
        fitted(models, kind).search(long, 5)
    decoder = Tokeniser(models / "decoder", "x")
    assert len(ModelWriter(decoder, long[0].text, Reading(), 5)._before) == 128 - 5
    short = fitted(models, query_tokens=4)
    assert short.search([Query("q", "fire alarm")], 5) == short.search([Query("q", "fire in")], 5)


def test_a_prompt_frames_the_question(models):
    framed = fitted(models, "decoder", prompt="law: {query} says:")
    assert written(framed.search(ASKED[:1], 9)) != written(
        fitted(models, "decoder").search(ASKED[:1], 9)
    )
    assert code_of(of, models, prompt="law:") == "generative_prompt"


def test_settings_of_beams_and_scores_reach_the_ranking(models):
    usual = written(fitted(models).search(ASKED, 9))
    for said in (
        {"beam": 2},
        {"length": 2},
        {"ngrams": "longest"},
        {"repetition": 0},
        {"power": 1},
    ):
        assert written(fitted(models, **said).search(ASKED, 9)) != usual, said


def test_the_law_is_cut_once_for_models_that_share_a_tokeniser(models, tmp_path, monkeypatch):
    tiny.seq2seq(tmp_path / "other", seed=1)
    spec = dict(of(models).spec)
    using = Resources(folder=tmp_path / "cache")
    runs = []
    for folder, beam in ((models / "seq2seq", 6), (models / "seq2seq", 3), (tmp_path / "other", 6)):
        method = make(spec | {"model": str(folder), "beam": beam}, using)
        method.fit(law())
        runs.append(written(method.search(ASKED[:2], 9)))
        monkeypatch.setattr(Tokeniser, "tokens", None)  # from now on nothing can be cut
    assert len(set(runs)) == 3
    assert len(list((tmp_path / "cache").rglob("*.npy"))) == 1


def test_other_weights_are_another_content(models, tmp_path):
    tiny.seq2seq(tmp_path / "other", seed=1)
    here = of(models).content_for(law())
    spec = dict(of(models).spec)
    shutil.copytree(models / "seq2seq", tmp_path / "same")
    weights = tmp_path / "same" / "model.safetensors"
    weights.write_bytes((tmp_path / "other" / "model.safetensors").read_bytes())
    assert of(models).versions == make(spec).versions
    assert make(spec | {"model": str(tmp_path / "same")}).versions != of(models).versions
    assert here == of(models).content_for(law())


def test_what_is_no_language_model_is_refused_with_the_reason(models, tmp_path):
    assert code_of(fitted, tmp_path, "nowhere") == "model_folder"
    shutil.copytree(models / "decoder", tmp_path / "broken")
    (tmp_path / "broken" / "config.json").write_text("[")
    assert code_of(fitted, tmp_path, "broken") == "model_unreadable"
    shutil.copytree(models / "decoder", tmp_path / "mixed")
    config = json.loads((models / "seq2seq" / "config.json").read_text())
    (tmp_path / "mixed" / "config.json").write_text(json.dumps(config))
    with refused("model_unreadable"):
        fitted(tmp_path, "mixed").search(ASKED[:1], 3)


def test_weights_that_are_no_numbers_are_refused(models, tmp_path):
    import torch
    from transformers import T5ForConditionalGeneration

    shutil.copytree(models / "seq2seq", tmp_path / "damaged")
    model = T5ForConditionalGeneration.from_pretrained(models / "seq2seq")
    with torch.no_grad():
        model.shared.weight.fill_(float("nan"))
    model.save_pretrained(tmp_path / "damaged")
    with refused("scores_not_numbers"):
        fitted(tmp_path, "damaged").search(ASKED[:1], 3)


def digest(models: Path) -> str:
    """Return a hash of what every kind of model finds, to the last bit."""
    runs = [written(fitted(models, kind).search(ASKED[:3], 9)) for kind in KINDS]
    return sha256("".join(runs).encode("utf-8", "surrogatepass")).hexdigest()


@pytest.mark.long
def test_nothing_depends_on_the_process_or_how_python_hashes(models):
    code = (
        "import sys; from pathlib import Path;"
        "from tests.retrieval.generative.test_legalsearchlm import digest;"
        "print(digest(Path(sys.argv[1])))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(models)],
        env=os.environ | {"PYTHONHASHSEED": "23", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode().strip() == digest(models)
