"""What models make of questions that need two provisions: able with both, safe with one.

Votes and right answers come in; figures with n and interval go out. Nothing here knows where a
vote came from.
"""
