from tests.annotation.test_leases import *  # noqa: F403
