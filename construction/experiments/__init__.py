"""Experiments as files: methods, parameter grids, ablations and measures."""
