"""An experiment read from its text, every line spelled out; what is wrong in it, with the line."""

from __future__ import annotations

import pytest

from construction.experiments.lines import MOST_LINES
from construction.experiments.reading import TEXT_LIMIT, parse
from errors import SeveralProblemsError, UserError
from evaluation.ranking.compare import Family, Inference
from evaluation.ranking.scoring import Measure
from retrieval.core.preset_specs import RECOMMENDED
from retrieval.core.registry import complete
from retrieval.graph.noise import with_noise
from tests.support.refusals import code_of, fault_of, refusal

SMALL = """\
name: Does the graph help?
note: On the sample.
corpus: current
depth: 50
measures: [Recall@10, MRR@10]
strata: [language]
seeds: [1, 2]
baseline: BM25
methods:
- name: BM25
  method: bm25
  grid:
    k1: [0.9, 1.5]
    b: [0.4, 0.75]
- name: SAR
  method: sar
  base: BM25
  grid: {beta: [0.1, 0.7]}
  ablations:
    whitespace: {base.tokeniser: whitespace, beta: 0.2}
    other base: {base: {method: bm25, b: 0.1}}
  noise: {drop: [0.1], rewire: [0.2]}
- {name: Both, method: rrf, of: [BM25, SAR], grid: {of.1.b: [0.2], of.sar.base.k1: [1.1]}}
"""
BM25 = complete({"method": "bm25"})


def test_resamples_and_the_family_of_holm_can_be_asked_for():
    usual = parse(SMALL)
    assert usual.inference == Inference(1_000, Family.MEASURE)
    asked = parse(f"resamples: 5000\nholm_over: table\n{SMALL}")
    assert asked.inference == Inference(5_000, Family.TABLE)
    said = {"resamples": 5_000, "holm_over": "table"}
    assert asked.as_json() == usual.as_json() | said


def sar(**more):
    return complete({"method": "sar", "base": BM25} | more)


def test_every_line_is_spelled_out():
    experiment = parse(SMALL)
    said = experiment.name, experiment.corpus, experiment.gold
    assert said == ("Does the graph help?", "current", "")
    assert experiment.measures == (Measure("Recall", 10), Measure("MRR", 10))
    assert (experiment.depth, experiment.strata, experiment.baseline) == (50, ("language",), "BM25")
    assert [line.label for line in experiment.lines] == [
        "BM25",
        "BM25 · k1=0.9, b=0.4",
        "BM25 · k1=0.9, b=0.75",
        "BM25 · k1=1.5, b=0.4",  # k1=1.5, b=0.75 is the method as written
        "SAR",
        "SAR · beta=0.1",
        "SAR · beta=0.7",
        "SAR · whitespace",
        "SAR · other base",
        "SAR · drop 10 % · seed 1",
        "SAR · drop 10 % · seed 2",
        "SAR · rewire 20 % · seed 1",
        "SAR · rewire 20 % · seed 2",
        "Both",
        "Both · of.1.b=0.2, of.sar.base.k1=1.1",
    ]


def test_lines_are_complete_specs_that_say_what_was_changed():
    lines = {line.label: line for line in parse(SMALL).lines}
    assert lines["BM25 · k1=0.9, b=0.4"].spec == BM25 | {"k1": 0.9, "b": 0.4}
    assert lines["SAR · whitespace"].spec == sar(base=BM25 | {"tokeniser": "whitespace"}, beta=0.2)
    assert lines["SAR · whitespace"].changes == {"base.tokeniser": "whitespace", "beta": 0.2}
    assert lines["SAR · other base"].spec == sar(base=BM25 | {"b": 0.1})
    noisy = lines["SAR · rewire 20 % · seed 2"]
    assert noisy.spec == with_noise(sar(), "rewire", 0.2, 2)
    assert (noisy.kind, noisy.entry) == ("noise", "SAR")
    assert (noisy.changes, noisy.seed) == ({"rewire": 0.2}, 2)
    both = lines["Both · of.1.b=0.2, of.sar.base.k1=1.1"]
    assert both.spec["of"] == [BM25 | {"b": 0.2}, sar(base=BM25 | {"k1": 1.1})]
    assert both.seed is None


