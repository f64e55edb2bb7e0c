"""OCR correction and verification of page images: the screens."""
