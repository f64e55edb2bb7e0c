from tests.annotation.test_judge_case import *  # noqa: F403