def test_a_seed_of_a_method_is_a_parameter_like_others():
    text = (
        "name: x\nmethods:\n- method: sar\n  base: lsa\n"
        "  grid: {base.seed: [3, 4]}\n  noise: {drop: [1]}"
    )
    lines = parse(text).lines
    labels = ["sar", "sar · base.seed=3", "sar · base.seed=4", "sar · drop 100 %"]
    assert [line.label for line in lines] == labels
    assert [line.spec["base"]["seed"] for line in lines] == [0, 3, 4, 0]
    assert lines[3].spec == with_noise(lines[0].spec, "drop", 1, 0)


def test_a_list_of_grids_goes_through_each_by_itself():
    text = "name: x\nmethods:\n- method: bm25\n  grid: [{b: [0.1, 0.2]}, {k1: [1], b: [0.1, 0.75]}]"
    assert [line.label for line in parse(text).lines] == [
        "bm25",
        "bm25 · b=0.1",
        "bm25 · b=0.2",
        "bm25 · k1=1, b=0.1",
        "bm25 · k1=1, b=0.75",
    ]
    again = text.replace("{k1: [1], b: [0.1, 0.75]}", "{k1: [1.5], b: [0.1, 0.3]}")
    assert [line.label for line in parse(again).lines][3:] == ["bm25 · k1=1.5, b=0.3"]
    wrong = text.replace("{b: [0.1, 0.2]}", "b")
    assert fault_of(parse, wrong)[:2] == ("experiment_grid", 4)


def test_what_is_not_said_has_a_default():
    experiment = parse("name: x\nmethods:\n- method: bm25")
    assert (experiment.baseline, experiment.depth, experiment.strata) == ("bm25", 100, ())
    assert [repr(measure) for measure in experiment.measures] == ["Recall@10", "nDCG@10", "MRR@10"]
    assert experiment == parse("methods: [{method: bm25}]\nname: x\nseeds:\n")


def test_a_file_names_its_gold_set():
    experiment = parse(SMALL.replace("corpus: current", "gold: currents"))  # if there is none such
    assert (experiment.gold, experiment.places["gold"]) == ("currents", 3)
    assert experiment.as_json()["gold"] == "currents" and parse(SMALL).as_json()["gold"] == ""


