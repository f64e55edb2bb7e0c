from tests.jobs.test_judge_wording import *  # noqa: F403
