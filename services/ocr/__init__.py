"""OCR correction and verification of page images: shared work."""
