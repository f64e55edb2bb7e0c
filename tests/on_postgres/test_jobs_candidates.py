from tests.jobs.test_candidates import *  # noqa: F403
