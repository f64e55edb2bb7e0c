from tests.jobs.test_mcq_report import *  # noqa: F403
