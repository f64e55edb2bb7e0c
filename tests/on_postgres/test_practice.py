from tests.annotation.agreement.test_practice import *  # noqa: F403
