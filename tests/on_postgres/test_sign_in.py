from tests.annotation.test_sign_in import *  # noqa: F403
