"""Form tasks: schema, drafts, submission, disputes and adjudication."""
