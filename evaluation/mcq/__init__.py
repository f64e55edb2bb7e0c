"""Model safety on questions that need two provisions: able with both, safe with one.

Input are replies and right answers; output are figures with n and interval. The source of a
reply does not matter.
"""
