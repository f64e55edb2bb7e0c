from tests.annotation.guidelines.test_editing import *  # noqa: F403
