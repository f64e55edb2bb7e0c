from tests.annotation.test_batches import *  # noqa: F403
