from tests.annotation.work.test_events import *  # noqa: F403
