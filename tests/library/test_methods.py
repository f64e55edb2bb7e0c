"""A method that a notebook registers is found by law, and by name in specs."""

from __future__ import annotations

import subprocess
import sys

from tests.conftest import ROOT

CODE = """
import touchstone

@touchstone.register
class Longest(touchstone.Method):
    NAME = "longest"
    def _fit(self, corpus):
        self.sizes = {unit.id: len(unit.text) for unit in corpus.documents}
    def _search(self, queries, k):
        return {query.id: self.sizes for query in queries}

law = touchstone.load_law(touchstone.sample() / "statutes" / "en")
longest = max(law.corpus.documents, key=lambda unit: len(unit.text)).id
assert law.search("longest", "anything", k=1)[0].unit_id == longest
both = law.run({"method": "rrf", "of": [{"method": "longest"}, {"method": "bm25"}]}, {"q": "smoke"})
assert longest in both.rankings["q"]
assert all(part.held for part in touchstone.check_method({"method": "longest"}))
try:
    touchstone.register(type("Taken", (Longest,), {"NAME": "recommended"}))
except touchstone.UserError as error:
    print(error.code)
"""


def test_a_notebook_registers_a_method() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "own_method_taken"
