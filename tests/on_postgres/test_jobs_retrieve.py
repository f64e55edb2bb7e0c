from tests.services.conftest import *  # noqa: F403
from tests.services.runs.test_retrieving import *  # noqa: F403
