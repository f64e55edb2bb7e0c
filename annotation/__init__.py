"""People's decisions: queues, drafts, submissions, adjudication, agreement, gold."""
