"""Sweeps: the lines in which one number of a method goes through values."""

from __future__ import annotations

from construction.experiments.lines import sweeps, value_at
from construction.experiments.reading import parse
from tests.support.refusals import code_of

TEXT = """\
name: x
seeds: [1, 2]
methods:
- name: BM25
  method: bm25
  grid: [{b: [0.9, 0.1]}, {k1: [1]}, {b: [0.3], k1: [2]}, {tokeniser: [whitespace, char3]}]
- name: SAR
  method: sar
  base: BM25
  grid: {base.b: [0.2, 0.4, 0.75]}
  ablations: {without: {beta: 0}}
  noise: {drop: [0.1, 0.2]}
"""


def test_a_sweep_is_one_number_of_a_method_with_the_method_as_written_in_it() -> None:
    experiment = parse(TEXT)
    labels = [line.label for line in experiment.lines]
    found = sweeps(experiment)
    assert [(each.entry, each.path) for each in found] == [
        ("BM25", "b"),  # k1 has two values, and words are no numbers
        ("SAR", "base.b"),
        ("SAR", "drop"),
    ]
    assert [(value, labels[at]) for value, at in found[0].points] == [
        (0.1, "BM25 · b=0.1"),
        (0.75, "BM25"),
        (0.9, "BM25 · b=0.9"),
    ]
    assert [value for value, _ in found[1].points] == [0.2, 0.4, 0.75]
    assert [(value, labels[at]) for value, at in found[2].points][:3] == [
        (0.0, "SAR"),
        (0.1, "SAR · drop 10 % · seed 1"),
        (0.1, "SAR · drop 10 % · seed 2"),
    ]


def test_an_experiment_without_a_grid_has_none() -> None:
    assert sweeps(parse("name: x\nmethods: [{method: bm25}]")) == []


def test_a_path_that_leads_nowhere_is_refused() -> None:
    spec = parse(TEXT).lines[-1].spec
    assert value_at(spec, "base.k1") == 1.5
    assert value_at(spec, "base")["method"] == "bm25"
    for path in ("base.beta", "bass.b"):
        assert code_of(value_at, spec, path) == "method_parameter_unknown"