@pytest.mark.parametrize(
    ("old", "new", "code", "line"),
    [
        ("name: Does the graph help?", "title: x", "field_unknown", 1),
        ("corpus: current", "corpus: newest", "experiment_corpus", 3),
        ("corpus: current", "gold: [people]", "field_not_text", 3),
        ("depth: 50", "depth: 1001", "experiment_number", 4),
        ("depth: 50", "depth: 9", "experiment_depth", 5),
        ("depth: 50", "resamples: 99", "experiment_number", 4),
        ("depth: 50", "resamples: 20001", "experiment_number", 4),
        ("depth: 50", "resamples: many", "experiment_number", 4),
        ("depth: 50", "holm_over: everything", "holm_unknown", 4),
        ("Recall@10, MRR@10", "Recall@10, Precise@3", "unknown_measure", 5),
        ("[Recall@10, MRR@10]", "Recall@10", "field_not_texts", 5),
        ("seeds: [1, 2]", "seeds: [1, -2]", "experiment_number", 7),
        ("seeds: [1, 2]", "seeds: 1", "experiment_list", 7),
        ("baseline: BM25", "baseline: BM52", "experiment_baseline", 8),
        ("  method: bm25\n  grid", "  method: bm52\n  grid", "unknown_method", 11),
        ("b: [0.4, 0.75]", "c: [0.4, 0.75]", "method_parameter_unknown", 14),
        ("b: [0.4, 0.75]", "b: 0.4", "experiment_list", 14),
        ("b: [0.4, 0.75]", "b: [0.4, 0.40]", "experiment_label_twice", 13),
        ("- name: SAR", "- name: BM25", "experiment_label_twice", 15),
        ("base.tokeniser:", "basis.tokeniser:", "method_parameter_unknown", 20),
        ("base.tokeniser: whitespace", "base.tokeniser: white", "method_parameter", 20),
        ("whitespace: {base.tokeniser: whitespace, beta: 0.2}", "x: y", "field_not_mapping", 20),
        ("drop: [0.1]", "drop: [0]", "experiment_rate", 22),
        ("of.1.b", "of.3.b", "experiment_part", 23),
        ("of.1.b", "of.b", "experiment_part", 23),
        ("of.1.b", "of", "method_parameter", 23),
        ("{of.1.b: [0.2], of", "{of.tfidf.b: [0.2], of", "experiment_part", 23),
        ("grid: {of.1.b", "noise: {drop: [0.1]}, grid: {of.1.b.c", "method_parameter_unknown", 23),
        ("method: rrf", "method: [rrf]", "field_not_text", 23),
        (SMALL, "", "experiment_empty", 1),
        (SMALL, "name: x", "field_missing", 1),
        (SMALL, "name: x\nmethods: []", "field_missing", 1),
        (SMALL, "name: x\nmethods: bm25", "experiment_methods", 2),
        (SMALL, "name: x\nmethods: {method: bm25}", "experiment_methods", 2),
        (SMALL, "name: x\nmethods:\n- [bm25]", "experiment_methods", 3),
        (SMALL, "name: x\nmethods:\n- bm52", "unknown_method", 3),
        (SMALL, "name: x\nmethods:\n- {method: bm25, grid: [k1]}", "experiment_grid", 3),
        (SMALL, "name: x\nmethods: [{method: bm25, noise: {drop: [1]}}]", "noise_without_graph", 2),
        (SMALL, "name: x\n: [", "yaml_broken", 2),
    ],
)
def test_what_is_wrong_is_told_with_its_line(old, new, code, line):
    assert old in SMALL
    with pytest.raises(UserError) as refused:
        parse(SMALL.replace(old, new, 1), "sweep.yaml")
    several = refused.value.errors if isinstance(refused.value, SeveralProblemsError) else ()
    first = several[0] if several else refused.value  # what is missing then is told with it
    assert (first.code, first.where.line) == (code, line)
    assert refused.value.where.file == "sweep.yaml"
    assert refused.value.render("ko") != refused.value.render("en")


def test_a_grid_that_is_too_large_is_refused_before_it_is_spelled_out():
    values = list(range(1, 100))
    wide = f"name: x\nmethods:\n- method: bm25\n  grid: {{k1: {values}, b: {values}}}"
    assert fault_of(parse, wide)[:2] == ("experiment_too_large", 4)
    assert fault_of(parse, f"name: {'x' * 201}\nmethods: [bm25]")[:2] == ("text_too_long", 1)
    many = "name: x\nmethods:\n" + "- {method: bm25, grid: {k1: [1, 2]}}\n" * (MOST_LINES + 1)
    with pytest.raises(UserError) as refused:
        parse(many)
    assert isinstance(refused.value, SeveralProblemsError)
    assert {each.code for each in refused.value.errors} == {"experiment_label_twice"}
    assert "and 170 more" in refused.value.render()  # nobody reads two hundred
    assert code_of(parse, "#" * (TEXT_LIMIT + 1)) == "text_too_long"


def test_names_that_stand_for_many_methods_do_not_multiply():
    """Ten of ten of ten …: what aliases of YAML would do, which are refused as well."""
    text = "name: x\nmethods:\n- {name: A, method: rrf, of: [bm25, bm25, tfidf]}\n"
    for above, here in ("AB", "BC", "CD", "DE"):
        text += f"- {{name: {here}, method: rrf, of: [{', '.join(above * 9)}]}}\n"
    assert fault_of(parse, text)[:2] == ("method_parts", 5)


