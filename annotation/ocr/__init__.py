"""OCR correction and verification of page images: the rules of the work."""
