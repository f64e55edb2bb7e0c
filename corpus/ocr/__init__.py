"""Pages of law as images: reading files, what a page holds as blocks, drafts of its text."""
