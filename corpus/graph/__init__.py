"""The citation graph of a corpus: references found in the law itself, as typed edges."""
