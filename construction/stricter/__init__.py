"""Stricter groups: cases of one standard group that share the longest run of leading answers.

Cases come as rows of a table of whole numbers, one column per sub-factor in the lawyers' order; the
result is groups of rows.
"""
