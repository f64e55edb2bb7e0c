from tests.jobs.test_factor_suggest import *  # noqa: F403
