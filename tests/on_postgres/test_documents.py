from tests.annotation.test_documents import *  # noqa: F403
