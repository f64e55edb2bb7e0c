from tests.annotation.test_documents_migrating import *  # noqa: F403
