"""Tokenisation, morphemes, passages and highlighting of matched terms."""
