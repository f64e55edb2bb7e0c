from tests.services.judging.test_judge_prompt import *  # noqa: F403
