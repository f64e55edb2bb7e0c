from tests.jobs.test_mcq_generate import *  # noqa: F403
