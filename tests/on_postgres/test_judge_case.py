from tests.annotation.judging.test_answer_views import *  # noqa: F403