def test_the_hash_is_over_what_figures_depend_on_and_not_over_the_wording():
    first = parse(SMALL).as_json()
    assert parse(SMALL.replace("On the sample.", "Again.")).as_json() == first
    for other in (
        SMALL.replace("depth: 50", "depth: 51"),
        SMALL.replace("[0.1, 0.7]", "[0.2, 0.7]"),
        SMALL.replace("baseline: BM25", "baseline: SAR"),
    ):
        assert parse(other).as_json() != first


WRONG = """\
name: x
colour: red
depth: none
measures: [Recall@10, guess]
methods:
- method: bm25
  tokenizer: bigram
  k1: high
- method: recomended
- {name: On it, method: sar, base: recomended}
- name: Grid
  method: bm25
  grid: {b: [0.4, 7], k3: [1]}
  noise: {lose: [0.1]}
- {method: lsa, name: Fine}
"""


def test_all_that_is_wrong_in_a_file_is_told_at_once_each_with_its_line_and_field():
    with pytest.raises(SeveralProblemsError) as refused:
        parse(WRONG, "e.yaml")
    assert [(each.code, each.where.line, each.where.field) for each in refused.value.errors] == [
        ("field_unknown", 2, "colour"),
        ("experiment_number", 3, "depth"),
        ("unknown_measure", 4, "measures"),
        ("method_parameter_unknown", 7, "tokenizer"),
        ("method_parameter", 8, "k1"),
        ("unknown_method", 9, "method"),
        ("method_parameter_unknown", 13, "k3"),
        ("method_parameter", 13, "b"),
        ("field_unknown", 14, "lose"),
    ]
    told = refused.value.render().splitlines()
    assert told[0] == "e.yaml: 9 things are wrong:"
    assert 'Did you mean "tokeniser"?' in told[4] and told[4].startswith("line 7, field")
    assert 'Did you mean "recommended"?' in told[6]
    rows = refused.value.as_dict()["errors"]
    assert isinstance(rows, list) and len(rows) == 9
    assert "고칠 곳이 9곳 있습니다." in refused.value.render("ko")


def test_the_methods_are_listed_once_at_most_and_not_beside_a_suggestion():
    text = "name: x\nmetrics: [RR]\nmethods:\n- bm52\n- {method: sar, base: lsaa}\n"
    unlike = text + "- {name: A, method: zzzzzzz}\n- {name: B, method: qqqqqqq}\n- {k1: 2}\n"
    for language, meant in (("en", "Did you mean"), ("ko", "혹시")):
        told = refusal(parse, text).render(language)
        assert told.count(meant) == 3 and "hipporag2" not in told and "holm_over" not in told
        assert all(f'{meant} "{name}"' in told for name in ("measures", "bm25", "lsa"))
        told = refusal(parse, unlike).render(language)
        assert told.count("hipporag2_paper") == told.splitlines()[4].count("hipporag2_paper") == 1
    alone = refusal(parse, "name: x\nmethods:\n- qqqqqqq\n")
    assert "hipporag2_paper" in alone.remedy()


def test_a_preset_is_a_name_wherever_a_method_is():
    text = """\
name: x
methods:
- recommended
- method: bm25_jamo
  name: Jamo
  b: 0.5
- {method: rrf, name: Two}
- {name: On it, method: sar, base: bm25_morphemes}
- {name: Both, method: rrf, of: [Jamo, recommended]}
"""
    lines = {line.label: line.spec for line in parse(text).lines}
    jamo = complete({"method": "bm25", "tokeniser": "jamo3", "b": 0.5})
    assert lines["recommended"] == complete(RECOMMENDED)
    assert lines["Jamo"] == jamo
    assert lines["Two"] == complete({"method": "rrf", "of": ["bm25", "lsa"]})
    assert lines["On it"]["base"] == complete("bm25_morphemes")
    assert lines["Both"]["of"] == [jamo, complete("recommended")]
