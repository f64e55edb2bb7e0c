from tests.jobs.test_court_cases import *  # noqa: F403
