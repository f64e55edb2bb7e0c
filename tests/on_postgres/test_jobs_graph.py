from tests.jobs.test_graph import *  # noqa: F403
