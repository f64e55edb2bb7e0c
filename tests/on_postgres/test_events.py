from tests.annotation.work.test_active_seconds import *  # noqa: F403
