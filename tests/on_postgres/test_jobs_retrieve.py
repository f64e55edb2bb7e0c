from tests.jobs.test_retrieve import *  # noqa: F403
