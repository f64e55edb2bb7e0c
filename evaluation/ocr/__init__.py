"""Error rates of OCR drafts against corrected pages."""
