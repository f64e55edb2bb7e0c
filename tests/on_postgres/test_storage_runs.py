from tests.storage.runs.test_run_store import *  # noqa: F403
