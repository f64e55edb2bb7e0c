"""Annotation: queues, drafts, submissions, adjudication, agreement, gold."""
