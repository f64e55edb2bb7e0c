from tests.jobs.test_mcq_files import *  # noqa: F403
