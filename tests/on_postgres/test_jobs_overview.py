from tests.jobs.test_overview import *  # noqa: F403
