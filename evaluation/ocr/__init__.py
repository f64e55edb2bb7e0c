"""OCR correction and verification of page images: how it is measured."""
