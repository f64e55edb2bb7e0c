from tests.jobs.test_mcq_solve import *  # noqa: F403
