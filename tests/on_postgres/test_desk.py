from tests.annotation.work.test_queue_service import *  # noqa: F403
