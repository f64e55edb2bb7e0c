from tests.annotation.people.test_sign_in import *  # noqa: F403
