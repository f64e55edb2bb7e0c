"""The screen that audits a benchmark."""
