from tests.annotation.people.test_members import *  # noqa: F403
