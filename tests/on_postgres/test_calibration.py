from tests.annotation.test_calibration import *  # noqa: F403
