"""What the version before the house was re-laid kept and wrote, and tests that it still does.

``python -m tests.version_before`` writes both into ``tests/fixtures/version_before``: a workspace
with work in every task, and what the command line exports of it. Do that only where a figure or a
file is meant to change: what stands there was written by the version before.
"""
