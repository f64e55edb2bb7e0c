from tests.jobs.test_judge_run import *  # noqa: F403
