from tests.jobs.test_judge_import import *  # noqa: F403
