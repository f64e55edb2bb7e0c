from tests.jobs.test_case_groups import *  # noqa: F403
