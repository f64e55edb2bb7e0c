"""Work on items: queues, drafts, submissions, discussions and what each role may see."""
