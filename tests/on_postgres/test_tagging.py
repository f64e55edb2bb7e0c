from tests.annotation.tagging.test_case_views import *  # noqa: F403
