"""Stricter groups: cases of one standard group that share as many leading answers as any two do.

Cases come in as rows of a table of whole numbers, one column per sub-factor in the lawyers' order;
groups of rows go out.
"""
