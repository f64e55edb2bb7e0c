"""The citation graph of a corpus: references in the law itself, as typed edges."""
