"""Pages of law as images: reading files, page contents as blocks, OCR drafts."""
