"""Experiments as files: which methods run on what, with which sweeps, ablations and measures."""
