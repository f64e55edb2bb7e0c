from tests.jobs.conftest import *  # noqa: F403
from tests.jobs.test_retrieve import *  # noqa: F403
