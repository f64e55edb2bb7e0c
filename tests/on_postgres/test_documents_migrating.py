from tests.annotation.guidelines.test_migration import *  # noqa: F403
